"""What a scraper's child process may do, told by the name of the model in its configuration."""

from __future__ import annotations

import os
import signal
import sys
import time

from wikicrawler.fields.errors import ConfigError
from wikicrawler.fields.llm.errors import QuotaExhaustedError
from wikicrawler.fields.models import ScrapeResult
from wikicrawler.fields.scraper import protocol


def main() -> None:
    reports = int(sys.argv[1])
    opened = protocol.read_command(sys.stdin.buffer.readline())
    assert isinstance(opened, protocol.Open)
    act = opened.config.model
    if act == "refuses":
        error = ConfigError("LOG_LEVEL is 5", {"setting": "LOG_LEVEL"})
        _send(reports, protocol.Fatal(error=protocol.SentError.of(error)))
        return
    if act == "breaks":
        raise ImportError("there is no such module")
    _send(reports, protocol.Ready())
    while line := sys.stdin.buffer.readline():
        command = protocol.read_command(line)
        sys.stderr.write(f"got {command.kind}\n")
        if isinstance(command, protocol.Page):
            _answer(act, command, reports)
        if isinstance(command, protocol.Drop):
            result = ScrapeResult(url="dropped", success=True)
            _send(reports, protocol.Done(page=command.page, result=result))
    while act == "never ends":
        time.sleep(60)


def _send(reports: int, report: protocol.Report) -> None:
    os.write(reports, protocol.encode(report))


def _answer(act: str, asked: protocol.Page, reports: int) -> None:
    if act == "dies":
        sys.stderr.write("\x1b[31mdying\n")
        os.kill(os.getpid(), signal.SIGKILL)
    elif act == "babbles":
        os.write(reports, b"hello\n")
    elif act == "closes":
        os.close(reports)
    elif act == "is out of money":
        error = QuotaExhaustedError("no money is left", {"reason": "insufficient_quota"})
        _send(reports, protocol.Failed(page=asked.page, error=protocol.SentError.of(error)))
    elif act != "waits" and (act != "answers the second" or asked.page == 2):
        result = ScrapeResult(url=asked.url, success=True, data={"said": f"{act}: {asked.url}"})
        _send(reports, protocol.Done(page=asked.page, result=result))
