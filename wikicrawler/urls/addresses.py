"""Validation and normalisation of host names and URLs.

:func:`parse_url` and :func:`parse_domain` read what an operator writes. They raise a
:class:`ValueError` whose message says what is wrong and, in brackets, what would be right. The
message never contains a password.
"""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import SplitResult, quote, urlunsplit

from wikicrawler.text.safe import quoted
from wikicrawler.urls.splitting import split_url

MAX_URL = 8000
"""Maximum length of a URL in characters: the limit of common servers."""

MAX_HOST = 1_000
"""Maximum length of a host name in characters. DNS allows 253; the Unicode form may be longer.
Encoding takes microseconds for each character."""

DEFAULT_PORTS = {"http": 80, "https": 443}

_LABELS = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):(?!\d+(?:[/?#]|$))", re.IGNORECASE)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_USERINFO = re.compile(r"^((?:[a-z][a-z0-9+.-]*:)?/*)[^/?#\\]*@", re.IGNORECASE)
# A URL that needs no normalisation, as most in a large list.
_NORMALISED = re.compile(
    r"(https?)://([a-z0-9._-]+)(?::([1-9][0-9]{0,3}|[1-5][0-9]{4}))?/[A-Za-z0-9._~!$&()*+,;=:@/%-]*"
    r"(?:\?[A-Za-z0-9=&_.-]+)?"
)
# A URL in which only characters beyond ASCII are to be encoded, as in nearly all others.
_NOT_IN_PATH = r"\x00-\x20\"#<>?\[\\\]^`{|}\x7f"
_ENCODED_AS_A_WHOLE = re.compile(
    rf"https?://[a-z0-9._-]+(?::[0-9]+)?"
    rf"(?:/[^{_NOT_IN_PATH}]*(?:\?[^{_NOT_IN_PATH}']*)?)?(?:#[^{_NOT_IN_PATH}]*)?"
)
_ASCII_OF_IT = "._~!$&()*+,;=:@/%'?#-"
_DOT = re.compile("%2e", re.IGNORECASE)
_DOTS = re.compile(r"/(?:\.|%2e){1,2}(?:[/?#]|\Z)", re.IGNORECASE)
_MAX_DOT_SEGMENT = len("%2e%2e")


def parse_url(text: str) -> str:
    """Return the http(s) URL *text* as Scrapy requests it: ASCII host, a path, no fragment.

    :raises ValueError: it is not an http(s) URL
    """
    if len(text) > MAX_URL:
        raise ValueError(f"has {len(text):,} characters (at most {MAX_URL:,})")
    if _is_normalised(text):
        return text
    _check_characters(text)
    parts = _split(text)
    host, port = _host_and_port(parts)
    if port is not None and port != DEFAULT_PORTS[parts.scheme]:
        host = f"{host}:{port}"
    path = remove_dot_segments(parts.path) or "/"
    url = _encoded(urlunsplit((parts.scheme, host, path, parts.query, "")))
    if len(url) > MAX_URL:
        raise ValueError(f"has {len(url):,} characters when encoded (at most {MAX_URL:,})")
    return url


def parse_domain(text: str) -> str:
    """Return *text*, a ``host`` or ``host:port``, in lower-case ASCII.

    :raises ValueError: it is neither
    """
    if text.startswith(("*.", ".")):
        bare = text.lstrip("*.")
        raise ValueError(
            f"is not a host name (write {quoted(bare)}: a domain covers its subdomains)"
        )
    if set(text) & set("/@?#"):
        raise ValueError("is not a host name (write the host alone, like wiki.example.org)")
    if _CONTROL.search(text) or any(c.isspace() for c in text):  # urlsplit() drops some of them
        raise ValueError("has an invalid host name (like wiki.example.org)")
    try:
        parts = split_url(f"http://{text}/")
    except ValueError:
        raise ValueError("is not a host name (like wiki.example.org, 127.0.0.1:8080)") from None
    host, port = _host_and_port(parts)
    return host if port is None else f"{host}:{port}"


@lru_cache(maxsize=65536)
def ascii_host(host: str) -> str:
    """Return *host*, which has no port, in lower-case ASCII (IDNA as in browsers) without a
    trailing dot.

    IPv6 addresses keep their brackets and are compressed.

    :raises ValueError: it is not a valid host
    """
    if host.startswith("["):
        try:
            address = IPv6Address(host.strip("[]"))
        except ValueError:
            raise ValueError("has an invalid IPv6 address (like http://[2001:db8::1]/)") from None
        if address.scope_id:
            raise ValueError("has an IPv6 address with a zone (remove the % and what follows)")
        return f"[{address.compressed}]"
    if len(host) > MAX_HOST:
        raise ValueError("has an invalid host name (like wiki.example.org)")
    name = host.lower()
    if not name.isascii():
        try:
            name = _idna(name)
        except ValueError:
            raise ValueError("has an invalid host name (like wiki.example.org)") from None
    name = name.removesuffix(".")
    if len(name) > 253 or not _LABELS.fullmatch(name):
        raise ValueError("has an invalid host name (like wiki.example.org)")
    # Resolvers read 127.1 and 0x7f000001 as addresses: accept the plain form only.
    if _NUMBER.fullmatch(name.rpartition(".")[2]):
        try:
            IPv4Address(name)
        except ValueError:
            raise ValueError("has an invalid IP address (like 192.0.2.1)") from None
    return name


def _idna(name: str) -> str:
    import idna  # noqa: PLC0415 - most names need no library

    try:
        return idna.encode(name, uts46=True).decode()
    except idna.IDNAError:  # IDNA 2003 allows symbols, and browsers still accept them
        return name.encode("idna").decode()


def normalise_url(url: str) -> str:
    """Return the absolute http(s) *url* of a page or server as it is requested: percent-encoded,
    with an ASCII host, without login and dot segments.

    :raises ValueError: its host or port is invalid
    """
    if _is_normalised(url):
        return url
    parts = split_url(url)
    name, port = parts.hostname or "", parts.port
    host = ascii_host(f"[{name}]" if ":" in name else name)
    if port is not None and port != DEFAULT_PORTS[parts.scheme]:
        host = f"{host}:{port}"
    path = remove_dot_segments(parts.path)
    return _encoded(parts._replace(netloc=host, path=path).geturl())


def _is_normalised(url: str) -> bool:
    """Return True if *url* surely needs no normalisation.

    :raises ValueError: its host is invalid
    """
    plain = _NORMALISED.fullmatch(url)
    if plain is None or _DOTS.search(url):
        return False
    scheme, host, port = plain.groups()
    return port != str(DEFAULT_PORTS[scheme]) and ascii_host(host) == host


def _encoded(url: str) -> str:
    """Return *url*, whose host is normal, percent-encoded as by w3lib's ``safe_url_string()``.

    :raises ValueError: it has half of a surrogate pair
    """
    if _ENCODED_AS_A_WHOLE.fullmatch(url):
        return quote(url, safe=_ASCII_OF_IT)
    # Imported here because its module loads an HTTP client, which takes long.
    from w3lib.url import safe_url_string  # noqa: PLC0415

    return safe_url_string(url)


def remove_dot_segments(path: str) -> str:
    """Return *path* with its segments ``.`` and ``..``, percent-encoded ones included, resolved.

    Browsers do the same before a request, so that the server and robots.txt see the same path.
    """
    if not _DOTS.search(path):
        return path
    kept: list[str] = []
    first, *segments = path.split("/")
    for segment in segments:
        plain = _DOT.sub(".", segment) if len(segment) <= _MAX_DOT_SEGMENT else segment
        if plain == "..":
            del kept[-1:]
        if plain not in {".", ".."}:
            kept.append(segment)
    if plain in {".", ".."}:
        kept.append("")
    return "/".join((first, *kept))


def redact(text: str) -> str:
    """Return *text*, a URL, with ``***`` for its user and password."""
    return _USERINFO.sub(r"\1***@", text)


def _check_characters(text: str) -> None:
    if not text:
        raise ValueError("is empty (like https://wiki.example.org/)")
    if control := _CONTROL.search(text):
        raise ValueError(f"contains the control character U+{ord(control[0]):04X} (remove it)")
    if any(c.isspace() for c in text):
        raise ValueError("contains a space (write %20, or _ in a wiki title; one URL a line)")
    if "\\" in text:
        raise ValueError("contains a backslash (write /, or %5C for a literal one)")


def _split(text: str) -> SplitResult:
    scheme = _SCHEME.match(text)
    if not scheme:
        hint = redact(text).lstrip("/")
        before, mark, after = hint.partition("://")
        if mark and not any(c in before for c in "/?#"):
            raise ValueError(f"has no valid scheme (write {quoted('https://' + after)})")
        raise ValueError(f"has no scheme (write {quoted('https://' + hint)})")
    name = scheme[1].lower()
    if name not in DEFAULT_PORTS:
        raise ValueError(
            f"has the scheme {quoted(name, 20)} (only http:// and https:// are supported)"
        )
    if not text.startswith("//", scheme.end()):
        raise ValueError(f"has no // after the scheme (like {name}://wiki.example.org/)")
    try:
        return split_url(text)
    except ValueError:
        raise ValueError("has an invalid host (like http://[2001:db8::1]/)") from None


def _host_and_port(parts: SplitResult) -> tuple[str, int | None]:
    if "@" in parts.netloc:
        raise ValueError(
            "contains a user name or password, which records and logs would expose "
            "(remove it and set HTTPAUTH_USER, HTTPAUTH_PASS and HTTPAUTH_DOMAIN)"
        )
    host, _, port = parts.netloc.partition("]")
    if host.startswith("["):
        host += "]"
        port = port.removeprefix(":")
    else:
        host, _, port = parts.netloc.partition(":")
    if not host:
        raise ValueError("has no host (like https://wiki.example.org/)")
    if not port:
        return ascii_host(host), None
    if not (port.isascii() and port.isdigit() and len(port) <= 5 and 0 < int(port) < 65536):
        raise ValueError(f"has the port {quoted(port, 20)} (a number from 1 to 65535)")
    return ascii_host(host), int(port)
