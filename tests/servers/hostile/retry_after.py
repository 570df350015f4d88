"""Retry-After as servers write it: obeyed where it says something, capped, and never a fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.servers.hostile.answers import in_turn, page
from tests.servers.hostile.fault import Fault, item, skip
from wikicrawler.errors import Reason

if TYPE_CHECKING:
    from tests.servers.hostile.fault import Serve

GROUP = "429/503 Retry-After"
VALUES = {
    "none": None,
    "seconds": "1",
    "zero": "0",
    "fraction": "0.5",
    "date": "Wed, 21 Oct 2099 07:28:00 GMT",
    "date-past": "Wed, 21 Oct 2015 07:28:00 GMT",
    "date-year-9999": "Fri, 31 Dec 9999 23:59:59 GMT",
    "date-february-31": "Wed, 31 Feb 2099 99:99:99 GMT",
    "negative": "-120",
    "5000-digits": "9" * 5000,
    "inf": "inf",
    "nan": "nan",
    "exponent": "1e999",
    "garbage": "in a while, \xff\xfe",
    "empty": "",
}


def _busy(status: int, value: str | None) -> Serve:
    return page("busy", status=status, headers={} if value is None else {"Retry-After": value})


FAULTS = (
    *(
        Fault(
            f"retry-after-{name}-{status}",
            GROUP,
            in_turn(_busy(status, value), page()),
            item(),
            requests=range(2, 3),
        )
        for name, value in VALUES.items()
        for status in (429, 503)
    ),
    *(
        Fault(f"busy-{status}", GROUP, _busy(status, "1"), skip(Reason.BUSY), requests=range(2, 3))
        for status in (429, 503)
    ),
)
