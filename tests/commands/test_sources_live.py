"""``scrapy sources live`` and ``ignore_changes``: what an operator does about a live line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests import scrapy_runs
from tests.servers.regulations import WORDS, RegulationSite
from tests.sources.watching import Watch, source

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path


def scrapy(watched: Watch, *command: str) -> subprocess.CompletedProcess[str]:
    options = [
        part for name, value in watched.settings.items() for part in ("-s", f"{name}={value}")
    ]
    return scrapy_runs.run([*command, "--manifest", str(watched.file), *options])


def page(load: int, rate: str = "4.25", story: str = "") -> str:
    """A page with a live line, which no rule knows, and a rate."""
    text = "".join(f"<p>({letter}) {WORDS.format(5)}</p>" for letter in "abcdef")
    return (
        f"<html lang=en><head><title>Rates</title></head><body><main><h1>Rates</h1>{text}"
        f"<h2>Interest</h2><p>The rate of the quarter is {rate} percent.</p>"
        f"<h2>Systems</h2><p>Our systems process about {load:,} returns a minute.</p>"
        f"<p>{WORDS.format(7)}</p>{story}</main></body></html>"
    )


@pytest.fixture
def site() -> Iterator[RegulationSite]:
    with RegulationSite(count=0) as server:
        yield server


@pytest.fixture
def watched(site: RegulationSite, tmp_path: Path) -> Watch:
    site.put("/", page(3100))
    found = Watch(tmp_path, described(site))
    found.settings["DOMAIN_THROTTLE_REQUESTS_PER_MINUTE"] = "60000"
    return found


def described(site: RegulationSite, *ignored: str) -> dict[str, Any]:
    config = {"ignore_changes": list(ignored)} if ignored else {}
    return source(site.url("/"), method="scrape", scrape_config=config)


def visit(watched: Watch) -> int:
    """Visit the source; return the number of envelopes that are staged then."""
    done = scrapy(watched, "sources", "run", "reg-x")
    assert done.returncode == 0, done.stderr
    return len(watched.index())


def test_an_operator_finds_a_live_line_and_ignores_it(site: RegulationSite, watched: Watch) -> None:
    staged = []
    for load in (3100, 2840, 987):
        site.put("/", page(load))
        staged.append(visit(watched))
    assert staged == [1, 2, 3], "a line that no rule knows is a change"

    shown = scrapy(watched, "sources", "live", "reg-x")
    assert shown.returncode == 0, shown.stderr
    assert "changed at 2 of 2 visits that staged it (below Systems)" in shown.stdout
    assert "Our systems process about 987 returns a minute." in shown.stdout
    (proposed,) = map(
        json.loads, scrapy(watched, "sources", "live", "reg-x", "--json").stdout.splitlines()
    )
    pattern = proposed["pattern"]
    assert pattern == r"Our systems process about [\d.,:]*\d returns a minute\."
    assert f"ignore_changes: [{json.dumps(pattern)}]" in shown.stdout
    assert (proposed["changes"], proposed["others"], proposed["is_fact"]) == (2, 0, False)
    site.put("/", page(4111))
    assert visit(watched) == 4, "nothing is ignored without the operator"

    watched.describe(described(site, pattern))
    site.put("/", page(2222))
    assert visit(watched) == 4, "another list is no change"
    site.put("/", page(2333))
    assert visit(watched) == 4
    site.put("/", page(2555, rate="4.50"))
    assert visit(watched) == 5
    integrity = watched.envelopes()[-1]["integrity"]
    assert [part["headings"] for part in integrity["change"]["sections"]] == [["Rates", "Interest"]]
    assert integrity["change_rules"].count("/") == 2

    watched.describe(described(site))
    assert visit(watched) == 5, "and so is none"


def test_a_line_with_a_fact_is_marked_and_nothing_in_common_has_no_pattern(
    site: RegulationSite, watched: Watch
) -> None:
    stories = ("Boats for all.", "Seven new bridges!\x1b[31m", "Who painted this wall?")
    for number, story in enumerate(stories):
        site.put("/", page(3100, rate=f"4.2{number}", story=f"<p>{story}</p>"))
        visit(watched)
    shown = scrapy(watched, "sources", "live", "reg-x").stdout
    assert "\x1b" not in shown
    assert "no pattern: what it said has too little in common" in shown
    assert r"ignore_changes: [\"The rate of the quarter is [" in shown.replace('"', '\\"')
    found = [
        json.loads(line)
        for line in scrapy(watched, "sources", "live", "reg-x", "--json").stdout.splitlines()
    ]
    assert {line["heading"]: line["pattern"] is None for line in found} == {
        "Interest": False,
        "Systems": True,
    }


def test_live_reports_a_source_that_is_not_in_the_manifest(watched: Watch) -> None:
    done = scrapy(watched, "sources", "live", "nobody")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'nobody': there is no such source in the manifest" in done.stderr


def test_live_says_so_if_nothing_was_staged(watched: Watch) -> None:
    done = scrapy(watched, "sources", "live", "reg-x")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "reg-x: no line of its staged versions changed at several visits\n"
