"""What a spider declares about the links that it follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from wikicrawler.errors import ConfigError
from wikicrawler.text.safe import quoted
from wikicrawler.urls.patterns import Patterns

Reach = Literal["host", "site", "any"]


@dataclass(frozen=True, kw_only=True)
class CrawlBounds:
    """The bounds of a crawl, declared by a spider as its attribute ``crawl_bounds``.

    :raises ConfigError: a value is wrong; the message names it
    """

    max_pages: int | None = None
    """Maximum number of pages that are written."""
    max_depth: int | None = None
    """Maximum number of links between a seed and a page; 0: seeds only."""
    follow: Patterns | str | None = None
    """RE2 patterns, separated by white space: follow only links whose URL one of them matches."""
    exclude: Patterns | str | None = None
    """RE2 patterns, likewise: follow no link whose URL one of them matches."""
    scope: Reach = "host"
    """How far links may lead: to the hosts of the seeds, to their sites (registered domains), or to
    any host."""

    def __post_init__(self) -> None:
        for name, least in (("max_pages", 1), ("max_depth", 0)):
            value = getattr(self, name)
            if value is not None and (type(value) is not int or value < least):
                raise ConfigError(
                    f"crawl_bounds: {name} is {quoted(str(value), 40)}: a whole number, {least} or "
                    "more, or None is needed"
                )
        if self.scope not in get_args(Reach):
            raise ConfigError(
                f"crawl_bounds: scope is {quoted(str(self.scope), 40)}: host, site or any is needed"
            )
        for name in ("follow", "exclude"):
            value = getattr(self, name)
            if value is None or isinstance(value, str):
                patterns = Patterns.parse(value, name=f"crawl_bounds: {name}")
                object.__setattr__(self, name, patterns)  # frozen

    def match(self, url: str) -> bool:
        """Return True if the patterns allow a link to *url*."""
        follow, exclude = self.follow, self.exclude
        assert isinstance(follow, Patterns)  # noqa: S101 - __post_init__ has read them
        assert isinstance(exclude, Patterns)  # noqa: S101
        return (not follow or follow.search(url)) and not (exclude and exclude.search(url))
