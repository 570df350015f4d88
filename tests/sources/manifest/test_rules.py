"""What a manifest needs beyond its schema, and notices."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sources.manifest.samples import encoded, manifest, source
from wikicrawler.sources.manifest.reader import read_manifest


def said(*sources: dict[str, Any], **fields: Any) -> tuple[list[str], list[str]]:
    """Return the faults and notices, without their lines."""
    reading = read_manifest(encoded(manifest(*sources, **fields)))
    return tuple(  # type: ignore[return-value]
        [f"{fault.pointer}: {fault.message}" for fault in found]
        for found in (reading.faults, reading.notices)
    )


def test_ids_are_unique() -> None:
    (fault,), _ = said(source(), source(url="https://www.hud.gov/a"))
    assert fault == "/sources/1/id: 'hud' appears twice (first in line 8; ids are unique)"


@pytest.mark.parametrize(
    ("url", "domain", "words"),
    [
        ("https://www.hud.gov/", "hud.gov", ""),
        ("https://www.hud.gov/", "www.hud.gov", ""),
        ("http://127.0.0.1:8080/", "127.0.0.1", ""),
        ("https://www.hud.gov/", "fhfa.gov", "is not a domain of the url (write 'hud.gov')"),
        ("https://www.hud.gov/", "ud.gov", "is not a domain of the url (write 'hud.gov')"),
        ("https://www.hud.gov/", "gov", "is a public suffix (write 'hud.gov')"),
        ("https://www.hud.gov/", "hud.gov:443", "is not in its plain form (write 'hud.gov')"),
        ("https://www.hud.gov/", "Hud.gov", "is not in its plain form (write 'hud.gov')"),
        ("https://www.hud.gov/", "*.hud.gov", "is not a host name (write 'hud.gov'"),
        ("https://www.hud.gov/", "https://hud.gov/", "is not a host name (write the host alone"),
    ],
)
def test_the_domain_agrees_with_the_url(url: str, domain: str, words: str) -> None:
    faults, notices = said(source(url=url, domain=domain))
    assert notices == []
    assert [words in fault for fault in faults] == [True] * bool(words)


@pytest.mark.parametrize("url", ["ftp://hud.gov/", "https://hud.gov/#a", "https:///", "//hud.gov"])
def test_a_url_that_cannot_be_fetched_is_a_fault(url: str) -> None:
    (fault,), _ = said(source(url=url))
    assert fault.startswith("/sources/0/url: has ")


def test_patterns_may_not_exclude_the_page_itself() -> None:
    faults, _ = said(source(scrape_config={"exclude_patterns": ["/a", "*"]}))
    assert faults == [
        "/sources/0/scrape_config/exclude_patterns: excludes the page of the url itself (narrow it)"
    ]


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("a(", "column "),
        (r"(a)\1", "back-references are not supported"),
        (".*", "matches an empty line (write the words of the line that changes)"),
        (".+", "matches any line, so that no change would be seen (name its words)"),
    ],
)
def test_patterns_of_lines_to_ignore_are_of_re2_and_leave_something(pattern: str, why: str) -> None:
    faults, _ = said(source(scrape_config={"ignore_changes": [r"Load \d+", pattern]}))
    (fault,) = faults
    assert fault.startswith("/sources/0/scrape_config/ignore_changes/1: ")
    assert why in fault


@pytest.mark.parametrize("patterns", [["a"] * 2, [str(n) + "a" for n in range(51)], ["a" * 501]])
def test_the_lines_to_ignore_are_bounded(patterns: list[str]) -> None:
    faults, _ = said(source(scrape_config={"ignore_changes": patterns}))
    assert faults


@pytest.mark.parametrize("name", ["User-Agent", "cookie", "Authorization", "HOST"])
def test_headers_that_the_crawl_decides_are_refused(name: str) -> None:
    faults, _ = said(source(scrape_config={"custom_headers": {name: "x", "X-Own": "y"}}))
    (fault,) = faults
    assert fault.startswith(f"/sources/0/scrape_config/custom_headers/{name}: cannot be set: ")


@pytest.mark.parametrize("headers", [{"A b": "x"}, {"A": "x\r\nB: y"}, {"A": "ü"}, {"": "x"}])
def test_a_header_is_ascii_in_one_line(headers: dict[str, str]) -> None:
    faults, _ = said(source(scrape_config={"custom_headers": headers}))
    assert len(faults) == 1
    assert "is not a header" in faults[0]


def test_updated_is_not_before_created() -> None:
    faults, _ = said(created="2026-02-13T00:00:00Z", updated="2026-02-13T00:00:00+01:00")
    assert faults == ["/updated: is before created (the later of the two)"]


@pytest.mark.parametrize("text", ["2026-02-13", "2026-02-30T00:00:00Z", "2026-02-13T00:00:00", "x"])
def test_a_time_needs_an_offset(text: str) -> None:
    faults, _ = said(created=text)
    assert len(faults) == 1


CRON = {"cron": "30 2 * * 1-5", "time_zone": "America/New_York"}
ADAPTIVE = {"shortest_hours": 24, "longest_hours": 720}


@pytest.mark.parametrize(
    ("frequency", "schedule", "words"),
    [
        ("cron", CRON, []),
        ("adaptive", ADAPTIVE, []),
        ("weekly", None, []),
        ("cron", None, ["needs schedule.cron", "needs schedule.time_zone"]),
        ("weekly", CRON, ["belongs to the frequency cron"] * 2),
        ("cron", CRON | ADAPTIVE, ["belongs to the frequency adaptive"] * 2),
        ("cron", CRON | {"cron": "@daily"}, ["is not a cron expression of five fields"]),
        ("cron", CRON | {"cron": "61 2 * * *"}, ["has an invalid minute (0 to 59)"]),
        ("cron", CRON | {"cron": "0 2 31 2 *"}, ["has an invalid day of the month"]),
        ("cron", CRON | {"cron": "0 2 * * 1-MUN"}, ["has an invalid day of the week"]),
        ("cron", CRON | {"cron": "0 2 * *"}, ["is not a cron expression of five fields"]),
        ("cron", CRON | {"time_zone": "America/NewYork"}, ["did you mean America/New_York?"]),
        ("cron", CRON | {"time_zone": "Factory/../UTC"}, ["is not a name of a time zone"]),
        ("adaptive", ADAPTIVE | {"longest_hours": 1}, ["is less than shortest_hours"]),
        ("adaptive", ADAPTIVE | {"shortest_hours": 0}, ["is out of bounds"]),
    ],
)
def test_a_schedule_has_what_the_frequency_needs(
    frequency: str, schedule: dict[str, Any] | None, words: list[str]
) -> None:
    faults, notices = said(source(frequency=frequency, schedule=schedule))
    assert len(faults) == len(words)
    assert all(word in fault for word, fault in zip(words, faults, strict=True))
    assert notices == []


def test_an_invalid_cron_expression_has_a_place() -> None:
    data = encoded(manifest(source(frequency="cron", schedule=CRON | {"cron": "30 24 * * *"})))
    (fault,) = read_manifest(data).faults
    line = data.decode().splitlines()[fault.place.line - 1]
    assert line.strip() == '"cron": "30 24 * * *",'
    assert line[fault.place.column - 1 :].startswith('"30 24')
    assert fault.pointer == "/sources/0/schedule/cron"
    assert fault.message == "'30 24 * * *' has an invalid hour (0 to 23)"


def test_a_source_without_a_frequency_has_the_default_of_its_kind() -> None:
    fields = source(url="https://www.federalregister.gov/", domain="federalregister.gov")
    del fields["frequency"]
    reading = read_manifest(encoded(manifest(fields)))
    assert reading.faults == ()
    assert reading.manifest is not None
    assert reading.manifest.sources[0].frequency == "daily"
    assert list(reading.manifest.sources[0].fields)[:4] == ["id", "name", "description", "url"]


def test_a_schedule_without_a_frequency_is_a_fault() -> None:
    fields = source(schedule=CRON)
    del fields["frequency"]
    faults, _ = said(fields)
    assert [fault.split(" ")[1:5] for fault in faults] == [
        ["belongs", "to", "the", "frequency"]
    ] * 2


def test_reserved_keys_are_null_or_have_a_notice() -> None:
    assert said(source(swagger=None, auth_config=None)) == ([], [])
    faults, notices = said(source(swagger="openapi.json", auth_config={"user": "me"}))
    assert faults == []
    assert [notice.split(":")[0] for notice in notices] == [
        "/sources/0/swagger",
        "/sources/0/auth_config",
    ]


def test_what_has_no_effect_has_a_notice() -> None:
    _, notices = said(
        source(method="scrape", scrape_config={"include_patterns": ["/a"]}), source(id="other")
    )
    assert [notice.split(":")[0] for notice in notices] == [
        "/sources/0/scrape_config/include_patterns",
        "/sources/1/url",
    ]
