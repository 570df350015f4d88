"""The start URLs of a crawl."""

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
    """The seeds in an argument or a file."""

    urls: list[str]
    """Normalised URLs in order, without duplicates; at least one."""
    problems: list[str]
    """One line for each invalid seed: location, text, what is wrong and what would be right."""


def read_seeds(argument: str, base: Path) -> Seeds:
    """Return the seeds in *argument*.

    *argument* is one or more URLs, separated by white space or commas, or the name of a file with
    one URL a line, relative to *base*. In a list of URLs a comma is a separator only if white space
    or ``http(s)://`` follows, else part of its URL. In a file, empty lines are skipped, and
    comments: from a ``#`` at the start of a line or after white space. Fragments of URLs are
    removed.

    :raises ConfigError: the file cannot be read, or there is no valid URL
    """
    argument = argument.strip()
    if not argument:
        raise ConfigError("seeds: empty (give URLs, or the name of a file with one URL a line)")
    path = base / argument
    if "://" not in argument and (_exists(path) or _FILE_NAME.fullmatch(argument)):
        name = one_line(base / redact(argument))
        if not _exists(path):
            raise ConfigError(
                f"seeds: the file {name} does not exist (give the name of a file with one URL a "
                "line, or URLs that start with https://)"
            )
        lines: Iterable[Line] = read_lines(path)
        seeds = _read(
            (line._replace(text=_COMMENT.sub("", line.text).rstrip()) for line in lines), name, True
        )
    else:
        entries = (Line(0, text) for text in _SEPARATOR.split(argument.rstrip(",")) if text)
        seeds = _read(entries, "seeds", False)
    if not seeds.urls:
        raise ConfigError(_no_seed_message(argument, base / redact(argument), seeds.problems))
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


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # the name is too long or contains NUL
        return False


def _no_seed_message(argument: str, path: Path, problems: list[str]) -> str:
    if not problems:
        return f"{one_line(path)}: contains no URL (write one URL a line)"
    if len(problems) > _MAX_LISTED:
        problems = [*problems[:_MAX_LISTED], f"and {len(problems) - _MAX_LISTED:,} more"]
    if len(argument.split()) == 1 and "://" not in argument and not _exists(path):
        problems = [*problems, f"seeds: the file {one_line(path)} does not exist either"]
    return "\n".join(problems)
