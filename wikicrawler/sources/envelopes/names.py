"""Paths of envelopes in the staging folder.

A path is ``{domain}/{day}/{source}__{slug}__{hash}.json``: all parts are made of ASCII letters,
digits, dots and hyphens, whatever the URL has.
"""

from __future__ import annotations

import re
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

MAX_SLUG = 60
_MAX_URL = 4_000  # characters of a URL that become part of a slug
_SEGMENTS = 2
_NOT_SAFE = re.compile(r"[^a-z0-9]+")
_NOT_SAFE_HOST = re.compile(r"[^a-z0-9.-]+")
_EXTENSION = re.compile(r"\.[a-z0-9]{1,5}$")


def slug_of(url: str) -> str:
    """Return the last segments of the path of *url* as a slug, like ``1024-5``; ``index`` if there
    are none."""
    path = unquote(urlsplit(url[:_MAX_URL]).path, errors="replace").lower()
    segments = [segment for segment in path.split("/") if segment][-_SEGMENTS:]
    if segments:
        segments[-1] = _EXTENSION.sub("", segments[-1]) or segments[-1]
    slug = _NOT_SAFE.sub("-", "-".join(segments)).strip("-")
    return slug[-MAX_SLUG:].strip("-") or "index"


def folder_of(domain: str, day: datetime) -> str:
    """Return the folder of the envelopes of *domain* that were written on a *day* in UTC."""
    host = _NOT_SAFE_HOST.sub("-", domain.lower()).strip(".-")[:200]
    return f"{host or 'unknown'}/{day:%Y-%m-%d}"


def paths_of(folder: str, source: str, url: str, content_hash: str) -> Iterator[str]:
    """Yield the paths for an envelope, the preferred one first.

    The others are for a version of another document with the same slug and text, and for a text
    that returns on the same day.

    :param content_hash: ``sha256:`` and hexadecimal digits
    """
    slug, digest = slug_of(url), content_hash.rpartition(":")[2][:8]
    yield f"{folder}/{source}__{slug}__{digest}.json"
    slug = f"{slug}-{sha256(url.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    yield f"{folder}/{source}__{slug}__{digest}.json"
    for number in count(2):
        yield f"{folder}/{source}__{slug}__{digest}-{number}.json"
