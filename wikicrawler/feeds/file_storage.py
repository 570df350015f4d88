"""Where feeds in files are kept: lines in a file, or a folder of Markdown."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from wikicrawler.errors import ConfigError
from wikicrawler.feeds.formats import MARKDOWN
from wikicrawler.feeds.line_feeds import LineFeedStorage
from wikicrawler.feeds.markdown.feed import MarkdownFeed
from wikicrawler.feeds.markdown.page_names import SITE
from wikicrawler.frontier.redis.worker_name import worker_of
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from scrapy import Spider
    from twisted.internet.defer import Deferred


class FeedStorage(LineFeedStorage):
    """Storage of feeds in files, and of feeds in the format ``markdown`` in folders.

    :raises ConfigError: a feed of one file is named like a folder, or the other way around
    """

    def __init__(self, uri: str, *, feed_options: dict[str, Any] | None = None) -> None:
        super().__init__(uri, feed_options=feed_options)
        options = feed_options or {}
        self._is_folder = options.get("format") in MARKDOWN
        problem = self._problem(uri, options)
        if problem:
            raise ConfigError(f"{one_line(self.path)}: {problem}")

    def _problem(self, uri: str, options: dict[str, Any]) -> str:
        """What is wrong with the feed; empty if nothing is."""
        path = Path(self.path)
        if not self._is_folder:
            if SITE in self.path:
                return f"{SITE} is for a folder of the format markdown, like folder/{SITE}/"
            return ""
        if options.get("postprocessing"):
            return "the format markdown has no postprocessing"
        if path.is_file() or (not uri.endswith("/") and (path.suffix or not options["format"])):
            return (
                "needs a format, like pages.jsonl; or a slash at its end, like pages/, for a "
                "folder of Markdown"
            )
        return ""

    @property
    def opens_at_start(self) -> bool:
        return self.by_line or self._is_folder

    def open(self, spider: Spider) -> IO[bytes]:
        if not self._is_folder:
            return super().open(spider)
        return cast("IO[bytes]", MarkdownFeed(spider.crawler, Path(self.path).absolute()))

    def store(self, file: IO[bytes]) -> Deferred[None] | None:
        feed: Any = file
        return feed.settle() if isinstance(feed, MarkdownFeed) else super().store(file)


def uri_params(params: dict[str, Any], spider: Spider) -> dict[str, Any]:
    """Return the parameters of the URIs of feeds (``FEED_URI_PARAMS``): ``%(site)s`` is left to the
    folders of Markdown, ``%(worker)s`` names this one of several workers."""
    return {"site": SITE, "worker": worker_of(spider.crawler)} | params
