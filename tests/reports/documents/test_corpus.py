"""No impostor counts, and nearly all genuine documents do.

Each set is split by a hash of the names: the rules were written with the one half in view, and the
other was only counted.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.reports.documents.genuine import genuine
from tests.reports.documents.impostors import impostors
from tests.reports.documents.later import later_genuine, later_impostors
from wikicrawler.reports.documents.verification import verify
from wikicrawler.reports.errors import Outcome, WrongDocumentError
from wikicrawler.reports.fetching import SavedFile

if TYPE_CHECKING:
    from pathlib import Path

    from tests.reports.documents.making import Case

GENUINE = [*genuine(), *later_genuine()]
IMPOSTORS = [*impostors(), *later_impostors()]


async def _called(function: Any, *arguments: Any) -> Any:
    return await asyncio.to_thread(function, *arguments)


async def judged(case: Case, folder: Path) -> tuple[Outcome, str]:
    """What becomes of a case: the outcome, and the sentence or the evidence."""
    path = folder / "document"
    path.write_bytes(case.data)
    url = str(case.source.url or "")
    file = SavedFile(path, url, case.source.content_type, len(case.data))
    try:
        found = await verify(file, case.source, case.company, case.year, _called)
    except WrongDocumentError as error:
        return error.outcome, str(error)
    return Outcome.OK, " | ".join(found.evidence)


@pytest.mark.parametrize("case", IMPOSTORS, ids=lambda case: case.name)
@deferred_f_from_coro_f
async def test_an_impostor_never_counts(case: Case, tmp_path: Path) -> None:
    outcome, sentence = await judged(case, tmp_path)
    assert outcome is not Outcome.OK, sentence
    assert len(sentence) > 10
    assert "\n" not in sentence


@pytest.mark.parametrize("held_back", [False, True], ids=["seen", "held back"])
@deferred_f_from_coro_f
async def test_nearly_all_genuine_documents_count(held_back: bool, tmp_path: Path) -> None:
    cases = [case for case in GENUINE if case.is_held_back is held_back]
    found = {case.name: await judged(case, tmp_path) for case in cases}
    refused = {name: one for name, one in found.items() if one[0] is not Outcome.OK}
    assert len(refused) <= 0.05 * len(cases), refused


def test_the_sets_are_large_and_both_halves_of_them_are() -> None:
    for cases, least in ((GENUINE, 25), (IMPOSTORS, 40)):
        assert len(cases) >= least
        assert len({case.name for case in cases}) == len(cases)
        halves = Counter(case.is_held_back for case in cases)
        assert min(halves.values()) >= 0.3 * len(cases)
