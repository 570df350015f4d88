"""Answers whose examination could cost more than their length, or fail in a way of its own.

The crawl of all rows measures the longest turn of the event loop. A row here is one answer of at
most some 200 KB, unless it says otherwise.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.servers.hostile.answers import by_path, html, page, text
from tests.servers.hostile.connection import GOOD
from tests.servers.hostile.fault import Fault, item, site, skip
from wikicrawler.errors import Reason

if TYPE_CHECKING:
    from tests.servers.hostile.fault import Serve

GROUP = "work: headers"
ROBOTS = "work: robots.txt"
MARKUP = "work: markup"
API = "work: api.php"

SIZE = 200_000
OF_PAGE = "the words that the page has"
PAGE = html(f"<p>These are {OF_PAGE}, and here they are for anybody who can read.</p>", "Orc")
TYPED = {"Content-Type": "application/json; charset=utf-8"}


def _header(name: str, value: str, status: int = 200) -> Serve:
    return page(status=status, headers=[("Content-Type", "text/html"), (name, value)])


def _answered(body: str) -> Serve:
    """An API that answers everything with *body*, beside pages."""
    return by_path({"/api.php": page(body, headers=TYPED)}, page(PAGE))


def _linked(href: str) -> Serve:
    """A page with one link."""
    return by_path(
        {"/f/start": page(html(f'<p>These are {OF_PAGE}.</p><a href="{href}">on</a>', "Orc"))}
    )


_HEADERS = {
    "cookie-of-semicolons": _header("Set-Cookie", "a=b" + ";" * SIZE),
    "cookie-of-quotes": _header("Set-Cookie", 'a="' + '\\"' * (SIZE // 2)),
    "cookie-of-spaces": _header("Set-Cookie", "a" + " " * SIZE + "=b" + " " * 100),
    "link-of-angles": _header("Link", "<" * SIZE),
    "link-of-parameters": _header("Link", "</a>" + '; rel="' * (SIZE // 7)),
    "type-of-parameters": _header("Content-Type", "text/html" + "; charset" * (SIZE // 9)),
    "type-of-spaces": _header("Content-Type", "text/html;" + " " * SIZE + "charset = utf-8"),
    "disposition-of-stars": _header(
        "Content-Disposition", "inline; " + "filename*=" * (SIZE // 10)
    ),
    "language-of-commas": _header("Content-Language", "," * SIZE),
    "robots-tag-of-colons": _header("X-Robots-Tag", "a:" * (SIZE // 2)),
    "date-of-digits": _header("Last-Modified", "1" * SIZE),
    "etag-of-quotes": _header("ETag", 'W/"' * (SIZE // 3)),
    "refresh-of-spaces": _header("Refresh", "9" + " " * SIZE + "url=/x"),
}
_ROBOTS = {
    "stars": "User-agent: *\nDisallow: /" + "*a" * 2000 + "b$\n",
    "stars-in-many-rules": "User-agent: *\n" + f"Disallow: /{'*a' * 30}b$\n" * 3000,
    "agents": "User-agent: a\n" * 15_000 + "Disallow: /x\n",
    "percent": "User-agent: *\nDisallow: /" + "%25" * 60_000 + "\n",
    "delay-of-digits": "User-agent: *\nCrawl-delay: " + "0" * 100_000 + "\n",
    "rate-of-digits": "User-agent: *\nRequest-rate: " + "0" * 5000 + "/" + "9" * 5000 + "\n",
    "sitemaps": "Sitemap: http://a/\n" * 10_000,
}
_MARKUP = {
    "refresh-of-spaces": f"<meta http-equiv=refresh content='9{' ' * SIZE}url'>",
    "refresh-of-digits": f"<meta http-equiv=refresh content='{'9' * SIZE}'>",
    "canonical-of-dots": f"<link rel=canonical href='/{'../' * (SIZE // 3)}'>",
    "robots-of-commas": f"<meta name=robots content='{',' * SIZE}'>",
    "charset-of-spaces": f"<meta content='text/html;{' ' * SIZE}charset'>",
    "generators": "<meta name=generator content='MediaWiki 1.'>" * 4000,
    "config-of-braces": f"<script>RLCONF={'{' * SIZE}</script>",
    "config-of-quotes": '<script>RLCONF={"wgCategories":["' + '\\"' * (SIZE // 2) + "</script>",
    "json-ld-of-brackets": f"<script type=application/ld+json>{'[' * SIZE}</script>",
    "title-of-spaces": f"<title>{' ' * SIZE}a</title>",
}
_LINKS = {
    "dots": "/" + "../" * 60_000 + "x",
    "punycode": "http://" + ".".join(["xn--" + "a" * 50] * 40) + "/",
    "labels": "http://" + "a." * 60_000 + "example/",
    "dashes": "http://xn--" + "-" * 50_000 + "/",
    "percent": "/" + "%" * 100_000,
    "plus": "/?" + "+&" * 50_000,
    "brackets": "http://" + "[" * 50_000 + "]/",
    "at": "http://" + "a:b@" * 30_000 + "example/",
    "colons": "http:" + ":" * 100_000,
}
_API = {
    "integer-of-5000-digits": json.dumps({"query": 1}).replace("1", "9" * 5000),
    "depth": "[" * 100_000,
    "depth-closed": "[" * 50_000 + "]" * 50_000,
    "objects": '{"parse":' * 20_000,
    "float": '{"parse": 1e99999}',
    "surrogate": '{"parse": {"title": "\\ud800", "text": "\\udfff"}}',
    "nan": '{"query": NaN}',
    "keys": "{" + '"query": 1, ' * 10_000 + '"query": 2}',
    "links": json.dumps({"parse": {"title": "Orc", "text": "", "links": [{"ns": 0}] * 20_000}}),
}

FAULTS = (
    *(Fault(f"work-{n}", GROUP, serve, item()) for n, serve in _HEADERS.items()),
    *(
        Fault(
            f"work-retry-after-of-{n}", GROUP, _header("Retry-After", value, 503), skip(Reason.BUSY)
        )
        for n, value in {
            "digits": "9" * 100_000,
            "spaces": " " * SIZE + "1",
            "date": "Mon, " * 30_000,
        }.items()
    ),
    *(
        Fault(
            f"work-robots-of-{n}",
            ROBOTS,
            page(),
            item(),
            path="/f/aaaaaaaaaaaaaaaa",
            robots=text(body),
        )
        for n, body in _ROBOTS.items()
    ),
    *(
        Fault(
            f"work-markup-{n}", MARKUP, page(GOOD.replace("<title>", markup + "<title>", 1)), item()
        )
        for n, markup in _MARKUP.items()
    ),
    *(
        Fault(
            f"work-link-of-{n}",
            MARKUP,
            _linked(href),
            item(OF_PAGE) if "//" in href else site(range(1, 3), *Reason, has=[OF_PAGE]),
            path="/f/start",
            requests=range(1, 6),
        )
        for n, href in _LINKS.items()
    ),
    *(
        Fault(
            f"work-api-{n}",
            API,
            _answered(body),
            item(OF_PAGE),
            api=True,
            path="/wiki/Orc",
            requests=range(1, 10),
        )
        for n, body in _API.items()
    ),
)
