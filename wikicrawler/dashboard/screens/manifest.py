"""The manifests: the active one, the check of a new one, and all that were activated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from wikicrawler.control.manifests import activate_manifest, restore_manifest
from wikicrawler.control.robots import RobotsByProcess
from wikicrawler.dashboard.context import dashboard_of
from wikicrawler.dashboard.controls import context_of
from wikicrawler.dashboard.forms import control, text_of
from wikicrawler.dashboard.manifests.carried import pack, unpack
from wikicrawler.dashboard.manifests.differences import value_text
from wikicrawler.dashboard.manifests.listing import listing_of
from wikicrawler.dashboard.manifests.readings import READINGS
from wikicrawler.dashboard.manifests.store import (
    activation_of,
    activations,
    active_reading,
    text_of_activation,
)
from wikicrawler.dashboard.rendering import render
from wikicrawler.errors import ConfigError
from wikicrawler.sources.manifest.activation import (
    ActivationRefused,
    described,
    find_active,
    new_candidate,
)
from wikicrawler.sources.manifest.comparison import flat_fields
from wikicrawler.sources.manifest.reader import MAX_BYTES
from wikicrawler.sources.manifest.tier_names import unknown_tiers
from wikicrawler.text.safe import one_line, safe_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.datastructures import FormData
    from starlette.requests import Request

    from wikicrawler.dashboard.context import Dashboard
    from wikicrawler.sources.manifest.model import Manifest, Source
    from wikicrawler.sources.manifest.reader import Reading
    from wikicrawler.sources.manifest.robots_check import Disallowed
    from wikicrawler.store.manifests import Activation

ROWS = 100
"""Rows of a table on a page."""
MAX_FIELD = 8 << 20
"""Maximum size of the field of a text in bytes: that of the request is the limit."""
_MAX_EDITED = 300_000
"""Characters up to which a text with faults can be edited on the page."""
_MAX_NUMBER = 2**31 - 1


def show(request: Request) -> Response:
    """Show the active manifest, the form for a new one, and the history."""
    dashboard = dashboard_of(request)
    found = activations(dashboard.database)
    page, count = _page(request, len(found))
    return render(
        request,
        "manifest.html",
        active=found[0] if found else None,
        history=found[(page - 1) * ROWS : page * ROWS],
        page=page,
        pages=count,
    )


def view(request: Request) -> Response:
    """Show an activated manifest: its sources, or the fields of one of them."""
    dashboard = dashboard_of(request)
    activation = activation_of(dashboard.database, _number(request.path_params["number"]))
    reading = READINGS.of_activation(dashboard.database, activation)
    sources = reading.manifest.sources if reading.manifest else ()
    page, count = _page(request, len(sources))
    source = None
    if asked := request.query_params.get("source", ""):
        source = reading.manifest.find(asked) if reading.manifest else None
        if source is None:
            raise HTTPException(404, f"{described(activation)} has no such source.")
    active = find_active(dashboard.database)
    return render(
        request,
        "manifest_view.html",
        activation=activation,
        active=active,
        is_active=activation == active,
        faults=reading.faults,
        sources=sources[(page - 1) * ROWS : page * ROWS],
        source=source,
        fields=_fields(source) if source else (),
        page=page,
        pages=count,
    )


def download(request: Request) -> Response:
    """Send the text of an activated manifest as it is."""
    database = dashboard_of(request).database
    activation = activation_of(database, _number(request.path_params["number"]))
    data = text_of_activation(database, activation)
    # A version has digits and dots only.
    ending = "json" if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{" else "yaml"
    name = f"manifest-{activation.version}-{activation.number}.{ending}"
    return Response(
        data,
        media_type=f"application/{ending}",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def compare(request: Request) -> Response:
    """Show the differences between two activated manifests."""
    database = dashboard_of(request).database
    pair = [
        activation_of(database, _number(request.query_params.get(name, "")))
        for name in ("old", "new")
    ]
    readings = [READINGS.of_activation(database, one) for one in pair]
    found = READINGS.compare(*readings)
    page, count = _page(request, len(found.rows) if found else 0)
    return render(
        request,
        "manifest_differences.html",
        old=pair[0],
        new=pair[1],
        faulty=[reading.name for reading in readings if reading.manifest is None],
        found=found,
        rows=found.rows[(page - 1) * ROWS : page * ROWS] if found else (),
        page=page,
        pages=count,
    )


def check(request: Request, form: FormData) -> str | Response:
    """Show what is wrong with a manifest, or what it would change. Changes nothing."""
    data, name = _given(form)
    if not data:
        raise ConfigError("choose a file, or paste the text of a manifest, then check it")
    return _checked(request, READINGS.read(data, name), form)


def activate(request: Request, form: FormData) -> str | Response:
    """Make the manifest active that was checked."""
    data = unpack(text_of(form, "text", MAX_FIELD), text_of(form, "sha256"))
    reading = READINGS.read(data, one_line(text_of(form, "name"), 120) or "manifest")
    try:
        found = activate_manifest(
            context_of(request),
            reading,
            check=_checker(request, form),
            force=bool(text_of(form, "force")),
            reason=text_of(form, "reason"),
        )
    except ActivationRefused as error:
        return _checked(request, reading, form, refused=str(error))
    said = f"{described(found.activation)} is active"
    if not found.is_new:
        return f"{said} already: nothing changed"
    return f"{said}. {_about_robots(found.activation)}"


def restore(request: Request, form: FormData) -> str:
    """Make the manifest of an earlier activation the active one again."""
    number = _number(text_of(form, "number"))
    found = restore_manifest(
        context_of(request),
        str(number),
        check=_checker(request, form),
        reason=text_of(form, "reason"),
    )
    said = f"{described(found.activation)} is active"
    if not found.is_new:
        return f"{said} already: nothing changed"
    return f"{said}: it restores number {number}. {_about_robots(found.activation)}"


def _given(form: FormData) -> tuple[bytes, str]:
    """Return the manifest that a form has, and its name."""
    file = form.get("file")
    if isinstance(file, UploadFile) and file.filename:
        return file.file.read(), one_line(file.filename, 120)
    pasted = form.get("pasted")
    text = pasted if isinstance(pasted, str) else ""
    # Browsers send the line ends of a text field as CRLF, whatever was pasted.
    return text.replace("\r\n", "\n").encode("utf-8", "replace"), "pasted text"


def _checked(request: Request, reading: Reading, form: FormData, refused: str = "") -> Response:
    """Return the page of a check.

    :param refused: why the manifest was not activated
    """
    dashboard = dashboard_of(request)
    active, before = active_reading(dashboard.database)
    # An active manifest with faults by today's rules can't be compared: all is new.
    found = READINGS.compare(before if before and before.manifest else None, reading)
    # A text that is too large was not read: it can't be activated either.
    is_small = len(reading.data) <= min(_MAX_EDITED, MAX_BYTES)
    return render(
        request,
        "manifest_check.html",
        status=422 if reading.manifest is None else 409 if refused else 200,
        reading=reading,
        marked=(*reading.faults, *reading.notices),
        listing=listing_of(reading, (*reading.faults, *reading.notices)),
        edited=reading.data.decode("utf-8-sig", "replace") if is_small else None,
        packed=pack(reading.data) if reading.manifest else "",
        active=active,
        is_compared=before is not None and before.manifest is not None,
        is_active=active is not None and active.sha256 == reading.sha256,
        found=found,
        rows=found.rows[:ROWS] if found else (),
        refused=safe_lines(refused),
        problem=_problem(dashboard, reading),
        unknown_tiers=_unknown_tiers(dashboard, reading.manifest),
        force=bool(text_of(form, "force")),
        reason=text_of(form, "reason"),
        with_robots=not text_of(form, "sha256") or bool(text_of(form, "robots")),
    )


def _problem(dashboard: Dashboard, reading: Reading) -> str:
    """Return why a valid manifest is not activated without force; empty if it is."""
    if reading.manifest is None:
        return ""
    try:
        new_candidate(dashboard.database, reading)
    except ActivationRefused as error:
        return safe_lines(error)
    return ""


def _unknown_tiers(dashboard: Dashboard, manifest: Manifest | None) -> list[str]:
    return unknown_tiers(dashboard.settings, manifest.active) if manifest else []


def _checker(
    request: Request, form: FormData
) -> Callable[[Sequence[Source]], list[Disallowed] | None]:
    """Return what has to be right before an activation: what was active when the page was made is
    so still, and, if asked for, robots.txt allows the sources.

    It is called after the number of the new activation is chosen, so that another activation
    between the two makes this one fail.
    """
    expected, with_robots = text_of(form, "active", 20), bool(text_of(form, "robots"))
    dashboard = dashboard_of(request)

    def checked(sources: Sequence[Source]) -> list[Disallowed] | None:
        active = find_active(dashboard.database)
        if str(active.number if active else 0) != expected:
            raise ActivationRefused(
                f"{described(active) if active else 'another manifest'} was activated in the "
                "meantime: look at the differences from it, then decide again"
            )
        return RobotsByProcess(dashboard.settings)(sources) if with_robots else None

    return checked


def _about_robots(activation: Activation) -> str:
    return f"robots.txt was {'' if activation.robots_checked else 'not '}checked."


def _fields(source: Source) -> list[tuple[str, str]]:
    return [(field, value_text(field, value)) for field, value in flat_fields(source.fields)]


def _page(request: Request, count: int) -> tuple[int, int]:
    """Return the page of a list of *count* rows that is asked for, and the number of pages."""
    pages = max(1, -(-count // ROWS))
    given = request.query_params.get("page", "")
    page = int(given) if given.isdecimal() and len(given) < 10 else 1
    return min(max(1, page), pages), pages


def _number(text: str) -> int:
    number = int(text) if text.isascii() and text.isdecimal() and len(text) <= 10 else 0
    if not 0 < number <= _MAX_NUMBER:
        raise HTTPException(404, "No manifest has such a number: choose one of the history.")
    return number


def _to_form(_: Request) -> Response:
    """Answer who loads the page of a form again."""
    return RedirectResponse("/manifest", 303)


ROUTES = (
    Route("/manifest", show, methods=["GET"]),
    Route("/manifest/differences", compare, methods=["GET"]),
    control("/manifest/check", check, MAX_FIELD),
    control("/manifest/activate", activate, MAX_FIELD),
    control("/manifest/restore", restore),
    Route("/manifest/check", _to_form, methods=["GET"]),
    Route("/manifest/activate", _to_form, methods=["GET"]),
    Route("/manifest/{number}", view, methods=["GET"]),
    Route("/manifest/{number}/download", download, methods=["GET"]),
)
