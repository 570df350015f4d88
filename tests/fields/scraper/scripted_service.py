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

    def send(report: protocol.Report) -> None:
        os.write(reports, protocol.encode(report))

    act = opened.config.model
    if act == "refuses":
        error = ConfigError("LOG_LEVEL is 5", {"setting": "LOG_LEVEL"})
        send(protocol.Fatal(error=protocol.SentError.of(error)))
        return
    if act == "breaks":
        raise ImportError("there is no such module")
    send(protocol.Ready())
    while line := sys.stdin.buffer.readline():
        command = protocol.read_command(line)
        print("got", command.kind, flush=True)
        if isinstance(command, protocol.Page):
            if act == "dies":
                print("\x1b[31mdying", flush=True)
                os.kill(os.getpid(), signal.SIGKILL)
            elif act == "babbles":
                os.write(reports, b"hello\n")
            elif act == "closes":
                os.close(reports)
            elif act == "is out of money":
                error = QuotaExhaustedError("no money is left", {"reason": "insufficient_quota"})
                sent = protocol.SentError.of(error)
                send(protocol.Failed(page=command.page, error=sent))
            elif act != "waits":
                text = f"{act}: {command.url}"
                result = ScrapeResult(url=command.url, success=True, data={"said": text})
                send(protocol.Done(page=command.page, result=result))
        if isinstance(command, protocol.Drop):
            result = ScrapeResult(url="dropped", success=True)
            send(protocol.Done(page=command.page, result=result))
    if act == "never ends":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(60)
