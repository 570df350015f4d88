"""The workers of one crawl to which faults happen: kills, standstills, and ways that are cut."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple

from bench.fleet import ROOT, Plan
from tests.servers.faults import FaultyProxy

if TYPE_CHECKING:
    import random
    from pathlib import Path
    from typing import Self

    from tests.servers.many_sites import Exchange
    from tests.servers.redis import RealRedis

COMMITTED = 2.0
"""Seconds after which what a worker has done is in Redis, and what Redis has done is in its file,
whatever is killed."""
_REDIS_AWAY = (0.2, 3.0)  # seconds, from and to
_EVERYONE = ""


class Weather(NamedTuple):
    """What all workers of a crawl live with."""

    lease: float
    """Seconds."""
    by_proxy: bool = False
    """Each has a way of its own to Redis, which may be cut."""
    delay: float = 0.0
    """Seconds that it takes to Redis, and back."""
    clocks: tuple[float, ...] = (0.0,)
    """Seconds by which the clocks of the workers are wrong, in turn."""


class Fault(NamedTuple):
    """What has happened to *worker*, by the time of the sites."""

    worker: str
    begin: float
    end: float


class Fleet:
    """Context manager; its *random* says what is hit."""

    def __init__(
        self, plan: Plan, redis: RealRedis, folder: Path, weather: Weather, chance: random.Random
    ) -> None:
        self._plan = plan
        self._redis = redis
        self._folder = folder
        self._weather = weather
        self._chance = chance
        self._stack = ExitStack()
        self._proxies: dict[int, FaultyProxy] = {}
        self.started = 0
        self.running: dict[int, subprocess.Popen[bytes]] = {}
        self.killed: dict[str, float] = {}
        """When each worker was killed, by the time of the sites."""
        self.faults: list[Fault] = []
        self.failures: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        for process in self.running.values():
            process.kill()
            process.wait()
        self._stack.close()

    def start(self) -> None:
        """Have another worker join."""
        number, weather = self.started, self._weather
        self.started += 1
        port = self._redis.port
        if weather.by_proxy:
            proxy = self._stack.enter_context(FaultyProxy(port, delay=weather.delay))
            self._proxies[number], port = proxy, proxy.port
        settings = self._plan.settings(self._redis) | {
            "WIKICRAWLER_FRONTIER": f"redis://127.0.0.1:{port}/0",
            "WIKICRAWLER_FRONTIER_LEASE": weather.lease,
            "DEFAULT_REQUEST_HEADERS": json.dumps({"X-Worker": str(number)}),
            "LOG_LEVEL": "INFO",
        }
        clock = weather.clocks[number % len(weather.clocks)]
        command = [sys.executable, "-m"]
        command += ["bench.fleet_clock", str(clock)] if clock else ["scrapy"]
        command += ["crawl", "wiki", "-a", f"seeds={self._folder / 'seeds.txt'}"]
        command += [f"-s{name}={value}" for name, value in settings.items()]
        command += ["-O", f"{self._feed(number)}", "--logfile", f"{self._log(number)}"]
        with (self._folder / f"{number}.err").open("wb") as output:
            self.running[number] = subprocess.Popen(
                command,
                cwd=ROOT,
                env=os.environ | {"PYTHONPATH": str(ROOT)},
                stdout=output,
                stderr=output,
            )

    def reap(self) -> None:
        """Take note of those that have ended."""
        for number, process in list(self.running.items()):
            if process.poll() is not None:
                del self.running[number]
                if process.returncode:
                    log = self._log(number)
                    log = log if log.exists() else self._folder / f"{number}.err"
                    told = f"worker {number} ended with {process.returncode}"
                    self.failures.append(f"{told}: {log.read_text()[-1500:]}")

    # Faults

    def kill_worker(self) -> None:
        self._kill(self._any())
        self.start()

    def kill_redis(self) -> None:
        self._kill_with_redis([])

    def kill_all(self) -> None:
        workers = list(self.running)
        self._kill_with_redis(workers)
        for _ in workers:
            self.start()

    def stand_still(self, seconds: float) -> None:
        """Stop a worker, and have it go on."""
        number = self._any()
        begin = time.monotonic()
        self.running[number].send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.running[number].send_signal(signal.SIGCONT)
        self.faults.append(Fault(str(number), begin, time.monotonic()))

    def cut(self, seconds: float) -> None:
        """Cut a worker from Redis for a while."""
        number = self._any()
        begin = time.monotonic()
        self._proxies[number].is_cut = True
        time.sleep(seconds)
        self._proxies[number].is_cut = False
        self.faults.append(Fault(str(number), begin, time.monotonic()))

    def _any(self) -> int:
        return self._chance.choice(list(self.running))

    def _kill(self, number: int) -> None:
        process = self.running.pop(number)
        process.kill()
        process.wait()
        now = self.killed[str(number)] = time.monotonic()
        self.faults.append(Fault(str(number), now, now))

    def _kill_with_redis(self, workers: list[int]) -> None:
        self._redis.kill()
        begin = time.monotonic()
        for number in workers:
            self._kill(number)
        time.sleep(self._chance.uniform(*_REDIS_AWAY))
        self._redis.start()
        self.faults.append(Fault(_EVERYONE, begin, time.monotonic()))

    # What came of it

    def end_of(self, exchange: Exchange) -> float:
        """Return when *exchange* ended: at the latest when its worker was killed."""
        killed = self.killed.get(exchange.worker, float("inf"))
        return max(exchange.start, min(exchange.end, killed))

    def explains(self, before: Exchange, after: Exchange) -> bool:
        """Return whether a fault explains that what was asked for *before* was so *after*: it met
        one of their workers, or Redis, when the one before was not yet known to have ended. A
        worker that goes on asks for what it was about to ask for."""
        return any(
            fault.worker in {before.worker, after.worker, _EVERYONE}
            and fault.begin - COMMITTED <= before.end
            and before.start <= fault.end + self._weather.lease
            for fault in self.faults
        )

    def until_fault(self, exchange: Exchange) -> float:
        """Return the seconds from the end of *exchange* to the next fault of its worker."""
        begins = [x.begin for x in self.faults if x.worker in {exchange.worker, _EVERYONE}]
        return min((x - exchange.end for x in begins if x > exchange.end), default=float("inf"))

    def merged(self) -> Counter[str]:
        """Return how often each URL is in the feeds, as ``scrapy merge`` puts them together."""
        target = self._folder / "merged.jsonl"
        command = [sys.executable, "-m", "scrapy", "merge", *map(str, self._feeds())]
        subprocess.run([*command, "-O", str(target)], cwd=ROOT, check=True)
        return Counter(json.loads(line)["url"] for line in target.read_text("utf-8").splitlines())

    def records(self) -> int:
        """Count the whole lines of all feeds."""
        return sum(feed.read_bytes().count(b"\n") for feed in self._feeds())

    def logged(self, text: str) -> list[str]:
        """Return the lines of all logs that have *text*."""
        logs = [self._log(number) for number in range(self.started)]
        lines = [line for log in logs if log.exists() for line in log.read_text().splitlines()]
        return [line for line in lines if text in line]

    def _feeds(self) -> list[Path]:
        feeds = [self._feed(number) for number in range(self.started)]
        return [feed for feed in feeds if feed.exists()]

    def _feed(self, number: int) -> Path:
        return self._folder / f"{number}.jsonl"

    def _log(self, number: int) -> Path:
        return self._folder / f"{number}.log"
