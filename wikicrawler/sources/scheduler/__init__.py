"""A daemon that starts a crawl over watched sources whenever one is due."""
