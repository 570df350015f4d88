"""Scrapy's own tests, with our components in place of those that they replace."""
