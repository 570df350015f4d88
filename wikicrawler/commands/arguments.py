"""Shared parts of the project's commands: URL arguments and output."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from wikicrawler.text.safe import quoted
from wikicrawler.urls.addresses import parse_url, redact

if TYPE_CHECKING:
    from collections.abc import Iterable


def read_urls(args: Iterable[str]) -> list[str]:
    """Return the URLs in *args*, normalised as Scrapy requests them.

    :raises UsageError: an argument is not a URL, or there is none
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
    """Print *lines* in any encoding of standard output, and stop quietly if it is closed."""
    out = sys.stdout
    if isinstance(out, TextIOWrapper):
        out.reconfigure(errors="backslashreplace")
    try:
        out.writelines(f"{line}\n" for line in lines)
        out.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())  # for the flush at exit
