"""Which IP addresses belong to the public internet."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

Address = IPv4Address | IPv6Address

_NAT64 = ip_network("64:ff9b::/96")
_COMPATIBLE = ip_network("::/96")


def is_public(address: str) -> bool:
    """Whether *address*, an IP address without port, is one that anybody on the internet reaches.

    An IPv6 address that carries an IPv4 address (mapped, compatible, 6to4, Teredo, NAT64) is what
    that one is: somewhere on the way it may be turned into it.
    """
    found = ip_address(address.partition("%")[0])
    return all(_is_public(one) for one in _meant(found))


def machine_of(address: str) -> Address:
    """Return one address for all that lead to the same machine as *address* does: the IPv4 address
    that it carries, and 127.0.0.1 for all of loopback and for the unspecified address."""
    found = ip_address(address.partition("%")[0])
    meant = found if found.is_loopback or found.is_unspecified else _meant(found)[0]
    return IPv4Address("127.0.0.1") if meant.is_loopback or meant.is_unspecified else meant


def is_address(host: str) -> bool:
    """Return whether *host* is an IP address, in any spelling that a resolver reads as one."""
    try:
        ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        try:
            socket.inet_aton(host)
        except OSError:
            return False
    return True


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv6Address) and address.is_site_local:  # deprecated, and never public
        return False
    return address.is_global and not address.is_multicast


def _meant(address: Address) -> list[Address]:
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
