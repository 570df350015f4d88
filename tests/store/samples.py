"""Sample attempts."""

from __future__ import annotations

from typing import Any

from wikicrawler.store.attempts import AFTER, BEFORE, FetchAttempt, Heuristic

NGINX = (Heuristic(BEFORE, "port", "443"), Heuristic(AFTER, "server", "nginx"))


def attempt(**facts: Any) -> FetchAttempt:
    """Return a successful attempt of the tier ``http``, with the fields *facts* replaced."""
    default: dict[str, Any] = {
        "at": 1_800_000_000.0,
        "url": "https://en.wiki.example.org/wiki/Page",
        "domain": "en.wiki.example.org",
        "registered_domain": "example.org",
        "suffix": "",
        "shape": "/wiki/*",
        "scheme": "https",
        "wiki": "wiki",
        "configured": "mediawiki",
        "tier": "http",
        "ok": True,
        "reason": "ok",
        "final": False,
        "is_banned": False,
        "status": 200,
        "latency": 0.25,
        "size": 12_345,
        "cost": 1.0,
        "policy": "static",
        "propensity": 1.0,
        "step": 1,
        "heuristics": NGINX,
    }
    return FetchAttempt(**default | facts)
