"""Classification of addresses, plain and embedded in others."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wikicrawler
from wikicrawler.guard.networks import (
    address_without_dns,
    is_public,
    literal_address,
    special_networks,
)

DATE_OF_REGISTRIES = "2026-07-18"
DATA = Path(wikicrawler.__file__).parent / "data" / "special_networks.csv"
# Unicast networks that the registries call globally reachable. Python's list has them as private
# networks or not, depending on its version.
REACHABLE = [
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.175.48.0/24",
    "2001:3::/32",
    "2001:4:112::/48",
    "2001:20::/28",
    "2001:30::/28",
    "2620:4f:8000::/48",
]


@pytest.mark.parametrize(
    "address",
    [
        "93.184.215.14",
        "8.8.8.8",
        "2606:2800:21f:cb07:6820:80da:af6b:8b2c",
        "::ffff:8.8.8.8",
        "64:ff9b::808:808",  # NAT64 of 8.8.8.8
        # beside special networks
        "1.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "168.63.129.15",
        "168.63.129.17",
        "172.15.255.255",
        "172.32.0.0",
        "191.255.255.255",
        "192.0.1.0",
        "192.0.3.0",
        "192.88.98.255",
        "192.88.100.0",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "2001:200::",
        "2001:db7:ffff:ffff::",
        "2001:db9::",
        "2000::",
        "3fff:1000::",
    ],
)
def test_public_addresses_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.255.255.254",
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "100.64.0.1",  # carrier-grade NAT
        "100.100.100.200",  # Alibaba's metadata
        "168.63.129.16",  # Azure's platform
        "169.254.169.254",  # the cloud's metadata
        "169.254.170.2",  # credentials of a container
        "172.16.0.1",
        "192.0.0.1",
        "192.0.0.9",  # Port Control Protocol: the local network's gateway
        "192.0.0.10",
        "192.0.0.192",  # Oracle's metadata
        "192.0.2.1",  # documentation
        "192.88.99.1",  # 6to4 relay
        "192.88.99.2",
        "192.168.0.1",
        "198.18.0.1",  # benchmarks
        "198.19.255.255",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",  # compatible
        "::8.8.8.8",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "::ffff:168.63.129.16",
        "::ffff:192.88.99.1",
        "::ffff:0:7f00:1",  # translated
        "::ffff:0:808:808",
        "2001:0:7f00:1::",  # Teredo
        "2001:0:808:808::",
        "2001:1::1",  # Port Control Protocol
        "2001:2::1",  # benchmarks
        "2001:10::1",  # ORCHID, terminated
        "2001:1ff::1",  # not assigned yet
        "2001:db8::1",
        "2002:7f00:1::",  # 6to4
        "2002:a00:1::",
        "2002:808:808::",
        "3fff::1",  # documentation
        "3fff:fff::1",
        "4000::1",  # not allocated
        "5f00::1",
        "64:ff9b::7f00:1",  # NAT64
        "64:ff9b::a00:1",
        "64:ff9b::a83f:8110",  # of 168.63.129.16
        "64:ff9b:1::1",  # NAT64 of a local network
        "64:ff9b:1:ffff::808:808",
        "100::1",  # discard
        "100:0:0:1::1",
        "200::1",
        "fc00::1",
        "fd00:ec2::254",  # Amazon's metadata
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
    ],
)
def test_special_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)


def test_the_data_says_of_which_date_the_registries_are() -> None:
    head = DATA.read_text("utf-8").partition("source,")[0]
    assert f"as of {DATE_OF_REGISTRIES}," in head
    rows = [network.source for network in special_networks()]
    counts = {source: rows.count(source) for source in ("iana-ipv4", "iana-ipv6", "by-hand")}
    assert counts == {"iana-ipv4": 26, "iana-ipv6": 25, "by-hand": 8}
    assert sum(counts.values()) == len(rows)


@pytest.mark.parametrize("special", special_networks(), ids=str)
def test_the_first_and_the_last_address_of_a_special_network_are_in_it(special: object) -> None:
    source, network, is_reachable = special  # type: ignore[misc]
    for address in (network[0], network[-1]):
        more_specific = [
            other
            for other in special_networks()
            if address in other.network and other.network.prefixlen > network.prefixlen
        ]
        if not more_specific and not is_reachable:
            if source == "iana-ipv6" and address.ipv4_mapped:
                address = address.ipv4_mapped  # noqa: PLW2901
            assert not is_public(str(address)), address


def _is_excepted(address: IPv4Address | IPv6Address) -> bool:
    return any(address in ip_network(network) for network in REACHABLE)


@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)))
def test_what_python_calls_private_is_not_public(address: IPv4Address | IPv6Address) -> None:
    plain = getattr(address, "ipv4_mapped", None) or address
    if not plain.is_global and not _is_excepted(plain):
        assert not is_public(str(address))


@pytest.mark.parametrize("network", REACHABLE)
def test_networks_that_the_registries_call_reachable_are_public(network: str) -> None:
    parsed = ip_network(network)
    assert is_public(str(parsed[0]))
    assert is_public(str(parsed[-1]))


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.0.0.1.",
        "127.1",
        "0x7f.1",
        "0177.0.0.01",
        "2130706433",
        "１２７.0.0.1",
        "127%2e0.0.1",
        "%31%32%37.0.0.1",
        "[::1]",
        "::1",
        "fe80::1%25eth0",
    ],
)
def test_an_address_is_recognised_in_any_spelling(host: str) -> None:
    assert ip_address(literal_address(host))
    assert not is_public(literal_address(host))


def test_only_localhost_is_an_address_that_needs_no_dns() -> None:
    for host in ("localhost", "LOCALHOST.", "a.localhost", "127.1"):
        assert address_without_dns(host) == "127.0.0.1"
    for host in ("localhost.example.org", "notlocalhost", "a.example", "", "1.2.3.4.nip.io", "\0"):
        assert address_without_dns(host) == ""
