"""A resolver that checks addresses between name resolution and connection.

Twisted connects to the addresses that the reactor's resolver returns and does not resolve again,
so DNS rebinding has no effect. All spellings of an address (``127.1``, ``0x7f000001``, full-width
digits) have been resolved to numbers here.

A request for a page is also refused if it resolves to one of the operator's own services
(:mod:`wikicrawler.guard.services`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.resolver import HostResolution
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred, DeferredList
from twisted.internet.interfaces import IHostnameResolver, IResolutionReceiver
from zope.interface import implementer

from wikicrawler.guard.networks import address_without_dns, literal_address
from wikicrawler.guard.private_hosts import host_and_port, normal_host
from wikicrawler.guard.services import is_same_service, is_service_request, services_at
from wikicrawler.urls.addresses import MAX_HOST

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from twisted.internet.interfaces import IAddress, IHostResolution

    from wikicrawler.guard.private_hosts import AddressPolicy


@implementer(IHostnameResolver)
class GuardedResolver:
    """Wrap the resolver *inner*; drop addresses that no policy of a running crawl allows."""

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
        if not is_valid_host(hostName):  # getaddrinfo() raises UnicodeError, and Twisted hangs
            resolution: Any = HostResolution(hostName)
            resolutionReceiver.resolutionBegan(resolution)
            resolutionReceiver.resolutionComplete()
            return resolution  # type: ignore[no-any-return]
        receiver = _CheckingReceiver(resolutionReceiver, self, hostName, portNumber)
        started: IHostResolution = self.inner.resolveHostName(
            receiver, hostName, portNumber, addressTypes, transportSemantics
        )
        return started

    def resolve_unchecked(self, hosts: Collection[str], port: int) -> Deferred[dict[str, set[str]]]:
        """Fire with the current addresses of each of *hosts*, without any check."""
        known = {host: {literal} for host in hosts if (literal := literal_address(host))}
        collectors = {host: _Collector() for host in hosts if host not in known}
        for host, collector in collectors.items():
            self.inner.resolveHostName(collector, host, port)
        found: Deferred[Any] = DeferredList([c.done for c in collectors.values()])
        return found.addCallback(lambda _: known | {h: c.addresses for h, c in collectors.items()})


def is_valid_host(host: str) -> bool:
    """Return whether *host* can be a host name or an address: no label is empty or too long."""
    if len(host) > MAX_HOST:
        return False
    try:
        return bool(host.encode("idna"))
    except UnicodeError:
        return not host.isascii()  # newer than the codec's IDNA 2003; requests use the ASCII form


@implementer(IResolutionReceiver)
class _CheckingReceiver:
    """Collect the addresses of a host, then pass the allowed ones on to *receiver*."""

    def __init__(self, receiver: Any, resolver: GuardedResolver, host: str, port: int) -> None:
        self._receiver = receiver
        self._resolver = resolver
        self._policies = resolver.policies
        self._host, self._port = host, port
        self._for_service = is_service_request()
        self._found: list[Any] = []

    def resolutionBegan(self, resolutionInProgress: IHostResolution) -> None:  # noqa: N802, N803
        self._receiver.resolutionBegan(resolutionInProgress)

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        self._found.append(address)

    def resolutionComplete(self) -> None:  # noqa: N802
        if self._for_service and any(
            p.services.setting_of(self._host, self._port) for p in self._policies
        ):
            self._pass_on(self._found)
            return
        services = services_at(self._policies, self._host, self._port)
        if services:
            resolved = self._resolver.resolve_unchecked(services, self._port)
            resolved.addCallback(self._check, services)
        else:
            self._check({}, services)

    def _check(self, service_addresses: dict[str, set[str]], services: dict[str, str]) -> None:
        addresses = [address for one in self._found if (address := getattr(one, "host", ""))]
        for policy in self._policies:
            policy.note_addresses(self._host, self._port, addresses)
        allowed, refused, service = [], "", ""
        for resolved in self._found:
            address = getattr(resolved, "host", "")
            if setting := matching_service(
                self._host, self._port, address, service_addresses, services
            ):
                refused, service = address, setting
            elif any(p.allows(self._host, self._port, address) for p in self._policies):
                allowed.append(resolved)
            else:
                refused = address
        for policy in self._policies:
            if allowed:
                policy.clear_refusal(self._host, self._port)
            elif refused:
                policy.record_refusal(self._host, self._port, refused, service)
        self._pass_on(allowed)

    def _pass_on(self, addresses: Sequence[Any]) -> None:
        for address in addresses:
            self._receiver.addressResolved(address)
        self._receiver.resolutionComplete()


def matching_service(
    host: str,
    port: int,
    address: str,
    service_addresses: dict[str, set[str]],
    services: dict[str, str],
) -> str:
    """Return the setting of the service at *host* and *port*; an empty string if there is none.

    :param address: resolved address of *host*; empty if unknown
    :param service_addresses: addresses of the services at *port*, by host
    :param services: settings that name these services, by host
    """
    named = services.get(normal_host(host), "")
    if named:
        return named
    for service_host, addresses in service_addresses.items():
        if address and is_same_service(host, port, address, addresses):
            return services[service_host]
    return ""


@implementer(IResolutionReceiver)
class _Collector:
    """Collect the addresses of a host; :attr:`done` fires when they are complete."""

    def __init__(self) -> None:
        self.addresses: set[str] = set()
        self.done: Deferred[None] = Deferred()

    def resolutionBegan(self, resolutionInProgress: IHostResolution) -> None:  # noqa: N802, N803
        """Do nothing."""

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        self.addresses.add(getattr(address, "host", ""))

    def resolutionComplete(self) -> None:  # noqa: N802
        self.done.callback(None)


async def refuse_for_proxy(policy: AddressPolicy, url: str) -> bool:
    """Return whether a proxy must not fetch *url* for us, and record the refusal.

    It must not if the host is a private address in any spelling, or if it is one of the operator's
    services. The proxy has to refuse names with private addresses itself: it resolves them, and
    they may have no address here.
    """
    place = host_and_port(url)
    if place is None:
        return False
    host, port = place
    address = address_without_dns(host)
    if address and not policy.allows(host, port, address):
        policy.record_refusal(host, port, address)
        return True
    return await _refuse_if_service(policy, host, port)


async def _refuse_if_service(policy: AddressPolicy, host: str, port: int) -> bool:
    from twisted.internet import reactor  # noqa: PLC0415 - installs one

    resolver: Any = reactor.nameResolver
    if not isinstance(resolver, GuardedResolver):
        return False
    services = services_at(resolver.policies, host, port)
    if not services:
        return False
    valid = {host} if is_valid_host(host) else set()
    found = await maybe_deferred_to_future(resolver.resolve_unchecked({*services, *valid}, port))
    service_addresses = {name: found[name] for name in services}
    for address in found.get(host) or {""}:  # without an address, compare the name alone
        if service := matching_service(host, port, address, service_addresses, services):
            policy.record_refusal(host, port, address or host, service)
            return True
    return False


async def refusal_for_browser(policy: AddressPolicy, url: str) -> str:
    """Return why another program, which resolves names itself, must not fetch *url* for us; an
    empty string if it may, or without a guard.

    A name without an address here is refused: it may have a private one there. The operator allows
    it in ``WIKICRAWLER_PRIVATE_HOSTS``.
    """
    from twisted.internet import reactor  # noqa: PLC0415 - installs one

    resolver: Any = reactor.nameResolver
    if not isinstance(resolver, GuardedResolver):
        return ""
    collector = _Collector()
    host, port = host_and_port(url) or ("", 0)
    resolver.resolveHostName(collector, host, port)
    await maybe_deferred_to_future(collector.done)
    if collector.addresses:
        return ""
    if policy.refused(url):
        return policy.why_refused(url)
    return "" if policy.is_listed(host, port) else "its host has no address here"
