"""The URLs that a crawl starts from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikicrawler.errors import ConfigError
from wikicrawler.text.lines import Line, read_lines
from wikicrawler.text.safe import one_line, quoted
from wikicrawler.urls.addresses import parse_url, redact

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_SEPARATOR = re.compile(r",?\s+|,(?=https?://)", re.IGNORECASE)
_COMMENT = re.compile(r"\s#.*")
_FILE_NAME = re.compile(
    r"(~|\.{0,2}[/\\](?!/)).*|.*\.(txt|csv|tsv|lst|list|urls|seeds|md|json|jsonl)"
)
_MAX_LISTED = 20


@dataclass(frozen=True, slots=True)
class Seeds:
    """What an argument or file of seeds holds."""

    urls: list[str]
    """Normalised, in order, each once; at least one."""
    problems: list[str]
    """One line for each seed that is left out: where, the text, what is wrong, what is right."""


def read_seeds(argument: str, base: Path) -> Seeds:
    """The seeds that *argument* names.

    It is one or more URLs, separated by white space or by commas, or the name of a file with one
    URL a line, relative to *base*. In a list of URLs a comma separates where white space or
    ``http(s)://`` follows; any other is part of its URL. In a file empty lines are skipped, and
    what follows a ``#`` at the start of a line or after white space. The ``#…`` of a URL itself is
    dropped: it names a place in the page.

    :raises ConfigError: where the file cannot be read, or nothing in it is a URL to start from.
    """
    argument = argument.strip()
    if not argument:
        raise ConfigError("seeds: empty (give URLs, or the name of a file with one URL a line)")
    path = base / argument
    if "://" not in argument and (_is_there(path) or _FILE_NAME.fullmatch(argument)):
        name = one_line(base / redact(argument))
        if not _is_there(path):
            raise ConfigError(
                f"seeds: there is no file {name} (give the name of a file with one URL a line, or "
                "URLs that start with https://)"
            )
        lines: Iterable[Line] = read_lines(path)
        seeds = _read(
            (line._replace(text=_COMMENT.sub("", line.text).rstrip()) for line in lines), name, True
        )
    else:
        entries = (Line(0, text) for text in _SEPARATOR.split(argument.rstrip(",")) if text)
        seeds = _read(entries, "seeds", False)
    if not seeds.urls:
        raise ConfigError(_nothing(argument, base / redact(argument), seeds.problems))
    return seeds


def _read(lines: Iterable[Line], name: str, numbered: bool) -> Seeds:
    urls: dict[str, None] = {}
    problems = []
    for number, text, problem in lines:
        try:
            if problem:
                raise ValueError(problem)
            urls[parse_url(text)] = None
        except ValueError as exc:
            where = f"{name}:{number}" if numbered else name
            problems.append(f"{where}: {quoted(redact(text))} {exc}")
    return Seeds(list(urls), problems)


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that is too long, or holds NUL
        return False


def _nothing(argument: str, path: Path, problems: list[str]) -> str:
    if not problems:
        return f"{one_line(path)}: no URL in it (write one URL a line)"
    if len(problems) > _MAX_LISTED:
        problems = [*problems[:_MAX_LISTED], f"and {len(problems) - _MAX_LISTED:,} more"]
    if len(argument.split()) == 1 and "://" not in argument and not _is_there(path):
        problems = [*problems, f"seeds: and there is no file {one_line(path)}"]
    return "\n".join(problems)
