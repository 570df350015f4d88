"""A checked text on its way through the browser, from the check to the activation."""

from __future__ import annotations

import binascii
import zlib
from base64 import b64decode, b64encode
from hashlib import sha256
from hmac import compare_digest

from wikicrawler.errors import ConfigError
from wikicrawler.sources.manifest.reader import MAX_BYTES

_DAMAGED = "the checked text arrived damaged: nothing was activated (upload the file again)"


def pack(data: bytes) -> str:
    """Return *data* as a field of a form keeps it. Browsers change the line ends of plain text."""
    return b64encode(zlib.compress(data)).decode("ascii")


def unpack(text: str, digest: str) -> bytes:
    """Return the data of :func:`pack`.

    :param digest: hexadecimal SHA-256 of the data
    :raises ConfigError: it is not what was checked
    """
    try:
        inflating = zlib.decompressobj()
        data = inflating.decompress(b64decode(text, validate=True), MAX_BYTES + 1)
    except (binascii.Error, zlib.error, ValueError):
        raise ConfigError(_DAMAGED) from None
    if not compare_digest(sha256(data).hexdigest().encode(), digest.encode()):
        raise ConfigError(_DAMAGED)
    return data
