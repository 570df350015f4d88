"""Records as sentences."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import wikicrawler.control
from tests.audit.samples import operation, outcome, start
from wikicrawler.audit.reading import sentence

CONTROL = {"kind": "control", "by": "ann", "via": "dashboard", "detail": {}}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (start().fields, "crawl of the spider s started"),
        (operation(1).fields, "GET https://example.org/1"),
        (operation(1, status=None, error="Lost: x").fields, "GET https://example.org/1: Lost: x"),
        (
            dict(outcome(2, 1).fields) | {"of_sequence": 7},
            "record 7: content changed, staged as example.org/x.json",
        ),
        (
            {"kind": "end", "reason": "finished", "operations": 3},
            "crawl ended: finished, 3 operations",
        ),
        (
            CONTROL | {"action": "source.pause", "subject": "x", "detail": {"reason": "moved"}},
            "ann paused the source x in the dashboard: moved",
        ),
        (CONTROL | {"action": "new.thing", "subject": "x"}, "ann new.thing: x in the dashboard"),
        ({"kind": "other"}, "other"),
        ({}, "?"),
        ({"kind": "control"}, "? ?: ?"),
    ],
)
def test_a_record_is_a_sentence(fields: dict[str, Any], expected: str) -> None:
    assert sentence(fields) == expected


def test_strangers_texts_stay_on_the_line() -> None:
    said = sentence({"kind": "removal", "staged_path": "a\n\u202eb" * 500, "reason": "\x1b[31m"})
    assert said.isprintable()
    assert len(said) < 2_000


def test_each_control_has_a_sentence() -> None:
    folder = Path(wikicrawler.control.__file__).parent
    actions = {
        action
        for path in folder.glob("*.py")
        for action in re.findall(
            r'"((?:alert|job|manifest|run|scheduler|site|source)\.[a-z]+)"',
            path.read_text(),
        )
        if not action.endswith(".json")
    }
    assert len(actions) > 8
    for action in actions:
        said = sentence(CONTROL | {"action": action, "subject": "x"})
        assert action not in said
