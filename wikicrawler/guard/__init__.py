"""What strangers may not make the crawl do: reach private addresses, or grow without bound."""
