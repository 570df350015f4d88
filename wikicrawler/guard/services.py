"""The operator's own services, which the crawl uses and no page may reach.

:mod:`wikicrawler.guard.operator_services` says which they are. Requests to them, and requests that
a proxy forwards, are sent through :func:`as_service`. All other requests are for pages. The guarded
resolver treats the two differently, so they must not share connections: a connection pool does not
resolve a host again while it has a connection to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from wikicrawler.guard.networks import canonical_address, is_public, literal_address

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator, Iterable

    from scrapy import Request

    from wikicrawler.guard.private_hosts import AddressPolicy

T = TypeVar("T")

_WEB_PORTS = frozenset({80, 443})


class _CurrentStep:
    """Whether the running code belongs to a request to a service."""

    is_for_service = False


def is_service_request() -> bool:
    """Return whether the running code belongs to a request to a service, not to a page."""
    return _CurrentStep.is_for_service


def as_service(send: Callable[[Request], Awaitable[T]]) -> Callable[[Request], Awaitable[T]]:
    """Wrap *send*, so that its requests may reach the operator's services.

    *send* must resolve the host in its own steps, as Twisted's agents do, not in a callback or a
    task.
    """
    return lambda request: _MarkedSteps(send(request))


class _MarkedSteps:
    """Mark each step of an awaitable as part of a request to a service.

    Not a context variable: callbacks that a step schedules would inherit it, and with them the
    requests for pages.
    """

    def __init__(self, inner: Awaitable[Any]) -> None:
        self._inner = inner

    def __await__(self) -> Generator[Any, Any, Any]:
        steps = self._inner.__await__()
        sent: Any = None
        thrown: BaseException | None = None
        while True:
            _CurrentStep.is_for_service = True
            try:
                awaited = steps.throw(thrown) if thrown is not None else steps.send(sent)
            except StopIteration as end:
                return end.value
            finally:
                _CurrentStep.is_for_service = False
            try:
                sent, thrown = (yield awaited), None
            except BaseException as error:
                sent, thrown = None, error


def services_at(policies: Iterable[AddressPolicy], host: str, port: int) -> dict[str, str]:
    """Return the settings that name the services at *port*, by the services' hosts; nothing if the
    operator allows pages of *host* at *port*."""
    policies = list(policies)
    if any(policy.is_named(host, port) for policy in policies):
        return {}
    found: dict[str, str] = {}
    for policy in policies:
        found |= policy.services.at_port(port)
    return found


def is_same_service(host: str, port: int, address: str, service_addresses: Iterable[str]) -> bool:
    """Return whether *host*, with *address*, is at *port* the service at *service_addresses*.

    Many sites may share the ports 80 and 443 of one public address and differ by name only: there
    another name counts as another site.
    """
    if canonical_address(address) not in map(canonical_address, service_addresses):
        return False
    return not is_public(address) or port not in _WEB_PORTS or bool(literal_address(host))
