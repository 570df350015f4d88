"""Pages that a MediaWiki has rendered, and the recorded answers of its API."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest

from bench.crawls.corpus import saved
from bench.crawls.programs import OURS, PROGRAMS, Crawl
from bench.crawls.render import Wiki, rendered
from bench.crawls.site import Site
from wikicrawler.tiers.mediawiki.rsd import read_rsd
from wikicrawler.tiers.mediawiki.site import read_siteinfo, siteinfo_url
from wikicrawler.tiers.mediawiki.tier import request_url
from wikicrawler.tiers.mediawiki.titles import page_of

if TYPE_CHECKING:
    from pathlib import Path

WIKI = Wiki(
    sources={
        "Signals/Path & block": "{{Hint}} [[Trains]] [[Absent]] [[File:one light.png|thumb|Red.]]",
        "Trains": "They stop.",
        "Template:Hint": "''See'' also",
        "MediaWiki:Mainpage": "Trains",
    },
    articles=["Signals/Path & block", "Trains"],
    php="$wgSitename = 'Rails';",
    images=["one light.png"],
)


def get(url: str) -> bytes:
    with urlopen(url) as answer:  # noqa: S310 - our own
        return answer.read()


def test_a_rendered_site_answers_for_pages_and_for_the_api(mediawiki, tmp_path: Path) -> None:
    del mediawiki
    folder = rendered(WIKI, tmp_path / "cache")
    pages = saved(folder)
    assert [page.path for page in pages] == ["/wiki/Signals/Path_%26_block", "/wiki/Trains"]
    text = pages[0].html.decode()
    assert "<i>See</i> also" in text
    assert "Rails</title>" in text
    assert "127.0.0.1" not in text
    assert 'href="/wiki/Trains"' in text
    assert "title=Absent&amp;action=edit&amp;redlink=1" in text
    assert 'width="300" height="188" class="thumbimage"' in text
    assert rendered(WIKI, tmp_path / "cache") == folder

    with Site(tmp_path / "site") as site:
        site.add_api(folder / "api")
        rsd = f"{site.url}/api.php?action=rsd"
        api = read_rsd(get(rsd), rsd)
        assert api == f"{site.url}/api.php"
        found = read_siteinfo(get(siteinfo_url(api)), {}, 200, api)
        ref = page_of(site.url + pages[0].path, found)
        parse = json.loads(get(request_url(ref, found)))["parse"]
        assert parse["title"] == "Signals/Path & block"
        assert "<i>See</i> also" in parse["text"]


def test_answers_need_the_address_of_a_site_that_is_up(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="start the site first"):
        Site(tmp_path).add_api(tmp_path)


def test_ours_has_rows_for_workers_and_for_the_api(tmp_path: Path) -> None:
    crawl = Crawl("http://127.0.0.1:8000", "/start", tmp_path / "out", tmp_path / "log")
    commands = {program.name: " ".join(program.command(crawl)) for program in PROGRAMS}
    for number, name in enumerate(("ours-1-worker", "ours-2-workers", "ours-3-workers"), 1):
        assert f"WIKICRAWLER_CONTENT_WORKERS={number}" in commands[name]
    assert "WIKICRAWLER_TIERS=mediawiki,http" in commands["ours-mediawiki"]
    shown = [p.name for p in PROGRAMS if not p.folder and not p.variant]
    assert shown == [OURS], "the picture compares one row of ours"
    assert [p.name for p in PROGRAMS if p.asks_api] == ["ours-mediawiki"]
