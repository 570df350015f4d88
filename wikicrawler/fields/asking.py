"""The conversation with a model about one chunk of a page."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.content.chunks import split_smaller
from wikicrawler.fields.answers.prompts import (
    Message,
    count_tokens,
    messages,
    repair_messages,
)
from wikicrawler.fields.answers.raw_values import RawValue, values_of
from wikicrawler.fields.answers.reading import Answer, Outcome, read_answer
from wikicrawler.fields.cache import answer_key
from wikicrawler.fields.definitions.schema import answer_schema, is_strict, schema_name
from wikicrawler.fields.llm.errors import ContextTooLongError
from wikicrawler.fields.llm.prices import with_cost
from wikicrawler.fields.models import Usage
from wikicrawler.fields.values.types import validation_errors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikicrawler.content.chunks import Chunk
    from wikicrawler.fields.budget import Budget
    from wikicrawler.fields.cache import AnswerCache
    from wikicrawler.fields.llm.client import ChatClient
    from wikicrawler.fields.llm.prices import Price
    from wikicrawler.fields.llm.responses import Completion
    from wikicrawler.fields.models import FieldDefinition, ScraperConfig

MAX_REPAIRS = 2
"""How often an answer that is not valid is sent back."""
_MAX_SPLITS = 6
"""How often a question is divided because the prompt or the answer is too long."""
_LEAST_TOKENS = 64
"""Tokens of a chunk that is not divided again."""
_FINAL = frozenset({Outcome.REFUSED, Outcome.FILTERED})
"""Outcomes that another try does not change."""


class _OutOfBudgetError(Exception):
    """A call would exceed a limit of the run."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Heard(NamedTuple):
    """What a model answered about a chunk."""

    values: tuple[RawValue, ...] = ()
    problems: tuple[str, ...] = ()
    """Why a part of the chunk, or some of the fields, has no answer: values of
    :class:`~wikicrawler.fields.answers.reading.Outcome`, or ``context``."""
    stopped: str | None = None
    """The limit of the run that the next call may exceed."""

    def __add__(self, other: object) -> Heard:
        if not isinstance(other, Heard):
            return NotImplemented
        return Heard(
            self.values + other.values,
            self.problems + other.problems,
            self.stopped or other.stopped,
        )


@dataclass
class Spent:
    """What the calls for a page have used so far, those before an error included."""

    usage: Usage = field(default_factory=Usage)


class _About(NamedTuple):
    """What questions are about."""

    url: str
    title: str
    spent: Spent
    splits: int = 0


class ChunkReader:
    """Asks a model for fields of chunks, within a budget.

    An answer that is not valid is sent back twice. If the answer is cut off, the fields that it
    lacks are asked for by halves, and one field by halves of the chunk; so is a chunk that is too
    long for the model.

    :param cache: answers of earlier calls; None: each chunk is asked about
    :param price: None if it is unknown
    """

    def __init__(
        self,
        client: ChatClient,
        config: ScraperConfig,
        budget: Budget,
        *,
        cache: AnswerCache | None = None,
        price: Price | None = None,
    ) -> None:
        self._client = client
        self._config = config
        self._budget = budget
        self._cache = cache
        self._price = price

    async def read(
        self,
        chunk: Chunk,
        fields: Sequence[FieldDefinition],
        *,
        url: str,
        title: str = "",
        spent: Spent | None = None,
    ) -> Heard:
        """Return the values of *fields* in *chunk*.

        :param spent: to which the usage of each call is added, also if a later one fails
        :raises AllKeysExhaustedError: each key is refused, or limited for too long
        :raises ExtractionError: the server failed again and again, or refuses the request
        """
        return await self._read(chunk, fields, _About(url, title, spent or Spent()))

    async def _read(self, chunk: Chunk, fields: Sequence[FieldDefinition], about: _About) -> Heard:
        quotes = self._config.quotes
        schema = answer_schema(fields, quotes=quotes)
        asked = messages(
            fields,
            chunk,
            title=about.title,
            url=about.url,
            quotes=quotes,
            schema_in_prompt=None if self._client.shows_schema else schema,
        )
        try:
            answer, stopped = await self._conversation(asked, schema, fields, about)
        except ContextTooLongError:
            halves = self._halves(chunk, about.splits)
            if not halves:
                return Heard(problems=("context",))
            return await self._all([(half, fields) for half in halves], about)
        except _OutOfBudgetError as error:
            return Heard(stopped=error.why)
        objects = answer.data_list or ((answer.data,) if answer.data else ())
        values = [value for one in objects for value in values_of(one, fields, quotes=quotes)]
        heard = Heard(tuple(values), stopped=stopped)
        if answer.outcome in {Outcome.OK, Outcome.SEVERAL} or stopped:
            return heard
        if answer.outcome is Outcome.TRUNCATED:
            return heard + await self._rest(chunk, fields, answer, about)
        return heard + Heard(problems=(answer.outcome.value,))

    async def _rest(
        self,
        chunk: Chunk,
        fields: Sequence[FieldDefinition],
        answer: Answer,
        about: _About,
    ) -> Heard:
        """Ask for what an answer lacks that was cut off."""
        lacking = [field for field in fields if field.name not in answer.complete]
        if not lacking:
            return Heard()
        if about.splits >= _MAX_SPLITS:
            return Heard(problems=(Outcome.TRUNCATED.value,))
        if len(lacking) > 1:
            half = (len(lacking) + 1) // 2
            parts = [lacking[:half], lacking[half:]] if len(lacking) == len(fields) else [lacking]
            return await self._all([(chunk, part) for part in parts], about)
        if len(fields) > 1:
            return await self._all([(chunk, lacking)], about)
        halves = self._halves(chunk, about.splits)
        if not halves:
            return Heard(problems=(Outcome.TRUNCATED.value,))
        return await self._all([(half, lacking) for half in halves], about)

    async def _all(
        self,
        questions: Sequence[tuple[Chunk, Sequence[FieldDefinition]]],
        about: _About,
    ) -> Heard:
        heard, deeper = Heard(), about._replace(splits=about.splits + 1)
        for chunk, fields in questions:
            heard += await self._read(chunk, fields, deeper)
            if heard.stopped:
                break
        return heard

    @staticmethod
    def _halves(chunk: Chunk, splits: int) -> list[Chunk]:
        """Return *chunk* in parts; none if it is too small."""
        tokens = chunk.tokens // 2
        if splits >= _MAX_SPLITS or tokens < _LEAST_TOKENS:
            return []
        halves = split_smaller(chunk, max_tokens=tokens)
        return halves if len(halves) > 1 else []

    async def _conversation(
        self,
        asked: Sequence[Message],
        schema: dict[str, Any],
        fields: Sequence[FieldDefinition],
        about: _About,
    ) -> tuple[Answer, str | None]:
        """Return the last answer, after invalid ones were sent back, and the limit of the run for
        which it was not.

        :raises _OutOfBudgetError: for which the question was not even asked
        """
        answer, text = await self._call(asked, schema, fields, about)
        for _ in range(MAX_REPAIRS):
            errors = self._errors(answer, fields)
            if not errors:
                break
            sent = repair_messages(asked, text, errors)
            try:
                answer, text = await self._call(sent, schema, fields, about)
            except _OutOfBudgetError as error:
                return answer, error.why
        return answer, None

    def _errors(self, answer: Answer, fields: Sequence[FieldDefinition]) -> list[str]:
        """Return what a model is to correct; nothing if it cannot."""
        if answer.outcome in _FINAL or answer.outcome is Outcome.TRUNCATED:
            return []
        if answer.outcome not in {Outcome.OK, Outcome.SEVERAL}:
            names = ", ".join(field.name for field in fields)
            return [f"expected one JSON object with the keys {names}"]
        errors: list[str] = []
        for data in answer.data_list or (answer.data or {},):
            errors += validation_errors(self._plain(data, fields), fields)
        return errors

    def _plain(self, data: dict[str, Any], fields: Sequence[FieldDefinition]) -> dict[str, Any]:
        """Return *data* without the quotes."""
        plain: dict[str, Any] = {}
        lists = {field.name for field in fields if field.is_list}
        for value in values_of(data, fields, quotes=self._config.quotes):
            if value.field in lists:
                plain.setdefault(value.field, []).append(value.value)
            else:
                plain[value.field] = value.value
        return plain

    async def _call(
        self,
        sent: Sequence[Message],
        schema: dict[str, Any],
        fields: Sequence[FieldDefinition],
        about: _About,
    ) -> tuple[Answer, str]:
        """Return the answer to *sent* and its text, from the cache or from the model.

        :raises _OutOfBudgetError: a limit of the run
        """
        endpoint, names = self._client.endpoint, tuple(field.name for field in fields)
        key = answer_key(
            sent,
            schema,
            model=endpoint.model,
            base_url=endpoint.place,
            parameters={
                "temperature": endpoint.temperature,
                "max_tokens": self._config.max_answer_tokens,
            },
        )
        if self._cache is not None:
            known = await asyncio.to_thread(self._cache.get, key)
            if known is not None:
                free = Usage(cached=1)
                model = self._config.model
                self._budget.note_cached(free, url=about.url, model=model, fields=names)
                about.spent.usage += free
                return _answer_in(known.completion, names), known.completion.text
        completion, answer = await self._paid_call(sent, schema, fields, about)
        if self._cache is not None:
            await asyncio.to_thread(self._cache.put, key, completion)
        return answer, completion.text

    async def _paid_call(
        self,
        sent: Sequence[Message],
        schema: dict[str, Any],
        fields: Sequence[FieldDefinition],
        about: _About,
    ) -> tuple[Completion, Answer]:
        names = tuple(field.name for field in fields)
        most = Usage(
            requests=1,
            prompt_tokens=count_tokens(sent),
            completion_tokens=self._config.max_answer_tokens,
        )
        reservation = await self._budget.acquire(
            with_cost(most, self._price), url=about.url, model=self._config.model, fields=names
        )
        if reservation is None:
            raise _OutOfBudgetError(self._budget.why_stopped or "")
        try:
            completion = await self._client.complete(
                sent,
                schema,
                schema_name=schema_name(fields),
                strict=is_strict(fields, quotes=self._config.quotes),
                max_tokens=self._config.max_answer_tokens,
            )
            usage = with_cost(completion.usage, self._price)
            answer = _answer_in(completion, names)
            output = self._price.output if self._price else 0.0
            about.spent.usage += usage
            self._budget.settle(
                reservation,
                usage,
                key=completion.key_name,
                sizes=_sizes(answer, names),
                answer_cost=usage.completion_tokens * output,
            )
            return completion._replace(usage=usage), answer
        finally:
            self._budget.settle(reservation)  # a call that failed


def _answer_in(completion: Completion, names: Sequence[str]) -> Answer:
    return read_answer(
        completion.text,
        finish_reason=completion.finish_reason,
        refusal=completion.refusal,
        names=names,
    )


def _sizes(answer: Answer, names: Sequence[str]) -> tuple[int, ...]:
    """Return how many characters of an answer each field has."""
    objects = answer.data_list or ((answer.data,) if answer.data else ())
    return tuple(
        sum(len(name) + len(str(one[name])) for one in objects if name in one) for name in names
    )
