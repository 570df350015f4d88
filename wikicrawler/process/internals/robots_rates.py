"""The Request-rate of a robots.txt.

Undocumented name: ``rp``, the parser that Scrapy's ``RobotParser`` wraps. Scrapy's interface has
``crawl_delay()`` alone; ``request_rate()`` in it would replace this module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy.robotstxt import RobotParser


def request_rate(parser: RobotParser, agent: str) -> float:
    """Return the seconds per request that Request-rate asks for.

    0 without a Request-rate, or if the wrapped parser does not support it: Protego and the standard
    library's parser do, but a project may use another (``ROBOTSTXT_PARSER``).
    """
    ask = getattr(getattr(parser, "rp", None), "request_rate", None)
    rate = ask(agent) if ask else None
    return rate.seconds / rate.requests if rate and rate.requests else 0.0
