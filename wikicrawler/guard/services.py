"""The operator's own services: what a crawl uses, and no page may have it ask.

A service (crawl4ai's server) is registered with :meth:`AddressPolicy.serve`, and the requests for
it are sent through :func:`as_service`. All other requests are for pages. The two get different
answers of the reactor's resolver, and they must not share connections: a pool does not resolve a
host again while it has a connection to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from wikicrawler.guard.networks import is_address, is_public, machine_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator, Iterable

    from scrapy import Request

    from wikicrawler.guard.private_hosts import AddressPolicy

T = TypeVar("T")

_WEB = frozenset({80, 443})


class _Asking:
    """Whether the code that runs is that of a request for a service."""

    now = False


def is_asked_for() -> bool:
    """Return whether a service is being asked for, rather than a page."""
    return _Asking.now


def as_service(send: Callable[[Request], Awaitable[T]]) -> Callable[[Request], Awaitable[T]]:
    """Return *send* for requests that are for a service, and for no page.

    *send* is to resolve the host in a step of its own, as Twisted's agents do, not in a callback or
    a task.
    """
    return lambda request: _ForService(send(request))


class _ForService:
    """Marks each step of an awaitable. A context variable would be inherited by every callback that
    a step leaves behind, and by the pages that these serve."""

    def __init__(self, inner: Awaitable[Any]) -> None:
        self._inner = inner

    def __await__(self) -> Generator[Any, Any, Any]:
        steps = self._inner.__await__()
        sent: Any = None
        thrown: BaseException | None = None
        while True:
            _Asking.now = True
            try:
                waits = steps.throw(thrown) if thrown is not None else steps.send(sent)
            except StopIteration as end:
                return end.value
            finally:
                _Asking.now = False
            try:
                sent, thrown = (yield waits), None
            except BaseException as error:
                sent, thrown = None, error


def services_at(policies: Iterable[AddressPolicy], host: str, port: int) -> dict[str, str]:
    """Return the hosts of services at *port*, each with the setting that names it; none where the
    operator has named *host* with *port* to be crawled."""
    policies = list(policies)
    if any(policy.names(host, port) for policy in policies):
        return {}
    return {
        place[0]: setting
        for policy in policies
        for place, setting in policy.services.items()
        if place[1] == port
    }


def is_same(host: str, port: int, address: str, own: Iterable[str]) -> bool:
    """Return whether *host*, which has *address*, is at *port* the service that has the addresses
    *own*.

    At a public address many sites may be behind the ports 80 and 443, told apart by their names:
    there another name is another site.
    """
    if machine_of(address) not in map(machine_of, own):
        return False
    return not is_public(address) or port not in _WEB or is_address(host)
