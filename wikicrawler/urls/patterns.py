"""Regular expressions that select URLs (``follow``, ``exclude``).

RE2 matches them in time linear in the length of the URL, so no pattern and no URL can stall the
crawl. RE2 has no look-around and no back-references.
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

MAX_PATTERN = 8_000  # characters

_OPTIONS = re2.Options()
_OPTIONS.log_errors = False  # RE2 would write to stderr

_HINTS = {
    r"invalid perl operator: \(\?(=|!|<)": "look-around is not supported: use follow for what a "
    "URL must have, exclude for what it must not",
    r"invalid perl operator: \(\?P$|invalid escape sequence: \\[1-9]": "back-references are not "
    "supported: write the alternatives out, like (a/a|b/b)",
    r"invalid perl operator: \(\?>|bad repetition operator": "possessive and repeated quantifiers "
    "are not supported: RE2 never backtracks, use a plain *, + or ?",
    r"invalid repetition size": "at most 1000 repetitions",
    r"no argument for repetition": r"write \* or \+ for the character, .* for any text",
    r"missing|unexpected|trailing": r"write \ before a literal character",
    r"pattern too large": "use several short patterns",
}


class Patterns:
    """A list of regular expressions; a URL matches if it contains a match of one of them."""

    def __init__(self, compiled: Iterable[Any] = ()) -> None:
        self._compiled = tuple(compiled)

    def __str__(self) -> str:
        return " ".join(one.pattern.decode() for one in self._compiled)

    @classmethod
    def parse(
        cls, argument: str | None, *, name: str = "pattern", base: Path | None = None
    ) -> Patterns:
        r"""Parse the patterns in *argument*, separated by white space; it may be empty.

        URLs contain no white space, so patterns need none (else write ``\s``). ``@file`` stands for
        the patterns in that file, relative to *base* (default: the working directory); its lines
        that start with ``#`` are comments.

        :param name: name of the argument, for error messages
        :raises ConfigError: RE2 cannot parse a pattern; the message lists all of them
        """
        compiled, problems = [], []
        for where, pattern in _split(argument or "", name, base or Path.cwd()):
            try:
                compiled.append(compile_pattern(pattern))
            except ValueError as exc:
                problems.append(f"{where}: {quoted(pattern)} {exc}")
        if problems:
            raise ConfigError("\n".join(problems))
        return cls(compiled)

    def search(self, url: str) -> bool:
        """Return whether one of the patterns matches anywhere in *url*."""
        text = url.encode("utf-8", "backslashreplace")
        return any(pattern.search(text) is not None for pattern in self._compiled)

    def __len__(self) -> int:
        return len(self._compiled)


def _split(argument: str, name: str, base: Path) -> Iterator[tuple[str, str]]:
    """Yield each pattern, preceded by its location for error messages."""
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


def compile_pattern(pattern: str) -> Any:
    """Return *pattern*, compiled for bytes.

    :raises ValueError: RE2 cannot parse it; the message has the column and the problem
    """
    if len(pattern) > MAX_PATTERN:
        raise ValueError(f"has {len(pattern):,} characters (at most {MAX_PATTERN:,})")
    try:
        return re2.compile(pattern.encode(), _OPTIONS)
    except UnicodeEncodeError:
        raise ValueError("is not Unicode text (encode it as UTF-8)") from None
    except re2.error as exc:
        reason = exc.args[0].decode("utf-8", "replace")
    fragment = reason.partition(": ")[2]
    if fragment == "(?P":  # a back-reference; a named group starts with (?P<
        fragment = "(?P="
    # RE2 reports the fragment in error; for an open bracket sometimes the whole pattern.
    column = len(pattern) if fragment in ("", pattern) else pattern.find(fragment) + 1
    hint = next((hint for start, hint in _HINTS.items() if re.match(start, reason)), None)
    raise ValueError(
        f"column {max(column, 1)}: {one_line(reason, 80)} "
        f"({hint or 'see https://github.com/google/re2/wiki/Syntax'})"
    )
