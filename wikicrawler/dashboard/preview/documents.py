"""Documents for a frame in a sandbox: headers, style and skeleton.

A document has no scripts, forms, links or requests of its own, so nothing in it needs the sandbox;
the headers are a second wall. Its style sheet is inline, allowed by its hash: documents in a
sandbox have no origin, so a style sheet of the dashboard would have to be open to all origins.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import TYPE_CHECKING

from markupsafe import Markup

from wikicrawler.dashboard.visible import cut

if TYPE_CHECKING:
    from collections.abc import Mapping

STYLE = (
    ":root{color-scheme:light dark}"
    "body{margin:1rem auto;max-width:46rem;padding:0 1rem;font:1rem/1.55 system-ui,sans-serif;"
    "overflow-wrap:anywhere}"
    "pre,code{font-family:ui-monospace,monospace;font-size:.9em}"
    "pre{overflow-x:auto;padding:.75rem;border:1px solid #8888}"
    "table{border-collapse:collapse;display:block;overflow-x:auto}"
    "th,td{border:1px solid #8888;padding:.25rem .5rem;text-align:start}"
    "blockquote{margin-inline:0;padding-inline-start:1rem;border-inline-start:3px solid #8888}"
    ".preview-link{text-decoration:underline dotted}"
    ".preview-image{border:1px dashed #8888;padding:0 .25rem}"
    ".preview-notice{border:1px solid;padding:.5rem}"
)
_HASH = b64encode(sha256(STYLE.encode()).digest()).decode()
PREVIEW_HEADERS: Mapping[str, str] = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": (
        f"sandbox; default-src 'none'; style-src 'sha256-{_HASH}'; form-action 'none'; "
        "base-uri 'none'; frame-ancestors 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "X-DNS-Prefetch-Control": "off",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
"""Headers of each response with a document of this package."""


def document(body: Markup, *, title: str, notice: str = "") -> str:
    """Return a whole HTML document with *body*, named *title*."""
    above = Markup('<p class="preview-notice">{}</p>').format(notice) if notice else ""
    return str(
        Markup(
            '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{}</title>'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            "<style>{}</style></head><body>{}<main>{}</main></body></html>"
        ).format(cut(title, 300), Markup(STYLE), above, body)  # noqa: S704 - a constant
    )
