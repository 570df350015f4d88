"""The database that ``WIKICRAWLER_DATABASE_URL`` names."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import TYPE_CHECKING, Self

from sqlalchemy import create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    DBAPIError,
    IntegrityError,
    OperationalError,
    SQLAlchemyError,
    StatementError,
)

from wikicrawler import options
from wikicrawler.errors import ConfigError, StoreError
from wikicrawler.process.data_folder import DATABASE, data_folder
from wikicrawler.store import mathematics
from wikicrawler.store.tables import VERSION
from wikicrawler.store.upgrade import is_known, upgrade, version_of
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from contextlib import AbstractContextManager

    from scrapy.settings import BaseSettings
    from sqlalchemy import Connection, Engine

BUSY_SECONDS = 1.0
"""Time in seconds that SQLite waits for a lock before it fails."""
CONNECT_SECONDS = 3
_PAUSE = 0.25
_TIMEOUTS = "-c lock_timeout=20000 -c idle_in_transaction_session_timeout=60000"
"""In milliseconds. A session that hangs does not hold up those of other processes for ever."""

_RIGHT = "right would be sqlite:////var/lib/crawl.sqlite or postgresql://host/name"
_LOCK = 0x77696B69  # of PostgreSQL's advisory locks; any number that others do not use
_BEGIN = "wikicrawler_begin"


class Database:
    """A database. Its tables are created on first use; several processes and threads may use it
    concurrently.

    :param url: SQLAlchemy URL of SQLite (a file) or PostgreSQL
    :param folder: folder for the local files of a database that is not a local file
    :param read_only: create and change nothing; without our tables, or with older ones, the
        database cannot be read
    :param patience: seconds for which the begin of a transaction is tried while the database is
        busy, or away after it has worked
    :raises ConfigError: *url* is not such a URL, or the driver is not installed
    """

    def __init__(
        self, url: str, folder: Path = Path(), *, read_only: bool = False, patience: float = 0.0
    ) -> None:
        self._url = _read(url)
        self._file: Path | None = None
        if self._url.get_backend_name() == "sqlite":
            self._file = Path(str(self._url.database)).absolute()
            self._url = self._url.set(database=str(self._file))
        self._folder = folder
        self._read_only = read_only
        self._patience = patience
        self._has_worked = False
        self._engine = _engine(self._url, read_only=read_only)
        self._used: Hashable = None  # which database it was; None: not known to have our tables
        # SQLAlchemy learns about the server on the first connection. Another thread that disposes
        # of the engine then gets a connection of which the dialect is not known yet.
        self._connecting = Lock()

    @classmethod
    def from_settings(
        cls, settings: BaseSettings, *, read_only: bool = False, patience: float = 0.0
    ) -> Self:
        """Return the database of ``WIKICRAWLER_DATABASE_URL``, else the project's default one. Does
        not open it.

        :raises ConfigError: ``WIKICRAWLER_DATABASE_URL`` cannot be used
        """
        folder = data_folder()
        named = options.DATABASE_URL.read(settings)
        url = named or URL.create("sqlite", database=str(folder / DATABASE)).render_as_string()
        return cls(url, folder, read_only=read_only, patience=patience)

    def __str__(self) -> str:
        """Return the location without the password, for logs."""
        shown = self._file if self._file is not None else self._url.render_as_string()
        return one_line(shown)

    @property
    def marks(self) -> Path:
        """Path prefix on this machine that is reserved for auxiliary files of this database."""
        if self._file is not None:
            return self._file
        return self._folder / f"database-{sha256(str(self).encode()).hexdigest()[:12]}"

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Open a transaction to write in; it is rolled back at an exception.

        :raises StoreError: the database is unavailable, and nothing was written
        :raises StatementError: the database rejected these rows
        """
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a transaction that sees a snapshot of the database at its start.

        :raises StoreError: the database is unavailable
        """
        with self._transaction("BEGIN") as connection:
            yield connection

    def close(self) -> None:
        """Close the connections. The database may be used again."""
        with self._connecting:
            self._engine.dispose()

    def has_tables(self) -> bool:
        """Return whether the database has our tables, without creating a file or tables.

        :raises StoreError: the database is unavailable
        """
        if self._file is not None and not self._file.exists():
            return False
        with self._told(), self._connecting, self._begin("BEGIN") as connection:
            return self._version(connection) != ""

    @contextmanager
    def _transaction(self, how: str) -> Iterator[Connection]:
        give_up = monotonic() + self._patience
        with ExitStack() as stack:
            while True:
                try:
                    connection = stack.enter_context(self._one_transaction(how))
                    break
                except StoreError as error:
                    if not self._may_pass(error) or monotonic() >= give_up:
                        raise
                    sleep(_PAUSE)
            self._has_worked = True
            yield connection

    def _may_pass(self, error: StoreError) -> bool:
        """Return whether the database may soon be there: it is busy, or it has worked before."""
        cause = error.__cause__
        if not isinstance(cause, OperationalError):
            return False
        code = getattr(cause.orig, "sqlite_errorcode", None)
        return self._has_worked or code == sqlite3.SQLITE_BUSY

    @contextmanager
    def _one_transaction(self, how: str) -> Iterator[Connection]:
        with self._told():
            with self._connecting:
                if self._used is None or self._used != self._identity():
                    self._engine.dispose()
                    self._create()
                    self._used = self._identity()
            with self._begin(how) as connection:
                yield connection

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Convert errors of the database to :class:`StoreError`, and reconnect after them."""
        try:
            yield
        except (SQLAlchemyError, OSError) as error:
            if _is_of_rows(error):
                raise
            with self._connecting:
                self._used = None
                self._engine.dispose()
            raise StoreError(f"{self}: {told(error)}") from error

    def _begin(self, how: str) -> AbstractContextManager[Connection]:
        options = {_BEGIN: how}
        if self._file is None and how == "BEGIN":  # as SQLite has it by itself
            options["isolation_level"] = "REPEATABLE READ"
        return self._engine.execution_options(**options).begin()

    def _identity(self) -> Hashable:
        """Return a value that changes when the file is replaced by another: an open connection
        would continue to write to the old one."""
        if self._file is None:
            return self._url
        with suppress(OSError):
            stat = self._file.stat()
            return stat.st_dev, stat.st_ino
        return None

    def _create(self) -> None:
        if self._read_only:
            self._check()
            return
        if self._file is not None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._begin("BEGIN") as connection:  # who reads waits for no writer
            if self._version(connection) == str(VERSION):
                return
        with self._begin("BEGIN IMMEDIATE") as connection:
            if self._file is None:  # one process at a time, as SQLite has it by itself
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            version = self._version(connection)
            if version != str(VERSION):
                upgrade(connection, version)

    def _check(self) -> None:
        with self._begin("BEGIN") as connection:
            version = self._version(connection)
        if version != str(VERSION):
            has = f"tables of an older version (schema {version})" if version else "no tables yet"
            raise StoreError(f"{self}: has {has}: the next crawl that records makes them")

    def _version(self, connection: Connection) -> str:
        version = version_of(connection)
        if not is_known(version):
            raise StoreError(
                f"{self}: is of another version of wikicrawler (schema {one_line(version, 20)}, "
                f"not {VERSION}); go on with that one, or name another database"
            )
        return version


def _read(named: str) -> URL:
    try:
        url = make_url(named)
    except ArgumentError:
        raise ConfigError(
            f"{options.DATABASE_URL.name}: not a URL of a database; {_RIGHT}"
        ) from None
    backend = url.get_backend_name()
    if backend in {"postgres", "postgresql"}:
        return url.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise ConfigError(
            f"{options.DATABASE_URL.name}: {one_line(backend, 40)!r} is no database that is "
            f"supported; {_RIGHT}"
        )
    if not url.database or url.database == ":memory:" or url.query:
        raise ConfigError(
            f"{options.DATABASE_URL.name}: SQLite needs a file, and no more; {_RIGHT}"
        )
    return url.set(drivername="sqlite")


def _engine(url: URL, *, read_only: bool) -> Engine:
    if url.get_backend_name() == "sqlite":
        if read_only:
            file = Path(str(url.database)).as_uri()
            url = url.set(database=file, query={"mode": "rw", "uri": "true"})  # not made
        engine = create_engine(
            url,
            pool_size=1,
            hide_parameters=True,
            connect_args={"timeout": BUSY_SECONDS, "isolation_level": None},
        )
        event.listen(engine, "connect", _only_read_sqlite if read_only else _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    try:
        return create_engine(
            url,
            pool_size=1,
            pool_pre_ping=True,
            hide_parameters=True,
            connect_args={"connect_timeout": CONNECT_SECONDS}
            | ({} if "options" in url.query else {"options": _TIMEOUTS}),
            execution_options={"postgresql_readonly": True} if read_only else {},
        )
    except ImportError:
        raise ConfigError(
            f"{options.DATABASE_URL.name}: PostgreSQL needs psycopg "
            "(pip install 'wikicrawler[postgres]')"
        ) from None


def _set_up_sqlite(connection: sqlite3.Connection, _: object) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    mathematics.complete(connection)


def _only_read_sqlite(connection: sqlite3.Connection, _: object) -> None:
    connection.execute("PRAGMA query_only = ON")
    mathematics.complete(connection)


def _begin_sqlite(connection: Connection) -> None:
    # Who wants to write says so at once: a reader cannot become a writer when another is.
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN"))


def _is_of_rows(error: Exception) -> bool:
    """Return whether *error* is caused by the rows, not by the state of the database."""
    own = isinstance(error, StatementError) and not isinstance(error, DBAPIError)
    return own or isinstance(error, (DataError, IntegrityError))


def told(error: Exception) -> str:
    """Return the message of the driver without the statement and its values."""
    said = str(getattr(error, "orig", None) or error).strip() or type(error).__name__
    return one_line(said.splitlines()[0], 300)  # PostgreSQL shows the whole row below it
