"""What an ``api.php`` answers when it is broken, busy, or lies.

The operator has configured it (or a page names it); the pages beside it are as they should be. So
each page comes, by the API or as HTML, whatever the API says.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.servers.hostile.answers import html, page, redirect, reset
from tests.servers.hostile.fault import Fault, item, skip
from wikicrawler.errors import Reason

if TYPE_CHECKING:
    from tests.servers.hostile.connection import Connection, Request
    from tests.servers.hostile.fault import Expect, Serve

ERRORS = "api.php: error codes"
NO_JSON = "api.php: no JSON"
TYPES = "api.php: wrong types"
LIES = "api.php: a siteinfo that lies"
FOUND = "api.php: found by a page"
EMPTY = "api.php: no text"

OF_API, OF_PAGE = "the words that the API has", "the words that the page has"
BY_API, BY_HTTP = item(OF_API, tier="mediawiki"), item(OF_PAGE, lacks=[OF_API])
PAGE = html(f"<p>These are {OF_PAGE}, and here they are for anybody who can read.</p>", "Orc")
# siteinfo, the page by each tier, and retries
REQUESTS = range(1, 10)

GENERAL = {
    "articlepath": "/wiki/$1",
    "scriptpath": "",
    "server": "{origin}",
    "mainpage": "Main Page",
    "lang": "en",
    "generator": "MediaWiki 1.43.0",
    "case": "first-letter",
}
QUERY = {
    "general": GENERAL,
    "namespaces": {"0": {"id": 0, "name": "", "content": True}, "1": {"id": 1, "name": "Talk"}},
    "namespacealiases": [],
    "rightsinfo": {"url": "https://licence.test/", "text": "A licence"},
}
PARSE = {
    "title": "Orc",
    "pageid": 16,
    "revid": 17,
    "redirects": [],
    "text": f'<div class="mw-parser-output"><p>These are {OF_API}.</p></div>',
    "categories": [{"category": "Orcs"}],
    "links": [],
    "displaytitle": "Orc",
}


def parsed(**fields: Any) -> Serve:
    return as_json({"parse": PARSE | fields})


def as_json(data: object, status: int = 200, **headers: str) -> Serve:
    return page(
        json.dumps(data), status=status, headers={"Content-Type": "application/json", **headers}
    )


def error(code: object, **headers: str) -> Serve:
    return as_json({"error": {"code": code, "info": "what went wrong\nERROR: forged"}}, **headers)


def siteinfo(**fields: Any) -> Serve:
    """A siteinfo of which parts are replaced, of ``general`` where it has them."""
    general = GENERAL | {name: value for name, value in fields.items() if name in GENERAL}
    others = {name: value for name, value in fields.items() if name not in GENERAL}
    return as_json({"query": QUERY | {"general": general} | others})


def flood(conn: Connection, request: Request) -> None:
    conn.send('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"parse":[')
    conn.flood(b'{"a":[]},' * 8192)


def wiki(
    parse: Serve | None = None, info: Serve | None = None, pages: Serve | None = None
) -> Serve:
    """A wiki whose API answers so; ``/api.php`` may be at any path."""

    def serve(conn: Connection, request: Request) -> None:
        if not request.route.endswith("api.php"):
            (pages or page(PAGE))(conn, request)
        elif request.params.get("meta") == "siteinfo":
            (info or siteinfo())(conn, request)
        else:
            (parse or parsed())(conn, request)

    return serve


def _row(name: str, group: str, expect: Expect, **serves: Serve) -> Fault:
    return Fault(
        f"api-{name}", group, wiki(**serves), expect, path="/wiki/Orc", requests=REQUESTS, api=True
    )


_CODES: dict[str, Any] = {
    **dict.fromkeys(
        ("readonly", "readapidenied", "internal_api_error_DBQueryError", "permissiondenied"),
        BY_HTTP,
    ),
    **dict.fromkeys(("unknown_action", "badtoken", "assertuserfailed", "blocked"), BY_HTTP),
    **dict.fromkeys(("concurrency-limit", "ratelimited", "maxlag"), BY_HTTP),
    "missingtitle": skip(Reason.MISSING),
    "nosuchpageid": skip(Reason.MISSING),
    "invalidtitle": skip(Reason.INVALID_TITLE),
    "pagecannotexist": skip(Reason.INVALID_TITLE),
}
_ODD_CODES: dict[str, object] = {
    "empty": "",
    "int": 5,
    "list": ["missingtitle"],
    "lines": "missing\ntitle",
    "null": None,
    "of-1-mb": "x" * 2**20,
    "surrogate": "\ud800",
}
_GARBAGE: dict[str, bytes | str] = {
    "html": "<!doctype html><title>Welcome</title><p>This is no API.",
    "xml": '<?xml version="1.0"?><api><error code="x"/></api>',
    "empty": "",
    "text": "MediaWiki internal error.",
    "php-warning": "Warning: include() failed in /srv/x.php on line 5\n"
    + json.dumps({"parse": PARSE}),
    "cut": json.dumps({"parse": PARSE})[:-20],
    "twice": json.dumps({"parse": PARSE}) * 2,
    "jsonp": f"callback({json.dumps({'parse': PARSE})})",
    "list": "[]",
    "number": "5",
    "null": "null",
    "string": '"parse"',
    "no-utf-8": b'{"parse":"\xff\xfe"}',
    "utf-16": json.dumps([PARSE]).encode("utf-16"),
    "nul": b"{\0}",
    "integer-of-5000-digits": '{"parse":{"revid":' + "9" * 5000 + "}}",
    "nested-100000": '{"parse":' * 100_000 + "1" + "}" * 100_000,
    "lists-100000": "[" * 100_000,
    "lists-in-it-100000": '{"parse":' + "[" * 100_000 + "]" * 100_000 + "}",
    "of-12-mb": '{"parse":"' + "x" * (12 * 2**20) + '"}',
}
_ODD: dict[str, object] = {
    "null": None,
    "int": 5,
    "float": 1.5,
    "true": True,
    "string": "x",
    "list": [[]],
    "dict": {"a": {}},
    "empty": "",
}
_EMPTY: dict[str, str] = {
    "empty": "",
    "empty-output": '<div class="mw-parser-output"></div>',
    "empty-comment": '<div class="mw-parser-output"><!-- NewPP limit report --></div>',
    "empty-style": '<div class="mw-parser-output"><style>.x{color:red}</style></div>',
}
_NEEDED = ("title", "text")
_BESIDE = ("redirects", "links", "categories", "displaytitle", "revid", "pageid")
_LIES: dict[str, Serve] = {
    "articlepath-without-title": siteinfo(articlepath="/wiki/"),
    "articlepath-elsewhere": siteinfo(articlepath="https://elsewhere.test/$1"),
    "articlepath-private": siteinfo(articlepath="{victim}/$1"),
    "server-private": siteinfo(server="{victim}"),
    "server-javascript": siteinfo(server="javascript:alert(1)//"),
    "server-broken": siteinfo(server="http://[::1"),
    "server-user": siteinfo(server="http://me:secret@elsewhere.test"),
    "scriptpath-elsewhere": siteinfo(scriptpath="//elsewhere.test"),
    "scriptpath-dots": siteinfo(scriptpath="/../../.."),
    "mainpage-list": siteinfo(mainpage=["Main Page"]),
    "lang-garbage": siteinfo(lang='en"><script>'),
    "namespaces-list": siteinfo(namespaces=[{"id": 0}]),
    "namespaces-null": siteinfo(namespaces=None),
    "namespaces-odd": siteinfo(namespaces={"0": 5, "1": {"id": "1"}, "2": {"id": 2, "name": []}}),
    "namespaces-huge": siteinfo(namespaces={"9": {"id": 10**30, "name": "Orc"}}),
    "namespaces-of-50000": siteinfo(
        namespaces={str(n): {"id": n, "name": f"N{n}"} for n in range(50_000)}
    ),
    "aliases-odd": siteinfo(namespacealiases=[5, None, {"id": []}, {"id": 0, "alias": 5}]),
    "rights-javascript": siteinfo(rightsinfo={"url": "javascript:x()", "text": "\x1b[31m"}),
    "interwiki-of-100000": siteinfo(interwikimap=[{"prefix": f"p{n}"} for n in range(100_000)]),
}
_NO_INFO: dict[str, Serve] = {
    **{f"garbage-{name}": page(body) for name, body in _GARBAGE.items() if name != "php-warning"},
    "general-null": as_json({"query": {"general": None}}),
    "general-list": as_json({"query": {"general": []}}),
    "query-list": as_json({"query": []}),
    "articlepath-of-1-mb": siteinfo(articlepath="/wiki/$1" + "x" * 2**20),
    "articlepath-lines": siteinfo(articlepath="/wiki/$1\r\nX: y"),
    "articlepath-int": siteinfo(articlepath=5),
    "articlepath-empty": siteinfo(articlepath=""),
    "error": error("internal_api_error"),
    "maxlag": error("maxlag"),
    "maxlag-long": error("maxlag", **{"Retry-After": "9" * 5000}),
    "status-500": page("it broke", status=500),
    "status-404": page("not here", status=404),
    "status-403": page("no", status=403),
    "redirect-private": redirect("{victim}/api.php"),
    "redirect-endless": redirect("{origin}/again/api.php"),
    "redirect-elsewhere": redirect("https://elsewhere.test/api.php"),
    "reset": reset,
    "flood": flood,
}
_EDIT_URI = '<link rel="EditURI" type="application/rsd+xml" href="{}">'
_RSD = (
    '<?xml version="1.0"?><rsd version="1.0"><service><apis>'
    '<api name="MediaWiki" preferred="true" apiLink="{}" blogID=""/></apis></service></rsd>'
)


def _found(name: str, edit_uri: str, rsd: str | None = None) -> Fault:
    """An API that is not configured; the page is what came already."""
    body = PAGE.replace("<title>", _EDIT_URI.format(edit_uri) + "<title>")

    def serve(conn: Connection, request: Request) -> None:
        if request.params.get("action") == "rsd":
            page(rsd or "", headers={"Content-Type": "application/rsd+xml"})(conn, request)
        else:
            wiki(pages=page(body))(conn, request)

    return Fault(f"api-found-{name}", FOUND, serve, BY_HTTP, path="/wiki/Orc", requests=REQUESTS)


FAULTS = (
    _row("ordinary", ERRORS, BY_API),
    *(
        _row(f"error-{c.lower().replace('_', '-')}", ERRORS, e, parse=error(c))
        for c, e in _CODES.items()
    ),
    *(_row(f"error-code-{n}", ERRORS, BY_HTTP, parse=error(c)) for n, c in _ODD_CODES.items()),
    _row("error-is-text", ERRORS, BY_HTTP, parse=as_json({"error": "missingtitle"})),
    _row("error-and-page", ERRORS, BY_HTTP, parse=as_json({"error": {}, "parse": PARSE})),
    _row("error-403", ERRORS, BY_HTTP, parse=page("no", status=403)),
    _row("error-404", ERRORS, BY_HTTP, parse=page("not here", status=404)),
    _row("error-429", ERRORS, BY_HTTP, parse=page("slow down", status=429)),
    _row("error-500-with-page", ERRORS, BY_HTTP, parse=as_json({"parse": PARSE}, 500)),
    _row("error-then-page", ERRORS, BY_API, parse=parsed(), info=siteinfo()),
    *(_row(f"json-{n}", NO_JSON, BY_HTTP, parse=page(body)) for n, body in _GARBAGE.items()),
    _row("json-flood", NO_JSON, BY_HTTP, parse=flood),
    _row("redirect-private", NO_JSON, BY_HTTP, parse=redirect("{victim}/api.php")),
    _row("redirect-elsewhere", NO_JSON, BY_HTTP, parse=redirect("https://elsewhere.test/api.php")),
    _row(
        "bom", NO_JSON, BY_API, parse=page(b"\xef\xbb\xbf" + json.dumps({"parse": PARSE}).encode())
    ),
    _row(
        "duplicate-keys",
        NO_JSON,
        BY_API,
        parse=page(f'{{"parse":5,"parse":{json.dumps(PARSE)}}}'),
    ),
    _row(
        "nan",
        NO_JSON,
        BY_API,
        parse=page(json.dumps({"parse": PARSE | {"revid": float("nan"), "x": float("inf")}})),
    ),
    *(
        _row(f"{field}-{kind}", TYPES, BY_HTTP, parse=parsed(**{field: value}))
        for field in _NEEDED
        for kind, value in _ODD.items()
        if not isinstance(value, str) or (field == "title" and not value)
    ),
    *(
        _row(f"{field}-{kind}", TYPES, BY_API, parse=parsed(**{field: value}))
        for field in _BESIDE
        for kind, value in _ODD.items()
    ),
    *(
        _row(f"title-{name}", TYPES, BY_HTTP, parse=parsed(title=title))
        for name, title in {
            "surrogate": "Or\ud800c",
            "nul": "Or\0c",
            "dots": "../../etc/passwd",
            "tags": "<script>",
            "lines": "Orc\nERROR: forged",
        }.items()
    ),
    *(_row(f"text-{name}", EMPTY, BY_HTTP, parse=parsed(text=t)) for name, t in _EMPTY.items()),
    _row(
        "text-empty-by-all",
        EMPTY,
        skip(Reason.EMPTY),
        parse=parsed(text=""),
        pages=page(html('<div class="mw-parser-output"></div>', "Orc")),
    ),
    _row(
        "text-surrogates",
        TYPES,
        item(OF_API, tier="mediawiki", lacks=["\ud800"]),
        parse=parsed(text=f"<p>\ud800 These are {OF_API}. \udfff</p>"),
    ),
    _row(
        "links-of-100000",
        TYPES,
        BY_API,
        parse=parsed(
            links=[{"ns": 1, "title": f"Talk:Ä {n}", "exists": True} for n in range(10**5)]
        ),
    ),
    *(_row(f"siteinfo-{name}", LIES, BY_API, info=info) for name, info in _LIES.items()),
    *(_row(f"siteinfo-{name}", LIES, BY_HTTP, info=info) for name, info in _NO_INFO.items()),
    _found("private", "{victim}/api.php?action=rsd"),
    _found("elsewhere", "https://elsewhere.test/api.php?action=rsd"),
    _found("javascript", "javascript:alert(1)?action=rsd"),
    _found("broken", "http://[::1/?action=rsd"),
    _found("rsd-empty", "/api.php?action=rsd"),
    _found("rsd-garbage", "/api.php?action=rsd", "\0<<<"),
    _found("rsd-private", "/api.php?action=rsd", _RSD.format("{victim}/api.php")),
    _found("rsd-elsewhere", "/api.php?action=rsd", _RSD.format("https://elsewhere.test/api.php")),
    _found("rsd-file", "/api.php?action=rsd", _RSD.format("file:///etc/passwd")),
    _found(
        "rsd-xxe",
        "/api.php?action=rsd",
        '<!DOCTYPE rsd [<!ENTITY x SYSTEM "{victim}/">]>' + _RSD.format("&x;")[21:],
    ),
    _found("rsd-good", "/api.php?action=rsd", _RSD.format("{origin}/api.php")),
)
