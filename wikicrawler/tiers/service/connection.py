"""Checks of the address and the token of a service, as the operator gives them."""

from __future__ import annotations

from wikicrawler.errors import ConfigError
from wikicrawler.text.safe import quoted
from wikicrawler.urls.addresses import parse_url, redact


def read_address(text: str, source: str, like: str = "http://127.0.0.1:11235") -> str:
    """Return the URL *text* of a service without a slash at its end.

    :param source: name of the setting or environment variable
    :param like: an address, for the message of the error
    :raises ConfigError: it is not the URL of a server
    """
    try:
        url = parse_url(text)
    except ValueError as error:
        raise ConfigError(f"{source} {quoted(redact(text))} {error}") from None
    if "?" in url:
        raise ConfigError(
            f"{source} {quoted(url)} has a query (give only the server's address, like {like})"
        )
    return url.rstrip("/")


def read_token(text: str, source: str) -> str:
    """Return the token *text*, which is sent in a header.

    :raises ConfigError: it cannot be
    """
    if not (text.isascii() and text.isprintable()):
        raise ConfigError(f"{source} contains characters that are invalid in an HTTP header")
    return text
