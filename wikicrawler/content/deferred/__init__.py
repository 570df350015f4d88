"""Parts of a page that stand elsewhere in its HTML than where a browser shows them."""
