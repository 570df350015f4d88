"""Values as people read them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wikicrawler.dashboard import formats


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (None, "–"),
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "1 kB"),
        (999_499, "999 kB"),
        (999_999, "1 MB"),
        (3_210_000, "3.21 MB"),
        (5 * 10**15, "5e+03 TB"),
    ],
)
def test_sizes(count: int | None, text: str) -> None:
    assert formats.size(count) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, "–"), (0.25, "0.25 s"), (59, "59 s"), (90, "1.5 min"), (7200, "2 h"), (172_800, "2 d")],
)
def test_durations(seconds: float | None, text: str) -> None:
    assert formats.duration(seconds) == text


def test_a_time_is_utc_for_machines_and_people() -> None:
    at = datetime(2026, 11, 26, 0, 5, 9, tzinfo=UTC)
    found = formats.moment(at.timestamp())
    assert 'datetime="2026-11-26T00:05:09Z"' in found
    assert "2026-11-26 00:05 UTC" in found
    assert "never" in formats.moment(None)
    assert "unknown" in formats.moment(1e300)


def test_foreign_text_is_escaped_isolated_and_cut() -> None:
    assert formats.shown("<b>\u202eevil\x00") == "<bdi>&lt;b&gt;\\u202eevil\\x00</bdi>"
    assert formats.shown("x" * 400) == f"<bdi>{'x' * 300}…</bdi>"
    assert formats.lines("a\n<b>") == "<bdi>a</bdi><br><bdi>&lt;b&gt;</bdi>"


def test_a_status_is_a_word_and_a_shape() -> None:
    found = formats.badge("failed")
    assert "✖" in found
    assert "failed" in found
    assert "<script" not in formats.badge("<script>")
