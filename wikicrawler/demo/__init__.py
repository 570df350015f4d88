"""A small wiki that ships with the project, so that a crawl can be tried without a network.

:class:`DemoWiki` serves it; ``python -m wikicrawler.demo`` serves or crawls it from a shell. The
pages are what a real MediaWiki made of the sources in ``wikitext/``.
"""

from wikicrawler.demo.server import DemoWiki

__all__ = ["DemoWiki"]
