"""What the screens Fields and Reports share: the list of feeds, and the records of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

from wikicrawler import options
from wikicrawler.config import project_root
from wikicrawler.dashboard.context import dashboard_of
from wikicrawler.dashboard.queries import text_in
from wikicrawler.dashboard.rendering import render
from wikicrawler.errors import ConfigError
from wikicrawler.explain.result_files import MAX_FILES, Kind, ResultFile, find_result_files
from wikicrawler.explain.results import Results, read_results
from wikicrawler.text.safe import quoted

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wikicrawler.explain.result_files import ResultFiles

RECORDS = 10
"""Records of a page."""
MAX_SKIPPED = 50
"""Files that are not shown of which is said why."""
_MAX_DIGITS = 15


@dataclass(frozen=True, slots=True)
class Opened:
    """A page of records of a feed."""

    file: ResultFile
    results: Results
    is_first: bool
    next: str
    """Parameter ``at`` of the page that follows; empty at the end."""


def list_feeds(request: Request, kind: Kind, title: str) -> Response:
    """Show the feeds that have records of *kind*."""
    found = _found(request)
    return render(
        request,
        "results.html",
        kind=kind,
        files=found.of(kind),
        skipped=found.skipped[:MAX_SKIPPED],
        more_skipped=max(0, len(found.skipped) - MAX_SKIPPED),
        left_out=found.left_out,
        most=MAX_FILES,
        names=options.DASHBOARD_RESULTS.read(dashboard_of(request).settings),
        setting=options.DASHBOARD_RESULTS.name,
        root=project_root(),
        title=title,
    )


def open_feed(request: Request) -> Opened:
    """Return the records that the path and the parameter ``at`` of *request* name.

    :raises HTTPException: there is no such feed or place
    """
    token = str(request.path_params["file"])
    file = _found(request).named(token)
    if file is None:
        raise HTTPException(
            404, f"There is no feed {quoted(token, 40)} here. It was moved, or has no records."
        )
    start = _start(text_in(request, "at", 2 * _MAX_DIGITS + 2))
    try:
        results = read_results(file.path, start, RECORDS)
    except ConfigError as error:
        raise HTTPException(404, str(error)) from None
    after = "" if results.next is None else "{}-{}".format(*results.next)
    return Opened(file, results, start == (0, 1), after)


def _found(request: Request) -> ResultFiles:
    setting = options.DASHBOARD_RESULTS
    try:
        return find_result_files(setting.read(dashboard_of(request).settings), project_root())
    except ConfigError as error:
        text = str(error)
        raise ConfigError(
            text if text.startswith(setting.name) else f"{setting.name}: {text}"
        ) from None


def _start(text: str) -> tuple[int, int]:
    """Return the offset and the number of the line of ``offset-line``."""
    if not text:
        return 0, 1
    parts = text.split("-")
    if len(parts) != 2 or not all(
        part.isascii() and part.isdecimal() and len(part) <= _MAX_DIGITS for part in parts
    ):
        raise HTTPException(400, f"at: {quoted(text, 40)} is not a place in a feed (like 5120-4)")
    return int(parts[0]), int(parts[1])
