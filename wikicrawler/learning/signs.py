"""What an answer shows of the site behind it: the heuristics that are known after a fetch."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import re2

from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.http import Response

LOOKED_AT = 4 * 1024
"""Bytes of a document that are looked into: heads say who made them."""
_LIMIT = 60

_MIME = re.compile(r"[a-z0-9!#$&^_.+-]{1,60}/[a-z0-9!#$&^_.+-]{1,60}\Z")
# "nginx/1.18.0 (Ubuntu)", "WordPress 6.4", "MediaWiki 1.39.1": a version would make a heuristic of
# every release.
_PRODUCT = re.compile(r"[^/(;,]*?(?=\s+v?\d|[/(;,]|\Z)")

# RE2: a hostile head cannot stall the crawl.
_META = re2.compile(rb"<meta\s[^>]{0,200}name\s*=\s*[\"']?generator[^>]{0,300}")
_CONTENT = re2.compile(rb"\scontent\s*=\s*(?:\"([^\"]{1,99})|'([^']{1,99})|([^\s\"'>]{1,99}))")
#: Framework by what its pages hold, in lower case; the first counts.
_FRAMEWORKS = {
    b"/_next/": "next",
    b"/_nuxt/": "nuxt",
    b"___gatsby": "gatsby",
    b"ng-version=": "angular",
    b"data-reactroot": "react",
    b"__sveltekit": "svelte",
    b"/wp-content/": "wordpress",
}
_FRAMEWORK = re2.compile(b"|".join(re2.escape(mark) for mark in _FRAMEWORKS))


def signs_of(response: Response) -> Iterator[tuple[str, str]]:
    """Type and value of what *response* shows: ``server``, ``content_type``, ``generator`` and
    ``framework``, each where it does."""
    kind = _header(response, "Content-Type").partition(";")[0].strip().lower()
    if _MIME.match(kind):
        yield "content_type", kind
    if server := _product(_header(response, "Server")):
        yield "server", server
    if kind and "html" not in kind:
        return
    head = response.body[:LOOKED_AT].lower()
    if b"generator" in head and (found := _META.search(head)):
        content = _CONTENT.search(found[0])
        said = next(filter(None, content.groups()), b"") if content else b""
        if generator := _product(said.decode("utf-8", "replace")):
            yield "generator", generator
    if found := _FRAMEWORK.search(head):
        yield "framework", _FRAMEWORKS[found[0]]


def _header(response: Response, name: str) -> str:
    return (response.headers.get(name) or b"").decode("latin-1")


def _product(said: str) -> str:
    """The name of a product without its version, lower-case, fit to be stored and shown."""
    found = _PRODUCT.match(said.strip()[:200])
    return one_line(found[0].strip().lower(), _LIMIT) if found else ""
