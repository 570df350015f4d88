"""What ``scrapy staged`` does."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from wikicrawler import options
from wikicrawler.commands.project import require_addon
from wikicrawler.config import project_root
from wikicrawler.errors import ConfigError
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.sources.envelopes.schema import envelope_schema
from wikicrawler.sources.staging.folder import StagingFolder
from wikicrawler.sources.staging.verification import verify_folder
from wikicrawler.text.safe import one_line, safe_lines

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


def verify(settings: BaseSettings) -> int:
    """Print what is wrong with the staging folder; return the exit code."""
    require_addon(settings)
    try:
        folder = StagingFolder(project_root() / (options.STAGING.read(settings) or "staged"))
        found = verify_folder(folder)
    except ConfigError as error:
        sys.stderr.write(f"scrapy staged: error: {safe_lines(error)}\n")
        return ExitCode.BAD_CONFIGURATION
    for fault in found.faults:
        print(one_line(fault))  # noqa: T201
    faults = len(found.faults)
    print(  # noqa: T201
        f"{found.envelopes:,} envelopes: "
        + ("all valid" if not faults else f"{faults:,} fault{'s' if faults > 1 else ''}")
    )
    return ExitCode.FAILED if faults else ExitCode.OK


def print_schema() -> int:
    """Print the JSON Schema of an envelope."""
    print(envelope_schema(), end="")  # noqa: T201
    return ExitCode.OK
