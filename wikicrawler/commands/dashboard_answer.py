"""What ``scrapy dashboard`` does."""

from __future__ import annotations

import getpass
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError
from scrapy.utils.log import configure_logging

from wikicrawler.commands.project import require_addon
from wikicrawler.errors import ConfigError
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.text.safe import safe_lines

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import Settings

_MISSING = "scrapy dashboard needs more packages (pip install 'wikicrawler[dashboard]')"
_NEEDED = ("starlette", "uvicorn", "jinja2", "multipart", "itsdangerous", "argon2", "limits")


def answer(settings: Settings, args: list[str], opts: argparse.Namespace) -> int:
    """Serve, or print the hash of a password; return the exit code."""
    require_addon(settings)
    if args:
        raise UsageError("it takes no arguments, only options", print_help=False)
    try:
        if any(find_spec(name) is None for name in _NEEDED):
            raise ConfigError(_MISSING)
        if opts.hash_password:
            return _print_hash()
        configure_logging(settings)
        from wikicrawler.dashboard.serving import serve  # noqa: PLC0415 - an extra

        return serve(settings, opts.host, opts.port, read_only=opts.read_only, browse=opts.open)
    except ConfigError as error:
        sys.stderr.write(f"scrapy dashboard: error: {safe_lines(error)}\n")
        return ExitCode.BAD_CONFIGURATION


def _print_hash() -> int:
    from wikicrawler.dashboard.access.people import MIN_PASSWORD, hash_password  # noqa: PLC0415

    is_typed = sys.stdin is not None and sys.stdin.isatty()
    try:
        password = getpass.getpass("Password: ") if is_typed else sys.stdin.readline().rstrip("\n")
    except EOFError:
        password = ""
    if len(password) < MIN_PASSWORD:
        raise ConfigError(f"--hash-password: at least {MIN_PASSWORD} characters are needed")
    print(hash_password(password))  # noqa: T201
    return ExitCode.OK
