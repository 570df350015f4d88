"""Classification of addresses, plain and embedded in others."""

from __future__ import annotations

import pytest

from wikicrawler.guard.networks import is_public


@pytest.mark.parametrize(
    "address",
    ["93.184.215.14", "8.8.8.8", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::ffff:8.8.8.8"],
)
def test_public_addresses_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.255.255.254",
        "0.0.0.0",
        "10.0.0.1",
        "100.64.0.1",  # carrier-grade NAT
        "169.254.169.254",  # the cloud's metadata
        "172.16.0.1",
        "192.0.0.1",
        "192.0.2.1",  # documentation
        "192.168.0.1",
        "198.18.0.1",  # benchmarks
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",  # compatible
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "2001:0:7f00:1::",  # Teredo
        "2001:db8::1",
        "2002:7f00:1::",  # 6to4
        "2002:a00:1::",
        "64:ff9b::7f00:1",  # NAT64
        "64:ff9b::a00:1",
        "fc00::1",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
    ],
)
def test_special_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)
