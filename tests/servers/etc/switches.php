<?php
/*
 * The switches of the tests' wiki: files in WIKI_DATA/switches, looked at on every request.
 * A counted switch holds "TIMES ARGUMENT" and works for that many requests.
 */

/** The text of a switch; null where it is off. */
$wikiSwitch = static function ( string $name ) use ( $wikiData ): ?string {
	$text = @file_get_contents( "$wikiData/switches/$name" );
	return $text === false ? null : $text;
};

/** Use a counted switch up by one: its argument; null where it is off or used up. */
$wikiTake = static function ( string $name ) use ( $wikiData ): ?string {
	$file = @fopen( "$wikiData/switches/$name", 'r+' );
	if ( !$file ) {
		return null;
	}
	flock( $file, LOCK_EX );
	[ $times, $argument ] = explode( ' ', stream_get_contents( $file ), 2 ) + [ '0', '' ];
	if ( (int)$times > 0 ) {
		rewind( $file );
		ftruncate( $file, 0 );
		fwrite( $file, ( $times - 1 ) . " $argument" );
	}
	fclose( $file );
	return (int)$times > 0 ? $argument : null;
};

/** Answer this request with a page of HTML instead of MediaWiki's. */
$wikiAnswer = static function ( int $status, string $text ) {
	http_response_code( $status );
	header( 'Content-Type: text/html; charset=utf-8' );
	echo "<!DOCTYPE html>\n<html><head><title>$text</title></head>",
		"<body><h1>$text</h1><p>This server has nothing else to say.</p></body></html>\n";
	exit;
};

$wikiArgument = $wikiTake( 'too-many-requests' );
if ( $wikiArgument !== null ) {
	if ( $wikiArgument !== '' ) {
		header( "Retry-After: $wikiArgument" );
	}
	$wikiAnswer( 429, 'Too Many Requests' );
}

if ( defined( 'MW_API' ) ) {
	switch ( $wikiSwitch( 'api-off' ) ) {
		case 'html':
			$wikiAnswer( 200, 'Just a moment' );
		case '403':
			$wikiAnswer( 403, 'Forbidden' );
		case '404':
			$wikiAnswer( 404, 'Not Found' );
		case '500':
			$wikiAnswer( 500, 'Internal Server Error' );
		case 'disabled':
			$wgAPIModules['parse'] = $wgAPIModules['query'] = 'ApiDisabled';
	}
}

$wgReadOnly = $wikiSwitch( 'readonly' );

$wgHooks['ApiMaxLagInfo'][] = static function ( array &$lagInfo ) use ( $wikiTake ) {
	$lag = $wikiTake( 'maxlag' );
	if ( $lag !== null ) {
		$lagInfo = [ 'host' => '127.0.0.1', 'lag' => (float)$lag, 'type' => 'db' ];
	}
};

// Throttles of extensions refuse with the message that core's own throttle of edits has.
$wgHooks['ApiCheckCanExecute'][] = static function ( $module, $user, &$message ) use ( $wikiTake ) {
	if ( $wikiTake( 'ratelimited' ) !== null ) {
		$message = 'actionthrottledtext';
		return false;
	}
};

// Not included: opcache would keep the last text for as long as the file's second lasts.
eval( $wikiSwitch( 'php' ) ?? '' );
