"""The regular expressions by which an operator chooses URLs (``follow``, ``exclude``).

They are matched by RE2, in a time that is linear in the length of the URL: no pattern and no URL
can stall the crawl. RE2 has no look-around and no back-references.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import re2

from wikicrawler.errors import ConfigError
from wikicrawler.text.lines import read_lines
from wikicrawler.text.safe import one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_PATTERN = 8_000

_OPTIONS = re2.Options()
_OPTIONS.log_errors = False  # it would write lines of its own to stderr

_HINTS = {
    r"invalid perl operator: \(\?(=|!|<)": "look-around is not supported: use follow for what a "
    "URL must have, exclude for what it must not",
    r"invalid perl operator: \(\?P$|invalid escape sequence: \\[1-9]": "back-references are not "
    "supported: write the alternatives out, like (a/a|b/b)",
    r"invalid perl operator: \(\?>|bad repetition operator": "possessive and repeated quantifiers "
    "are not supported: nothing backtracks here, a simple *, + or ? will do",
    r"invalid repetition size": "at most 1000 repetitions",
    r"no argument for repetition": r"write \* or \+ for the character, .* for anything",
    r"missing|unexpected|trailing": r"write \ before a character that is meant itself",
    r"pattern too large": "use several short patterns",
}


class Patterns:
    """Some regular expressions; a URL matches where one of them is found anywhere in it."""

    def __init__(self, compiled: Iterable[Any] = ()) -> None:
        self._compiled = tuple(compiled)

    @classmethod
    def parse(
        cls, argument: str | None, *, name: str = "pattern", base: Path | None = None
    ) -> Patterns:
        r"""The patterns in *argument*, separated by white space; none where it is empty.

        A URL holds no white space, so no pattern needs any (``\s`` where it does). ``@file`` stands
        for the patterns in that file, relative to *base* (default: the working directory), where
        lines that start with ``#`` are comments. *name* is the argument's, for error messages.

        :raises ConfigError: with every pattern that RE2 cannot read, and why.
        """
        compiled, problems = [], []
        for where, pattern in _split(argument or "", name, base or Path.cwd()):
            try:
                compiled.append(_compile(pattern))
            except ValueError as exc:
                problems.append(f"{where}: {quoted(pattern)} {exc}")
        if problems:
            raise ConfigError("\n".join(problems))
        return cls(compiled)

    def search(self, url: str) -> bool:
        """Whether one of the patterns is found in *url*."""
        text = url.encode("utf-8", "backslashreplace")
        return any(pattern.search(text) is not None for pattern in self._compiled)

    def __len__(self) -> int:
        return len(self._compiled)


def _split(argument: str, name: str, base: Path) -> Iterator[tuple[str, str]]:
    """Each pattern and where it stands."""
    for word in argument.split():
        if not word.startswith("@"):
            yield name, word
            continue
        path = base / word[1:]
        for line in read_lines(path):
            where = f"{one_line(path)}:{line.number}"
            if line.problem:
                raise ConfigError(f"{where}: {line.problem}")
            for pattern in line.text.split():
                yield where, pattern


def _compile(pattern: str) -> Any:
    """*pattern* compiled for bytes; :class:`ValueError` says where it is wrong and why."""
    if len(pattern) > MAX_PATTERN:
        raise ValueError(f"has {len(pattern):,} characters (at most {MAX_PATTERN:,})")
    try:
        return re2.compile(pattern.encode(), _OPTIONS)
    except UnicodeEncodeError:
        raise ValueError("is not Unicode text (write the characters as UTF-8)") from None
    except re2.error as exc:
        reason = exc.args[0].decode("utf-8", "replace")
    fragment = reason.partition(": ")[2]
    if fragment == "(?P":  # a back-reference; a group's name is introduced by (?P<
        fragment = "(?P="
    # RE2 names what it stumbled over; for an open bracket at times the whole pattern.
    column = len(pattern) if fragment in ("", pattern) else pattern.find(fragment) + 1
    hint = next((hint for start, hint in _HINTS.items() if re.match(start, reason)), None)
    raise ValueError(
        f"column {max(column, 1)}: {one_line(reason, 80)} "
        f"({hint or 'see https://github.com/google/re2/wiki/Syntax'})"
    )
