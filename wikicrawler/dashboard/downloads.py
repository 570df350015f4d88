"""Files that are made while they are sent."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from starlette.responses import StreamingResponse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CHUNK = 65_536
"""Characters after which a part is sent."""


def download(lines: Iterable[str], name: str, media_type: str) -> StreamingResponse:
    """Return a file of *lines*, which come without line ends.

    The lines are made in threads, while the client takes them. What *lines* raises for its first
    part becomes the page of an error; later it breaks the connection, so that no client takes a
    part for the whole.

    :param name: of the file, in ASCII and without quotes
    """
    parts = _parts(lines)
    first = next(parts, b"")
    return StreamingResponse(
        chain((first,), parts),
        media_type=media_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _parts(lines: Iterable[str]) -> Iterator[bytes]:
    waiting: list[str] = []
    size = 0
    for line in lines:
        waiting.append(line)
        size += len(line)
        if size >= CHUNK:
            yield _encoded(waiting)
            waiting, size = [], 0
    if waiting:
        yield _encoded(waiting)


def _encoded(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
