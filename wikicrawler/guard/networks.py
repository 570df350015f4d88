"""Classification of IP addresses: public or not, same machine or not."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

Address = IPv4Address | IPv6Address

_NAT64 = ip_network("64:ff9b::/96")
_COMPATIBLE = ip_network("::/96")


def is_public(address: str) -> bool:
    """Return whether *address*, an IP address without port, is reachable from the public internet.

    An IPv6 address that embeds an IPv4 address (mapped, compatible, 6to4, Teredo, NAT64) is
    classified by the IPv4 address, because a gateway may translate it.
    """
    parsed = ip_address(address.partition("%")[0])
    return all(_is_public(one) for one in _embedded(parsed))


def canonical_address(address: str) -> Address:
    """Return one address for all spellings that reach the same machine as *address*: the embedded
    IPv4 address, and 127.0.0.1 for all loopback addresses and the unspecified address."""
    parsed = ip_address(address.partition("%")[0])
    found = parsed if parsed.is_loopback or parsed.is_unspecified else _embedded(parsed)[0]
    return IPv4Address("127.0.0.1") if found.is_loopback or found.is_unspecified else found


def is_address(host: str) -> bool:
    """Return whether *host* is an IP address in any spelling that resolvers accept."""
    try:
        ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        try:
            socket.inet_aton(host)
        except OSError:
            return False
    return True


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv6Address) and address.is_site_local:  # deprecated, never public
        return False
    return address.is_global and not address.is_multicast


def _embedded(address: Address) -> list[Address]:
    """Return the IPv4 addresses that *address* embeds, or *address* itself."""
    if isinstance(address, IPv4Address):
        return [address]
    if address.ipv4_mapped is not None:
        return [address.ipv4_mapped]
    if address in _NAT64 or address in _COMPATIBLE:
        return [IPv4Address(int(address) & 0xFFFFFFFF)]
    if address.sixtofour is not None:
        return [address.sixtofour]
    if address.teredo is not None:
        return list(address.teredo)
    return [address]
