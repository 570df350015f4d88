"""Turns wiki pages and public sites into clean Markdown records, as a Scrapy project."""

__version__ = "0.1.0"
