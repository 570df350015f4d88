"""What the workers of a crawl share of its scope."""
