"""The sites of the projects here; each answers the same to the same requests.

::

    with SITES["bookshop"]() as site:
        ...crawl site.url("")...
"""

from __future__ import annotations

import json
from collections import Counter
from io import BytesIO
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from tests.servers.scripted import Exchange, Reply, ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Callable

QUOTES = {
    "love": "Love all, trust a few, do wrong to none.",
    "life": "Life is what happens to us while we are making other plans.",
    "humour": "I can resist everything except temptation.",
}
# What is reset at once is asked for again by Twisted, or not: as the connection was kept or new.
CUT = Reply(headers={"Content-Length": "100", "Connection": "close"}, body="{}")
OLD_BROWSER = "MSIE 6.0"


class Site(ScriptedServer):
    """Asks :meth:`answer` for every page but robots.txt, which allows all."""

    latency = 0.02

    def __init__(self) -> None:
        super().__init__()
        self.asked: Counter[str] = Counter()

    def reply_to(self, exchange: Exchange) -> Reply:
        if exchange.path == "/robots.txt":
            return Reply(headers={"Content-Type": "text/plain"}, body="User-agent: *\nDisallow:\n")
        with self._lock:
            self.asked[exchange.path] += 1
            reply = self.answer(exchange)
        return Reply(
            reply.status, reply.headers, reply.body, reply.delay or self.latency, reply.drop
        )

    def answer(self, exchange: Exchange) -> Reply:
        """The answer to the request of *exchange*."""
        raise NotImplementedError


class Bookshop(Site):
    """Forty books on ten shelves, of which some cannot be had."""

    def answer(self, exchange: Exchange) -> Reply:
        parts = exchange.path.strip("/").split("/")
        if len(parts) == 1:
            return self.shelf(1)
        if parts[1] == "shelf":
            return self.shelf(int(parts[2]))
        return self.book(int(parts[1]), self.asked[exchange.path])

    def shelf(self, number: int) -> Reply:
        books = range(number * 4 - 4, number * 4)
        links = "".join(f'<a class="book" href="/books/{book}">Book {book}</a>' for book in books)
        more = f'<a class="next" href="/books/shelf/{number + 1}">More</a>' if number < 10 else ""
        return html(f"Shelf {number}", links + more)

    def book(self, number: int, times: int) -> Reply:  # noqa: PLR0911
        if number == 5:
            return Reply(429, body="Slow down.")
        if number % 7 == 0 and times <= 2:
            return Reply(429, {"Retry-After": "1"}, body="Slow down.")
        if number % 10 == 9:
            return Reply(503, body="<h1>Down for maintenance</h1>")
        if number == 13:
            return Reply(404, body="<h1>Sold for ever</h1>")
        if number == 8 and times == 1:
            return Reply(403, body="Come again.")
        if number == 17:
            return html("Out of stock", "<h1></h1>")
        if number == 23:
            return Reply(body="")
        if number == 26 and times == 1:
            return CUT
        return html(f"Book {number}", f"<h1>Book {number}</h1><p class=price>{number}.50</p>")


class Quotes(Site):
    """Three tags of eight pages; some pages are for new browsers, or for adults."""

    def answer(self, exchange: Exchange) -> Reply:
        parts = exchange.path.strip("/").split("/")
        if parts[0] == "quotes":
            return self.page(parts[1], int(parts[2]))
        name = parts[-1].partition("?")[0]
        if OLD_BROWSER in exchange.headers.get("User-Agent", ""):
            return Reply(403, body="<h1>Your browser is too old</h1>")
        if name.endswith("5") and "?adult" not in exchange.path:
            body = '<div class="age-gate"><p>Are you 18?</p><a class="enter" href="?adult">Yes</a>'
            return html("How old are you?", body)
        return html(name, f"<h3>{name}</h3><p>Born on a day, in a place.</p>")

    def page(self, tag: str, number: int) -> Reply:
        name = f"{tag}-{number}"
        address = "author-old" if number % 3 == 0 else "author"
        text = (
            f'<div class="quote"><span class="text">{QUOTES[tag]} ({number})</span>'
            f'<small class="author">{name}</small></div>'
            f'<a class="author" href="/{address}/{name}">{name}</a>'
        )
        if number < 8:
            text += f'<li class="next"><a href="/quotes/{tag}/{number + 1}/">Next</a></li>'
        return html(tag, text)


class Wallpapers(Site):
    """Four galleries of five pages; two images are none."""

    def answer(self, exchange: Exchange) -> Reply:
        kind, _, rest = exchange.path.strip("/").partition("/")
        number = int(rest.split("/")[0])
        if kind == "gallery":
            pages = range(number * 5 - 5, number * 5)
            body = "".join(f'<a href="/wallpaper/{page}">{page}</a>' for page in pages)
            body += f'<a href="/gallery/{number + 1}">More</a>' if number < 4 else ""
            return html(f"Gallery {number}", body)
        if kind == "wallpaper":
            images = f'<img src="/image/{number}/a"><img src="/image/{number}/b">'
            return html(f"Wallpaper {number}", f"<h2>Wallpaper {number}</h2>{images}")
        return self.image(number, exchange.path[-1])

    def image(self, number: int, side: str) -> Reply:
        if number == 3 and side == "b":
            return Reply(404, body="No such image")
        if number == 4 and side == "b":
            return html("An image", "<p>This is no image.</p>")
        if number == 6 and side == "b":
            return Reply(302, {"Location": "/image/7/b"})
        return Reply(headers={"Content-Type": "image/png"}, body=picture(number, side))


class Members(Site):
    """An account behind a form; the session is a cookie, the form has a token."""

    passwords = {"ann": "correct horse", "cat": "battery staple"}  # noqa: RUF012

    def answer(self, exchange: Exchange) -> Reply:
        path = exchange.path.partition("?")[0]
        user = cookie(exchange, "user")
        form = {key: found[0] for key, found in parse_qs(exchange.body.decode()).items()}
        if path == "/login":
            return self.log_in(form) if exchange.method == "POST" else self.form("")
        if path == "/guest":
            return html("Guest", f"<p>Welcome, {form.get('as', 'nobody')}</p>")
        if user not in self.passwords:
            return Reply(302, {"Location": "/login"})
        return self.section(path, exchange.path, user)

    def form(self, message: str) -> Reply:
        fields = "<input name=user><input name=password type=password><input type=submit>"
        return html(
            "Log in",
            f'{message}<form action="/login" method="post"><input type=hidden name=csrf value=t1>'
            f'{fields}</form><form id=guest action="/guest" method=post><input name=as value=guest>'
            "</form>",
        )

    def log_in(self, form: dict[str, str]) -> Reply:
        if form.get("csrf") != "t1":
            return Reply(400, body="No token")
        if self.passwords.get(form.get("user", "")) != form.get("password"):
            return self.form("<p>Wrong password</p>")
        return Reply(302, {"Location": "/account", "Set-Cookie": f"user={form['user']}; Path=/"})

    def section(self, path: str, whole: str, user: str) -> Reply:
        if path == "/account":
            places = ("/orders?page=1", "/orders?page=2", "/orders?page=9", "/messages", "/notes")
            links = "".join(f'<a href="{place}">{place}</a>' for place in (*places, "/logout"))
            return html("Account", f"<h1>Hello {user}</h1><nav>{links}</nav>")
        if path == "/orders" and whole != "/orders?page=9":
            rows = "".join(f"<tr><td>{user} {n}" for n in range(20))
            return html("Orders", f"<table>{rows}</table>")
        if path == "/orders":
            return html("Orders", "")
        if path == "/messages":
            return html("Messages", '<div id="root"></div><script src="/app.js"></script>')
        if path == "/logout":
            return Reply(302, {"Location": "/login"})
        return Reply(body="")


class Prices(Site):
    """An API of JSON that wants a token."""

    def answer(self, exchange: Exchange) -> Reply:
        path, _, query = exchange.path.partition("?")
        if path == "/api/token":
            return json_reply({"token": "fresh"})
        if exchange.headers.get("Authorization") != "Bearer fresh":
            return json_reply({"error": "Unauthorized"}, 401)
        if path == "/api/search":
            return self.search(**json.loads(exchange.body))
        if path == "/api/basket":
            return json_reply({"did": exchange.method}, 201 if exchange.method == "PUT" else 200)
        times = self.asked[exchange.path]
        return self.others[path](query, times)

    def search(self, shop: str, cursor: int) -> Reply:
        if shop == "closed":
            return json_reply({"error": "Closed"}, 500)
        products = [{"name": f"{shop}-{cursor + n}", "price": cursor + n} for n in range(3)]
        return json_reply({"products": products, "next": cursor + 3 if cursor < 30 else None})

    others: dict[str, Callable[[str, int], Reply]] = {  # noqa: RUF012
        "/api/shops": lambda *_: json_reply({"shops": ["north", "south", "east", "closed"]}),
        "/api/nothing": lambda *_: Reply(204),
        "/api/list": lambda *_: json_reply([]),
        "/api/null": lambda *_: json_reply(None),
        "/api/feed.xml": lambda *_: Reply(headers={"Content-Type": "text/xml"}, body="<rss/>"),
        "/api/rates.csv": lambda *_: Reply(headers={"Content-Type": "text/csv"}, body="a,b\n1,2\n"),
        "/api/notice": lambda *_: Reply(headers={"Content-Type": "text/plain"}, body="Moved."),
        "/api/unprocessable": lambda *_: json_reply({"error": "What?"}, 422),
        "/api/teapot": lambda _, times: json_reply({"tea": times}, 418 if times == 1 else 200),
        "/api/broken": lambda query, times: json_reply(
            {"times": times}, 200 if query == "patient" and times == 4 else 500
        ),
        "/api/dropped": lambda *_: CUT,
        "/api/slow": lambda *_: Reply(delay=8),
        "/api/busy": lambda *_: json_reply({"error": "Too many"}, 429),  # in no RETRY_HTTP_CODES
    }


class Archive(Site):
    """Pages three levels deep, with redirects, errors and files."""

    def answer(self, exchange: Exchange) -> Reply:  # noqa: PLR0911
        path = exchange.path.removeprefix("/archive/")
        if path.startswith("moved"):
            return Reply(301, {"Location": "/archive/deep/"})
        if path.endswith("/a"):
            return Reply(404, body="")
        if path.startswith("error"):
            return Reply(int(path[5:]), body=f"<h1>Error</h1><a href='/archive/{path}/a'>a</a>")
        if path == "empty":
            return Reply(body="")
        if path == "refresh":
            refresh = "<meta http-equiv=refresh content='0; url=/archive/deep/'>"
            return Reply(body=f"<!doctype html><title>Wait</title>{refresh}")
        if path == "file.bin":
            return Reply(headers={"Content-Type": "application/octet-stream"}, body=b"\0\1" * 50)
        links = [f"{path}{n}/" for n in range(3)]
        if not path:
            links += ["moved", "error429", "error503", "error403", "error404", "error500"]
            links += ["empty", "refresh", "file.bin"]
        return html(path, "".join(f'<a href="/archive/{link}">{link}</a>' for link in links))


def html(title: str, body: str) -> Reply:
    return Reply(body=f"<!doctype html><html><head><title>{title}</title><body>{body}</html>")


def json_reply(found: object, status: int = 200) -> Reply:
    return Reply(status, {"Content-Type": "application/json"}, json.dumps(found))


def picture(number: int, side: str) -> bytes:
    """A PNG of one colour."""
    from PIL import Image

    file = BytesIO()
    Image.new("RGB", (60 + number, 50), (number, ord(side), 7)).save(file, "PNG")
    return file.getvalue()


def cookie(exchange: Exchange, name: str) -> str:
    """The value of a cookie; empty where there is none."""
    for part in exchange.headers.get("Cookie", "").split("; "):
        key, _, found = part.partition("=")
        if key == name:
            return found
    return ""


SITES: dict[str, type[Site]] = {
    "bookshop": Bookshop,
    "quotes": Quotes,
    "wallpapers": Wallpapers,
    "members": Members,
    "prices": Prices,
    "archive": Archive,
}
