"""The command ``wikicrawler-mcp``."""

from __future__ import annotations

import argparse
import fcntl
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from stat import S_ISFIFO, S_ISSOCK
from typing import TYPE_CHECKING, Any

from scrapy.crawler import AsyncCrawlerProcess
from scrapy.exceptions import UsageError
from scrapy.settings import Settings
from scrapy.utils.project import get_project_settings, inside_project

from wikicrawler import options
from wikicrawler.commands.failure import failure_of, log_failure
from wikicrawler.commands.project import require_addon
from wikicrawler.errors import ConfigError
from wikicrawler.mcp_server.fetching import NotWantedMiddleware
from wikicrawler.process.allocator import return_large_blocks
from wikicrawler.process.exit_codes import ExitCode, exit_code
from wikicrawler.process.stop_signals import StopSignals
from wikicrawler.text.safe import one_line, quoted, safe_lines
from wikicrawler.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME = "wikicrawler-mcp"
INSTALL = "pip install 'wikicrawler[mcp]'"
_MODULE = "wikicrawler.settings"
_DESCRIPTION = (
    "Serve the Model Context Protocol on standard input and output: agents read pages, search "
    "wikis and crawl sites. An MCP client starts it; docs/mcp.md has an example."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, and return the exit code: 0 the client has closed the connection; 1 an
    error, which the log has; 2 wrong options, settings or project; 128 + N signal N."""
    given = _parser().parse_args(arguments)
    if not _has_sdk():
        return _refuse(f"the extra mcp is not installed: {INSTALL}")
    try:
        settings = _settings(given)
    except (ConfigError, UsageError) as error:
        return _refuse(str(error))
    if sys.stdin is None or sys.stdout is None:
        return _refuse("standard input and output are closed: an MCP client opens them")
    if sys.stdin.isatty():
        return _refuse(
            "standard input is a terminal: an MCP client starts this command (docs/mcp.md)"
        )
    if not all(map(_is_stream, (0, 1))):
        return _refuse("standard input and output are to be pipes: an MCP client opens them")
    return _serve(settings)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=NAME, description=_DESCRIPTION)
    parser.add_argument(
        "-s",
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set a setting, as for scrapy; may be repeated",
    )
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="the YAML file of wikis and domains (config/sources.yml in docs/settings.md)",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    return parser


def _settings(given: argparse.Namespace) -> Settings:
    """Return the settings of the project in the working directory, or this package's own.

    :raises ConfigError: an option is wrong
    :raises UsageError: the project does not use the add-on
    """
    named: dict[str, Any] = {}
    for text in given.set:
        name, equals, value = text.partition("=")
        if not name.strip() or not equals:
            raise ConfigError(f"-s {quoted(text)}: expected NAME=VALUE")
        named[name.strip()] = value
    if given.config is not None:
        file = Path(given.config).absolute()
        if not file.is_file():
            raise ConfigError(f"--config {one_line(file)}: there is no such file")
        named[options.CONFIG.name] = str(file)
    if inside_project():
        try:
            settings = get_project_settings()
        except Exception as error:
            why = f"{type(error).__name__}: {one_line(error)}"
            raise ConfigError(f"the project's settings cannot be read ({why})") from None
        require_addon(settings)
    else:
        settings = Settings()
        settings.setmodule(_MODULE, priority="project")
    settings.setdict(named, priority="cmdline")
    if settings.get("JOBDIR"):
        raise ConfigError("JOBDIR cannot be used with this server (remove the setting)")
    settings.setdict(
        {
            options.PROGRESS_ENABLED.name: False,
            options.SUMMARY_ENABLED.name: False,
            "FEEDS": {},  # there are no records
            "LOGSTATS_INTERVAL": 0,  # a line each minute, for hours
        },
        priority="cmdline",
    )
    settings.setdefault_in_component_priority_dict(
        "DOWNLOADER_MIDDLEWARES", NotWantedMiddleware, 10
    )
    return settings


def _serve(settings: Settings) -> int:
    """Serve the client, and return the exit code."""
    from wikicrawler.mcp_server.spider import McpSpider, Pipes  # noqa: PLC0415 - needs the SDK

    pipes = Pipes(_own(0, os.O_RDONLY), _own(1, None))
    try:
        process = AsyncCrawlerProcess(settings)
        crawler = process.create_crawler(McpSpider)
    except Exception as error:  # another reactor, a log level that there is not …
        return _refuse(f"the settings cannot be used ({type(error).__name__}: {one_line(error)})")
    stop_signals = StopSignals(lambda: crawler)
    stop_signals.install()
    return_large_blocks()
    crawl = process.crawl(crawler, pipes=pipes)
    process.start()
    failure = failure_of(crawl)
    if isinstance(failure, ConfigError):
        return _refuse(str(failure))
    if failure is not None:
        log_failure(failure)
        return ExitCode.FAILED
    code = exit_code(crawler.stats.get_stats(), stop_signals.first)
    return ExitCode.OK if code == ExitCode.NOTHING_WRITTEN else code  # it writes no records


def _own(number: int, mode: int | None) -> int:
    """Return a file descriptor for a standard stream that nothing else writes to or reads from:
    the stream itself becomes the null device (*mode* says how it is opened), or standard error."""
    own = fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 3)
    instead = os.dup(2) if mode is None else os.open(os.devnull, mode)
    os.dup2(instead, number)
    os.close(instead)
    return own


def _is_stream(number: int) -> bool:
    """Return whether a standard stream is a pipe or a socket."""
    try:
        mode = os.fstat(number).st_mode
    except OSError:
        return False
    return S_ISFIFO(mode) or S_ISSOCK(mode)


def _has_sdk() -> bool:
    """Return whether the SDK is installed, in a version that this package knows."""
    try:
        return find_spec("mcp.server.lowlevel") is not None and find_spec("mcp_types") is not None
    except ImportError:
        return False


def _refuse(message: str) -> int:
    sys.stderr.write(f"{NAME}: error: {safe_lines(message)}\n")
    return ExitCode.BAD_CONFIGURATION


if __name__ == "__main__":
    sys.exit(main())
