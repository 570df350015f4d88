"""Names of files for pages: from the URL alone, and safe on every file system.

``https://en.wikipedia.org/wiki/Talk:Bee`` is ``wiki/Talk：Bee.md`` in the folder
``en.wikipedia.org``.
"""

from __future__ import annotations

import re
import unicodedata
from hashlib import blake2b
from urllib.parse import unquote_to_bytes

from wikicrawler.urls.addresses import DEFAULT_PORTS
from wikicrawler.urls.splitting import split_url

SUFFIX = ".md"
INDEX = f"index{SUFFIX}"
"""The list of the pages of a folder; no page has this name."""

_HOME = "home"
_DIGITS = 8
_MAX_NAME = 120
"""Of a folder or file without its suffix: bytes of UTF-8, and code units of UTF-16 where macOS
decomposes the characters. File systems have 255, and encrypted ones 143."""
_MAX_PATH = 170
"""Code units of a whole name below the site's folder; Windows has 260 from the drive on."""
_MAX_DEPTH = 8
# What Windows, macOS or a link of Obsidian refuses has a wide form that reads the same.
_WIDE = {ord(c): ord(c) + 0xFEE0 for c in '<>:"\\|?*#^[]%'}
_WIDE_FORMS = frozenset(map(chr, _WIDE.values()))
_RESERVED = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\xb9\xb2\xb3])(?:\..*)?", re.IGNORECASE
)
_HTML = re.compile(r"(?<=.)\.x?html?\Z", re.IGNORECASE)
_UNSAFE_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def site_folder(url: str) -> str:
    """Return the name of the folder of the host of *url*, with the port if it is not the scheme's
    own: ``en.wikipedia.org``, ``127.0.0.1_8080``."""
    try:
        parts = split_url(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return _safe(url[:_MAX_NAME])
    if port is not None and port != DEFAULT_PORTS.get(parts.scheme):
        host = f"{host}_{port}"
    return _shortened(_safe(host.replace(":", "-")), _MAX_NAME)


def file_name(url: str) -> str:
    """Return the name of the file for *url* below its site's folder, with ``/`` between folders.

    It is readable, and another URL has another one, with a few exceptions, which
    :func:`told_apart` tells apart: URLs that differ in their scheme, their percent-encoding or a
    ``/`` or ``.html`` at their end, or only for a file system that ignores case.
    """
    path, _, query = _rest(url).partition("?")
    folders = [_decoded(one) for one in path.split("/") if one]
    last = folders.pop() if folders else ""
    stem = _HTML.sub("", last)
    if not folders and stem in {"", "index"}:
        stem = _HOME
    names = [*folders, stem]
    safe = [*(_no_file(_safe(name)) for name in folders), _safe(stem)]
    if query:
        safe[-1] = f"{_shortened(safe[-1], _MAX_NAME // 2)}？{_safe(_decoded(query[:_MAX_NAME]))}"
    short = _short(safe)
    is_readable_back = short == [name.translate(_WIDE) for name in names]
    if is_readable_back and "//" not in f"/{path}" and folded(short[0]) != "index":
        return "/".join(short) + SUFFIX
    return _with_hash("/".join(short), url, _DIGITS)


def told_apart(url: str, digits: int = _DIGITS) -> str:
    """Return a name of the file for *url* that no other URL has: with *digits* hexadecimal digits
    of a hash of it."""
    name = file_name(url).removesuffix(SUFFIX)
    return _with_hash(name.removesuffix(f"-{_hash(url, _DIGITS)}"), url, digits)


def folded(name: str) -> str:
    """Return what two names have in common that a file system takes for one: without case, and
    with accents decomposed."""
    return unicodedata.normalize(
        "NFD", unicodedata.normalize("NFD", name).upper().casefold().upper().casefold()
    )


def _rest(url: str) -> str:
    """What follows the first slash of the path of *url*."""
    return url.partition("#")[0].partition("://")[2].partition("/")[2]


def _decoded(segment: str) -> str:
    """*segment* without percent-encoding, if that is text without a separator."""
    if "%" in segment:
        try:
            text = unquote_to_bytes(segment).decode()
        except UnicodeDecodeError:
            return segment
        segment = segment if "/" in text else text
    return segment


def _safe(name: str) -> str:
    name = "".join(map(_safe_character, unicodedata.normalize("NFC", name)))
    name = name.strip(" ")
    if name[:1] in {".", "~", "-"}:
        name = "_" + name[1:]
    if name.endswith((".", " ")):
        name = name.rstrip(". ") + "_"
    return f"_{name}" if _RESERVED.fullmatch(name) else name or "_"


def _safe_character(character: str) -> str:
    if character.isascii() and (character.isalnum() or character in "-_. ()+,'!@$&=;~"):
        return character
    if (code := ord(character)) in _WIDE:
        return chr(_WIDE[code])
    if character in _WIDE_FORMS or character in "/\x7f" or code < 0x20:
        return "_"
    if unicodedata.category(character) in _UNSAFE_CATEGORIES or character.isspace():
        return "_"
    return character


def _no_file(name: str) -> str:
    """A name for a folder that no file has."""
    return f"{name}_" if folded(name).endswith(SUFFIX) else name


def _short(names: list[str]) -> list[str]:
    if len(names) > _MAX_DEPTH:
        names = [*names[: _MAX_DEPTH - 1], names[-1]]
    names = [_shortened(name, _MAX_NAME) for name in names]
    while len(names) > 1 and _units("/".join(names)) > _MAX_PATH:
        del names[-2]
    return names


def _shortened(name: str, limit: int) -> str:
    if len(name.encode()) <= limit and _units(name) <= limit:
        return name
    while len(name.encode()) > limit or _units(name) > limit:
        name = name[: min(len(name) - 1, limit)]
    return _safe(name)


def _units(name: str) -> int:
    return len(unicodedata.normalize("NFD", name).encode("utf-16-le")) // 2


def _with_hash(name: str, url: str, digits: int) -> str:
    return f"{name}-{_hash(url, digits)}{SUFFIX}"


def _hash(url: str, digits: int) -> str:
    return blake2b(url.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()[:digits]
