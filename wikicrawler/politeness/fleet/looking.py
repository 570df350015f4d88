"""What the workers of a Redis do at sites, as an onlooker sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.frontier.redis.exchange import as_bytes, as_text
from wikicrawler.frontier.redis.worker_name import SHOWN
from wikicrawler.politeness.fleet import pauses_store, turns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wikicrawler.frontier.redis.client import Client


_RAISED_KEPT = 3600.0
"""Seconds for which ``turns.lua`` keeps the raised delay of a site that nobody asks."""


class Turn(NamedTuple):
    """A request to a site that is under way."""

    worker: str
    """What the names of its worker begin with."""
    age: float
    """Seconds since its turn began."""


class SiteState(NamedTuple):
    """What all workers know of a site. Durations are in seconds."""

    left_alone: float
    """How long no request is sent to it: its delay, Retry-After, or a pause."""
    raised: float | None
    """The delay to which a worker has raised its own."""
    turns: list[Turn]
    blocked: float
    """What is left of the pause of a site that blocks every tier."""


def site_states(client: Client, sites: Sequence[str]) -> dict[str, SiteState]:
    """Return the states of *sites*.

    :raises AwayError: Redis does not answer
    :raises FrontierError: Redis refuses
    """
    if not sites:
        return {}
    commands: list[tuple[str | bytes, ...]] = [("TIME",)]
    for site in sites:
        name = as_bytes(site)
        commands.append(("HGETALL", turns.PREFIX.encode() + name))
        commands.append(("HGET", f"{pauses_store.PREFIX}site:".encode() + name, "ends"))
    (seconds, micros), *found = client.read(commands)
    now = int(seconds) + int(micros) / 1e6
    return {
        site: _state(fields, ends, now)
        for site, fields, ends in zip(sites, found[::2], found[1::2], strict=True)
    }


def _state(fields: Mapping[bytes, bytes], pause_ends: bytes | None, now: float) -> SiteState:
    """Return what ``turns.lua`` and ``pauses.lua`` have stored."""
    known: dict[str, float] = {}
    under_way = []
    for field, value in fields.items():
        ends, *rest = value.split()
        if rest:
            began = int(rest[-1]) / 1e6
            if int(ends) / 1e6 > now:
                under_way.append(Turn(as_text(field)[:SHOWN], max(0.0, now - began)))
        else:
            known[as_text(field)] = int(ends) / 1e6
    return SiteState(
        left_alone=max(0.0, known.get("before", 0.0) - now),
        raised=known.get("raised") if known.get("last", 0.0) > now - _RAISED_KEPT else None,
        turns=sorted(under_way),
        blocked=max(0.0, int(pause_ends or 0) / 1e6 - now),
    )
