<?php
/*
 * Settings of the tests' wiki. The environment (or the web server) says where it lives:
 *   WIKI_DATA         directory of its database, images and switches
 *   WIKI_SERVER       http://127.0.0.1:PORT
 *   WIKI_SCRIPT_PATH  path of api.php's directory, '' or '/w'
 */

$wikiData = getenv( 'WIKI_DATA' );

$wgSitename = 'Salt Coast';
$wgMetaNamespace = 'Project';
$wgServer = $wgCanonicalServer = getenv( 'WIKI_SERVER' );
$wgScriptPath = $wgResourceBasePath = (string)getenv( 'WIKI_SCRIPT_PATH' );
$wgArticlePath = '/wiki/$1';
$wgUsePathInfo = true;
$wgSecretKey = $wgUpgradeKey = 'not a secret: this wiki lives on loopback for the time of a test';
$wgRightsUrl = 'https://creativecommons.org/licenses/by-sa/4.0/';
$wgRightsText = 'CC BY-SA 4.0';
$wgLanguageCode = 'en';
$wgLocaltimezone = 'UTC';

$wgDBtype = 'sqlite';
$wgDBname = 'wiki';
$wgSQLiteDataDir = "$wikiData/db";
$wgDBservers = [ [
	'type' => 'sqlite', 'dbname' => 'wiki', 'dbDirectory' => $wgSQLiteDataDir, 'tablePrefix' => '',
	'load' => 1, 'flags' => DBO_DEFAULT, 'variables' => [ 'synchronous' => 'OFF' ],
] ];
$wgMainCacheType = $wgMessageCacheType = $wgParserCacheType = $wgSessionCacheType = CACHE_ACCEL;
$wgCacheDirectory = "$wikiData/cache";
$wgLocalisationCacheConf['store'] = 'array';
$wgJobRunRate = 0;
$wgEnableEmail = false;
$wgPingback = false;
$wgShowExceptionDetails = true;

$wgEnableUploads = true;
$wgUploadDirectory = "$wikiData/images";
$wgUploadPath = '/images';
$wgUseImageMagick = false;
$wgThumbnailScriptPath = "$wgScriptPath/thumb.php";
$wgGenerateThumbnailOnParse = false;

$wgDefaultSkin = 'vector';
wfLoadSkin( 'Vector' );
foreach ( [ 'CategoryTree', 'Cite', 'ImageMap', 'InputBox', 'Interwiki', 'Math', 'PageImages',
	'ParserFunctions', 'Poem', 'Scribunto', 'SyntaxHighlight_GeSHi', 'TemplateData', 'TextExtracts',
] as $wikiExtension ) {
	wfLoadExtension( $wikiExtension );
}
$wgPFEnableStringFunctions = true;
$wgPygmentizePath = '/usr/bin/pygmentize';
$wgScribuntoDefaultEngine = 'luastandalone';
$wgScribuntoEngineConf['luastandalone']['luaPath'] = '/usr/bin/lua5.1';
// Math would ask wikimedia.org to check and to render each formula: no request leaves the machine.
$wgMathValidModes = [ 'source' ];
$wgDefaultUserOptions['math'] = 'source';
$wgMathDisableTexFilter = 'always';

// <html> lets a page carry the markup of extensions that Debian does not ship (tabs, Fandom's
// infoboxes) exactly as they would write it.
$wgRawHtml = true;
$wgRestrictDisplayTitle = false;
$wgMaxArticleSize = 4096;
$wgFragmentMode = [ 'html5', 'legacy' ];

define( 'NS_GUIDE', 3000 );
define( 'NS_GUIDE_TALK', 3001 );
$wgExtraNamespaces[NS_GUIDE] = 'Guide';
$wgExtraNamespaces[NS_GUIDE_TALK] = 'Guide_talk';
$wgNamespaceAliases['G'] = NS_GUIDE;
$wgContentNamespaces[] = NS_GUIDE;
$wgNamespacesWithSubpages[NS_MAIN] = true;

if ( PHP_SAPI !== 'cli' ) {
	require __DIR__ . '/switches.php';
}
