"""What ``compose.yaml`` names exists, and its commands run; without Docker."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import tomllib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import requests
import yaml
from redis import Redis
from redis import exceptions as redis_errors

from tests.frontier.sites import FAST, ManyPages
from tests.servers.ports import free_port
from wikicrawler import options
from wikicrawler.control.fleet.status_store import StatusStore

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.servers.redis import RealRedis

ROOT = Path(__file__).parents[1]
PASSWORD = "0123456789abcdef"  # noqa: S105
OWN = {"FLEET_JOB", "DATABASE_URL"}
"""Variables that only the commands of the file read."""
_VARIABLE = re.compile(r"\$(?:(\$)|\{([A-Z0-9_]+)(?:(:?[-?])([^}]*))?\})")


def interpolated(value: Any, given: Mapping[str, str]) -> Any:
    """*value* with what Docker Compose puts in the place of variables."""

    def replaced(found: re.Match[str]) -> str:
        escaped, name, how, default = found.groups()
        if escaped:
            return "$"
        if how and how.endswith("?"):
            assert given.get(name), default
        return given.get(name) or (default if how and how.endswith("-") else "")

    if isinstance(value, str):
        return _VARIABLE.sub(replaced, value)
    if isinstance(value, dict):
        return {key: interpolated(one, given) for key, one in value.items()}
    return [interpolated(one, given) for one in value] if isinstance(value, list) else value


def read(**given: str) -> dict[str, Any]:
    text = (ROOT / "compose.yaml").read_text()
    found: dict[str, Any] = interpolated(yaml.safe_load(text), {"CRAWL4AI_API_TOKEN": "x", **given})
    return found


def services(**given: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = read(FLEET_PASSWORD=PASSWORD, **given)["services"]
    return found


def shell(service: dict[str, Any]) -> str:
    """The command that the shell of *service* runs."""
    name, option, command = service["command"]
    assert (name, option) == ("sh", "-c")
    return str(command)


@contextmanager
def running(
    command: str, cwd: Path, environment: Mapping[str, str]
) -> Iterator[subprocess.Popen[str]]:
    command = command.replace("exec scrapy ", f"exec {sys.executable} -m scrapy ")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    with (cwd / "log").open("w") as log:
        process = subprocess.Popen(
            ["sh", "-c", command],
            cwd=cwd,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


def test_only_the_browser_starts_without_the_profile() -> None:
    found = services()
    assert [name for name, one in found.items() if "profiles" not in one] == ["crawl4ai"]
    assert {tuple(one["profiles"]) for one in found.values() if "profiles" in one} == {("fleet",)}


def test_images_have_a_version_or_are_built_of_what_is_there() -> None:
    found = services()
    for name, one in found.items():
        assert "build" in one or re.search(r":\d+[\d.]*", one["image"]), name
    recipe = found["worker"]["build"]["dockerfile_inline"]
    assert re.search(r"^FROM python:3\.\d+-slim$", recipe, re.MULTILINE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (extras,) = re.findall(r"/src\[([a-z,]+)\]", recipe)
    assert set(extras.split(",")) <= set(project["optional-dependencies"])
    kept = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    assert {"pyproject.toml", "wikicrawler", "scrapy.cfg", project["readme"]} <= set(kept)
    assert all((ROOT / name).exists() for name in [*kept, *project["license-files"]])


def test_what_is_named_is_declared() -> None:
    found = read(FLEET_PASSWORD=PASSWORD)
    for name, one in found["services"].items():
        assert set(one.get("depends_on", {})) <= set(found["services"]), name
        assert set(one["networks"]) <= set(found["networks"]), name
        sources = {volume.partition(":")[0] for volume in one.get("volumes", [])}
        assert {source for source in sources if source[0] != "."} <= set(found["volumes"]), name
        for host, _ in (port.rsplit(":", 1) for port in one.get("ports", [])):
            assert host.startswith("127.0.0.1:"), name
    for name in found["services"]["worker"]["depends_on"]:
        assert "healthcheck" in found["services"][name]


def test_the_browser_does_not_reach_redis_and_the_database() -> None:
    found = services()
    networks = {name: set(one["networks"]) for name, one in found.items()}
    assert networks["crawl4ai"] & (networks["redis"] | networks["postgres"]) == set()
    assert read()["networks"]["state"] == {"internal": True}


def test_variables_are_those_that_are_read() -> None:
    known = {
        setting.environment for setting in vars(options).values() if hasattr(setting, "environment")
    }
    for name in ("worker", "dashboard"):
        assert set(services()[name]["environment"]) <= known | OWN


def test_redis_keeps_what_it_has_and_asks_for_the_password(tmp_path: Path) -> None:
    redis = services()["redis"]
    port = free_port()
    command = shell(redis).replace("/data", str(tmp_path)) + f" --port {port} --bind 127.0.0.1"
    with running(command, tmp_path, redis["environment"]):
        client = Redis(port=port, password=PASSWORD, decode_responses=True)
        give_up = time.monotonic() + 30
        while True:
            try:
                client.ping()
                break
            except redis_errors.ConnectionError:
                assert time.monotonic() < give_up
                time.sleep(0.05)
        assert client.config_get("appendonly") == {"appendonly": "yes"}
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
        with pytest.raises(redis_errors.AuthenticationError):
            Redis(port=port).ping()
        client.close()


def test_redis_does_not_start_without_a_password(tmp_path: Path) -> None:
    with running(shell(services()["redis"]), tmp_path, {"FLEET_PASSWORD": ""}) as process:
        assert process.wait(30) != 0
    assert "FLEET_PASSWORD: set it to the output of openssl" in (tmp_path / "log").read_text()


def test_a_worker_crawls_the_seeds_of_the_folder(redis: RealRedis, tmp_path: Path) -> None:
    worker = services(FLEET_JOB="handbook")["worker"]
    (tmp_path / "scrapy.cfg").write_text((ROOT / "scrapy.cfg").read_text())
    fast = " ".join(f"-s {name}={value}" for name, value in FAST.items())
    command = f"{shell(worker).replace('/fleet', str(tmp_path))} {fast}"
    environment = worker["environment"] | {
        "WIKICRAWLER_FRONTIER": redis.url,
        "DATABASE_URL": f"sqlite:///{tmp_path / 'crawl.sqlite'}",
    }
    with ManyPages(10) as site:
        (tmp_path / "seeds.txt").write_text(f"{site.url}/0\n")
        with running(command, tmp_path, environment) as process:
            assert process.wait(120) == 0, (tmp_path / "log").read_text()[-3000:]
        urls = site.urls()
    feed = tmp_path / f"{socket.gethostname()}.jsonl"
    assert {json.loads(line)["url"] for line in feed.read_text().splitlines()} == urls
    (worker_seen,) = StatusStore(redis.url).snapshot("wiki:handbook").workers
    assert worker_seen.report.reason == "finished"
    assert (tmp_path / "crawl.sqlite").exists()


def test_the_dashboard_serves_its_port_and_asks_for_the_password(
    redis: RealRedis, tmp_path: Path
) -> None:
    dashboard = services(WIKICRAWLER_DASHBOARD_PASSWORD=PASSWORD)["dashboard"]
    (published,) = dashboard["ports"]
    inner = published.rpartition(":")[2]
    assert f"--port {inner}" in shell(dashboard)
    port = str(free_port())
    (tmp_path / "scrapy.cfg").write_text((ROOT / "scrapy.cfg").read_text())
    environment = dashboard["environment"] | {
        "WIKICRAWLER_FRONTIER": redis.url,
        "DATABASE_URL": f"sqlite:///{tmp_path / 'crawl.sqlite'}",
    }
    with running(shell(dashboard).replace(inner, port), tmp_path, environment) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("Dashboard: "), (tmp_path / "log").read_text()[-3000:]
        url = f"http://127.0.0.1:{port}"
        answer = requests.get(f"{url}/fleet", allow_redirects=False, timeout=60)
        assert (answer.status_code, answer.headers["Location"].split("?")[0]) == (303, "/login")
