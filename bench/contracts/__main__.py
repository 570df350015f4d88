"""Run Scrapy's own tests with our components in place of those that they replace.

::

    python -m bench.contracts                      all modules, about a minute
    python -m bench.contracts --quick              those without a server
    python -m bench.contracts test_exporters.py    only these

A test that fails must be listed in ``differences.yml`` with the reason of the difference. Exit
status: 1 if one fails that is not listed, or if one that is listed passes or is gone; 3 if Scrapy's
source distribution cannot be downloaded.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

from bench.contracts.source import SITE, SourceError, source

HERE = Path(__file__).parent
QUICK = (
    "test_downloadermiddleware_cookies.py",
    "test_downloadermiddleware_httpcompression.py",
    "test_downloadermiddleware_redirect.py",
    "test_downloadermiddleware_redirect_metarefresh.py",
    "test_downloadermiddleware_retry.py",
    "test_downloadermiddleware_robotstxt.py",
    "test_exporters.py",
    "test_feedexport_storages.py",
    "test_pqueues.py",
    "test_scheduler_base.py",
    "test_spiderstate.py",
)
WITH_SERVER = (
    "test_closespider.py",
    "test_crawl.py",
    "test_downloader_handler_twisted_http11.py",
    "test_engine_stop_download_bytes.py",
    "test_engine_stop_download_headers.py",
    "test_feedexport.py",
    "test_feedexport_batch.py",
    "test_feedexport_postprocess.py",
    "test_request_left.py",
    "test_scheduler.py",
)
NOT_HERE = "not requires_internet and not requires_mitmproxy"
LEFT_OUT = "not delay and not TestHttpProxy and not TestHttpsProxy"
"""Tests that measure time, or need mitmdump."""
MODULES = QUICK + WITH_SERVER


def main() -> int:
    """Run the tests that the command line names, print what is unexpected, return the status."""
    parser = argparse.ArgumentParser(prog="python -m bench.contracts")
    parser.add_argument("--quick", action="store_true", help="only what needs no server")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="of Scrapy's tests")
    arguments = parser.parse_args()
    modules = tuple(arguments.modules) or (QUICK if arguments.quick else MODULES)
    if unknown := set(modules) - set(MODULES):
        parser.error(f"{', '.join(sorted(unknown))}: not one of {', '.join(MODULES)}")
    try:
        folder = source()
    except SourceError as error:
        print(error, file=sys.stderr)
        return 3
    outcomes = run(folder, modules)
    found = unexpected(outcomes, differences(), modules)
    for line in found:
        print(line)
    failed = sum(outcome == "failed" for outcome in outcomes.values())
    print(f"{len(outcomes)} of Scrapy's tests, {failed} differ, {len(found)} unexpectedly")
    return 1 if found or not outcomes else 0


def run(folder: Path, modules: tuple[str, ...]) -> dict[str, str]:
    """Return the outcome (``passed``, ``failed`` or ``skipped``) of each test by its id."""
    with tempfile.TemporaryDirectory() as temporary:
        written = Path(temporary) / "outcomes.json"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "stand_ins", "--tb=short"]
        options = [
            f"--outcomes={written}",
            "--timeout=60",
            "--continue-on-collection-errors",
            "-m",
            NOT_HERE,
            "-k",
            LEFT_OUT,
            "-rN",
        ]
        # A test that differs may leave files open, which another one would be blamed for.
        options += ["-p", "no:unraisableexception"]
        paths = [f"tests/{module}" for module in modules]
        subprocess.run(
            [*command, *options, *paths], cwd=folder, env=environment(folder), check=False
        )
        outcomes = json.loads(written.read_text()) if written.exists() else {}
    return {name.removeprefix("tests/"): outcome for name, outcome in outcomes.items()}


def environment(folder: Path) -> dict[str, str]:
    """Return the environment variables of the tests in *folder*.

    Those of a pytest that runs this one are left out. A worker of pytest-xdist sets one by which
    Scrapy's tests conclude that another process makes their TLS certificate.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return kept | {"PYTHONPATH": os.pathsep.join((str(HERE), str(folder / SITE)))}


def differences() -> dict[str, str]:
    """Return the reason of each intended difference by the id of its test."""
    listed = yaml.safe_load((HERE / "differences.yml").read_text("utf-8"))
    return {test: entry["reason"] for entry in listed for test in entry["tests"]}


def unexpected(
    outcomes: dict[str, str], listed: dict[str, str], modules: tuple[str, ...]
) -> list[str]:
    """Return a line for each test whose outcome is not the one that *listed* says."""
    failed = {test for test, outcome in outcomes.items() if outcome == "failed"}
    lines = [f"FAILS, and is not in differences.yml: {test}" for test in failed - set(listed)]
    for test in listed:
        if test.split("::")[0] not in modules:
            continue
        if test not in outcomes:
            lines.append(f"is in differences.yml, and is no test of Scrapy's: {test}")
        elif outcomes[test] == "passed":
            lines.append(f"is in differences.yml, and PASSES: {test}")
    return sorted(lines)


if __name__ == "__main__":
    sys.exit(main())
