<?php
// What the demonstration wiki needs beside MediaWiki's own defaults and the extensions Cite, Math,
// Poem and SyntaxHighlight_GeSHi. Appended to LocalSettings.php of the wiki that renders the pages.
$wgSitename = 'Apiary Handbook';
$wgMetaNamespace = 'Apiary_Handbook';
$wgRightsText = 'CC0 1.0';
$wgRightsUrl = 'https://creativecommons.org/publicdomain/zero/1.0/';
$wgNamespacesWithSubpages[NS_MAIN] = true;

// <infobox name="…" type="…">: the HTML and the page property of Fandom's PortableInfobox, which
// Debian does not package. Lines: "title = …", "== group ==", "source = label | value".
$wgHooks['ParserFirstCallInit'][] = static function ( Parser $parser ) {
	$parser->setHook( 'infobox', static function ( $text, array $args, Parser $parser, PPFrame $frame ) {
		$html = '';
		$data = [];
		$open = false;
		foreach ( array_filter( array_map( 'trim', explode( "\n", $text ) ) ) as $line ) {
			if ( preg_match( '/^==\s*(.+?)\s*==$/', $line, $m ) ) {
				$html .= ( $open ? '</section>' : '' ) . '<section class="pi-item pi-group pi-border-color">' .
					'<h2 class="pi-item pi-header pi-secondary-font pi-item-spacing pi-secondary-background">' .
					htmlspecialchars( $m[1] ) . "</h2>\n";
				$open = true;
			} elseif ( preg_match( '/^title\s*=\s*(.+)$/', $line, $m ) ) {
				$html .= '<h2 class="pi-item pi-item-spacing pi-title pi-secondary-background" data-source="title">' .
					htmlspecialchars( $m[1] ) . "</h2>\n";
				$data[] = [ 'type' => 'title', 'data' => [ 'value' => $m[1], 'source' => 'title' ] ];
			} elseif ( preg_match( '/^(\w+)\s*=\s*(.+?)\s+\|\s+(.+)$/', $line, $m ) ) {
				$label = $parser->recursiveTagParse( $m[2], $frame );
				$value = $parser->recursiveTagParse( $m[3], $frame );
				$html .= '<div class="pi-item pi-data pi-item-spacing pi-border-color" data-source="' . $m[1] . '">' .
					'<h3 class="pi-data-label pi-secondary-font">' . $label . '</h3>' .
					'<div class="pi-data-value pi-font">' . $value . "</div></div>\n";
				$data[] = [ 'type' => 'data', 'data' => [ 'label' => $m[2], 'value' => $m[3], 'source' => $m[1] ] ];
			}
		}
		$parser->getOutput()->setPageProperty( 'infoboxes', json_encode( [ [ 'parser_tag_version' => 5, 'data' => $data ] ] ) );
		return '<aside role="region" class="portable-infobox pi-background pi-border-color pi-theme-' .
			htmlspecialchars( $args['type'] ?? 'default' ) . ' pi-layout-default">' . $html . ( $open ? '</section>' : '' ) . '</aside>';
	} );
};
