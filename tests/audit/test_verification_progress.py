"""A verification says how far it is, and can be ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.audit.samples import operation, write
from wikicrawler.audit.verification import verify

if TYPE_CHECKING:
    from wikicrawler.store.database import Database


@pytest.fixture
def logged(database: Database) -> Database:
    write(database, *[operation(number) for number in range(1, 5001)])
    return database


def test_it_says_how_many_records_were_read(logged: Database) -> None:
    seen: list[int] = []
    with logged.read() as connection:
        found = verify(connection, progress=seen.append)
    assert seen == sorted(set(seen))
    assert len(seen) > 1
    assert seen[-1] == found.records == 5000


def test_what_it_raises_ends_it(logged: Database) -> None:
    class EndedError(Exception):
        pass

    def end(_: int) -> None:
        raise EndedError

    with pytest.raises(EndedError), logged.read() as connection:
        verify(connection, progress=end)
    with logged.read() as connection:
        assert verify(connection).records == 5000
