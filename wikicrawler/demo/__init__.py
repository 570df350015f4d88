"""A small wiki that ships with the project, to try a crawl without a network.

:class:`DemoWiki` serves it; ``python -m wikicrawler.demo`` serves or crawls it from a shell. A real
MediaWiki rendered the pages from the sources in ``wikitext/``.
"""

from wikicrawler.demo.server import DemoWiki

__all__ = ["DemoWiki"]
