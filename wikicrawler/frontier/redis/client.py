"""redis-py, with the errors of this package. No other module imports it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast
from urllib.parse import urlsplit

from redis import Redis
from redis import exceptions as errors
from redis.backoff import NoBackoff
from redis.retry import Retry

from wikicrawler.frontier.protocol import FrontierError
from wikicrawler.frontier.redis.away import AwayError
from wikicrawler.frontier.redis.url import RIGHT, check_form
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

T = TypeVar("T")

_CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 15.0
_TRANSIENT = ("BUSY ", "MASTERDOWN", "MISCONF", "NOREPLICAS", "UNBLOCKED")
"""Beginnings of errors that pass, for which redis-py has no class."""


class Client:
    """A connection to the Redis at *url*. Each method may raise AwayError and FrontierError."""

    def __init__(self, url: str, *, seconds: float = ANSWER_SECONDS) -> None:
        """
        :param seconds: after which a server that does not answer is away
        :raises FrontierError: the URL cannot be read
        """
        try:
            check_form(urlsplit(url))
            self._redis = Redis.from_url(
                url,
                socket_connect_timeout=min(seconds, _CONNECT_SECONDS),
                socket_timeout=seconds,
                socket_keepalive=True,
                retry=Retry(NoBackoff(), 0),  # the link tries again
                protocol=2,
            )
            self._redis.connection_pool.make_connection()  # does not connect; reads the options
        except (ValueError, TypeError):
            # Its text may hold parts of the password.
            raise FrontierError("the URL of Redis cannot be read", advice=RIGHT) from None

    def greeting(self) -> dict[str, Any]:
        """Return what the server says of itself: its ``version``, its ``mode``."""
        found = _guard(lambda: cast("Any", self._redis).execute_command("HELLO"))
        if isinstance(found, list):
            found = dict(zip(found[::2], found[1::2], strict=False))
        return {_plain(name): _plain(value) for name, value in found.items()}

    def memory(self) -> dict[str, Any]:
        """Return what the server says of its memory; empty where the user may not ask."""
        try:
            return _guard(lambda: self._redis.info("memory"))
        except FrontierError:
            return {}

    def read(self, commands: Iterable[Sequence[Any]]) -> list[Any]:
        """Return the answers to *commands*, which are sent at once."""
        pipeline = self._redis.pipeline(transaction=False)
        for command in commands:
            cast("Any", pipeline).execute_command(*command)
        return _guard(pipeline.execute)

    def script(self, text: str) -> Callable[[str, list[Any]], list[Any]]:
        """Return a function that runs the script *text* with a key and arguments."""
        script = self._redis.register_script(text)
        return lambda key, arguments: _guard(
            lambda: cast("list[Any]", script(keys=[key], args=arguments))
        )

    def close(self) -> None:
        self._redis.close()


def _guard(call: Callable[[], T]) -> T:
    """Return the result of *call*.

    :raises AwayError: Redis does not answer; what was asked for may have been done
    :raises FrontierError: Redis refuses
    """
    try:
        return call()
    except (errors.AuthenticationError, errors.AuthorizationError) as error:
        raise FrontierError(
            f"Redis refuses the login: {_shown(error)}",
            advice="give the user and the password in its URL",
        ) from None
    except errors.OutOfMemoryError as error:
        raise FrontierError(
            f"Redis has no memory left: {_shown(error)}",
            advice="raise its maxmemory; the same command goes on",
            out_of_space=True,
        ) from None
    except errors.NoPermissionError as error:
        raise FrontierError(
            f"Redis refuses: {_shown(error)}",
            advice="give its user the keys {wikicrawler:* and +@all -@dangerous",
        ) from None
    except (
        errors.ConnectionError,
        errors.TimeoutError,
        errors.ReadOnlyError,
        errors.TryAgainError,
        errors.ClusterDownError,
        OSError,
    ) as error:
        raise AwayError(_shown(error)) from None
    except errors.RedisError as error:
        if str(error).startswith(_TRANSIENT):
            raise AwayError(_shown(error)) from None
        raise FrontierError(
            f"Redis refuses: {_shown(error)}", advice="look into the log of Redis"
        ) from None


def _shown(error: Exception) -> str:
    return one_line(error, 200)


def _plain(value: Any) -> Any:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
