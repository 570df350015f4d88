"""Where a value stands in a page."""
