"""Response headers as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy.http import Response


def headers_of(response: Response) -> dict[str, str]:
    """Return the headers by lower-case name: the last value of each, but all of ``set-cookie``."""
    headers = {
        name.decode("latin-1").lower(): values[-1].decode("latin-1")
        for name, values in dict.items(response.headers)  # Scrapy's own looks each name up again
        if values
    }
    cookies = response.headers.getlist("Set-Cookie")
    if cookies:
        headers["set-cookie"] = b", ".join(cookies).decode("latin-1")
    return headers
