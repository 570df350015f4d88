"""Conversion of HTML pages to Markdown: cleaning, article extraction and worker processes."""

from wikicrawler.content.conversion import convert

__all__ = ["convert"]
