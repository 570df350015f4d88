"""What texts have in common that are written in different ways."""

from __future__ import annotations

import pytest

from wikicrawler.fields.evidence.folding import fold


@pytest.mark.parametrize(
    "text",
    [
        "the [old bridge](https://w.test/Bridge) of stone",
        "the [old bridge](https://w.test/Bridge_(old)) of stone",
        "the [old bridge](/Bridge) of stone",
        "the [old bridge][12] of stone",
    ],
)
def test_a_link_is_its_text_in_any_form(text: str) -> None:
    assert fold(text) == "the old bridge of stone"
