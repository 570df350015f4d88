"""``scrapy manifest``: read, compare and activate manifests of watched sources."""
