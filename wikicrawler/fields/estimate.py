"""What the extraction of fields from pages will cost, before a model is asked.

::

    found = estimate(pages, fields, config, price_of(config.model))
    found.likely.requests, found.likely.cost, found.most.cost

What pages state for machines is read as the extraction reads it, and the rest is split into the
same chunks, so the prompts are those that are sent.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.content.chunks import Chunk, estimate_tokens, split_markdown
from wikicrawler.fields.answers.prompts import count_tokens, messages, repair_messages
from wikicrawler.fields.asking import MAX_REPAIRS
from wikicrawler.fields.budget import tokens_of
from wikicrawler.fields.completion import missing_fields
from wikicrawler.fields.definitions.schema import answer_schema
from wikicrawler.fields.findings import stated_findings
from wikicrawler.fields.llm.prices import context_of, cost_of
from wikicrawler.fields.merging import FindingMerger
from wikicrawler.fields.models import Usage
from wikicrawler.fields.values.types import MAX_ERRORS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wikicrawler.fields.extraction import PageText
    from wikicrawler.fields.llm.prices import Price
    from wikicrawler.fields.models import FieldDefinition, ScraperConfig

TOO_HIGH = 4
"""By what factor the estimate of a prompt's tokens is too high at most: figures and rows of spaces
are counted character by character."""
USUALLY_TOO_HIGH = 2
"""The same, for the prose of most pages."""
LEAST_ANSWER = 4
"""Tokens of the shortest answer."""
ANSWER_TOKENS = 40
"""Tokens of a usual value with its quote."""
LIST_SHARE = 4
"""A usual list of a chunk is this part of the chunk's tokens."""
_WORST_SENTENCE = "E" * 1000


@dataclass(frozen=True)
class Estimate:
    """What a run will use: requests with an answer, tokens, US dollars."""

    least: Usage
    likely: Usage
    most: Usage
    """Neither more requests nor more tokens, unless answers are cut off: see :attr:`reasons`."""
    pages: int
    asked_pages: int
    """Pages about which the model is asked."""
    chunks: int
    """Chunks of these pages, all of which are read if a value stays unknown."""
    reasons: tuple[str, ...]
    """What the figures rest on, in sentences."""


class _Counted(NamedTuple):
    """What the calls for a page use."""

    least: Usage = Usage()
    likely: Usage = Usage()
    most: Usage = Usage()
    chunks: int = 0
    longest: int = 0
    """Tokens of the longest prompt."""


def estimate(
    pages: Iterable[PageText],
    fields: Sequence[FieldDefinition],
    config: ScraperConfig,
    price: Price | None = None,
) -> Estimate:
    """Return what the extraction of *fields* from *pages* will use. It takes long for many pages.

    * The least: what a page states for machines is not asked for. Scalars are all in a page's first
      chunk, and the prompts have a quarter of their estimated tokens.
    * Likely: half of the chunks are read for scalars and all of them for lists, with usual answers.
    * The most: each chunk is read, each answer has ``max_answer_tokens``, and is sent back as often
      as it may be. The limits ``max_tokens`` and ``max_cost`` of *config* apply.

    Answers of a cache, which cost nothing, are not known here. Pages are read one after the other,
    and none is kept.

    :param price: None if it is unknown; then the costs are None
    :raises ConfigError: there are no fields
    """
    missing_fields({}, fields)  # raises without fields
    tally = Tally()
    for page in pages:
        tally += tally_of(page, fields, config)
    return estimate_of(tally, fields, config, price)


class Tally(NamedTuple):
    """What the calls for some pages use, without prices and limits."""

    pages: int = 0
    asked: int = 0
    chunks: int = 0
    longest: int = 0
    least: Usage = Usage()
    likely: Usage = Usage()
    most: Usage = Usage()

    def __add__(self, other: object) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        return Tally(
            self.pages + other.pages,
            self.asked + other.asked,
            self.chunks + other.chunks,
            max(self.longest, other.longest),
            self.least + other.least,
            self.likely + other.likely,
            self.most + other.most,
        )


def tally_of(page: PageText, fields: Sequence[FieldDefinition], config: ScraperConfig) -> Tally:
    """Return what the calls for *page* use. It takes long for a large page."""
    left = _unstated(page, fields)
    counted = _of_page(page, left, config) if left else _Counted()
    return Tally(
        1,
        int(counted.chunks > 0),
        counted.chunks,
        counted.longest,
        counted.least,
        counted.likely,
        counted.most,
    )


def estimate_of(
    tally: Tally,
    fields: Sequence[FieldDefinition],
    config: ScraperConfig,
    price: Price | None = None,
) -> Estimate:
    """Return the estimate for the pages of *tally*."""
    reasons = [
        *_reasons(tally.pages, tally.asked, tally.chunks, fields),
        *_risks(tally.longest, config, price),
    ]
    figures = _Figures(
        _priced(tally.least, price, cheap=True),
        _priced(tally.likely, price),
        _priced(tally.most, price, cheap=False),
    )
    limited = _limited(figures, config)
    if limited is not figures:
        reasons.append(_limit_of(figures, config))
    return Estimate(*limited, tally.pages, tally.asked, tally.chunks, tuple(reasons))


class _Figures(NamedTuple):
    least: Usage
    likely: Usage
    most: Usage


def _unstated(page: PageText, fields: Sequence[FieldDefinition]) -> list[FieldDefinition]:
    """Return the fields that the model is asked for."""
    merger = FindingMerger(fields)
    if page.html is not None or page.infoboxes:
        merger.add(stated_findings(page.text, page.url, page.html, page.infoboxes, fields))
    return missing_fields(merger.data, fields)


def _of_page(page: PageText, fields: Sequence[FieldDefinition], config: ScraperConfig) -> _Counted:
    chunks = split_markdown(page.text, max_tokens=config.chunk_token_threshold)
    schema = answer_schema(fields, quotes=config.quotes)
    schema_tokens = estimate_tokens(json.dumps(schema, ensure_ascii=False))
    prompts = [_prompt(page, chunk, fields, config) for chunk in chunks]
    if not prompts:
        return _Counted()
    lists = sum(field.is_list for field in fields)
    is_varied = any(not field.is_scalar for field in fields)
    errors = [_WORST_SENTENCE] * (MAX_ERRORS + 1 if is_varied else len(fields))
    repair = count_tokens(repair_messages((), "", errors)) + config.max_answer_tokens
    needed = prompts if lists else prompts[:1]
    read = chunks if lists else chunks[: (len(chunks) + 1) // 2]
    tries = MAX_REPAIRS + 1
    with_schema = [prompt + schema_tokens for prompt in prompts]
    return _Counted(
        least=Usage(
            requests=len(needed),
            prompt_tokens=sum(needed) // TOO_HIGH,
            completion_tokens=len(needed) * min(LEAST_ANSWER, config.max_answer_tokens),
        ),
        likely=Usage(
            requests=len(read),
            prompt_tokens=sum(with_schema[: len(read)]) // USUALLY_TOO_HIGH,
            completion_tokens=sum(_usual_answer(chunk, fields, config) for chunk in read),
        ),
        most=Usage(
            requests=tries * len(prompts),
            prompt_tokens=tries * sum(with_schema) + MAX_REPAIRS * repair * len(prompts),
            completion_tokens=tries * len(prompts) * config.max_answer_tokens,
        ),
        chunks=len(chunks),
        longest=max(with_schema),
    )


def _prompt(
    page: PageText, chunk: Chunk, fields: Sequence[FieldDefinition], config: ScraperConfig
) -> int:
    """Return the tokens of a prompt. A schema comes on top, in the messages or beside them."""
    asked = messages(fields, chunk, title=page.title, url=page.url, quotes=config.quotes)
    return count_tokens(asked)


def _usual_answer(chunk: Chunk, fields: Sequence[FieldDefinition], config: ScraperConfig) -> int:
    lists = sum(field.is_list for field in fields)
    tokens = ANSWER_TOKENS * len(fields) + lists * chunk.tokens // USUALLY_TOO_HIGH // LIST_SHARE
    return min(tokens if config.quotes else tokens // 2, config.max_answer_tokens)


def _priced(usage: Usage, price: Price | None, *, cheap: bool | None = None) -> Usage:
    """Return *usage* with its cost.

    :param cheap: True: the provider has all prompts in its cache, if that is cheaper; False: if it
        is dearer; None: it has none
    """
    read = None if price is None else price.cache_read
    if price is not None and read is not None and cheap is (read < price.input):
        usage = usage.model_copy(update={"cached_tokens": usage.prompt_tokens})
    return usage.model_copy(update={"cost": cost_of(usage, price)})


def _limited(figures: _Figures, config: ScraperConfig) -> _Figures:
    """Return *figures* within the limits of *config*, which end a run before a call exceeds them.

    A run that is ended may end at its first call.
    """
    if not _limit_of(figures, config):
        return figures
    nothing = Usage(cost=0.0 if figures.most.cost is not None else None)
    if config.max_cost is not None and figures.most.cost is None:
        return _Figures(nothing, nothing, nothing)
    return _Figures(
        nothing,
        _scaled(figures.likely, config),
        _cut(figures.most, config),
    )


def _scaled(usage: Usage, config: ScraperConfig) -> Usage:
    part = 1.0
    if config.max_tokens is not None:
        part = min(part, config.max_tokens / max(tokens_of(usage), 1))
    if config.max_cost is not None and usage.cost:
        part = min(part, config.max_cost / usage.cost)
    return Usage(
        requests=round(usage.requests * part),
        prompt_tokens=int(usage.prompt_tokens * part),
        completion_tokens=int(usage.completion_tokens * part),
        cost=None if usage.cost is None else usage.cost * part,
    )


def _cut(usage: Usage, config: ScraperConfig) -> Usage:
    changes: dict[str, Any] = {}
    if config.max_tokens is not None:
        changes["prompt_tokens"] = min(usage.prompt_tokens, config.max_tokens)
        changes["completion_tokens"] = min(usage.completion_tokens, config.max_tokens)
        changes["cached_tokens"] = min(usage.cached_tokens, config.max_tokens)
    if config.max_cost is not None and usage.cost is not None:
        changes["cost"] = min(usage.cost, config.max_cost)
    return usage.model_copy(update=changes)


def _limit_of(figures: _Figures, config: ScraperConfig) -> str:
    """Return what the limits do to the run; an empty text if they do not matter."""
    most = figures.most
    found = []
    if config.max_cost is not None and most.cost is None and most.requests:
        return "No call is made: max_cost is set, and the price of the model is unknown."
    if config.max_tokens is not None and tokens_of(most) > config.max_tokens:
        found.append(f"max_tokens ({config.max_tokens:,})")
    if config.max_cost is not None and most.cost is not None and most.cost > config.max_cost:
        found.append(f"max_cost ({config.max_cost:g})")
    if not found:
        return ""
    return f"{' and '.join(found)} may end the run early, even before its first call."


def _reasons(pages: int, asked: int, chunks: int, fields: Sequence[FieldDefinition]) -> list[str]:
    stated = f"{pages - asked:,} of {pages:,} pages state all values for machines, or are empty."
    lists = [field.name for field in fields if field.is_list]
    if lists:
        read = f"All {chunks:,} chunks are read, because a list never has all: {', '.join(lists)}."
    else:
        read = f"Of {chunks:,} chunks, those of a page are read until each field has a value."
    return [
        stated,
        read,
        f"An answer that is not valid is sent back up to {MAX_REPAIRS} times: only in the most.",
        "The size of the prompts is estimated without the model's vocabulary: from a quarter of the"
        " most, likely half of it.",
    ]


def _risks(longest: int, config: ScraperConfig, price: Price | None) -> list[str]:
    """Return what is in no figure."""
    found = [
        f"An answer that is cut off at {config.max_answer_tokens:,} tokens is asked for again in"
        " parts, which comes on top.",
        "A request that fails is repeated, which providers do not charge.",
    ]
    context = context_of(config.model)
    if context is not None and longest + config.max_answer_tokens > context:
        found.append(
            f"A prompt of up to {longest:,} tokens may exceed the model's {context:,}: its chunk is"
            " then divided, which comes on top. Lower chunk_token_threshold."
        )
    if price is None:
        found.append("The price of the model is unknown, and so is the cost.")
    return found
