"""Whether a crawl made of a fault what is expected."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.servers.hostile.fault import Expect, Fault, Record
    from tests.servers.hostile.server import HostileServer

REQUESTS = range(1, 4)
"""How many a row may see that does not say: one, and the retries of the tests' settings."""
ROBOTS_REQUESTS = 21  # as many redirects as Scrapy follows


def judge(
    fault: Fault, server: HostileServer, records: Sequence[Record], skips: Sequence[Record]
) -> list[str]:
    """What is wrong with what a crawl wrote and asked, one line each; empty where all is well.

    *records* and *skips* may be of more faults than this one: those count that are at its address,
    or at the path ``/<name>`` of the victim.
    """
    own = (server.netloc(fault), f"/{fault.name}")

    def is_own(url: str | None) -> bool:
        parts = urlsplit(url or "")
        return parts.netloc == own[0] or parts.path == own[1]  # the victim's, of that name

    mine = [r for r in records if is_own(r["url"]) or is_own(r["redirected_from"])]
    mine_skipped = [s for s in skips if is_own(s["url"])]
    found = (*_written(fault.expect, mine, mine_skipped), *_asked(fault, server))
    return [f"{fault.name}: {problem}" for problem in found]


def _written(expect: Expect, records: Sequence[Record], skips: Sequence[Record]) -> Iterator[str]:
    said = [f"{s['url']}: {s['reason']} ({s['detail']})" for s in skips]
    if len(records) not in expect.pages:
        yield f"{len(records)} records, not {list(expect.pages)}; skipped: {said}"
    reasons = {s["reason"] for s in skips}
    if not reasons <= {*expect.reasons} or bool(reasons) != bool(expect.reasons):
        yield f"skipped {said}, not {sorted(map(str, expect.reasons))}"
    if expect.detail and not any(expect.detail in line for line in said):
        yield f"skipped {said}, not with {expect.detail!r}"
    if records:
        yield from _first(expect, records[0])
    for text in expect.lacks:
        if any(text in str(record) for record in records):
            yield f"{text!r} was written"
    if expect.also is not None and not expect.also(records, skips):
        yield f"what else is expected is not so of {records} {skips}"


def _first(expect: Expect, record: Record) -> Iterator[str]:
    for text in expect.has:
        if text not in record["content"]:
            yield f"{text!r} is not in {record['content'][:500]!r}"
    if expect.tier and record["tier"] != expect.tier:
        yield f"it came by {record['tier']}, not {expect.tier}"


def _asked(fault: Fault, server: HostileServer) -> Iterator[str]:
    asked = [request.route for request in server.requests(fault)]
    robots = asked.count("/robots.txt")
    allowed = (
        fault.requests
        if fault.requests is not None
        else (REQUESTS if fault.listen == "open" and not fault.host else range(1))
    )
    if len(asked) - robots not in allowed:
        yield f"asked {len(asked) - robots} times, not {allowed}: {asked}"
    if robots > ROBOTS_REQUESTS:
        yield f"robots.txt was asked for {robots} times"
