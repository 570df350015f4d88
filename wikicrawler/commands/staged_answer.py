"""What ``scrapy staged`` does."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from wikicrawler.commands.project import require_addon
from wikicrawler.errors import ConfigError, StoreError
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.sources.envelopes.schema import envelope_schema
from wikicrawler.sources.staging import verification
from wikicrawler.sources.staging.location import staging_of
from wikicrawler.text.safe import one_line, safe_lines

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings

    from wikicrawler.sources.staging.protocol import Staging


def answer(settings: BaseSettings, name: str, ids: list[str], opts: argparse.Namespace) -> int:
    """Carry out the subcommand *name*; return the exit code.

    :raises UsageError: the arguments are wrong, or the project does not use the add-on
    """
    if name == "schema":
        return _print_schema()
    require_addon(settings)
    try:
        folder = staging_of(settings)
        if name == "verify":
            return _verify(folder)
        if name == "replay":
            from wikicrawler.commands.replay_answer import replay  # noqa: PLC0415

            return replay(settings, folder, opts)
        from wikicrawler.commands.retention_answer import confirm, prune  # noqa: PLC0415

        return confirm(folder, ids, opts) if name == "confirm" else prune(settings, folder, opts)
    except (ConfigError, StoreError) as error:
        sys.stderr.write(f"scrapy staged: error: {safe_lines(error)}\n")
    except OSError as error:
        why = one_line(error.strerror or error)
        sys.stderr.write(f"scrapy staged: error: the staging folder cannot be used: {why}\n")
    return ExitCode.BAD_CONFIGURATION


def _verify(folder: Staging) -> int:
    """Print what is wrong with the staging folder; return the exit code."""
    found = verification.verify(folder)
    for fault in found.faults:
        print(one_line(fault))  # noqa: T201
    faults = len(found.faults)
    removed = f", {found.removed:,} removed" if found.removed else ""
    print(  # noqa: T201
        f"{found.envelopes:,} envelopes{removed}: "
        + ("all valid" if not faults else f"{faults:,} fault{'s' if faults > 1 else ''}")
    )
    return ExitCode.FAILED if faults else ExitCode.OK


def _print_schema() -> int:
    """Print the JSON Schema of an envelope."""
    print(envelope_schema(), end="")  # noqa: T201
    return ExitCode.OK
