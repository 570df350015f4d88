"""The server of a frontier: what it has to be, and the script that it runs."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from wikicrawler.frontier.protocol import FrontierError
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikicrawler.frontier.redis.client import Client

_OLDEST = 7
_KEY = re.compile(r"^  '([a-z]+)', +--", re.MULTILINE)
"""A key in the script that names them."""


def prefix_of(job: str) -> str:
    """Return what all keys of the crawl *job* begin with. What is in braces makes a cluster, or a
    proxy in front of several servers, keep them together; the job's own braces are escaped."""
    return f"{{wikicrawler:{quote(job, safe=':')}}}:"


class Server:
    """The crawl *job* in the Redis at *url*. All methods wait, and are called in one thread.

    They raise :class:`~wikicrawler.frontier.redis.away.AwayError` where Redis does not answer, and
    FrontierError where it cannot be used.
    """

    def __init__(self, url: str, job: str) -> None:
        self._url = url
        self._key = f"{prefix_of(job)}about"
        self._client: Client | None = None
        self._script: Callable[[str, list[Any]], list[Any]] | None = None

    def exchange(self, arguments: list[bytes | int | str]) -> list[Any]:
        """Return what the script answers. It may have run where AwayError is raised."""
        if self._script is None:
            self._script = self._connect()
        return self._script(self._key, arguments)

    def close(self) -> None:
        """Close the connection; harmless when called again."""
        client, self._client, self._script = self._client, None, None
        if client is not None:
            client.close()

    def _connect(self) -> Callable[[str, list[Any]], list[Any]]:
        if self._client is None:
            self._client = connect(self._url)
        check_server(self._client)
        return self._client.script(_script_text())


def connect(url: str, **options: float) -> Client:
    """Return a client, which connects when it is used.

    :param options: those of :class:`~wikicrawler.frontier.redis.client.Client`
    :raises FrontierError: *url* is wrong, or the package redis is missing
    """
    try:
        from wikicrawler.frontier.redis.client import Client  # noqa: PLC0415
    except ModuleNotFoundError:
        raise FrontierError(
            "the package redis is missing", advice="pip install 'wikicrawler[redis]'"
        ) from None
    return Client(url, **options)


def check_server(client: Client) -> None:
    """
    :raises AwayError: the server does not answer
    :raises FrontierError: it is too old, of a kind that cannot be used, or throws away keys
    """
    _check(client.greeting())
    _check_eviction(client.memory())


def _check(server: dict[str, Any]) -> None:
    """
    :raises FrontierError: the server is too old, or of a kind that cannot be used
    """
    version = str(server.get("version", ""))
    major = version.partition(".")[0]
    if not major.isdecimal() or int(major) < _OLDEST:
        raise FrontierError(
            f"Redis is of version {one_line(version, 20)}",
            advice=f"a frontier needs {_OLDEST}.0 or newer",
        )
    if server.get("mode") != "standalone":
        raise FrontierError(
            f"Redis runs as a {one_line(server.get('mode'), 20)}",
            advice="give the URL of a single server: a crawl is in one slot, so that a cluster "
            "would not spread it",
        )


def _check_eviction(memory: dict[str, Any]) -> None:
    """
    :raises FrontierError: Redis would throw away requests when its memory is full
    """
    policy = str(memory.get("maxmemory_policy", "noeviction"))
    if memory.get("maxmemory") and policy != "noeviction":
        raise FrontierError(
            f"Redis throws away keys when its memory is full (maxmemory-policy "
            f"{one_line(policy, 40)}), and requests with them",
            advice="set its maxmemory-policy to noeviction",
        )


def frontier_keys() -> list[str]:
    """Return the names of the keys of a crawl, without their prefix; each worker has one more,
    ``leases:NAME``."""
    text = files("wikicrawler").joinpath("frontier/redis/script/1_keys.lua").read_text("utf-8")
    return ["about", *_KEY.findall(text)]


def _script_text() -> str:
    folder = files("wikicrawler").joinpath("frontier/redis/script")
    parts = [part for part in folder.iterdir() if part.name.endswith(".lua")]
    return "\n".join(part.read_text("utf-8") for part in sorted(parts, key=lambda part: part.name))
