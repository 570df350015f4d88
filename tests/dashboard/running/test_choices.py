"""Which sources and moments a form means."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from starlette.datastructures import FormData

from wikicrawler.dashboard.running.choices import moment_of, seconds_of, selection_of
from wikicrawler.errors import ControlRefused


def test_ids_are_separated_by_spaces_or_commas_or_fields() -> None:
    form = FormData([("ids", "a, b  c"), ("ids", "d"), ("ids", "a")])
    assert selection_of(form).ids == ("a", "b", "c", "d")


def test_a_category_is_a_field_and_its_value() -> None:
    form = FormData({"which": "category", "category": "agency=A = B"})
    assert selection_of(form).category == ("agency", "A = B")


def test_all_is_said() -> None:
    assert selection_of(FormData({"which": "all", "ids": "a"})).everything


@pytest.mark.parametrize(
    "form", [{}, {"ids": " , "}, {"which": "category"}, {"which": "category", "category": "x"}]
)
def test_nothing_is_not_all(form: dict[str, str]) -> None:
    with pytest.raises(ControlRefused):
        selection_of(FormData(form))


@pytest.mark.parametrize(
    ("at", "zone", "expected"),
    [
        ("2026-12-01T03:00", "", "2026-12-01T03:00"),
        ("2026-12-01T03:00", "America/New_York", "2026-12-01T08:00"),
        ("2026-07-01T03:00", "America/New_York", "2026-07-01T07:00"),
        ("2026-12-01T03:00+01:00", "UTC", "2026-12-01T02:00"),
    ],
)
def test_a_moment_is_of_the_zone_of_the_browser(at: str, zone: str, expected: str) -> None:
    found = moment_of(FormData({"at": at, "zone": zone}))
    assert f"{datetime.fromtimestamp(found, UTC):%Y-%m-%dT%H:%M}" == expected


@pytest.mark.parametrize(
    "zone", ["UTC", "../../etc/passwd", "/etc/passwd", "No/Where", "\0", "a" * 999]
)
@pytest.mark.parametrize("at", ["", "soon", "2026-13-01T00:00", "1e99"])
def test_another_text_is_no_moment(at: str, zone: str) -> None:
    with pytest.raises(ControlRefused, match="is not a time"):
        moment_of(FormData({"at": at, "zone": zone}))
    if zone != "UTC":
        with pytest.raises(ControlRefused, match="is not a time"):
            moment_of(FormData({"at": "2026-12-01T03:00", "zone": zone}))


@pytest.mark.parametrize("seconds", ["", "-1", "1e9", "nan", "²"])
def test_another_text_is_no_length(seconds: str) -> None:
    with pytest.raises(ControlRefused):
        seconds_of(FormData({"seconds": seconds}))
