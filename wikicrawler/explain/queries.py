"""Explanations from a project's database, which is opened read-only."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from time import time
from typing import TYPE_CHECKING

from wikicrawler.config import Config
from wikicrawler.explain.given import explain_conditions
from wikicrawler.explain.page import PageExplainer
from wikicrawler.explain.site import history_of
from wikicrawler.learning.costs import costs_of
from wikicrawler.learning.restore import read_evidence
from wikicrawler.store.database import Database
from wikicrawler.text.safe import one_line
from wikicrawler.tiers.registry import TierRegistry

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scrapy.settings import BaseSettings

    from wikicrawler.explain.facts import PageExplanation
    from wikicrawler.explain.given import GivenExplanation
    from wikicrawler.explain.site import SiteHistory


def explain_pages(
    settings: BaseSettings, urls: Sequence[str], attempts: int
) -> tuple[list[PageExplanation], str]:
    """Explain each of *urls*, with at most *attempts* recorded attempts.

    The second value is a notice if the database is empty, else an empty string.

    :raises ConfigError: the configuration is wrong
    :raises StoreError: the database cannot be used
    """
    now, costs = time(), costs_of(settings)
    with _database(settings) as database:
        nothing = "" if database.has_tables() else _empty(database)
        evidence = read_evidence(database, now, TierRegistry.from_settings(settings).harmless)
        with nullcontext() if nothing else database.read() as connection:
            explainer = PageExplainer(settings, evidence, connection, costs, now)
            return [explainer.explain(url, attempts) for url in urls], nothing


def explain_site(settings: BaseSettings, host: str) -> tuple[SiteHistory | None, str]:
    """Return the history of *host* (a host name or registered domain).

    Without a record of it, the history is None, and the second value is a notice that says so.

    :raises ConfigError: the configuration is wrong
    :raises StoreError: the database cannot be used
    """
    config = Config.from_settings(settings)
    with _database(settings) as database:
        if not database.has_tables():
            return None, _empty(database)
        with database.read() as connection:
            history = history_of(connection, config, host, time())
        if not history.is_known:
            return None, f"{database}: nothing is recorded about {one_line(host)}"
        return history, ""


def explain_given(
    settings: BaseSettings, conditions: Mapping[str, str]
) -> tuple[GivenExplanation | None, str]:
    """Return P(success) of each tier, given *conditions*: heuristics, value by name.

    Without an attempt that meets them, it is None, and the second value is a notice that says so.

    :raises StoreError: the database cannot be used
    """
    with _database(settings) as database:
        if not database.has_tables():
            return None, _empty(database)
        harmless = TierRegistry.from_settings(settings).harmless
        with database.read() as connection:
            explained = explain_conditions(connection, conditions, time(), harmless)
        if not explained.tiers:
            return None, f"{database}: no recorded attempt meets these conditions"
        return explained, ""


@contextmanager
def _database(settings: BaseSettings) -> Iterator[Database]:
    database = Database.from_settings(settings, read_only=True)
    try:
        yield database
    finally:
        database.close()


def _empty(database: Database) -> str:
    return (
        f"{database}: nothing is recorded yet (WIKICRAWLER_DATABASE_URL names the database; "
        "crawls record attempts with WIKICRAWLER_RECORD_ATTEMPTS or a learning policy)"
    )
