"""Jobs of a real Scrapyd."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.frontier.sites import FAST, ManyPages
from tests.servers.openai_model import ScriptedModel
from tests.servers.scrapyd import Scrapyd
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.control.fleet.status_store import StatusStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.servers.redis import RealRedis

TEXT = "Some words of a page that is worth reading. "


@pytest.fixture(scope="module")
def scrapyd(scrapyd_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scrapyd]:
    server = Scrapyd(tmp_path_factory.mktemp("scrapyd"), scrapyd_folder)
    yield server
    server.close()


def test_a_job_writes_its_records_to_items_dir(scrapyd: Scrapyd) -> None:
    page = f"<!doctype html><title>T</title><main><h1>T</h1><p>{TEXT * 20}</p></main>"
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404)).on("/", Reply(body=page))
        job = scrapyd.run(seeds=server.url("/"))
    (line,) = (scrapyd.folder / f"items/wikicrawler/wiki/{job}.jl").read_text().splitlines()
    assert json.loads(line)["title"] == "T"


def test_a_job_extracts_fields(scrapyd: Scrapyd) -> None:
    page = f"<!doctype html><title>T</title><main><h1>T</h1><p>{TEXT * 20}</p><p>Price: 3 EUR</p>"
    with ScriptedServer() as server, ScriptedModel(["sk-one"]) as model:
        server.on("/robots.txt", Reply(404)).on("/", Reply(body=page))
        (scrapyd.folder / "fields.yml").write_text("price: number")
        job = scrapyd.run(
            "fields",
            [
                f"WIKICRAWLER_FIELDS_BASE_URL={model.base_url}",
                "WIKICRAWLER_FIELDS_API_KEYS=sk-one",
            ],
            url=server.url("/"),
            fields="fields.yml",
        )
    (line,) = (scrapyd.folder / f"items/wikicrawler/fields/{job}.jl").read_text().splitlines()
    assert json.loads(line)["data"] == {"price": 3}
    log = (scrapyd.folder / f"logs/wikicrawler/fields/{job}.log").read_text()
    assert "sk-one" not in log


def test_jobs_of_several_scrapyds_share_a_crawl(
    redis: RealRedis, scrapyd_folder: Path, tmp_path: Path
) -> None:
    daemons = []
    settings = [f"{name}={value}" for name, value in FAST.items()]
    settings += ["WIKICRAWLER_FRONTIER_JOB=docs", "CONCURRENT_REQUESTS_PER_DOMAIN=1"]
    with ManyPages(30, delay=0.02) as site:
        try:
            for name in ("one", "other"):
                (tmp_path / name).mkdir()
                environment = {"WIKICRAWLER_FRONTIER": redis.url}
                daemons.append(Scrapyd(tmp_path / name, scrapyd_folder, environment))
            with site.held():
                jobs = [one.schedule(settings=settings, seeds=f"{site.url}/0") for one in daemons]
                status = StatusStore(redis.url)
                daemons[0].wait_for(lambda: len(status.snapshot("wiki:docs").live) == 2)
            for one, job in zip(daemons, jobs, strict=True):
                one.wait_for(partial(one.is_over, job))
        finally:
            for one in daemons:
                one.close()
        urls = site.urls()
    written = [
        [json.loads(line)["url"] for line in path.read_text().splitlines()]
        for path in tmp_path.glob("*/items/wikicrawler/wiki/*.jl")
    ]
    assert Counter(url for feed in written for url in feed) == Counter(dict.fromkeys(urls, 1))
    assert [len(feed) > 0 for feed in written] == [True, True]
    found = StatusStore(redis.url).snapshot("wiki:docs")
    assert [worker.report.reason for worker in found.workers] == ["finished"] * 2


def test_a_wrong_argument_is_in_the_log_of_the_job_and_the_job_has_failed(scrapyd: Scrapyd) -> None:
    job = scrapyd.run(seed="https://x.example/")
    log = (scrapyd.folder / f"logs/wikicrawler/wiki/{job}.log").read_text()
    (error,) = (line for line in log.splitlines() if " ERROR: " in line)
    assert error.endswith("did you mean seeds?")
    (died,) = (line for line in scrapyd.log().splitlines() if "Process died" in line)
    assert f"exitstatus=2 project='wikicrawler' spider='wiki' job={job!r}" in died
