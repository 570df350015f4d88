"""``scrapy`` with a clock that is wrong by so many seconds::

python -m bench.fleet_clock SECONDS crawl wiki …
"""

from __future__ import annotations

import sys
import time
from functools import partial


def _shifted(right: object, seconds: float) -> float:
    return right() + seconds  # type: ignore[operator, no-any-return]


def main() -> None:
    time.time = partial(_shifted, time.time, float(sys.argv[1]))
    # What takes the name "time" from its module is to find the wrong one.
    from scrapy.cmdline import execute  # noqa: PLC0415

    execute(["scrapy", *sys.argv[2:]])


if __name__ == "__main__":
    main()
