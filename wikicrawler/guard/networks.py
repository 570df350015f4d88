"""Classification of IP addresses: public or not, same machine or not.

``data/special_networks.csv`` has the networks that are not public: IANA's registries, with their
date, and what they lack.
"""

from __future__ import annotations

import csv
import socket
from functools import lru_cache
from importlib.resources import files
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize
from urllib.parse import unquote

from wikicrawler.urls.addresses import MAX_HOST

if TYPE_CHECKING:
    from ipaddress import IPv4Network, IPv6Network

Address = IPv4Address | IPv6Address

_NAT64 = ip_network("64:ff9b::/96")
_COMPATIBLE = ip_network("::/96")
_TRANSLATED = ip_network("::ffff:0:0:0/96")
_GLOBAL_UNICAST = ip_network("2000::/3")
"""The only part of the IPv6 address space that is allocated for global unicast."""
_LOOPBACK = IPv4Address("127.0.0.1")
_BY_HAND = "by-hand"


class SpecialNetwork(NamedTuple):
    """A row of ``data/special_networks.csv``."""

    source: str
    network: IPv4Network | IPv6Network
    is_reachable: bool
    """Whether the registry says that it is globally reachable."""


@lru_cache(maxsize=1)
def special_networks() -> tuple[SpecialNetwork, ...]:
    """Return the special networks in the order in which they decide: those added by hand, then
    those of IANA, the most specific first."""
    text = (files("wikicrawler") / "data" / "special_networks.csv").read_text("utf-8")
    rows = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    networks = [
        SpecialNetwork(row["source"], ip_network(row["network"]), row["reachable"] == "True")
        for row in rows
    ]
    return tuple(sorted(networks, key=lambda s: (s.source != _BY_HAND, -s.network.prefixlen)))


@lru_cache(maxsize=4096)
def is_public(address: str) -> bool:
    """Return whether *address*, an IP address without port, is reachable from the public internet.

    An IPv6 address that maps an IPv4 address, or that NAT64 translates to one, is classified by the
    IPv4 address. Teredo and 6to4 addresses are not public.
    """
    parsed = ip_address(address.partition("%")[0])
    if isinstance(parsed, IPv6Address):
        parsed = _translated_by_gateway(parsed) or parsed
    for special in special_networks():
        if parsed in special.network:
            return special.is_reachable
    return isinstance(parsed, IPv4Address) or parsed in _GLOBAL_UNICAST


def canonical_address(address: str) -> Address:
    """Return one address for all spellings that reach the same machine as *address*: the embedded
    IPv4 address, and 127.0.0.1 for all loopback addresses and the unspecified address."""
    parsed = ip_address(address.partition("%")[0])
    found = parsed if parsed.is_loopback or parsed.is_unspecified else _embedded(parsed)
    return _LOOPBACK if found.is_loopback or found.is_unspecified else found


def literal_address(host: str) -> str:
    """Return the IP address that *host* is, in any spelling that resolvers accept; an empty string
    for a name."""
    host = unquote(host)
    if len(host) > MAX_HOST and not host.isascii():  # normalize() may take quadratic time
        return ""
    host = normalize("NFKC", host).strip("[]").rstrip(".")
    try:
        return str(ip_address(host.partition("%")[0]))
    except ValueError:
        try:
            return socket.inet_ntoa(socket.inet_aton(host))
        except (OSError, ValueError):  # ValueError: not text for C
            return ""


def address_without_dns(host: str) -> str:
    """Return the address of *host* where every resolver has the same one: its own if it is an
    address, the loopback address for ``localhost`` and names below it (RFC 6761); else an empty
    string."""
    if f".{host.rstrip('.').lower()}".endswith(".localhost"):
        return str(_LOOPBACK)
    return literal_address(host)


def _translated_by_gateway(address: IPv6Address) -> IPv4Address | None:
    """Return the public or private IPv4 address that a packet to *address* reaches."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return _last_32_bits(address) if address in _NAT64 else None


def _embedded(address: Address) -> Address:
    """Return the IPv4 address that *address* embeds in any way, or *address* itself."""
    if isinstance(address, IPv4Address):
        return address
    if (translated := _translated_by_gateway(address)) is not None:
        return translated
    if address in _COMPATIBLE or address in _TRANSLATED:
        return _last_32_bits(address)
    if address.sixtofour is not None:
        return address.sixtofour
    return address.teredo[0] if address.teredo is not None else address


def _last_32_bits(address: IPv6Address) -> IPv4Address:
    return IPv4Address(int(address) & 0xFFFFFFFF)
