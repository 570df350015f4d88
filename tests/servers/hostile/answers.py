"""Answers that rows are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.servers.hostile.connection import GOOD, Connection, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tests.servers.hostile.fault import Serve


def page(
    body: bytes | str | Callable[[], bytes | str] = GOOD,
    *,
    status: int = 200,
    headers: Mapping[str, str | bytes] | Iterable[tuple[str, str | bytes]] = (),
) -> Serve:
    """An ordinary answer; *headers* replace the usual ones. A large *body* is better made when it
    is asked for: by a function without arguments."""
    fields = list(headers.items() if hasattr(headers, "items") else headers)

    def serve(conn: Connection, request: Request) -> None:
        conn.answer(status, body() if callable(body) else body, fields)

    return serve


def html(body: str, title: str = "A page") -> str:
    """A document that is well-formed around *body*, a part of its main text."""
    return (
        f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{title}</title></head>"
        f"<body><main><h1>{title}</h1>{body}</main></body></html>"
    )


def raw(data: bytes | str) -> Serve:
    """These bytes, and the end of the connection."""

    def serve(conn: Connection, request: Request) -> None:
        conn.send(data)

    return serve


def in_turn(*serves: Serve) -> Serve:
    """One for each request; the last for all that follow."""

    def serve(conn: Connection, request: Request) -> None:
        serves[min(request.number, len(serves)) - 1](conn, request)

    return serve


def by_path(serves: Mapping[str, Serve], otherwise: Serve | None = None) -> Serve:
    """One for each path (without its query), *otherwise* for the rest: 404 by default."""
    rest = otherwise or page("not here", status=404)

    def serve(conn: Connection, request: Request) -> None:
        serves.get(request.route, rest)(conn, request)

    return serve


def redirect(location: str | bytes, status: int = 302) -> Serve:
    """To *location*, in which ``{origin}``, ``{netloc}`` and ``{victim}`` are replaced."""
    return page("", status=status, headers={"Location": location})


def text(body: bytes | str, **headers: str) -> Serve:
    """An answer of plain text, such as a robots.txt."""
    return page(body, headers={"Content-Type": "text/plain", **headers})


def reset(conn: Connection, request: Request) -> None:
    """RST in the place of an answer."""
    conn.reset()


def silence(conn: Connection, request: Request) -> None:
    """No answer, ever."""
    conn.stall()


no_robots = page("not here", status=404)
