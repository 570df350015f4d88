"""A checked text comes back as it was, or not at all."""

from __future__ import annotations

import zlib
from base64 import b64encode
from hashlib import sha256

import pytest

from wikicrawler.dashboard.manifests.carried import pack, unpack
from wikicrawler.errors import ConfigError
from wikicrawler.sources.manifest.reader import MAX_BYTES


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


@pytest.mark.parametrize("data", [b"", b"a\nb\r\nc\rd", b"\xef\xbb\xbf{}", bytes(range(256))])
def test_each_byte_comes_back(data: bytes) -> None:
    assert unpack(pack(data), digest(data)) == data


@pytest.mark.parametrize(
    "text", ["", "?", "AAAA", pack(b"other"), pack(b"some")[:-6], b64encode(b"some").decode(), "ä"]
)
def test_what_was_not_checked_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="damaged"):
        unpack(text, digest(b"some"))


def test_a_small_field_does_not_become_a_huge_text() -> None:
    bomb = b64encode(zlib.compress(b"\0" * (64 * MAX_BYTES))).decode()
    assert len(bomb) < 400_000
    with pytest.raises(ConfigError, match="damaged"):
        unpack(bomb, digest(b"\0" * (64 * MAX_BYTES)))
