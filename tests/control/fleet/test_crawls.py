"""What is known of the real workers of a crawl, from outside and in their summaries."""

from __future__ import annotations

import re
import signal
import time
from typing import TYPE_CHECKING

from wikicrawler.control.fleet.status_store import StatusStore

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.frontier.redis.test_crawls import Fleet
    from tests.frontier.sites import ManyPages
    from wikicrawler.control.fleet.snapshot import Snapshot

JOB = "wiki:docs"
WHOLE = "Summary of all workers of the job docs\n"


def wait_for(fleet: Fleet, is_there: Callable[[Snapshot], bool]) -> Snapshot:
    """Return the first snapshot of the crawl for which *is_there*."""
    store = StatusStore(fleet.redis.url)
    give_up = time.monotonic() + 60
    while not is_there(found := store.snapshot(JOB)):
        assert time.monotonic() < give_up, found
        time.sleep(0.05)
    return found


def summaries(fleet: Fleet) -> list[str]:
    """Return the summaries of all workers that are complete."""
    return [worker.log.partition(WHOLE)[2] for worker in fleet.workers if WHOLE in worker.log]


def row(summary: str, label: str) -> str:
    found = re.search(rf"^  {label}  +(.*)$", summary, re.MULTILINE)
    assert found, summary
    return found[1]


def test_workers_are_seen_while_they_run_and_after(fleet: Fleet, site: ManyPages) -> None:
    for _ in range(2):
        fleet.start()
    fleet.wait_for_pages(0, 3)
    with site.held():
        found = wait_for(
            fleet, lambda found: sum(worker.leases for worker in found.workers) == found.leased > 0
        )
        assert [worker.state for worker in found.workers] == ["running"] * 2
        assert {worker.report.pid for worker in found.workers} == {
            process.pid for process in fleet.processes
        }
        assert {tuple(worker.report.feeds) for worker in found.workers} == {
            (str(worker.feed),) for worker in fleet.workers
        }
        assert [site.name for site in found.sites] in ([], ["127.0.0.1"])
    assert [fleet.end(number) for number in (0, 1)] == [0, 0]
    found = StatusStore(fleet.redis.url).snapshot(JOB)
    assert [(w.state, w.report.reason, w.leases) for w in found.workers] == [
        ("ended", "finished", 0)
    ] * 2
    assert found.queued == found.leased == found.dead == 0
    written = {w.report.pid: w.report.stats["item_scraped_count"] for w in found.workers}
    assert written == {
        process.pid: len(worker.lines())
        for process, worker in zip(fleet.processes, fleet.workers, strict=True)
    }


def test_the_last_worker_has_the_summary_of_all(fleet: Fleet, site: ManyPages) -> None:
    for _ in range(3):
        fleet.start()
    assert [fleet.end(number) for number in range(3)] == [0] * 3
    (summary, *_) = summaries(fleet)
    assert row(summary, "workers") == "3  (ended 3)"
    assert row(summary, "pages written") == "20"
    assert row(summary, "pages fetched") == "20  (http 20)"
    assert row(summary, "requests") == str(len(site.asked))
    assert "left to do" not in summary
    for worker in fleet.workers:
        assert worker.log.count("Summary of all workers of the job docs") == 1
        assert worker.log.index("Summary\n") < worker.log.index("Summary of all")


def test_a_killed_worker_counts_with_what_it_reported_last(fleet: Fleet, site: ManyPages) -> None:
    for _ in range(2):
        fleet.start()
    fleet.wait_for_pages(0, 3)
    pid = fleet.processes[0].pid
    wait_for(fleet, lambda found: reported(found, pid) >= 3)
    with site.held():
        fleet.processes[0].kill()
        fleet.end(0)
        before = reported(StatusStore(fleet.redis.url).snapshot(JOB), pid)
        wait_for(fleet, lambda found: "gone" in {worker.state for worker in found.workers})
    assert fleet.end(1) == 0
    (summary,) = summaries(fleet)
    assert row(summary, "workers") == "2  (ended 1, gone 1)"
    assert row(summary, "pages written") == str(before + len(fleet.workers[1].lines()))
    assert re.search(rf"gone without an end: [0-9a-f]{{8}} \(.*process {pid}\)", summary)


def test_a_stopped_worker_says_who_goes_on(fleet: Fleet, site: ManyPages) -> None:
    fleet.start()
    fleet.wait_for_pages(0, 3)
    with site.held():
        fleet.start()
        wait_for(fleet, lambda found: len(found.workers) == 2)
        fleet.processes[0].send_signal(signal.SIGINT)
        wait_for(fleet, lambda found: found.workers[0].state == "stopping")
        assert fleet.end(0) == 130
    log = fleet.workers[0].log
    assert "Unfinished pages are handed back to the workers of the crawl: " in log
    assert "JOBDIR" not in log.partition("Summary\n")[2]
    assert "other workers of the job docs go on" in log
    assert "Summary of all workers of the job docs so far (a worker still runs)" in log
    fleet.processes[1].send_signal(signal.SIGINT)
    assert fleet.end(1) == 130
    (summary,) = summaries(fleet)
    assert "the crawl is not finished: the same command with the same job goes on" in summary
    fleet.restart(0)
    assert fleet.end(0) == 0
    found = StatusStore(fleet.redis.url).snapshot(JOB)
    assert len(found.workers) == 3
    assert sum(fleet.written().values()) == 20
    assert row(summaries(fleet)[0].rpartition("Summary")[2], "workers") == "3  (ended 3)"


def reported(found: Snapshot, pid: int) -> int:
    """Return how many pages the worker with this process id has reported."""
    counts = [w.report.stats.get("item_scraped_count", 0) for w in found.workers]
    pids = [worker.report.pid for worker in found.workers]
    return counts[pids.index(pid)] if pid in pids else 0
