"""The check of an address where it is decided: between its resolution and the connection.

Twisted connects to the addresses that the reactor's resolver gives it, and resolves none again: a
name that leads elsewhere a moment later (rebinding) gains nothing, and however an address is
spelled (``127.1``, ``0x7f000001``, full-width digits), here it is a number.

What is resolved for a page is refused where it is one of the operator's own services
(:mod:`wikicrawler.guard.services`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.resolver import HostResolution
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred, DeferredList
from twisted.internet.interfaces import IHostnameResolver, IResolutionReceiver
from zope.interface import implementer

from wikicrawler.guard.private_hosts import place_of
from wikicrawler.guard.services import is_asked_for, is_same, services_at
from wikicrawler.urls.addresses import MAX_HOST

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twisted.internet.interfaces import IAddress, IHostResolution

    from wikicrawler.guard.private_hosts import AddressPolicy


@implementer(IHostnameResolver)
class GuardedResolver:
    """A resolver that keeps back the addresses that no policy of a running crawl allows."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.policies: list[AddressPolicy] = []

    def resolveHostName(  # noqa: N802 - Twisted's name
        self,
        resolutionReceiver: Any,  # noqa: N803
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type[IAddress]] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> IHostResolution:
        if not can_be_a_name(hostName):  # nobody would answer: getaddrinfo() raises UnicodeError
            resolution: Any = HostResolution(hostName)
            resolutionReceiver.resolutionBegan(resolution)
            resolutionReceiver.resolutionComplete()
            return resolution  # type: ignore[no-any-return]
        receiver = _Checked(resolutionReceiver, self, hostName, portNumber)
        found: IHostResolution = self.inner.resolveHostName(
            receiver, hostName, portNumber, addressTypes, transportSemantics
        )
        return found

    def numbers_of(self, hosts: Iterable[str], port: int) -> Deferred[dict[str, set[str]]]:
        """Fire with the addresses that each of *hosts* has now, without any check."""
        collectors = {host: _Collector() for host in hosts}
        for host, collector in collectors.items():
            self.inner.resolveHostName(collector, host, port)
        found: Deferred[Any] = DeferredList([c.done for c in collectors.values()])
        return found.addCallback(lambda _: {h: c.numbers for h, c in collectors.items()})


def can_be_a_name(host: str) -> bool:
    """Whether *host* could be the name of a host, or its address: no part is empty or too long."""
    if len(host) > MAX_HOST:
        return False
    try:
        return bool(host.encode("idna"))
    except UnicodeError:
        return not host.isascii()  # a newer name than the codec knows, which is sent encoded


@implementer(IResolutionReceiver)
class _Checked:
    """Passes on the addresses that are allowed, when all are known."""

    def __init__(self, receiver: Any, resolver: GuardedResolver, host: str, port: int) -> None:
        self._receiver = receiver
        self._resolver = resolver
        self._policies = resolver.policies
        self._host, self._port = host, port
        self._for_service = is_asked_for()
        self._addresses: list[Any] = []

    def resolutionBegan(self, resolutionInProgress: IHostResolution) -> None:  # noqa: N802, N803
        self._receiver.resolutionBegan(resolutionInProgress)

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        self._addresses.append(address)

    def resolutionComplete(self) -> None:  # noqa: N802
        if self._for_service and any(p.serves(self._host, self._port) for p in self._policies):
            self._pass_on(self._addresses)
            return
        services = services_at(self._policies, self._host, self._port)
        if services:
            self._resolver.numbers_of(services, self._port).addCallback(self._decide, services)
        else:
            self._decide({}, services)

    def _decide(self, own: dict[str, set[str]], services: dict[str, str]) -> None:
        allowed, refused, service = [], "", ""
        for address in self._addresses:
            number = getattr(address, "host", "")
            if found := service_at(self._host, self._port, number, own, services):
                refused, service = number, found
            elif any(p.allows(self._host, self._port, number) for p in self._policies):
                allowed.append(address)
            else:
                refused = number
        for policy in self._policies:
            if allowed:
                policy.clear(self._host, self._port)
            elif refused:
                policy.refuse(self._host, self._port, refused, service)
        self._pass_on(allowed)

    def _pass_on(self, addresses: Sequence[Any]) -> None:
        for address in addresses:
            self._receiver.addressResolved(address)
        self._receiver.resolutionComplete()


def service_at(
    host: str, port: int, number: str, own: dict[str, set[str]], services: dict[str, str]
) -> str:
    """Return the setting that names the service at *host* and *port*, which has the address
    *number*; empty where none is there. *services* are those at the port by their hosts, *own* are
    the addresses that these have."""
    named = services.get(host.lower().rstrip("."), "")
    if named:
        return named
    for name, numbers in own.items():
        if number and is_same(host, port, number, numbers):
            return services[name]
    return ""


@implementer(IResolutionReceiver)
class _Collector:
    """Collects the addresses of a host; :attr:`done` fires when they are complete."""

    def __init__(self) -> None:
        self.numbers: set[str] = set()
        self.done: Deferred[None] = Deferred()

    def resolutionBegan(self, resolutionInProgress: IHostResolution) -> None:  # noqa: N802, N803
        """Nothing to do."""

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        self.numbers.add(getattr(address, "host", ""))

    def resolutionComplete(self) -> None:  # noqa: N802
        self.done.callback(None)


async def refuse_service(policy: AddressPolicy, url: str) -> bool:
    """Return whether *url*, which somebody else resolves for us (a proxy), is one of the operator's
    services, and note it as refused. Other private addresses are theirs to refuse."""
    from twisted.internet import reactor  # noqa: PLC0415 - installs one

    resolver: Any = reactor.nameResolver
    place = place_of(url)
    if not isinstance(resolver, GuardedResolver) or place is None:
        return False
    host, port = place
    services = services_at(resolver.policies, host, port)
    if not services:
        return False
    named = {host} if can_be_a_name(host) else set()
    found = await maybe_deferred_to_future(resolver.numbers_of({*services, *named}, port))
    own = {name: found[name] for name in services}
    for number in found.get(host) or {""}:  # where none is known here, its name may be
        if service := service_at(host, port, number, own, services):
            policy.refuse(host, port, number or host, service)
            return True
    return False


async def refused_address(policy: AddressPolicy, url: str) -> str:
    """The address for which a page at *url* may not be fetched, by somebody else on our behalf;
    empty where it may be, where no address is known here, and where there is no guard."""
    from twisted.internet import reactor  # noqa: PLC0415 - installs one

    resolver: Any = reactor.nameResolver
    if not isinstance(resolver, GuardedResolver):
        return ""
    collector = _Collector()
    host, port = place_of(url) or ("", 0)
    resolver.resolveHostName(collector, host, port)
    await maybe_deferred_to_future(collector.done)
    return "" if collector.numbers else policy.refused(url)
