"""Globs over the paths of URLs (``include_patterns``, ``exclude_patterns``).

A glob matches a path if it matches from one of its slashes to its end: ``/1024/*`` matches
``/rules/1024/5/``. ``*`` stands for any characters, ``/`` included; every other character for
itself. A slash at the end of a path makes no difference. RE2 matches in linear time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import re2

from wikicrawler.urls.addresses import remove_dot_segments
from wikicrawler.urls.splitting import split_url

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_GLOB = 500  # characters

_OPTIONS = re2.Options()
_OPTIONS.log_errors = False  # RE2 would write to stderr
_OPTIONS.dot_nl = True
_OPTIONS.encoding = re2.Options.Encoding.LATIN1  # paths are ASCII, and bytes match faster
_SAFE = "/%:@!$&'()+,;=~*"
_STARS = re.compile(r"\*+")
_EXPRESSION = re.compile(r"[\\^|{}\[\]]|/\.\*|\(\.\*|\$\Z|\(\?")


@dataclass(frozen=True, slots=True)
class PathFilter:
    """The paths to which the patterns of a source lead."""

    include: tuple[Any, ...] = ()
    exclude: tuple[Any, ...] = ()

    @classmethod
    def of(cls, include: Iterable[str], exclude: Iterable[str]) -> PathFilter:
        """Return the filter of two lists of globs.

        :raises ValueError: one is not a glob
        """
        return cls(tuple(map(compile_glob, include)), tuple(map(compile_glob, exclude)))

    def admits(self, url: str) -> bool:
        """Return whether the path of *url* matches one of the included globs, if there are any, and
        none of the excluded ones."""
        return self.includes(url) and not self.excludes(url)

    def includes(self, url: str) -> bool:
        """Return whether the path of *url* matches one of the included globs, if there are any."""
        path = path_of(url)
        return not self.include or any(glob.search(path) for glob in self.include)

    def excludes(self, url: str) -> bool:
        """Return whether the path of *url* matches one of the excluded globs."""
        path = path_of(url)
        return any(glob.search(path) for glob in self.exclude)


def compile_glob(glob: str) -> Any:
    """Return *glob*, compiled for paths as :func:`path_of` returns them.

    :raises ValueError: it is not a glob; the message has what is wrong and what would be right
    """
    if len(glob) > MAX_GLOB:
        raise ValueError(f"has {len(glob):,} characters (at most {MAX_GLOB})")
    if "://" in glob:
        raise ValueError("is a URL (write the path alone, like /1024/*)")
    if ("?" in glob and "(?" not in glob) or "#" in glob:
        raise ValueError("has a query or a fragment (a pattern matches the path alone; write *)")
    if found := _EXPRESSION.search(glob):
        raise ValueError(
            f"looks like a regular expression at {found[0]!r} (write a glob, like /1024/*, and one "
            "pattern for each alternative)"
        )
    if not glob.startswith(("/", "*")):
        raise ValueError(f"does not start with / or * (write '/{glob[:100]}')")
    parts = _STARS.split(glob.rstrip("/") or "/")
    expression = b".*".join(re2.escape(quote(part, safe=_SAFE).encode()) for part in parts)
    return re2.compile(expression + b"/?$", _OPTIONS)


def path_of(url: str) -> bytes:
    """Return the path of *url* as it is requested: percent-encoded, without dot segments."""
    path = remove_dot_segments(split_url(url).path) or "/"
    return quote(path, safe=_SAFE, errors="replace").encode()
