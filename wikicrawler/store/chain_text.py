"""The text of an audit record and its hash. Pure functions of the standard library, so that a proof
can be checked without a database.

A record is stored as text, and the text is hashed as it is stored: no database changes it, as
PostgreSQL's ``jsonb`` would. The hash of a record is::

    sha256(sha256(text in UTF-8, in hexadecimal) + "\\n" + hash of the previous record)

in lower-case hexadecimal. The inner hash lets a proof contain the links of the chain without the
texts of other records. The previous hash of the first record is :data:`GENESIS`.
"""

from __future__ import annotations

import json
from hashlib import sha256
from math import isfinite
from typing import TYPE_CHECKING, Any

from wikicrawler.text.safe import without_surrogates

if TYPE_CHECKING:
    from collections.abc import Mapping

GENESIS = "0" * 64
"""The previous hash of the first record."""

_encode = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
).encode


def canonical_text(fields: Mapping[str, Any]) -> str:
    """Return *fields* as canonical JSON: one line of ASCII, keys sorted, no white space.

    Strings have U+FFFD for NUL and lone surrogates, which databases refuse. Numbers are integers
    where they are integral. Decoding the text and encoding it again returns the same text.

    :raises ValueError: a number is not finite
    :raises TypeError: a value has no JSON
    """
    return _encode({clean(key): clean(value) for key, value in fields.items()})


def clean(value: Any) -> Any:
    """Return *value*, of JSON's types, as :func:`canonical_text` writes it."""
    if isinstance(value, str):
        if value.isascii():  # most
            return value.replace("\0", "\ufffd") if "\0" in value else value
        return without_surrogates(value).replace("\0", "\ufffd")
    if isinstance(value, float):
        if not isfinite(value):
            raise ValueError(f"{value} is not a finite number")
        return int(value) if value.is_integer() else value
    if isinstance(value, (list, tuple)):
        return [clean(one) for one in value]
    if isinstance(value, dict):
        return {clean(key): clean(one) for key, one in value.items()}
    return value


def digest_of(text: str) -> str:
    """Return the digest of a record's text."""
    return sha256(text.encode()).hexdigest()


def hash_of(digest: str, previous: str) -> str:
    """Return the hash of the record whose text has *digest*, after the one with hash *previous*."""
    return sha256(f"{digest}\n{previous}".encode("ascii")).hexdigest()
