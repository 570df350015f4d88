"""Secrets in log messages, however a message writes them.

A message may contain a secret as it is, or as :func:`repr`, :mod:`json`, percent-encoding, HTML or
base64 write it. :mod:`pprint` breaks long strings over several lines: ``'the first '`` on one,
``'and the rest'`` on the next. So values are searched in all these forms, and across the ends of
lines.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote, urlsplit

from scrapy.settings import default_settings

from wikicrawler import options
from wikicrawler.guard.site_secrets import known_secrets
from wikicrawler.text.safe import hide_logins
from wikicrawler.text.url_secrets import secret_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scrapy.settings import BaseSettings

_WORDS = "TOKEN|SECRET|PASSWORD|PASSWD|PASS|CREDENTIALS|APIKEY"
_NAME = rf"(?:(?:\w*_)?(?:{_WORDS})|\w+_KEY(?:_ID)?)"
_SECRET_NAME = re.compile(_NAME)
_NESTED_NAME = re.compile(rf"(?:.*_)?(?:{_WORDS}|(?:API|ACCESS|SECRET|PRIVATE)_KEY)", re.IGNORECASE)
"""Names inside a setting; ``sort_key`` and the like are no secrets."""

# A string literal of Python, the last one of the text also without its end.
_LITERAL = r"""[bBuU]?(?:'(?:[^'\\]|\\.)*+(?:'|\Z)|"(?:[^"\\]|\\.)*+(?:"|\Z))"""
# A secret of any length in a dump of settings or arguments: literals, as pprint breaks them.
_ASSIGNMENT = re.compile(
    rf"""(\b{_NAME}['"]?\s?[:=]\s?)\(?{_LITERAL}(?:\s*+{_LITERAL})*+\)?""",
    re.IGNORECASE | re.DOTALL,
)
# A login of which a line end breaks the string literal: b'https://user:pass'\n b'word@host'.
_BROKEN_LOGIN = re.compile(
    r"""://[^/?#\s\\<>]*['"]\n\s*+[bu]?['"](?:[^/?#\s\\<>]*['"]\n\s*+[bu]?['"])*[^/?#\s\\<>]*@"""
)
_LINE_BREAK = r"""(?:['"]?+\)?+[^\S\n]*+\n\s*+\(?+(?:[bu]?+['"])?+)?"""
"""A line end in a message, with the end and the start of a string literal around it."""

_ESCAPE = r"\\{0,16}+"
"""The backslashes of an escape; those of a backslash before it are matched already."""
_BACKSLASHES = re.compile(r"\\+")
_MIN_LENGTH = 6
"""Minimum length of a secret to hide anywhere in the text; shorter ones match ordinary words."""
_START = 12
"""Number of characters by which a secret of twice the length is recognised if it is truncated."""


class LogSecrets:
    """The values to hide in the log."""

    def __init__(self) -> None:
        self._values: set[str] = set()
        self._starts: re.Pattern[str] | None = None
        # The patterns of the characters that follow the start of each long value.
        self._rests: list[list[re.Pattern[str]]] = []

    def add(self, values: Iterable[str]) -> None:
        """Hide *values* too; short ones are ignored."""
        new = {value for value in map(str.strip, values) if len(value) >= _MIN_LENGTH}
        if new <= self._values:
            return
        self._values |= new
        long = {value for value in self._values if len(value) >= 2 * _START}
        # A long value first, because its start may be a short one.
        starts = sorted((self._values - long) | {v[:_START] for v in long}, key=len, reverse=True)
        self._starts = re.compile("|".join(map(_form, starts)), re.IGNORECASE)
        self._rests = [[_character(char) for char in _characters(v)[_START:]] for v in long]

    def hide(self, text: str) -> str:
        """Return *text* with ``***`` for each secret and each login of a URL."""
        if "\n" in text and "@" in text:
            text = _BROKEN_LOGIN.sub("://***@", text)
        text = hide_logins(text)
        if "'" in text or '"' in text:
            text = _ASSIGNMENT.sub(r"\1'***'", text)
        return self._without_values(text) if self._starts else text

    def _without_values(self, text: str) -> str:
        shown, end = [], 0
        assert self._starts is not None  # noqa: S101 - for the type checker
        while found := self._starts.search(text, end):
            shown += [text[end : found.start()], "***"]
            end = max((_end(rest, text, found.end()) for rest in self._rests), default=found.end())
        return "".join((*shown, text[end:])) if shown else text


def _end(rest: list[re.Pattern[str]], text: str, start: int) -> int:
    """Return how far *text* continues with *rest* from *start*."""
    for character in rest:
        found = character.match(text, start)
        if found is None:
            break
        start = found.end()
    return start


def _characters(value: str) -> str:
    return _BACKSLASHES.sub(r"\\", value)


def _form(value: str) -> str:
    """Return a pattern for *value* as a message may write it."""
    return _LINE_BREAK.join(map(_character_form, _characters(value)))


@cache
def _character(char: str) -> re.Pattern[str]:
    return re.compile(_LINE_BREAK + _character_form(char), re.IGNORECASE)


@cache
def _character_form(char: str) -> str:
    if char == "\\":  # one or more, and twice as many in each repr()
        return r"(?:\\{1,32}+|(?:%(?:25)?5c){1,32}+)"
    code = ord(char)
    coded = char.encode(errors="surrogatepass")
    forms: list[str] = []
    if not char.isalnum() or not char.isascii():
        forms += _escapes(char)
    if not char.isprintable() or not char.isascii():
        hexes = [f"x{code:02x}", f"u{code:04x}", f"U{code:08x}"]
        forms += [_ESCAPE + form for form in hexes]
        forms.append("".join(f"{_ESCAPE}x{byte:02x}" for byte in coded))
        if code > 0xFFFF:  # JSON writes two surrogates
            pair = char.encode("utf-16-be")
            forms.append(f"{_ESCAPE}u{pair[:2].hex()}{_ESCAPE}u{pair[2:].hex()}")
    # Percent-encoding once or twice: %2F, %252F.
    forms.append("".join(f"%(?:25)?{byte:02x}" for byte in coded))
    forms.append(re.escape(char))  # last: & is also the first character of &amp;
    return f"(?:{'|'.join(dict.fromkeys(forms))})"


def _escapes(char: str) -> Iterator[str]:
    plain = {"\n": "n", "\t": "t", "\r": "r", "\b": "b", "\f": "f"}.get(char)
    if plain or char in "'\"/":
        yield _ESCAPE + (plain or char)
    if char == " ":
        yield r"\+"  # in a query
        yield r"[^\S\n]*+\n\s*+"  # where textwrap breaks a line
    for form in {html.escape(char), f"&#{ord(char)};", f"&#x{ord(char):x};"} - {char}:
        yield re.escape(form)


def secrets_of(settings: BaseSettings) -> set[str]:
    """Return the values of *settings* and of the environment to hide.

    They are the texts in settings whose names end in ``_TOKEN``, ``_SECRET``, ``_PASSWORD``,
    ``_PASS``, ``_KEY`` and the like, also inside of other settings, the passwords of URLs in
    settings, and what HTTP authentication makes of them; what may be secret in the URLs of
    ``WIKICRAWLER_ALERTS``; and the secrets of log-ins and proxies in ``sources.yml``.
    """
    found: set[str] = set()
    named: dict[object, object] = dict(settings.items())
    for setting in options.ALL:
        if _SECRET_NAME.fullmatch(setting.environment) and not named.get(setting.name):
            named[setting.name] = setting.variable()
    for name, value in named.items():
        if value == getattr(default_settings, str(name), None):
            continue
        if _SECRET_NAME.fullmatch(str(name)):
            found.update(_texts(value))
        else:
            found.update(_nested(value))
    for url in options.ALERTS.read(settings):
        found |= secret_parts(url)
    found |= known_secrets(settings)
    user, password = (settings.get(f"HTTPAUTH_{part}") for part in ("USER", "PASS"))
    if user or password:
        found.add(_base64(f"{user or ''}:{password or ''}"))
    # One line of a private key is as secret as all.
    found |= {line for text in found for line in text.splitlines() if len(line) > 2 * _START}
    return found | {_base64(value) for value in found if len(value) >= _MIN_LENGTH}


def _base64(text: str) -> str:
    # Without padding: a longer text of which it is a part has other characters there.
    return base64.b64encode(text.encode(errors="surrogatepass")).decode().rstrip("=")


def _texts(value: object) -> Iterator[str]:
    """Yield the texts in *value* and in the containers in it."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, bytes):
        yield value.decode("utf-8", "replace")
    else:
        for _, inner in _entries(value):
            yield from _texts(inner)


def _nested(value: object) -> Iterator[str]:
    """Yield the secrets in *value*, the value of a setting whose name is not that of a secret."""
    if isinstance(value, str):
        if "@" in value and "://" in value:
            yield from _password(value)
        return
    for name, inner in _entries(value):
        if isinstance(name, str):
            yield from _nested(name)  # FEEDS has URLs as keys
        if isinstance(name, str) and _NESTED_NAME.fullmatch(name):
            yield from _texts(inner)
        else:
            yield from _nested(inner)


def _entries(value: object) -> Iterable[tuple[Any, Any]]:
    if isinstance(value, Mapping):
        return value.items()
    if isinstance(value, (list, tuple, set, frozenset)):
        return [(None, inner) for inner in value]
    return []


def _password(url: str) -> Iterator[str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return
    if parts.password:
        plain = unquote(parts.password)
        yield plain
        yield parts.password
        yield _base64(f"{unquote(parts.username or '')}:{plain}")
        yield quote(plain, safe="")
