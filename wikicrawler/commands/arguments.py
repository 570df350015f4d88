"""What the project's commands have in common: URLs as arguments, and lines as the answer."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from wikicrawler.text.safe import quoted
from wikicrawler.urls.addresses import parse_url, redact

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")


def read_urls(args: Iterable[str]) -> list[str]:
    """The arguments, as Scrapy requests them.

    :raises UsageError: one is no URL, or there is none
    """
    urls = []
    for text in args:
        try:
            urls.append(parse_url(text))
        except ValueError as error:
            raise UsageError(f"{quoted(redact(text))} {error}", print_help=False) from None
    if not urls:
        raise UsageError("a URL is needed", print_help=False)
    return urls


def print_lines(lines: Iterable[str]) -> None:
    """Print them in whatever encoding the terminal has, to who may stop reading."""
    out = sys.stdout
    if isinstance(out, TextIOWrapper):
        out.reconfigure(errors="backslashreplace")
    try:
        out.writelines(f"{line}\n" for line in lines)
        out.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())  # for the flush at the exit
