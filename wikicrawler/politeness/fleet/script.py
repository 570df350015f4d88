"""Scripts in a Redis for what workers share beside the requests of a crawl."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

from wikicrawler.errors import StoreError
from wikicrawler.frontier.protocol import FrontierError
from wikicrawler.frontier.redis.away import AwayError
from wikicrawler.frontier.redis.server import connect

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikicrawler.frontier.redis.client import Client


class SharedScript:
    """The script in *file* (in the package ``wikicrawler``), for keys that begin with *prefix*, in
    the Redis at *url*. The methods block; call them in one thread."""

    def __init__(self, url: str, prefix: str, file: str) -> None:
        self._url = url
        self._prefix = prefix
        self._file = file
        self._client: Client | None = None
        self._script: Callable[[str, list[Any]], list[Any]] | None = None

    def run(self, arguments: list[bytes | int | str]) -> list[Any]:
        """Return what the script answers.

        :raises StoreError: Redis is unavailable; the script may have run
        """
        try:
            if self._script is None:
                self._client = self._client or connect(self._url)
                text = files("wikicrawler").joinpath(self._file).read_text("utf-8")
                self._script = self._client.script(text)
            return self._script(self._prefix, arguments)
        except (AwayError, FrontierError) as error:
            raise StoreError(f"Redis: {error}") from None

    def close(self) -> None:
        """Close the connection; harmless when called again."""
        client, self._client, self._script = self._client, None, None
        if client is not None:
            client.close()
