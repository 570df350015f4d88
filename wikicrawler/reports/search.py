"""The search of all providers. One that fails is a warning; the others are asked anyway."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from wikicrawler.errors import TierInterruptedError
from wikicrawler.reports.errors import Outcome, ReportError
from wikicrawler.reports.models import ProviderNote, SourceRef
from wikicrawler.reports.ranking import merge_equal, prioritize
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

P = TypeVar("P")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Asked(Generic[P]):
    """A provider with its place."""

    provider: P
    tier: int
    name: str
    about: str = ""
    """How each message begins."""


@dataclass(frozen=True, slots=True)
class Answered(Generic[P]):
    """What a provider offers."""

    asked: Asked[P]
    candidates: tuple[SourceRef, ...]
    note: ProviderNote


@dataclass(frozen=True, slots=True)
class Search(Generic[P]):
    """What all providers offer, in the order of the providers."""

    answers: tuple[Answered[P], ...]

    @property
    def notes(self) -> tuple[ProviderNote, ...]:
        """What became of each provider, disabled ones included."""
        return tuple(one.note for one in self.answers)

    @property
    def candidates(self) -> list[SourceRef]:
        """All candidates in the order of the providers."""
        return [one for answer in self.answers for one in answer.candidates]

    @property
    def ranked(self) -> list[SourceRef]:
        """The candidates, best first, each document once."""
        return prioritize(merge_equal(self.candidates))

    def provider_of(self, source: SourceRef) -> P | None:
        """Return the provider that offers *source*."""
        offers = (one.asked.provider for one in self.answers if source in one.candidates)
        return next(offers, None)


async def search_all(
    providers: Sequence[Asked[P]], search: Callable[[Asked[P]], Awaitable[Any]], seconds: float
) -> Search[P]:
    """Ask all enabled providers at once.

    :param search: returns a provider's answer; what it raises is a warning
    :param seconds: time for an answer
    :raises TierInterruptedError: the crawl is being stopped
    """

    async def one(asked: Asked[P]) -> Answered[P]:
        if not getattr(asked.provider, "enabled", True):
            return skipped(asked)
        try:
            async with asyncio.timeout(seconds):
                return judged(asked, await search(asked))
        except TierInterruptedError:
            raise
        except TimeoutError:
            return failed(asked, Outcome.TIMEOUT, f"no answer in {seconds:g} s")
        except Exception as error:
            return raised(asked, error)

    tasks = [asyncio.ensure_future(one(asked)) for asked in providers]
    try:
        answers = await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
    return Search(tuple(answers))


def skipped(asked: Asked[P]) -> Answered[P]:
    """Return the answer of a disabled provider."""
    logger.info("%sSkipping disabled provider: %s", asked.about, asked.name)
    why = getattr(asked.provider, "why_disabled", "")
    detail = why if isinstance(why, str) else ""
    return Answered(asked, (), _note(asked, Outcome.DISABLED, detail=detail))


def judged(asked: Asked[P], answer: Any) -> Answered[P]:
    """Return what a provider has answered, if it is a list of references."""
    if not isinstance(answer, list | tuple):
        what = f"returned {type(answer).__name__}, not a list of SourceRef"
        return failed(asked, Outcome.WRONG_ANSWER, what)
    for one in answer:
        if not isinstance(one, SourceRef):
            what = f"returned non-SourceRef: {type(one).__name__}"
            return failed(asked, Outcome.WRONG_ANSWER, what)
    logger.info("%sProvider %s found %d candidates", asked.about, asked.name, len(answer))
    return Answered(asked, tuple(answer), _note(asked, Outcome.OK, found=len(answer)))


def raised(asked: Asked[P], error: Exception) -> Answered[P]:
    """Return the answer of a provider that has raised *error*."""
    if isinstance(error, ReportError):
        return failed(asked, error.outcome, one_line(error, 400))
    logger.debug("Provider %s", asked.name, exc_info=error)
    return failed(asked, Outcome.FAILED, f"{type(error).__name__}: {one_line(error, 400)}")


def failed(asked: Asked[P], outcome: Outcome, detail: str) -> Answered[P]:
    """Return the answer of a provider that could not be asked, or that has nothing."""
    if outcome is Outcome.NOT_FOUND:
        logger.info("%sProvider %s found 0 candidates: %s", asked.about, asked.name, detail)
    else:
        logger.warning("%sProvider %s search failed: %s", asked.about, asked.name, detail)
    return Answered(asked, (), _note(asked, outcome, detail=detail))


def _note(asked: Asked[P], outcome: Outcome, *, found: int = 0, detail: str = "") -> ProviderNote:
    return ProviderNote(
        provider=asked.name,
        tier=asked.tier,
        outcome=outcome,
        found=found,
        detail=one_line(detail, 400),
    )
