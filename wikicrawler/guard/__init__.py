"""What a page may not make the crawl do: reach private addresses."""
