"""The subcommands of ``scrapy manifest``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from wikicrawler.commands.manifest import activated, files
from wikicrawler.commands.manifest.output import Call, report
from wikicrawler.commands.project import require_addon
from wikicrawler.errors import ConfigError, StoreError
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.sources.manifest.activation import ActivationRefused
from wikicrawler.text.safe import quoted
from wikicrawler.text.yaml import suggest

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from scrapy.crawler import CrawlerProcessBase
    from scrapy.settings import BaseSettings


@dataclass(frozen=True, slots=True)
class _Subcommand:
    run: Callable[[Call], int]
    arguments: str
    low: int
    high: int | None
    """Minimum and maximum number of arguments; None: any number."""
    options: tuple[str, ...] = ()
    """Options that it takes."""


_SUBCOMMANDS = {
    "validate": _Subcommand(files.validate, "FILE...", 1, None, ("json",)),
    "diff": _Subcommand(files.diff, "OLD NEW", 2, 2, ("json",)),
    "activate": _Subcommand(
        activated.activate_file, "FILE", 1, 1, ("force", "offline", "by", "why")
    ),
    "rollback": _Subcommand(activated.roll_back, "VERSION", 1, 1, ("offline", "by", "why")),
    "robots": _Subcommand(activated.robots, "FILE", 1, 1, ("json",)),
    "history": _Subcommand(activated.history, "", 0, 0, ("json",)),
    "show": _Subcommand(activated.show, "[ID]", 0, 1, ("json",)),
    "download": _Subcommand(activated.download, "[VERSION]", 0, 1),
    "prompt": _Subcommand(files.print_prompt, "[FILE]", 0, 1, ("vertical",)),
}
_OPTIONS = ("json", "force", "offline", "by", "why", "vertical")


def answer(
    settings: BaseSettings,
    process: CrawlerProcessBase | None,
    args: list[str],
    opts: argparse.Namespace,
) -> int:
    """Run the subcommand in *args*; return the exit code.

    :param process: process for the crawl that checks robots.txt; None if there is none
    :raises UsageError: the arguments are wrong, or the project does not use the add-on
    """
    require_addon(settings)
    name, *rest = args or [""]
    if name not in _SUBCOMMANDS:
        hint = suggest(name, list(_SUBCOMMANDS)) if name else f"known: {', '.join(_SUBCOMMANDS)}"
        raise UsageError(f"{quoted(name, 40)} is not a subcommand ({hint})", print_help=False)
    subcommand = _SUBCOMMANDS[name]
    _check(name, subcommand, rest, opts)
    try:
        return subcommand.run(Call(settings, process, tuple(rest), opts))
    except ActivationRefused as error:
        report(error)
        return ExitCode.FAILED
    except (ConfigError, StoreError) as error:
        report(f"error: {error}")
        return ExitCode.BAD_CONFIGURATION


def _check(name: str, subcommand: _Subcommand, args: list[str], opts: argparse.Namespace) -> None:
    """Raise a UsageError if *args* or *opts* are not those of *subcommand*."""
    if unknown := [arg for arg in args if arg.startswith("--")]:
        raise UsageError(f"{quoted(unknown[0], 40)} is not an option", print_help=False)
    too_many = subcommand.high is not None and len(args) > subcommand.high
    if len(args) < subcommand.low or too_many:
        usage = f"scrapy manifest {name} {subcommand.arguments}".strip()
        raise UsageError(f"wrong number of arguments (usage: {usage})", print_help=False)
    for option in _OPTIONS:
        if getattr(opts, option) and option not in subcommand.options:
            raise UsageError(f"--{option} is not an option of {name}", print_help=False)
