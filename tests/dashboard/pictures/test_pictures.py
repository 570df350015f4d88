"""Each picture has a name, a description, a table with the same data, and no style of its own."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from lxml import etree
from lxml import html as lxml_html

from wikicrawler import dashboard
from wikicrawler.dashboard import pictures
from wikicrawler.dashboard.pictures import (
    Series,
    bins_of,
    change_calendar,
    histogram,
    share_bar,
    shares_over_time,
    sparkline,
    timeline,
)

if TYPE_CHECKING:
    from markupsafe import Markup

START = datetime(2026, 1, 1, tzinfo=UTC)
STYLE = Path(dashboard.__file__).parent / "static" / "pictures.css"
EVIL = "</title><script>\"'&\u202e\x00\n{0}"


def at(hours: float) -> datetime:
    return START + timedelta(hours=hours)


def all_of(name: str, key: str = "p") -> dict[str, Markup]:
    """Every picture, with *name* wherever a stranger's text may stand."""
    return {
        "sparkline": sparkline(
            [1, None, 3], key=f"{key}a", title=name, unit=name, labels=[name] * 3
        ),
        "timeline": timeline(
            [Series(name, [(at(1), 2.0), (at(2), 5.0)]), Series("b", [(at(1), 1.0)])],
            key=f"{key}b",
            title=name,
            unit=name,
        ),
        "histogram": histogram(bins_of([0.3, 0.4, 7]), key=f"{key}c", title=name, unit=name),
        "calendar": change_calendar(
            {date(2026, 5, 1): 3}, key=f"{key}d", title=name, until=date(2026, 6, 1), what=name
        ),
        "shares": share_bar({name: 3, "b": 1}, key=f"{key}e", title=name, unit=name),
        "shares-over-time": shares_over_time(
            [(at(0), {name: 3, "b": 1}), (at(24), {"b": 1})], key=f"{key}f", title=name, unit=name
        ),
    }


EMPTY = {
    "sparkline": sparkline([None], key="a", title="T"),
    "timeline": timeline([Series("a", [])], key="a", title="T"),
    "histogram": histogram([], key="a", title="T"),
    "calendar": change_calendar({}, key="a", title="T", until=date(2026, 6, 1)),
    "shares": share_bar({"a": 0}, key="a", title="T"),
    "shares-over-time": shares_over_time([], key="a", title="T"),
}


def rows(picture: str) -> list[list[str]]:
    tree = lxml_html.fromstring(picture)
    return [[cell.text_content() for cell in row] for row in tree.iterfind(".//tbody/tr")]


@pytest.mark.parametrize("kind", EMPTY)
def test_without_data_there_is_a_sentence(kind: str) -> None:
    assert re.fullmatch(
        rf'<p class="picture-empty picture-{kind}-empty">T: no[^<]+\.</p>', EMPTY[kind]
    )


@pytest.mark.parametrize("kind", EMPTY)
def test_the_image_has_a_name_and_a_description(kind: str) -> None:
    tree = lxml_html.fromstring(all_of("Name")[kind])
    (image,) = tree.findall(".//svg[@role='img']")
    ids = image.get("aria-labelledby").split()
    title, description = (tree.get_element_by_id(one) for one in ids)
    assert title.text == "Name"
    assert len(description.text_content()) > 10
    assert tree.find(".//details/table/caption").text == "Name"
    assert rows(all_of("Name")[kind])


def test_the_ids_of_pictures_with_different_keys_differ() -> None:
    page = "".join([*all_of("Name", "p").values(), *all_of("Name", "q").values()])
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r"url\(#([^)]+)\)", page)) <= set(ids)


def test_a_key_that_is_no_id_is_refused() -> None:
    with pytest.raises(ValueError, match="key of a picture"):
        sparkline([1], key='a" onload="x', title="T")


@pytest.mark.parametrize("kind", EMPTY)
def test_names_from_outside_are_escaped(kind: str) -> None:
    picture = all_of(EVIL)[kind]
    assert "<script" not in picture
    assert "\u202e" not in picture
    assert "\x00" not in picture
    etree.fromstring(f"<r>{picture}</r>")  # well-formed


@pytest.mark.parametrize("kind", EMPTY)
def test_a_picture_has_no_style_and_no_script(kind: str) -> None:
    assert not re.search(r"\sstyle=|<style|\son\w+=|<script|href", all_of("Name")[kind])


def _stem(name: str) -> str:
    return re.sub(r"-(\d|image|empty)$", "", name)


def test_each_class_is_documented_and_has_a_colour() -> None:
    described = pictures.__doc__ or ""
    page = "".join([*all_of("Name").values(), *EMPTY.values()])
    used = {one for names in re.findall(r'class="([^"]+)"', page) for one in names.split()}
    styled = set(re.findall(r"\.([a-z][\w-]+)", STYLE.read_text("utf-8")))
    known = {_stem(one) for one in re.findall(r"[\w-]+", described)}
    stems = {_stem(one) for one in used | styled}
    kinds = {f"picture-{kind}" for kind in EMPTY}
    assert stems - known - kinds == set()


def test_a_table_has_the_data_of_its_picture() -> None:
    found = all_of("N")
    assert rows(found["sparkline"]) == [["N", "1 N"], ["N", "–"], ["N", "3 N"]]
    assert rows(found["timeline"]) == [
        ["2026-01-01 01:00:00 UTC", "N", "2 N"],
        ["2026-01-01 02:00:00 UTC", "N", "5 N"],
        ["2026-01-01 01:00:00 UTC", "b", "1 N"],
    ]
    assert '<time datetime="2026-01-01T01:00:00Z">' in found["timeline"]
    assert rows(found["histogram"])[0] == ["0.2 to 0.5 N", "2", "66.7 %"]
    assert rows(found["histogram"])[-1] == ["5 to 10 N", "1", "33.3 %"]
    assert rows(found["calendar"]) == [["2026-05-01", "3"]]
    assert rows(found["shares"]) == [["N", "3 N", "75 %"], ["b", "1 N", "25 %"]]
    assert rows(found["shares-over-time"]) == [
        ["2026-01-01 00:00:00 UTC", "3 N", "1 N"],
        ["2026-01-02 00:00:00 UTC", "0 N", "1 N"],
    ]


def test_many_values_are_thinned_to_the_lowest_and_highest() -> None:
    points = [(at(hour), float(hour % 97)) for hour in range(50_000)]
    points[12_345] = (at(12_345), 1e6)
    picture = timeline([Series("a", points)], key="a", title="T")
    assert len(rows(picture)) <= 400
    assert "1000000" in picture
    assert "of 50000 values are shown" in picture
    assert len(picture) < 60_000


def test_many_values_of_a_sparkline_are_shown_by_the_highest_of_each_part() -> None:
    values = [0.0] * 10_000
    values[5_555] = 9.0
    picture = sparkline(values, key="a", title="T")
    assert len(rows(picture)) == 400
    assert "highest 9" in picture
    assert "<details" not in sparkline(values, key="a", title="T", table=False)


def test_values_that_are_not_finite_are_left_out() -> None:
    nan, infinite = float("nan"), float("inf")
    assert "1 values, lowest 1" in sparkline([nan, 1.0, infinite], key="a", title="T")
    series = [Series("a", [(at(0), nan), (at(1), 2.0), (at(2), infinite)])]
    assert len(rows(timeline(series, key="a", title="T"))) == 1
    assert bins_of([nan, infinite, -1.0]) == []


def test_more_series_than_can_be_told_apart_are_named() -> None:
    many = [Series(f"s{number}", [(at(0), 1.0)]) for number in range(9)]
    picture = timeline(many, key="a", title="T")
    assert "3 more series are not shown." in picture
    assert len(rows(picture)) == 6


def test_values_below_zero_and_all_alike_are_drawn() -> None:
    for values in ([-5.0, -5.0], [0.0, 0.0], [-1.0, 3.0]):
        points = [(at(hour), value) for hour, value in enumerate(values)]
        picture = timeline([Series("a", points)], key="a", title="T")
        assert "nan" not in picture
        assert len(rows(picture)) == 2


def test_bins_end_where_the_values_do() -> None:
    bins = bins_of([0.05, 0.3, 500.0])
    assert (bins[0].low, bins[-1].high) == (0.05, None)
    assert [one.total for one in bins if one.total] == [1, 1, 1]


def test_the_smallest_of_many_shares_are_summed_up() -> None:
    amounts = {f"n{number}": number for number in range(1, 10)} | {"other": 50}
    found = rows(share_bar(amounts, key="a", title="T"))
    assert [row[0] for row in found] == ["n9", "n8", "n7", "n6", "n5", "other"]
    assert found[-1][1] == "60"
    in_time = rows(shares_over_time([(at(0), amounts)], key="a", title="T"))
    assert in_time[0][1:] == ["9", "8", "7", "6", "5", "60"]


def test_a_long_time_of_shares_is_summed_up() -> None:
    many = [(at(24 * day), {"a": 1.0, "b": 2.0}) for day in range(365)]
    found = rows(shares_over_time(many, key="a", title="T"))
    assert len(found) <= 60
    assert sum(float(row[1]) for row in found) == 2 * 365


def test_the_calendar_shows_a_year_and_no_more() -> None:
    until = date(2026, 11, 25)
    counts = {until - timedelta(days=days): days % 4 + 1 for days in range(1_000)}
    picture = change_calendar(counts, key="a", title="T", until=until)
    found = rows(picture)
    assert (found[0][0], found[-1][0]) == ("2026-11-25", "2025-11-24")  # a Monday
    assert {f"picture-level-{level}" for level in range(1, 5)} <= set(
        re.findall(r"picture-level-\d", picture)
    )
    assert len(picture) < 80_000
