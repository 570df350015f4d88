"""The worst of the web, on loopback: one row for each fault, with what a crawl is to make of it.

::

    with HostileServer(ALL) as server:
        ...crawl [server.url(fault) for fault in ALL]...
        problems = [p for fault in ALL for p in judge(fault, server, records, skips)]

Each fault is a server of its own, at an address of its own: what robots.txt, retries and pauses do
for one of them says nothing of the others. The rows are in the modules that :data:`ALL` is made of;
a module has ``FAULTS``, a tuple of :class:`Fault`.
"""

from tests.servers.hostile.connection import Connection, Request
from tests.servers.hostile.fault import Expect, Fault, item, site, skip
from tests.servers.hostile.judge import judge
from tests.servers.hostile.rows import ALL
from tests.servers.hostile.server import HostileServer

__all__ = [
    "ALL",
    "Connection",
    "Expect",
    "Fault",
    "HostileServer",
    "Request",
    "item",
    "judge",
    "site",
    "skip",
]
