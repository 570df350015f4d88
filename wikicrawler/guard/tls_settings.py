"""Scrapy's settings of TLS, checked at the start instead of by each request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from OpenSSL import SSL

from wikicrawler.errors import ConfigError

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

_VERSIONS = ("TLSv1.0", "TLSv1.1", "TLSv1.2", "TLSv1.3")
_METHODS = ("TLS", "TLSv1.0", "TLSv1.1", "TLSv1.2")
_MIN, _MAX = "DOWNLOAD_TLS_MIN_VERSION", "DOWNLOAD_TLS_MAX_VERSION"
_METHOD, _CIPHERS = "DOWNLOADER_CLIENT_TLS_METHOD", "DOWNLOADER_CLIENT_TLS_CIPHERS"


def check_tls(settings: BaseSettings) -> None:
    """Check the versions and ciphers of TLS.

    With a wrong value Scrapy's download handlers cannot be loaded, and every request fails.

    :raises ConfigError: a value is wrong, or no version is allowed
    """
    low, high = (_one_of(settings, name, _VERSIONS) for name in (_MIN, _MAX))
    if low and high and _VERSIONS.index(low) > _VERSIONS.index(high):
        raise ConfigError(f"{_MIN} is {low!r}, later than {_MAX}, {high!r}: no version is left")
    _one_of(settings, _METHOD, _METHODS)
    if ciphers := settings[_CIPHERS]:
        try:
            SSL.Context(SSL.TLS_METHOD).set_cipher_list(str(ciphers).encode())
        except SSL.Error:
            raise ConfigError(
                f"{_CIPHERS} is {ciphers!r}: OpenSSL knows no such cipher (right would be a list "
                "in its format, like ECDHE+AESGCM:!aNULL)"
            ) from None


def _one_of(settings: BaseSettings, name: str, words: tuple[str, ...]) -> str | None:
    value: str | None = settings[name]
    if value is None or value in words:
        return value
    raise ConfigError(f"{name} is {value!r}: {', '.join(words[:-1])} or {words[-1]} is needed")
