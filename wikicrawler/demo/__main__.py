"""Serve the demonstration wiki, or crawl it.

python -m wikicrawler.demo serve [--port N]
python -m wikicrawler.demo crawl [-- SCRAPY ARGUMENTS]
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

from scrapy.utils.conf import closest_scrapy_cfg

from wikicrawler.demo.server import DemoWiki

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

DESCRIPTION = "A small wiki on this machine: serve it, or crawl it."
FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


def serve(port: int) -> int:
    """Serve until Ctrl-C."""
    try:
        with DemoWiki(port) as wiki:
            print(f"{wiki.url}/wiki/Main_Page (API: {wiki.api}), Ctrl-C stops it", flush=True)
            threading.Event().wait()
    except KeyboardInterrupt:
        pass
    except OSError as error:
        print(f"demo: port {port}: {error.strerror}; --port 0 selects a free one", file=sys.stderr)
        return 1
    return 0


def crawl(arguments: Sequence[str]) -> int:
    """Run ``scrapy crawl wiki`` on the wiki in this directory and return its exit code.

    The records are written to pages.jsonl, unless *arguments* name another output.
    """
    named = any(a.startswith(("-o", "-O", "--output", "--overwrite-output")) for a in arguments)
    if not closest_scrapy_cfg():  # outside of a Scrapy project
        os.environ.setdefault("SCRAPY_SETTINGS_MODULE", "wikicrawler.settings")
    with DemoWiki() as wiki:
        return run(
            [
                *(sys.executable, "-m", "scrapy", "crawl", "wiki"),
                *("-a", f"seeds={wiki.url}/wiki/Main_Page"),
                *("-s", "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE=1200"),
                *(() if named else ("-O", "pages.jsonl")),
                *arguments,
            ]
        )


def run(command: Sequence[str]) -> int:
    """Run *command* and return its exit code, 128 + N if signal N killed it.

    Each stop signal is forwarded once: Scrapy finishes its requests on the first Ctrl-C and stops
    at once on the second. The command runs in its own process group; otherwise the terminal would
    send it each Ctrl-C as well, and the first would count twice.
    """
    child: subprocess.Popen[bytes] | None = None
    early: list[int] = []

    def forward(number: int, _frame: FrameType | None) -> None:
        if child is None:
            early.append(number)
        else:
            child.send_signal(number)

    def suspend(_number: int, _frame: FrameType | None) -> None:
        if child is not None:
            child.send_signal(signal.SIGSTOP)
            os.kill(os.getpid(), signal.SIGSTOP)
            child.send_signal(signal.SIGCONT)

    before = {number: signal.signal(number, forward) for number in FORWARDED}
    before[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, suspend)
    try:
        child = subprocess.Popen(  # noqa: S603 - our own command line
            command, stdin=subprocess.DEVNULL, process_group=0
        )
        for number in early:
            child.send_signal(number)
        code = child.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return code if code >= 0 else 128 - code


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m wikicrawler.demo", description=DESCRIPTION)
    commands = parser.add_subparsers(dest="command", required=True)
    serving = commands.add_parser("serve", help="serve the wiki until Ctrl-C")
    serving.add_argument("--port", type=int, default=0, help="default: a free one")
    crawling = commands.add_parser("crawl", help="serve the wiki and crawl it into pages.jsonl")
    crawling.add_argument("scrapy", nargs="*", metavar="-- ARG", help="more arguments for scrapy")
    options = parser.parse_args(arguments)
    return serve(options.port) if options.command == "serve" else crawl(options.scrapy)


if __name__ == "__main__":
    sys.exit(main())
