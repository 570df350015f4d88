<?php
/*
 * Front of the tests' wiki where nginx or php-fpm is missing: "php -S" runs this for each request.
 * It serves what nginx.conf serves, but for pictures, scripts and style sheets.
 */

register_shutdown_function( static function () {
	if ( $_SERVER['REQUEST_URI'] !== '/-/sync' ) {
		$now = microtime( true );
		$entry = [
			'end' => $now, 'duration' => $now - $_SERVER['REQUEST_TIME_FLOAT'],
			'method' => $_SERVER['REQUEST_METHOD'], 'uri' => $_SERVER['REQUEST_URI'],
			'status' => http_response_code(), 'user_agent' => $_SERVER['HTTP_USER_AGENT'] ?? '',
		];
		file_put_contents(
			getenv( 'WIKI_DATA' ) . '/log/access.log',
			json_encode( $entry, JSON_INVALID_UTF8_SUBSTITUTE ) . "\n", FILE_APPEND | LOCK_EX
		);
	}
} );

$wikiPath = explode( '?', $_SERVER['REQUEST_URI'], 2 )[0];
$wikiRoot = getenv( 'WIKI_SCRIPT_PATH' );
$wikiSource = getenv( 'WIKI_SOURCE' );
if ( $wikiPath === '/' ) {
	header( 'Location: /wiki/Main_Page', true, 302 );
	exit;
}
if ( $wikiPath === '/-/sync' ) {
	http_response_code( 204 );
	exit;
}
$wikiRobots = getenv( 'WIKI_DATA' ) . '/switches/robots.txt';
if ( $wikiPath === '/robots.txt' && is_file( $wikiRobots ) ) {
	header( 'Content-Type: text/plain; charset=utf-8' );
	readfile( $wikiRobots );
	exit;
}
if ( str_starts_with( $wikiPath, '/wiki/' ) ) {
	$wikiScript = 'index';
	unset( $_SERVER['PATH_INFO'] );
} elseif ( preg_match(
	"#^$wikiRoot/(index|api|load|rest|opensearch_desc)\\.php(/.*)?\$#", $wikiPath, $wikiMatch
) ) {
	$wikiScript = $wikiMatch[1];
	$_SERVER['PATH_INFO'] = rawurldecode( $wikiMatch[2] ?? '' );
} else {
	http_response_code( 404 );
	exit;
}
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = "$wikiRoot/$wikiScript.php";
$_SERVER['SCRIPT_FILENAME'] = "$wikiSource/$wikiScript.php";
chdir( $wikiSource );
require "$wikiSource/$wikiScript.php";
