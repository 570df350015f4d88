"""What a user gives and gets: definitions of fields, configuration, results."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from wikicrawler.fields.errors import ConfigError

SCALARS = ("string", "number", "integer", "boolean")
LISTS = ("list[string]", "list[number]", "list[boolean]", "list[object]")
FieldType = Literal[
    "string",
    "number",
    "integer",
    "boolean",
    "list[string]",
    "list[number]",
    "list[boolean]",
    "list[object]",
    "object",
]
"""The types of fields. ``object`` is for nested pydantic models only."""
Backend = Literal["http", "browser", "auto"]
RENDERING: Backend = "browser"
"""The backend of the tiers that run the scripts of pages."""
ANY: Backend = "auto"
"""The backend of all tiers."""
InputFormat = Literal["markdown", "text", "html"]
MAX_NAME = 64


class _Checked(BaseModel):
    """A model whose constructor raises :class:`~wikicrawler.fields.errors.ConfigError`."""

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise ConfigError(_summary(type(self).__name__, error)) from None


class FieldDefinition(_Checked):
    """A field to extract."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=rf"^[A-Za-z_][A-Za-z0-9_-]{{0,{MAX_NAME - 1}}}$")
    type: FieldType = "string"
    description: str = Field(default="", max_length=2000)
    enum: tuple[str | int | float, ...] | None = None
    """The values that are allowed, of a scalar or of the elements of a list."""
    format: str | None = None
    """A format of JSON Schema for strings: ``date``, ``email``, ``uri`` …"""
    pattern: str | None = None
    """A regular expression that strings must match, in RE2's syntax."""
    minimum: float | None = None
    maximum: float | None = None
    min_items: int | None = Field(default=None, ge=0)
    max_items: int | None = Field(default=None, ge=0)
    derived: bool = False
    """The value may be concluded from the page: it needs no evidence."""
    properties: dict[str, Any] | None = None
    """JSON Schemas of the keys of an object, or of the elements of ``list[object]``, by key:
    ``{"price": {"type": "number"}}``, or shorter ``{"price": "number"}``; None: any keys."""

    @property
    def is_list(self) -> bool:
        return self.type in LISTS

    @property
    def is_scalar(self) -> bool:
        return self.type in SCALARS

    @property
    def element_type(self) -> str:
        """The type of a value, or of the elements of a list: ``string``, ``number`` …"""
        return self.type.removeprefix("list[").removesuffix("]")


class Evidence(BaseModel):
    """Where a value stands."""

    model_config = ConfigDict(frozen=True)

    url: str
    start: int
    """Offset of the first character in the stored content of the page."""
    end: int
    """Offset behind the last character."""
    text: str
    """``content[start:end]``, as it stands there."""
    method: Literal["exact", "normalised", "fuzzy", "structured"] = "exact"
    score: float = 1.0
    """Similarity to what the model quoted, from 0 to 1."""
    path: str | None = None
    """Where the page's structured data states the value: ``json-ld[0].offers.price``. If the value
    is not in the content, the text is empty, and start and end are 0."""


class Finding(BaseModel):
    """A value of a field from one place: a scalar, an object, or one element of a list."""

    model_config = ConfigDict(frozen=True)

    field: str
    value: Any = None
    """Coerced to the type of the field; None if it was rejected, with the reason."""
    url: str = ""
    evidence: Evidence | None = None
    reason: str | None = None
    """Why the value is None: ``no_evidence``, ``wrong_type``, ``not_allowed`` …"""
    rejected: Any = None
    """What the model returned, if the value is None for a reason."""
    marks: tuple[str, ...] = ()
    """Why the value may be injected: ``hidden`` (a person does not see its text), ``addressed``
    (its text addresses a model), ``contradicted`` (the page states another value beside the name of
    the field)."""


class Usage(BaseModel):
    """What calls of a model cost."""

    model_config = ConfigDict(frozen=True)

    requests: int = 0
    cached: int = 0
    """Answers from the own cache, which cost nothing."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    """Prompt tokens that the provider had in its prefix cache."""
    cost: float | None = 0.0
    """US dollars; None if the price of the model is unknown."""

    def __add__(self, other: Usage) -> Usage:
        known = self.cost is not None and other.cost is not None
        return Usage(
            requests=self.requests + other.requests,
            cached=self.cached + other.cached,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            cost=(self.cost or 0.0) + (other.cost or 0.0) if known else None,
        )


class ScrapeResult(BaseModel):
    """The values of a page."""

    model_config = ConfigDict(frozen=True)

    url: str
    success: bool
    data: dict[str, Any] = Field(default_factory=dict)
    """Value of each field, None if it was not found."""
    error: str | None = None
    findings: tuple[Finding, ...] = ()
    """Each value with its evidence, and each rejected one with its reason."""
    conflicts: tuple[Finding, ...] = ()
    """Values that another page or part of the page contradicts; the first one stands in data."""
    usage: Usage = Usage()
    depth: int = 0
    tier: str | None = None
    content_hash: str | None = None
    partial: str | None = None
    """Why not all of the page was read: ``max_tokens``, ``max_cost`` …"""
    content: str | None = Field(default=None, repr=False)
    """The text that the model read: ``content[start:end]`` is the text of a finding's evidence.
    None if the page was not read, or the setting ``WIKICRAWLER_FIELDS_CONTENT`` is off."""


class CrawlState(BaseModel):
    """The progress of a crawl over a site; changed in place."""

    start_url: str = ""
    merged_data: dict[str, Any] = Field(default_factory=dict)
    sources: dict[str, list[Finding]] = Field(default_factory=dict)
    """The findings behind the merged values, by field."""
    conflicts: list[Finding] = Field(default_factory=list)
    visited_urls: set[str] = Field(default_factory=set)
    pages_scraped: int = 0
    is_complete: bool = False


class ScraperConfig(_Checked):
    """Configuration of a scraper."""

    model_config = ConfigDict(extra="forbid", validate_assignment=True)

    backend: Backend = "http"
    model: str = "openai/gpt-4o-mini"
    api_keys: tuple[str, ...] = Field(default=(), repr=False)
    base_url: str | None = None
    """Of an OpenAI-compatible server, with its ``/v1``; None: that of the model's provider."""
    max_concurrent: int = Field(default=5, ge=1, le=1000)
    timeout: int = Field(default=30_000, ge=1)
    """Milliseconds."""
    headless: bool = True
    stealth: bool = True
    max_pages: int = Field(default=50, ge=1)
    max_depth: int = Field(default=3, ge=0)
    input_format: InputFormat = "markdown"
    chunk_token_threshold: int = Field(default=2048, ge=64)
    verbose: bool = False
    quotes: bool = True
    """Ask the model for the text that proves each value."""
    max_tokens: int | None = Field(default=None, ge=1)
    """Tokens of all calls together, after which no further one is made."""
    max_cost: float | None = Field(default=None, gt=0)
    """US dollars of all calls together, after which no further one is made."""
    max_answer_tokens: int = Field(default=2048, ge=16)
    """Tokens of one answer."""


def _summary(name: str, error: ValidationError) -> str:
    """Return what is wrong, without the values: one of them may be a key."""
    faults = (
        f"{'.'.join(map(str, fault['loc'])) or name}: {fault['msg']}"
        for fault in error.errors(include_input=False, include_url=False, include_context=False)
    )
    return f"{name}: {'; '.join(faults)}"
