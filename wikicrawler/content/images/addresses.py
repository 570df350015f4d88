"""The address of an image: the best of those that an element states."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

    from wikicrawler.content.links import LinkResolver

MAX_URL = 2000
"""Maximum characters of an image's URL. An image with a longer one has none."""
_MAX_SRCSET = 20_000

_LAZY = (
    *("data-src", "data-original", "data-lazy-src", "data-mw-src", "data-original-src"),
    *("data-lazy", "data-actualsrc", "data-image", "data-full-src", "data-url"),
)
"""Attributes in which scripts keep the address of an image that they load late."""
_SETS = ("srcset", "data-srcset", "data-lazy-srcset")
_BLANK = re.compile(
    r"(?:^|[/_.-])(?:blank|spacer|pixel|transparent|placeholder|lazy(?:load)?|loading|clear|empty"
    r"|grey|gray|1x1|1px|shim)(?:[_.-][\w-]{0,20})?\.(?:gif|png|svg|jpe?g|webp)$",
    re.IGNORECASE,
)
_TRACKER = re.compile(
    r"//(?:[\w-]+\.)*(?:facebook\.com/tr\b|scorecardresearch\.com|doubleclick\.net|quantserve\.com"
    r"|google-analytics\.com|googletagmanager\.com|pixel\.wp\.com|stats\.wp\.com|pixel\.[\w-]+\."
    r"|bat\.bing\.com|analytics\.)|Special:CentralAutoLogin|/(?:pixel|beacon|track(?:ing)?|adserver)(?:[/?.]|$)"
    r"|[/_-](?:count(?:er)?|b|__utm)\.(?:gif|php)(?:$|\?)",
    re.IGNORECASE,
)
_CANDIDATE = re.compile(r"[\s,]*+(\S++)")
_SIZE = re.compile(r"\s*+(\d{1,7}(?:\.\d{1,7})?)[wx]")
_IMAGE_PATH = re.compile(
    r"\.(?:a?png|jpe?g|gif|svg|webp|avif|bmp|tiff?)(?:/revision/|$)", re.IGNORECASE
)
_LENGTH = re.compile(r"\s*+(\d{1,6}(?:\.\d{1,6})?)\s*+(?:px)?\s*+$")
_STYLE_LENGTH = re.compile(
    r"(?:^|;)\s{0,9}(?:width|height)\s{0,9}:\s{0,9}(\d{1,6}(?:\.\d{1,6})?)px", re.IGNORECASE
)
MIN_SIZE = 3
"""Pixels below which an image is no picture: a tracking pixel, or what keeps a distance."""


def is_tracker(el: HtmlElement) -> bool:
    """Return True if the image *el* is a tracking pixel, a spacer, or nothing at all."""
    sizes = [_LENGTH.match(el.get(name) or "") for name in ("width", "height")]
    if any(float(size[1]) < MIN_SIZE for size in sizes if size):
        return True
    style = el.get("style")
    if style and any(float(size) < MIN_SIZE for size in _STYLE_LENGTH.findall(style[:2000])):
        return True
    src = el.get("src") or ""
    return bool(_TRACKER.search(src[:MAX_URL]))


def is_larger(el: HtmlElement, pixels: int) -> bool:
    """Return True if the image *el* states a width or height of more than *pixels*."""
    sizes = [_LENGTH.match(el.get(name) or "") for name in ("width", "height")]
    return any(float(size[1]) > pixels for size in sizes if size)


def best_url(el: HtmlElement, resolver: LinkResolver) -> str:
    """Return the absolute http(s) URL of the best source of the image *el*, or an empty string.

    That is the largest of its ``srcset``, else what scripts load late, else its ``src``.
    Placeholders are no sources.
    """
    for stated in _stated(el):
        if stated and (url := _absolute(stated, resolver)):
            return url
    return ""


def image_url(href: str, resolver: LinkResolver) -> str:
    """Return *href* as an absolute URL if its path is that of an image file, as of a link to the
    original of a thumbnail; else an empty string."""
    url = _absolute(href, resolver)
    path = urlsplit(url).path if url else ""
    # The description page of a file in a wiki has the name of the file in its address.
    return url if _IMAGE_PATH.search(path) and ":" not in path and "%3A" not in path else ""


def _stated(el: HtmlElement) -> Iterator[str]:
    for name in _SETS:
        if (value := el.get(name)) and (largest := largest_of(value)):
            yield largest
    for name in _LAZY:
        yield el.get(name) or ""
    yield el.get("src") or ""


def _absolute(stated: str, resolver: LinkResolver) -> str:
    if len(stated) > MAX_URL or stated[:5].lower() == "data:" or _BLANK.search(stated):
        return ""
    url = resolver.resolve(stated) or ""
    return url if url.startswith(("http://", "https://")) and len(url) <= MAX_URL else ""


def largest_of(srcset: str) -> str:
    """Return the URL of the largest image in a ``srcset``, or an empty string.

    Placeholders (``data:``) do not count. A URL may contain commas, as in the standard.
    """
    srcset = srcset[:_MAX_SRCSET]
    best, size, at = "", -1.0, 0
    while found := _CANDIDATE.match(srcset, at):
        url, at = found[1], found.end()
        stated = None
        if url.endswith(","):
            url = url.rstrip(",")
        else:
            stated = _SIZE.match(srcset, at)
            at = srcset.find(",", at) + 1 or len(srcset)
        own = float(stated[1]) if stated else 1.0
        if own > size and url[:5].lower() != "data:":
            best, size = url, own
    return best
