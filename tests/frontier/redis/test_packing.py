"""Requests as they are stored in Redis."""

from __future__ import annotations

import json
import os

import pytest

from wikicrawler.frontier.redis.packing import UnpackingError, packed, unpacked

SITE = "https://www.example-university.org/departments/physics"
REQUEST = json.dumps(
    {
        "v": 1,
        "url": f"{SITE}/people/publication-4711-of-a-person",
        "headers": {"Referer": [f"{SITE}/people/index-9"]},
        "meta": {
            "tiers_strict": True,
            "page_depth": 3,
            "guarded_link": True,
            "frontier_kind": "page",
            "depth": 3,
            "download_slot": "example-university.org",
            "_assigned_slot": "example-university.org",
        },
        "callback": "parse",
        "errback": "skipped",
        "priority": -3,
    },
    separators=(",", ":"),
).encode()


@pytest.mark.parametrize(
    "request_", [b"", b"a", REQUEST, REQUEST * 1000, os.urandom(5000), bytes(10**6)]
)
def test_what_is_packed_is_unpacked(request_: bytes) -> None:
    assert unpacked(packed(request_)) == request_
    assert len(packed(request_)) <= len(request_) + 1


def test_a_usual_request_takes_a_third_of_its_size() -> None:
    assert len(REQUEST) > 350
    assert len(packed(REQUEST)) < len(REQUEST) / 3


@pytest.mark.parametrize("stored", [b"", b"\x02a", b"\x01", b"\x01\xff\xff", packed(REQUEST)[:-3]])
def test_what_is_damaged_is_an_error(stored: bytes) -> None:
    with pytest.raises(UnpackingError):
        unpacked(stored)
