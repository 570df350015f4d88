"""The staged versions of a source: previews, differences, and their proof in the audit log."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from wikicrawler.audit.export import BrokenChainError, NothingRecordedError
from wikicrawler.audit.proof import ProofError, check_proof
from wikicrawler.dashboard.differences import compare, inline, side_by_side
from wikicrawler.dashboard.preview import raw
from wikicrawler.dashboard.queries import text_in
from wikicrawler.dashboard.screens.source_frame import Asked, render_source, source_of, staged
from wikicrawler.sources.overview.versions import (
    Body,
    Unreadable,
    chain_place,
    find_version,
    proof_of_day,
    read_body,
    versions_of,
)

if TYPE_CHECKING:
    from markupsafe import Markup
    from starlette.requests import Request

    from wikicrawler.audit.proof import Proof
    from wikicrawler.sources.overview.versions import Version

_MOST = 200
_MAX_URL = 8_000
_VIEWS = {"rendered": "Rendered", "original": "Original page", "raw": "Raw text"}
_LAYOUTS = {"side": "Side by side", "inline": "Inline"}


def show_versions(request: Request) -> Response:
    """Show the versions of all documents."""
    asked = source_of(request)
    with staged():
        found = versions_of(asked.dashboard.staging, asked.id, limit=_MOST)
    return render_source(request, asked, "source_versions.html", "versions", found=found)


def show_document(request: Request) -> Response:
    """Show the versions of a document, and what is different between two of them.

    Parameters: ``url``; ``old`` and ``new``, ids of envelopes, else those of the last two versions;
    ``layout``, ``side`` or ``inline``.
    """
    asked, url = source_of(request), text_in(request, "url", _MAX_URL)
    with staged():
        found = versions_of(asked.dashboard.staging, asked.id, url, limit=_MOST)
    if not found.versions:
        raise HTTPException(404, "This source has no staged version of a document at that URL.")
    known = {version.envelope_id: version for version in found.versions}
    newest = list(known)
    new = text_in(request, "new") or newest[0]
    old = text_in(request, "old") or (newest[1] if len(newest) > 1 else "")
    if new not in known or (old and old not in known):
        raise HTTPException(404, "The document has no such version: choose two of the list.")
    layout = text_in(request, "layout") or "side"
    if layout not in _LAYOUTS:
        raise HTTPException(400, f"layout: not one of {', '.join(_LAYOUTS)}")
    difference, why = None, None
    if old:
        difference, why = _difference(asked, known[old], known[new], layout)
    return render_source(
        request,
        asked,
        "source_document.html",
        "versions",
        url=url,
        found=found,
        old=known.get(old),
        new=known[new],
        layout=layout,
        layouts=_LAYOUTS,
        difference=difference,
        why=why,
    )


def show_version(request: Request) -> Response:
    """Show a version. Parameter: ``view``, one of ``rendered``, ``original`` and ``raw``."""
    asked, version = _asked_version(request)
    view = text_in(request, "view") or "rendered"
    if view not in _VIEWS:
        raise HTTPException(400, f"view: not one of {', '.join(_VIEWS)}")
    with staged():
        body = read_body(asked.dashboard.staging, version)
    text: Markup | None = None
    if isinstance(body, Body) and view == "raw":
        text = raw(body.body, what="text")
    return render_source(
        request,
        asked,
        "source_version.html",
        "versions",
        staged=version,
        body=body if isinstance(body, Body) else None,
        why=body.why if isinstance(body, Unreadable) else None,
        view=view,
        views=_VIEWS,
        text=text,
        place=chain_place(asked.dashboard.database, version),
    )


def show_proof(request: Request) -> Response:
    """Show whether the proof of the day on which a version was fetched is sound."""
    asked, version = _asked_version(request)
    place = chain_place(asked.dashboard.database, version)
    if place is None:
        raise HTTPException(404, "The audit log has no operation that brought this version.")
    proof: Proof | None = None
    why = ""
    try:
        proof = check_proof(proof_of_day(asked.dashboard.database, asked.id, place.day))
    except (ProofError, BrokenChainError, NothingRecordedError) as error:
        why = _why(error)
    staged_paths = {record.get("staged_path") for record in proof.records} if proof else set()
    return render_source(
        request,
        asked,
        "source_proof.html",
        "versions",
        staged=version,
        place=place,
        proof=proof,
        why=why,
        has_version=version.path in staged_paths,
    )


def download_proof(request: Request) -> Response:
    """Return the file of the proof of a day."""
    asked = source_of(request)
    try:
        day = date.fromisoformat(str(request.path_params["day"]))
    except ValueError:
        raise HTTPException(404, "The path ends with a day, like 2026-12-01.json") from None
    try:
        data = proof_of_day(asked.dashboard.database, asked.id, day)
    except (BrokenChainError, NothingRecordedError) as error:
        raise HTTPException(404, _why(error)) from None
    name = f"{asked.id}-{day.isoformat()}.proof.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="application/json", headers=headers)


def _asked_version(request: Request) -> tuple[Asked, Version]:
    asked = source_of(request)
    with staged():
        version = find_version(
            asked.dashboard.staging, asked.id, str(request.path_params["envelope"])
        )
    if version is None:
        raise HTTPException(404, "This source has no such version.")
    return asked, version


def _difference(
    asked: Asked, old: Version, new: Version, layout: str
) -> tuple[Markup | None, str | None]:
    """Return the difference of two versions, or why there is none."""
    with staged():
        bodies = [read_body(asked.dashboard.staging, version) for version in (old, new)]
    for name, body in zip(("older", "newer"), bodies, strict=True):
        if isinstance(body, Unreadable):
            return None, f"The {name} version cannot be compared: {body.why}."
    first, second = (body.body for body in bodies if isinstance(body, Body))
    found = compare(first, second)
    return (side_by_side(found) if layout == "side" else inline(found)), None


def _why(error: Exception) -> str:
    if isinstance(error, NothingRecordedError):
        return "the audit log has no record of this source on that day"
    if isinstance(error, BrokenChainError):
        return "the chain of the audit log is broken: scrapy audit verify says where"
    return str(error)


_BELOW = "/sources/{source}"
ROUTES = (
    Route(f"{_BELOW}/versions", show_versions, methods=["GET"]),
    Route(f"{_BELOW}/document", show_document, methods=["GET"]),
    Route(f"{_BELOW}/versions/{{envelope}}", show_version, methods=["GET"]),
    Route(f"{_BELOW}/versions/{{envelope}}/proof", show_proof, methods=["GET"]),
    Route(f"{_BELOW}/proofs/{{day}}.json", download_proof, methods=["GET"]),
)
