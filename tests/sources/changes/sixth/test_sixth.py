"""The pairs by a sixth author: no change is missed, whatever noise there is beside it."""

from __future__ import annotations

import hashlib

from tests.sources.changes.sixth import DOCUMENTS
from tests.sources.changes.unseen.measuring import measure
from tests.sources.changes.unseen.reading import Pair, read

PAIRS = read(DOCUMENTS)


def half_of(pair: Pair) -> str:
    """The half of the set, by the first hexadecimal digit of the SHA-256 of the document's name."""
    name = pair.name.partition("/")[0]
    return "odd" if int(hashlib.sha256(name.encode()).hexdigest()[0], 16) % 2 else "even"


def test_the_set_is_large_enough() -> None:
    assert len(PAIRS) >= 290
    assert len({pair.name for pair in PAIRS}) == len(PAIRS)
    assert sum(half_of(pair) == "even" for pair in PAIRS) == 152


def test_no_change_is_missed() -> None:
    figures = measure(PAIRS)
    assert figures.missed == []
    # What is left is text that two versions alone cannot tell from the page's own.
    assert figures.precision >= 0.90, figures.false
    assert figures.sections >= 0.88, figures.wrong_sections
    assert figures.classes >= 0.94, figures.wrong_class
