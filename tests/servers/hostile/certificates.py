"""The TLS of rows, and an authority that a crawl of them trusts."""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tests.servers.certificates import Authority, server_context

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Iterator

TRUST = "SSL_CERT_FILE"  # where OpenSSL looks for the authorities
_folder = TemporaryDirectory(prefix="hostile-")


@contextmanager
def trust() -> Iterator[None]:
    """Within it, this process and its children trust the authority of :func:`signed` alone."""
    before = os.environ.get(TRUST)
    os.environ[TRUST] = str(_authority().path)
    try:
        yield
    finally:
        del os.environ[TRUST]
        if before is not None:
            os.environ[TRUST] = before


def signed(
    host: str = "", *, days: int = 1, by_itself: bool = False
) -> Callable[[str], ssl.SSLContext]:
    """The TLS of a server by its address: its certificate is for *host*, or that address, for so
    many *days*, and of the trusted authority, unless *by_itself*."""

    def make(address: str) -> ssl.SSLContext:
        authority = None if by_itself else _authority()
        return server_context(_path(), host=host or address, authority=authority, days=days)

    return make


@lru_cache
def _authority() -> Authority:
    return Authority(_path())


def _path() -> Path:
    return Path(_folder.name)
