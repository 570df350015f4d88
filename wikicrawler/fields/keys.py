"""Rotation of API keys.

A key is limited (429) or refused (401, 403). A limited one rests for as long as the server says,
and is used again; a refused one is retired. A key is shown by its number alone, ``key 1``: no
message, detail or ``repr()`` contains it.

A client asks for :meth:`KeyRotator.next_ready` before a request, and afterwards calls

* ``reset()`` if it succeeded;
* ``cool_down(key, seconds)`` and ``rotate(reason, key)`` if the key is limited;
* ``retire(key)`` and ``rotate(reason, key)`` if it is refused.

``rotate`` raises an error once each key failed. A client that waits for limited keys all the same
calls ``reset()`` after the wait.

The methods do not wait, so tasks of one event loop share a rotator. Several of them may have sent
the same key when it is limited: each calls ``rotate`` with the key that it sent, and only the first
call rotates.
"""

from __future__ import annotations

from math import isnan
from time import monotonic
from typing import TYPE_CHECKING

from wikicrawler.fields.errors import AllKeysExhaustedError, ConfigError
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MAX_COOL_DOWN = 86_400.0
"""Seconds for which a key may rest."""
_MAX_REASON = 5_000


class KeyRotator:
    """The API keys of one endpoint, one of which is current.

    :param keys: the keys in the order in which they are used; a key that is there twice counts once
    :param clock: returns seconds; for tests
    :raises ConfigError: there is no key
    """

    def __init__(self, keys: Iterable[str], clock: Callable[[], float] = monotonic) -> None:
        self._keys = tuple(dict.fromkeys(key for key in keys if key))
        if not self._keys:
            raise ConfigError("there is no API key")
        self._clock = clock
        self._index = 0
        self._failed: set[int] = set()
        self._retired: set[int] = set()
        self._ready_at = [float("-inf")] * len(self._keys)
        self._reason = ""

    def __repr__(self) -> str:
        retired = f", {len(self._retired)} retired" if self._retired else ""
        return f"<{type(self).__name__}: {len(self._keys)} keys{retired}>"

    def __len__(self) -> int:
        return len(self._keys)

    @property
    def current_key(self) -> str:
        """The key to send.

        :raises AllKeysExhaustedError: every key is retired
        """
        if len(self._retired) == len(self._keys):
            raise self._exhausted()
        return self._keys[self._index]

    @property
    def attempts(self) -> int:
        """The keys that failed since the last success, the retired ones included."""
        return len(self._failed | self._retired)

    def name_of(self, key: str) -> str:
        """Return the name of *key* for logs and stats: ``key 1``."""
        return f"key {self._index_of(key) + 1}"

    def rotate(self, reason: str, key: str | None = None) -> str:
        """Note that a key failed, and return the next one, which is the current one now.

        Keys that rest are used last.

        :param reason: why it failed, for the message of the error
        :param key: the key that failed, by default the current one. If it is no longer current,
            the rotation was done already, and the current key is returned
        :raises AllKeysExhaustedError: each key failed since the last success
        """
        failed = self._index if key is None else self._index_of(key)
        if failed == self._index:
            self._failed.add(failed)
            self._reason = self._without_keys(reason)
        if self.attempts == len(self._keys):
            raise self._exhausted()
        if failed == self._index:
            self._advance()
        return self.current_key

    def reset(self) -> None:
        """Note a success: each key may fail once again. Retired keys stay retired."""
        self._failed.clear()

    def cool_down(self, key: str, seconds: float) -> None:
        """Let *key* rest for *seconds*, as a ``Retry-After`` says; at most a day.

        A shorter rest than the one that goes on changes nothing.
        """
        index = self._index_of(key)
        rest = 0.0 if isnan(seconds) else min(max(seconds, 0.0), MAX_COOL_DOWN)
        self._ready_at[index] = max(self._ready_at[index], self._clock() + rest)

    def retire(self, key: str) -> None:
        """Never use *key* again, because the server refuses it. If it is current, the next one is
        current now."""
        index = self._index_of(key)
        self._retired.add(index)
        self._reason = "refused"
        if index == self._index and len(self._retired) < len(self._keys):
            self._advance()

    def next_ready(self) -> str | float:
        """Return a key that does not rest, which is the current one now: the current one if it can
        be. If all rest, return the seconds until one is ready.

        :raises AllKeysExhaustedError: every key is retired
        """
        now, usable = self._clock(), self._in_turn()
        if not usable:
            raise self._exhausted()
        for index in usable:
            if self._ready_at[index] <= now:
                self._index = index
                return self._keys[index]
        return min(self._ready_at[index] for index in usable) - now

    def _in_turn(self) -> list[int]:
        """Return the keys that are not retired, from the current one on."""
        count = len(self._keys)
        turn = ((self._index + step) % count for step in range(count))
        return [index for index in turn if index not in self._retired]

    def _advance(self) -> None:
        """Make the next key current: one that has not failed rather than one that has, one that is
        ready rather than one that rests."""
        now = self._clock()
        others = [index for index in self._in_turn() if index != self._index] or [self._index]
        self._index = min(
            others, key=lambda index: (index in self._failed, max(self._ready_at[index] - now, 0.0))
        )

    def _index_of(self, key: str) -> int:
        try:
            return self._keys.index(key)
        except ValueError:
            raise ValueError("not a key of this rotator") from None

    def _without_keys(self, text: str) -> str:
        text = text[:_MAX_REASON]
        for key in sorted(self._keys, key=len, reverse=True):  # one may begin with another
            text = text.replace(key, self.name_of(key))
        return one_line(text, 200)

    def _exhausted(self) -> AllKeysExhaustedError:
        count, retired = len(self._keys), len(self._retired)
        keys = "the API key" if count == 1 else f"all {count} API keys"
        why = f": {self._reason}" if self._reason else ""
        return AllKeysExhaustedError(
            f"{keys} failed ({retired} refused, {count - retired} limited){why}",
            {"keys": count, "refused": retired, "reason": self._reason},
        )
