"""Parts of a site that have no end, and one that has one but looks as if it had none.

Each function gives the page at a path (with its query) below the prefix that :data:`TRAPS` names it
by, as HTML; :class:`TrapSite` serves them, each trap beside good pages of its own.
"""

from __future__ import annotations

import re
from calendar import month_name
from hashlib import md5
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from tests.servers.serving import Serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MONTHS = list(month_name)[1:]
_TEXT = (
    "amber basin cedar delta ember fjord grove haven inlet juniper kelp lagoon meadow nectar "
    "orchid prairie quarry ridge summit thicket upland valley willow xylem yarrow zephyr"
)
_WORDS = _TEXT.split()


def html(title: str, text: str, links: Iterable[str]) -> str:
    """A page; each link is in a sentence, and is called as the last part of its path or query."""
    anchors = "".join(
        f'<p>There is something more to be read about <a href="{link}">'
        f"{re.split('[/?&=;]', link.rstrip('/'))[-1]}</a> as well.</p>"
        for link in links
    )
    return (
        f"<!doctype html><html lang=en><title>{title}</title><main><h1>{title}</h1>"
        f"<p>{text}</p>{anchors}</main>"
    )


def prose(seed: object, words: int = 40) -> str:
    """Text that no other *seed* has."""
    digits = md5(str(seed).encode(), usedforsecurity=False).hexdigest() * (words // 16 + 1)
    picked = [_WORDS[int(digits[i : i + 2], 16) % len(_WORDS)] for i in range(words)]
    return f"About {seed}: " + " ".join(picked) + "."


def calendar(path: str) -> str:
    """``/calendar/2026/11``: a month of no events, with the next and the one before."""
    year, month = (
        int(part) for part in (path.split("/")[-2:] if path.count("/") == 3 else (2026, 11))
    )
    links = []
    for step in (-1, 1):
        index = year * 12 + month - 1 + step
        links.append(f"/calendar/{index // 12}/{index % 12 + 1:02}")
    days = " ".join(str(day) for day in range(1, 31))
    name = f"{MONTHS[month - 1]} {year}"
    return html(f"Events in {name}", f"{days} There are no events in {name}.", links)


def query_calendar(path: str) -> str:
    """``/events?day=7``: days by their number, for ever, in both directions."""
    day = int(dict(parse_qsl(path.partition("?")[2])).get("day", 0))
    weekday = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")[
        day % 7
    ]
    title = f"{weekday}, {MONTHS[day // 30 % 12]} {day % 30 + 1}, {2026 + day // 360}"
    return html(title, "Nothing is planned on this day.", [f"?day={day + 1}", f"?day={day - 1}"])


def recursion(path: str) -> str:
    """``/manual/…``: a page whose links are relative to a folder that it is not in."""
    return html("Manual", "Everything about the machine.", ["news/", "parts/", "prices/", "team/"])


def loop(path: str) -> str:
    """``/loop/…``: one relative link, and text that is new on each page."""
    return html("Loop", prose(path), ["again/"])


def session(path: str) -> str:
    """``/forum/3?sid=…``: twelve pages, with a new number in each link."""
    bare = path.partition("?")[0].partition(";")[0]
    number = int(bare.removeprefix("/forum").strip("/") or 0)
    made = md5(f"{path}".encode(), usedforsecurity=False).hexdigest()
    links = [
        f"/forum/{n};jsessionid={made}" if n % 2 else f"/forum/{n}?view=all&sid={made}"
        for n in range(12)
    ]
    return html(f"Thread {number}", prose(f"thread {number}"), links)


def hidden_session(path: str) -> str:
    """``/t/0f3a…/page``: a session's number that is a part of the path."""
    made = md5(path.encode(), usedforsecurity=False).hexdigest()
    name = path.rpartition("/")[2]
    return html(f"The {name}", prose(name), [f"/t/{made}/{n}" for n in ("rules", "terms", "team")])


def pagination(path: str) -> str:
    """``/list?page=7``: the same list on every page, and always a next one."""
    page = int(dict(parse_qsl(path.partition("?")[2])).get("page", 1))
    return html("All there is", f"Page {page}. Lamps, chairs and tables.", [f"?page={page + 1}"])


def facets(path: str) -> str:
    """``/shop?a=1&b=2``: ten parameters of ten values in all combinations, over thirty wares."""
    chosen = dict(parse_qsl(path.partition("?")[2]))
    links = [f"/shop/ware-{n}" for n in range(30)]
    for name in "abcdefghij":
        for value in range(10):
            query = "&".join(f"{k}={v}" for k, v in sorted((chosen | {name: str(value)}).items()))
            links.append(f"/shop?{query}")
    heading = ", ".join(f"{name} is {value}" for name, value in chosen.items()) or "everything"
    if path.startswith("/shop/ware-"):
        return html(path[6:], prose(path), ["/shop"])
    return html(f"Shop: {heading}", "Pick one.", links)


def maze(path: str) -> str:
    """``/maze/cedar``: text and names that are new on each page, made to have no end."""
    words = prose(path, 6).rpartition(": ")[2].rstrip(".").split()
    links = [f"/maze/{a}-{b}-{words[5]}" for a, b in pairwise(words)]
    return html(f"On {path}", prose(path), links)


TRAPS: dict[str, Callable[[str], str]] = {
    "calendar": calendar,
    "events": query_calendar,
    "manual": recursion,
    "loop": loop,
    "forum": session,
    "t": hidden_session,
    "list": pagination,
    "shop": facets,
    "maze": maze,
}


def good_pages() -> dict[str, str]:
    """Some 480 pages, by path, that have an end and a text each, in every form that traps have."""
    site: dict[str, tuple[str, list[str]]] = {}
    dated = [
        f"/{2000 + n % 26}/{n % 12 + 1:02}/{n % 28 + 1:02}/{_WORDS[n % 26]}-{_WORDS[n // 26]}"
        for n in range(120)
    ]
    dated += ["/2045/08/12/eclipse", "/1863/07/04/battle"]
    pages = [f"/archive?page={n}" for n in range(1, 61)]
    wares = [f"/index.php?product={n}&lang=en" for n in range(80)]
    listed = [f"/index.php?colour={colour}&sort=price" for colour in _WORDS[:8]]
    names = [
        "/en/latest/en/install", "/en/latest/en/install/en", "/wiki/Foo/Foo/Foo",
        "/a/b/a/b", "/maps/0/0/0/0", "/src/main/java/org/example/main/java/Main.java",
    ]  # fmt: skip
    names += [f"/docs/{lang}/latest/{lang}/{name}" for lang in _WORDS[:6] for name in _WORDS[:12]]
    names += [
        "/" + "/".join(_WORDS[:20]),
        "/budget/2031",
        "/agenda/2030/01",
        "/sessions?session=12",
    ]
    names += [f"/conference?session_id={n}" for n in range(40)]
    numbers = [f"/n/{n}" for n in range(90)]
    for n, path in enumerate(pages):
        site[path] = prose(path), [*dated[n * 2 : n * 2 + 3], *pages[n + 1 : n + 2]]
    for path in (*dated, *wares, *names):
        site[path] = prose(path), []
    for n, path in enumerate(listed):
        site[path] = "Sorted by price.", wares[n * 10 : n * 10 + 10]
    for n, path in enumerate(numbers):
        site[path] = "A page like any other but for its number.", numbers[n * 9 + 1 : n * 9 + 10]
    site["/good"] = "Where it all begins.", [pages[0], *listed, *names, numbers[0], *dated[-3:]]
    return {path: html(path, text, links) for path, (text, links) in site.items()}


def few_pages() -> dict[str, str]:
    """Good pages that are quickly fetched."""
    paths = ["/2024/05/17/title", "/n/7", "/p?id=3", "/a/b/a/b"]
    site = {path: html(path, prose(path), []) for path in paths}
    return site | {"/good": html("Good", "Where it all begins.", paths)}


class TrapSite(Serving):
    """Context manager: ``/`` leads to the good pages and to the *traps* that are named.

    :attr:`good` has the good pages by path, :attr:`asked` the paths that were asked for.
    """

    def __init__(self, *traps: str, few: bool = False) -> None:
        self.asked: list[str] = []
        self._traps = traps
        self.good = few_pages() if few else good_pages()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.site = self
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def in_trap(self) -> list[str]:
        """What was asked for below the traps."""
        begins = tuple(f"/{trap}" for trap in self._traps)
        return [path for path in self.asked if path not in self.good and path.startswith(begins)]

    def page(self, path: str) -> str | None:
        self.asked.append(path)
        if path == "/":
            return html("Start", "Where to?", ["/good", *(f"/{trap}/" for trap in self._traps)])
        if path in self.good:
            return self.good[path]
        trap = TRAPS.get(path.strip("/").partition("?")[0].partition("/")[0])
        return trap(path) if trap else None


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    site: TrapSite


class _Handler(BaseHTTPRequestHandler):
    server: _Http
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        page = self.server.site.page(self.path)
        body = (page or "not here").encode()
        self.send_response(200 if page else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """What was asked for is the log."""
