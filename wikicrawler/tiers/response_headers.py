"""Response headers as plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy.http import Response


def headers_of(response: Response) -> dict[str, str]:
    """Headers by lower-case name; of repeated ones the last, but every cookie that is set."""
    headers = {
        name.decode("latin-1").lower(): values[-1].decode("latin-1")
        for name, values in response.headers.items()
        if values
    }
    cookies = response.headers.getlist("Set-Cookie")
    if cookies:
        headers["set-cookie"] = b", ".join(cookies).decode("latin-1")
    return headers
