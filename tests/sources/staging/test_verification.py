"""``scrapy staged verify`` finds what does not belong in a staging folder."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.servers.regulations import RegulationSite
from tests.sources.watching import Watch, source
from wikicrawler.errors import ConfigError
from wikicrawler.sources.staging.folder import StagingFolder
from wikicrawler.sources.staging.verification import verify

if TYPE_CHECKING:
    from pathlib import Path


@deferred_f_from_coro_f
async def test_each_damage_is_found_and_named(tmp_path: Path) -> None:
    with RegulationSite(count=4) as site:
        watched = Watch(tmp_path, source(site.url("/")))
        await watched.crawl()
    folder = StagingFolder(watched.staged)
    assert verify(folder) == (5, [], 0)
    one, two, three, four, _ = (watched.staged / line["path"] for line in watched.index())
    one.write_bytes(one.read_bytes().replace(b"Procedures", b"Procedure"))
    two.write_bytes(two.read_bytes()[:-20])
    three.unlink()
    changed = json.loads(four.read_text()) | {"envelope_version": "2.0"}
    four.write_text(json.dumps(changed))
    stray = four.with_name("reg-x__stray__00000000.json")
    stray.write_text("{}")
    with (watched.staged / "_index.jsonl").open("a") as index:
        index.write("no line of ours\n")
    found = "\n".join(verify(folder).faults)
    assert f"{one.name}: $.integrity.content_hash: not the hash of content.body" in found
    assert f"{two.name}: cannot be read" in found
    assert f"{three.name}: _index.jsonl lists it, and there is no such file" in found
    assert f"{four.name}: $.envelope_version" in found
    assert "stray" in found
    assert "_index.jsonl:6: not a line of the index" in found


def test_a_folder_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no staging folder"):
        verify(StagingFolder(tmp_path))
