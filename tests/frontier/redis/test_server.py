"""Which servers are used, and how: logins, TLS, versions."""

from __future__ import annotations

import socket
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.frontier.contract import drain, push
from tests.servers.certificates import Authority, server_context
from tests.servers.redis import RealRedis
from tests.servers.serving import Accepting
from wikicrawler.frontier.protocol import FrontierError
from wikicrawler.frontier.redis.url import shown_url

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.frontier.redis.workers import Workers
    from wikicrawler.frontier.redis.frontier import RedisFrontier

SECRET = "geheim#/@:word"  # noqa: S105
QUOTED = "geheim%23%2F%40%3Aword"


async def refused(worker: RedisFrontier) -> FrontierError:
    """The error of opening *worker*, which says nothing of the password."""
    with pytest.raises(FrontierError) as failed:
        await worker.open(None)  # type: ignore[arg-type]
    assert not worker.is_open
    for text in (str(failed.value), failed.value.advice, worker.name):
        assert text
        assert "geheim" not in text
    await worker.close()
    return failed.value


@pytest.fixture
def users(workers: Workers) -> Iterator[None]:
    """A user of the crawls' keys, and one of others."""
    with workers.server.client() as client:
        for name, keys in (("crawler", ["{wikicrawler:*"]), ("other", ["other:*"])):
            client.acl_setuser(
                name,
                enabled=True,
                passwords=[f"+{SECRET}"],
                keys=keys,
                categories=["+@all", "-@dangerous"],
            )
        yield
        client.acl_deluser("crawler", "other")


def login(workers: Workers, user: str, password: str = QUOTED) -> str:
    return workers.server.url.replace("//", f"//{user}:{password}@")


@pytest.mark.usefixtures("users")
@deferred_f_from_coro_f
async def test_a_user_needs_no_dangerous_commands_and_no_other_keys(workers: Workers) -> None:
    worker = await workers.open(login(workers, "crawler"))
    push(worker, "a.org", "a")
    assert await drain(worker) == ["a"]
    assert worker.name == f"redis://127.0.0.1:{workers.server.port}/0 (job)"
    await worker.close()


@pytest.mark.usefixtures("users")
@pytest.mark.parametrize(
    ("user", "password", "why"),
    [
        ("crawler", "geheimnis", "refuses the login"),
        ("nobody", QUOTED, "refuses the login"),
        ("other", QUOTED, "refuses"),
        ("crawler", "geheim#/@:word", "cannot be read"),  # not quoted
    ],
)
@deferred_f_from_coro_f
async def test_a_login_that_is_refused_is_named_without_the_password(
    workers: Workers, user: str, password: str, why: str
) -> None:
    error = await refused(workers.make(login(workers, user, password), patience=30.0))
    assert why in str(error)


@pytest.mark.parametrize("url", ["http://geheim@host", "redis://geheim@host:port", "geheim", ""])
@deferred_f_from_coro_f
async def test_a_url_of_something_else_is_refused(workers: Workers, url: str) -> None:
    error = await refused(workers.make(url or "redis:://geheim", patience=30.0))
    assert "cannot be read" in str(error)
    assert "redis://HOST:6379/0 (with USER:PASSWORD@ before the host" in error.advice


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://user:geheim@host:7000/3?password=geheim", "redis://host:7000/3"),
        ("rediss://:geheim@[::1]/", "rediss://[::1]/"),
        ("unix://user:geheim@/run/redis.sock", "unix:///run/redis.sock"),
        ("redis://u:geheim/@host:port", "Redis"),
        ("redis://:12/geheim@host", "Redis"),
        ("geheim", "Redis"),
    ],
)
def test_a_url_is_shown_without_its_login(url: str, shown: str) -> None:
    assert shown_url(url) == shown


@deferred_f_from_coro_f
async def test_redis_by_tls(workers: Workers, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    server_context(tmp_path, authority=authority)
    (certificate,) = tmp_path.glob("127*.pem")  # noqa: ASYNC240 - a folder of two files
    tls_port = _free_port()
    with RealRedis(
        tls_port=str(tls_port),
        tls_cert_file=str(certificate),
        tls_key_file=str(certificate),
        tls_ca_cert_file=str(authority.path),
        tls_auth_clients="no",
    ):
        url = f"rediss://127.0.0.1:{tls_port}/0"
        worker = await workers.open(f"{url}?ssl_ca_certs={authority.path}")
        push(worker, "a.org", "a")
        assert await drain(worker) == ["a"]
        await worker.close()
        assert "certificate" in str(await refused(workers.make(url))).lower()


@deferred_f_from_coro_f
async def test_a_node_of_a_cluster_is_refused(workers: Workers) -> None:
    with RealRedis(cluster_enabled="yes") as server:
        error = await refused(workers.make(server.url, patience=30.0))
    assert str(error) == "Redis runs as a cluster"
    assert "single server" in error.advice


@pytest.mark.parametrize("version", ["6.2.14", "5.0", "?", ""])
@deferred_f_from_coro_f
async def test_an_old_redis_is_refused(workers: Workers, version: str) -> None:
    with OldRedis(version) as server:
        error = await refused(workers.make(server.url, patience=30.0))
    assert f"Redis is of version {version}" in str(error)
    assert "7.0 or newer" in error.advice


@deferred_f_from_coro_f
async def test_a_redis_that_throws_keys_away_is_refused(workers: Workers) -> None:
    with workers.server.client() as client:
        client.config_set("maxmemory", "1gb")
        client.config_set("maxmemory-policy", "allkeys-lru")
        try:
            error = await refused(workers.make(patience=30.0))
        finally:
            client.config_set("maxmemory-policy", "noeviction")
            client.config_set("maxmemory", 0)
    assert "allkeys-lru" in str(error)
    assert "noeviction" in error.advice


MISSING = """
import asyncio, sys
from pathlib import Path
from wikicrawler.frontier.protocol import FrontierError
from wikicrawler.frontier.redis.frontier import RedisFrontier
from wikicrawler.frontier.sqlite.database import CrawlDatabase
assert "redis" not in sys.modules
sys.modules["redis"] = None
folder = Path(sys.argv[1])
worker = RedisFrontier("redis://127.0.0.1:1/0", "job", CrawlDatabase.open(folder), folder)
try:
    asyncio.run(worker.open(None))
except FrontierError as error:
    print(error, error.advice, sep="; ")
"""


def test_the_package_redis_is_imported_only_to_connect(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MISSING, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "the package redis is missing; pip install 'wikicrawler[redis]'\n"


class OldRedis(Accepting):
    """Answers the greeting as a Redis of *version*, and everything else with OK."""

    def __init__(self, version: str) -> None:
        self._version = version.encode()
        self._socket = socket.create_server(("127.0.0.1", 0))

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self._socket.getsockname()[1]}/0"

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError), connection, connection.makefile("rb") as lines:
            while line := lines.readline():
                words = []
                for _ in range(int(line[1:])):
                    length = int(lines.readline()[1:])
                    words.append(lines.read(length + 2)[:-2])
                if words[0].upper() == b"HELLO":
                    size = len(self._version)
                    connection.sendall(
                        b"*4\r\n$7\r\nversion\r\n$%d\r\n%s\r\n$4\r\nmode\r\n$10\r\nstandalone\r\n"
                        % (size, self._version)
                    )
                else:
                    connection.sendall(b"+OK\r\n")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
