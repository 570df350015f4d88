"""HTML pages to clean Markdown records: cleaning, article choice, conversion and its processes."""

from wikicrawler.content.conversion import convert

__all__ = ["convert"]
