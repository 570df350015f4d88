"""Extraction of infoboxes as labels and values."""

from __future__ import annotations

from pathlib import Path

from tests.content.rendering import page
from wikicrawler.content import convert

GOLDEN = Path(__file__).with_name("golden")
URL = "https://wiki.example/wiki/A"


def boxes(inner: str) -> list | None:
    return convert(page(f"{inner}<p>text</p>"), URL).metadata.get("infobox")


def test_an_infobox_template_is_read() -> None:
    html = (GOLDEN / "wiki_infobox.html").read_text()
    assert convert(html, URL).metadata["infobox"] == [
        {
            "title": "Iron Golem",
            "fields": {
                "Kind": "Construct\nGuardian",
                "Built": "412",
                "Health": "1,200",
                "Armor": "40",
                "Drops": "Iron | Steel\nGear\nOil",
            },
        }
    ]


def test_a_portable_infobox_is_read() -> None:
    html = (GOLDEN / "wiki_portable_infobox.html").read_text()
    assert convert(html, URL).metadata["infobox"] == [
        {
            "title": "Mira",
            "fields": {
                "Race(s)": "Elf / Human",
                "Affiliation": "Guild\nCrown",
                "Level": "60",
                "Health": "9,000",
                "STR": "12",
                "DEX": "17",
                "Location": "Harbor",
                "Grave": "Hill",
            },
        }
    ]


def test_a_druid_infobox_is_read() -> None:
    assert boxes(
        '<div class="druid-infobox"><div class="druid-title">Mira</div>'
        '<div class="druid-section">Stats</div><div class="druid-row"><div class="druid-label">'
        'Level</div><div class="druid-data">60</div></div></div>'
    ) == [{"title": "Mira", "fields": {"Level": "60"}}]


def test_a_label_repeated_under_a_second_heading_is_prefixed_with_it() -> None:
    assert boxes(
        '<table class="infobox_v2"><caption>Club</caption><tr><th colspan=2>Home</th></tr>'
        "<tr><th>Wins:</th><td>3</td></tr><tr><th>Wins</th><td>4</td></tr>"
        '<tr class="header"><td colspan=2>Away</td></tr><tr><th>Wins</th><td>5<br>6</td></tr>'
        "<tr><th>Wins</th><td>7</td></tr></table>"
    ) == [{"title": "Home", "fields": {"Wins": "3\n4", "Away: Wins": "5\n6\n7"}}]


def test_the_caption_is_the_title_if_no_row_is() -> None:
    box = "<table class=infobox><caption>Club</caption><tr><td>Wins</td><td>3</td></tr></table>"
    assert boxes(box) == [{"title": "Club", "fields": {"Wins": "3"}}]


def test_values_are_plain_text_without_footnote_marks_and_images() -> None:
    assert boxes(
        '<table class=infobox><tr><td colspan=2><img src="x"></td></tr><tr><th>Born</th><td>'
        '<span style="display:none">(1900)</span>1900<sup class="reference">[1]</sup> in\n'
        "<a href=/B>Bree</a></td></tr><tr><th>Empty</th><td></td></tr><tr><th>Kin</th><td><table>"
        "<tr><td>Al</td><td>Bo</td></tr><tr><td>Cy</td></tr></table></td></tr></table>"
    ) == [{"title": "", "fields": {"Born": "1900 in Bree", "Kin": "Al Bo\nCy"}}]


def test_a_page_has_any_number_of_infoboxes() -> None:
    one = "<table class='infobox bordered'><tr><th>N</th><td>1</td></tr></table>"
    assert [box["fields"] for box in boxes(one + one.replace("1", "2")) or ()] == [
        {"N": "1"},
        {"N": "2"},
    ]
    assert boxes("<table class=infobox><tr><th>Title alone</th></tr></table>") is None
    assert boxes("<table class=wikitable><tr><th>N</th><td>1</td></tr></table>") is None


def test_the_api_and_the_skin_give_the_same_infobox() -> None:
    box = "<table class=infobox><tr><th>N</th><td>1</td></tr></table>"
    skin = (GOLDEN / "wiki_skin.html").read_text().replace("<p>Ein", f"{box}<p>Ein")
    assert convert(skin, URL).metadata["infobox"] == boxes(box)
