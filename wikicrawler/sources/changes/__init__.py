"""Whether a document changed."""

from __future__ import annotations

from wikicrawler.items import hash_text

RULES_VERSION = "0"


class Change:
    """What changed."""

    def as_dict(self) -> dict[str, object]:
        """Return it as JSON."""
        return {"kind": "substantive", "sections": []}


def change_hash(body: str) -> str:
    """Return the hash of the text without white space."""
    return hash_text(" ".join(body.split()))


def compare(old: str, new: str) -> Change | None:
    """Return the change, or None."""
    return None if change_hash(old) == change_hash(new) else Change()
