"""The check of an address where it is decided: between its resolution and the connection.

Twisted connects to the addresses that the reactor's resolver gives it, and resolves none again: a
name that leads elsewhere a moment later (rebinding) gains nothing, and however an address is
spelled (``127.1``, ``0x7f000001``, full-width digits), here it is a number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.resolver import HostResolution
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IHostnameResolver, IResolutionReceiver
from zope.interface import implementer

from wikicrawler.addresses import MAX_HOST
from wikicrawler.guard.policy import place_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twisted.internet.interfaces import IAddress, IHostResolution

    from wikicrawler.guard.policy import AddressPolicy


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
        receiver = _Checked(resolutionReceiver, self.policies, hostName, portNumber)
        found: IHostResolution = self.inner.resolveHostName(
            receiver, hostName, portNumber, addressTypes, transportSemantics
        )
        return found


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
    def __init__(self, receiver: Any, policies: list[AddressPolicy], host: str, port: int) -> None:
        self._receiver = receiver
        self._policies = policies
        self._host, self._port = host, port
        self._allowed = False
        self._refused = ""

    def resolutionBegan(self, resolutionInProgress: IHostResolution) -> None:  # noqa: N802, N803
        self._receiver.resolutionBegan(resolutionInProgress)

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        number = getattr(address, "host", "")
        if any(p.allows(self._host, self._port, number) for p in self._policies):
            self._allowed = True
            self._receiver.addressResolved(address)
        else:
            self._refused = number

    def resolutionComplete(self) -> None:  # noqa: N802
        for policy in self._policies:
            if self._allowed:
                policy.clear(self._host, self._port)
            elif self._refused:
                policy.refuse(self._host, self._port, self._refused)
        self._receiver.resolutionComplete()


@implementer(IResolutionReceiver)
class _Collector:
    def __init__(self) -> None:
        self.found = False
        self.done: Deferred[None] = Deferred()

    def resolutionBegan(self, resolutionInProgress: IHostResolution) -> None:  # noqa: N802, N803
        """Nothing to do."""

    def addressResolved(self, address: IAddress) -> None:  # noqa: N802
        self.found = True

    def resolutionComplete(self) -> None:  # noqa: N802
        self.done.callback(None)


async def refused_address(policy: AddressPolicy, url: str) -> str:
    """The private address for which *url* may not be fetched, by somebody else on our behalf;
    empty where it may be, where no address is known here, and where there is no guard."""
    from twisted.internet import reactor  # noqa: PLC0415 - installs one

    resolver: Any = reactor.nameResolver
    if not isinstance(resolver, GuardedResolver):
        return ""
    collector = _Collector()
    host, port = place_of(url) or ("", 0)
    resolver.resolveHostName(collector, host, port)
    await maybe_deferred_to_future(collector.done)
    return "" if collector.found else policy.refused(url)
