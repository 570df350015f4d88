"""Proofs: the records of one source on one day, with the links that tie them to the chain.

A proof is a file of JSON that is checked without the database, by :func:`check_proof`. It contains
the texts of the records, and for each other record between the first of them and the end of the
chain the digest of its text, so that the hash of the end can be computed.

It proves that these records are in the chain whose end has that hash, unchanged and in that order.
With an anchor that somebody else has kept it also proves that they were there when the anchor was
taken. It does not prove that the records are all of that day, nor that the server sent what they
say: a server does not sign its responses.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from wikicrawler.audit.record import request_hash
from wikicrawler.store.chain_text import canonical_text, digest_of, hash_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wikicrawler.audit.anchor import Anchor

FORMAT = "wikicrawler audit proof 1"
MAX_PROOF = 512 << 20
"""Maximum size of a file in bytes."""

_HASH = re.compile("[0-9a-f]{64}")
_KEYS = {"format", "source", "date", "start", "chain", "end", "digest"}


class ProofError(Exception):
    """A file is not a sound proof; the message says why."""


@dataclass(frozen=True)
class Proof:
    """A sound proof."""

    source: str
    date: str
    records: list[dict[str, Any]]
    first: int
    """Sequence of the first link."""
    last: int
    """Sequence of the last link, whose hash is :attr:`end`."""
    end: str
    anchors: int = 0
    """Number of anchors that the links contain."""


def build_proof(
    source: str, date: str, start: tuple[int, str], chain: Sequence[str | dict[str, str]], end: str
) -> bytes:
    """Return the file of a proof.

    :param start: sequence of the first link, and the hash before it
    :param chain: a link each: ``{"text": …}`` of a record, or the digest of another record's text
    :param end: hash of the last link
    """
    content = {
        "format": FORMAT,
        "source": source,
        "date": date,
        "start": {"sequence": start[0], "prev_hash": start[1]},
        "chain": list(chain),
        "end": end,
    }
    return _file(content | {"digest": _digest(content)})


def _file(content: dict[str, Any]) -> bytes:
    return (canonical_text(content) + "\n").encode("ascii")


def _digest(content: dict[str, Any]) -> str:
    return sha256(canonical_text(content).encode("ascii")).hexdigest()


def check_proof(data: bytes, anchors: Sequence[Anchor] = ()) -> Proof:
    """Check the file of a proof. Each change of a byte is found.

    :param anchors: one of them at least must be among the links, and each that could be
    :raises ProofError: the proof is not sound
    """
    content = _read(data)
    chain, start = content["chain"], content["start"]
    kept = {anchor.sequence: anchor for anchor in anchors}
    sequence, previous = start["sequence"], start["prev_hash"]
    first, found = sequence, 0
    hashes: dict[int, str] = {}
    records: list[dict[str, Any]] = []
    for link in chain:
        if isinstance(link, dict):
            text = link["text"]
            previous = hash_of(digest_of(text), previous)
            records.append(_record(text, sequence, content, hashes))
        else:
            previous = hash_of(link, previous)
        hashes[sequence] = previous
        if sequence in kept:
            if kept[sequence].hash != previous:
                raise ProofError(
                    f"record {sequence}: has another hash than the anchor of "
                    f"{kept[sequence].timestamp}"
                )
            found += 1
        sequence += 1
    if previous != content["end"]:
        raise ProofError("the links do not lead to the end of the chain that the file states")
    if not records:
        raise ProofError("it has no record")
    if anchors and not found:
        raise ProofError(
            f"no anchor is of a record from {first} to {sequence - 1}, so none confirms it"
        )
    return Proof(content["source"], content["date"], records, first, sequence - 1, previous, found)


def _read(data: bytes) -> dict[str, Any]:
    """Return the content of a file of the right form."""
    if len(data) > MAX_PROOF:
        raise ProofError(f"it has more than {MAX_PROOF:,} bytes")
    try:
        content = json.loads(data.decode("ascii"))
    except (ValueError, RecursionError):
        raise ProofError("it is not JSON in ASCII") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ProofError(f'it is not a proof (its format is not "{FORMAT}")')
    if content.keys() != _KEYS or not all(_is_sound(content)):
        raise ProofError("a part is missing or has the wrong form")
    body = {key: value for key, value in content.items() if key != "digest"}
    try:
        is_canonical = _file(content) == data
    except (ValueError, RecursionError):
        is_canonical = False
    if not is_canonical or _digest(body) != content["digest"]:
        raise ProofError("it was changed (its digest differs)")
    return content


def _is_sound(content: dict[str, Any]) -> Iterator[bool]:
    start, chain = content["start"], content["chain"]
    yield isinstance(content["source"], str) and isinstance(content["date"], str)
    yield isinstance(start, dict) and start.keys() == {"sequence", "prev_hash"}
    yield isinstance(start, dict) and type(start.get("sequence")) is int
    yield isinstance(start, dict) and _is_hash(start.get("prev_hash"))
    yield _is_hash(content["end"]) and _is_hash(content["digest"])
    yield isinstance(chain, list) and all(map(_is_link, chain))


def _is_link(link: object) -> bool:
    if isinstance(link, dict):
        return link.keys() == {"text"} and isinstance(link["text"], str)
    return _is_hash(link)


def _is_hash(value: object) -> bool:
    return isinstance(value, str) and _HASH.fullmatch(value) is not None


def _record(
    text: str, sequence: int, content: dict[str, Any], hashes: dict[int, str]
) -> dict[str, Any]:
    """Return the record *text*, which says what the proof states."""
    place = f"record {sequence}"
    try:
        fields: dict[str, Any] = json.loads(text)
        is_canonical = isinstance(fields, dict) and canonical_text(fields) == text
    except (ValueError, TypeError, RecursionError):
        is_canonical = False
    if not is_canonical:
        raise ProofError(f"{place}: its text is not canonical JSON")
    if fields.get("sequence") != sequence:
        raise ProofError(f"{place}: its text states another sequence")
    if fields.get("manifest_id") != content["source"]:
        raise ProofError(f"{place}: is of another source")
    is_request = fields.get("kind") == "request"
    if is_request and not str(fields.get("timestamp")).startswith(content["date"] + "T"):
        raise ProofError(f"{place}: is of another day")
    if is_request and fields.get("request_hash") != request_hash(
        fields.get("url", ""),
        fields.get("method", ""),
        fields.get("request_headers"),
        fields.get("request_body_hash"),
    ):
        raise ProofError(f"{place}: its request does not have its hash")
    of = fields.get("of_sequence")
    if of in hashes and hashes[of] != fields.get("of_hash"):
        raise ProofError(f"{place}: is of another operation than it states")
    return fields
