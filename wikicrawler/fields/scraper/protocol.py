"""The messages between a scraper and the child process that crawls for it, as lines of JSON.

=========== ======================================================================================
To it       Meaning
=========== ======================================================================================
``open``    the configuration, once, before all else
``job``     begins a job: pages from which the same fields are extracted
``page``    asks for a page of a job
``drop``    a page is no longer wanted: it has no answer
``end``     ends a job, whose pages all have an answer or were dropped
=========== ======================================================================================

=========== ======================================================================================
From it     Meaning
=========== ======================================================================================
``ready``   the crawler runs
``done``    the result of a page, which may be that it failed
``failed``  an error that ends the job of a page
``fatal``   an error that ends the process
=========== ======================================================================================

The end of its input ends the process.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from wikicrawler.errors import ConfigError
from wikicrawler.fields import errors
from wikicrawler.fields.errors import ScraperError
from wikicrawler.fields.llm import errors as llm_errors
from wikicrawler.fields.models import (  # noqa: TC001 - pydantic reads the annotations
    FieldDefinition,
    ScraperConfig,
    ScrapeResult,
)
from wikicrawler.text.safe import one_line

T = TypeVar("T")

MAX_LINE = 64 * 1024 * 1024
"""Bytes of a message."""
_ERRORS: dict[str, type[ScraperError]] = {
    found.__name__: found
    for module in (errors, llm_errors)
    for found in vars(module).values()
    if isinstance(found, type) and issubclass(found, ScraperError)
}


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SentError(_Message):
    """An exception."""

    type: str
    message: str
    details: dict[str, Any] = {}

    @classmethod
    def of(cls, error: BaseException) -> SentError:
        """Return what is sent of *error*. Of one that is not field extraction's own, that is a
        :class:`~wikicrawler.fields.errors.ScraperError` with its name, or what it is by."""
        if not isinstance(error, ScraperError):
            if isinstance(error, ConfigError):
                return cls(type="ConfigError", message=str(error))
            said = one_line(error)
            message = f"{type(error).__name__}: {said}" if said else type(error).__name__
            return cls(type="ScraperError", message=message)
        known = next(one for one in type(error).__mro__ if one.__name__ in _ERRORS)
        details = json.loads(json.dumps(error.details, default=str))
        return cls(type=known.__name__, message=error.message, details=details)

    def to_exception(self) -> ScraperError:
        """Return the exception, with the type that it had."""
        return _ERRORS.get(self.type, ScraperError)(self.message, self.details)


class Open(_Message):
    kind: Literal["open"] = "open"
    config: ScraperConfig
    settings: dict[str, Any] = {}
    """Scrapy settings, by name."""


class Job(_Message):
    kind: Literal["job"] = "job"
    job: int
    fields: tuple[FieldDefinition, ...]


class Page(_Message):
    kind: Literal["page"] = "page"
    page: int
    job: int
    url: str
    depth: int = 0
    """Number of links from the page where a crawl began."""
    hosts: tuple[str, ...] = ()
    """Hosts to which a crawl is limited. It has the links of its pages, and reads each page once.
    Where a page of depth 0 leads is one of them."""


class Drop(_Message):
    kind: Literal["drop"] = "drop"
    page: int


class End(_Message):
    kind: Literal["end"] = "end"
    job: int


class Ready(_Message):
    kind: Literal["ready"] = "ready"


class Done(_Message):
    kind: Literal["done"] = "done"
    page: int
    result: ScrapeResult
    own_url: str | None = None
    """The URL of the page itself, after redirects; None if it was not read."""
    links: tuple[str, ...] = ()
    """URLs of the pages to which a crawl may follow the page."""
    limit: str | None = None
    """The limit of the configuration for which the page was not read as a whole."""


class Failed(_Message):
    kind: Literal["failed"] = "failed"
    page: int
    error: SentError


class Fatal(_Message):
    kind: Literal["fatal"] = "fatal"
    error: SentError


Command = Open | Job | Page | Drop | End
Report = Ready | Done | Failed | Fatal
_COMMANDS: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="kind")])
_REPORTS: TypeAdapter[Report] = TypeAdapter(Annotated[Report, Field(discriminator="kind")])


def encode(message: Command | Report) -> bytes:
    """Return *message* as a line.

    :raises ValueError: a text of it cannot be encoded, or the line is longer than
        :data:`MAX_LINE`
    """
    line = message.model_dump_json().encode() + b"\n"
    if len(line) > MAX_LINE:
        raise ValueError(f"the message has {len(line):,} bytes (at most {MAX_LINE:,})")
    return line


def read_command(line: bytes) -> Command:
    """Return the message in *line*.

    :raises ValueError: it is none
    """
    return _read(_COMMANDS, line)


def read_report(line: bytes) -> Report:
    """Return the message in *line*.

    :raises ValueError: it is none
    """
    return _read(_REPORTS, line)


def _read(kinds: TypeAdapter[T], line: bytes) -> T:
    try:
        return kinds.validate_json(line)
    except ValidationError as error:
        # Without its values: one of them may be a key.
        faults = error.errors(include_input=False, include_url=False, include_context=False)
        places = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in faults)
        raise ValueError(f"not a message: {one_line('; '.join(places), 300)}") from None
