"""Arguments of the ``wiki`` spider, and how unknown ones are refused."""

from __future__ import annotations

import re
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator

from wikicrawler.text.names import nearest
from wikicrawler.urls.parts import Part
from wikicrawler.urls.patterns import Patterns

Namespaces = tuple[int | str, ...] | Literal["content", "all"]


def known_arguments(model: type[BaseModel], values: Any) -> Any:
    """Return *values* without what Scrapyd adds (``_job``).

    :raises ValueError: a name is not a field of *model*; the message has a hint
    """
    if not isinstance(values, dict):
        return values
    values = {name: value for name, value in values.items() if not name.startswith("_")}
    for name in values:
        if name not in model.model_fields:
            near = nearest(name, model.model_fields)
            hint = f"; did you mean {near}?" if near else ""
            raise ValueError(
                f"no argument {name!r} (there are: {', '.join(model.model_fields)}){hint}"
            )
    return values


class WikiArguments(BaseModel):
    """``-a NAME=VALUE`` of ``scrapy crawl wiki``."""

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    seeds: str | None = Field(
        None,
        description="URLs separated by commas or white space, or the name of a file with one a "
        "line (# begins a comment).",
    )
    max_pages: int | None = Field(None, gt=0, description="Write at most so many pages.")
    max_depth: int | None = Field(
        None, ge=0, description="Follow links at most so many steps from a seed; 0 is seeds only."
    )
    follow: Patterns = Field(
        default_factory=Patterns, description="Follow only links whose URL a pattern matches."
    )
    exclude: Patterns = Field(
        default_factory=Patterns, description="Follow no link whose URL a pattern matches."
    )
    namespaces: Namespaces = Field(
        "content",
        description="Wiki namespaces to follow links into: numbers or names separated by commas, "
        "'content' (the wiki's own choice) or 'all'.",
    )
    scope: Literal["host", "site", "any"] = Field(
        "host",
        description="How far links may lead: the hosts of the seeds, their registered domains, or "
        "anywhere.",
    )
    follow_links: bool = Field(True, description="False: just the seeds.")
    all_pages: bool = Field(
        False, description="Ask each seed's wiki for all its pages instead of following links."
    )
    sitemaps: bool = Field(
        False, description="Also crawl what the sitemaps of the seeds' hosts list."
    )
    since: str | None = Field(
        None,
        description="Only what has changed since an earlier crawl: the name of its feed of JSON "
        "lines, or of its JOBDIR.",
    )
    categories: tuple[str, ...] = Field(
        (),
        description="Crawl only the pages in these categories: names (of the seeds' wikis) or "
        "URLs, separated by semicolons.",
    )
    category_depth: int = Field(
        0, ge=0, le=20, description="Levels of subcategories whose pages are in a category."
    )

    part: Part | None = Field(
        None,
        description="Crawl only this part of the seeds' sites: 2/4 is the second of four.",
    )

    @property
    def category_names(self) -> tuple[str, ...]:
        """The categories that are names."""
        return tuple(one for one in self.categories if not _is_url(one))

    @property
    def category_urls(self) -> tuple[str, ...]:
        """The categories that are URLs."""
        return tuple(one.replace(" ", "_") for one in self.categories if _is_url(one))

    @model_validator(mode="before")
    @classmethod
    def _known(cls, values: Any) -> Any:
        return known_arguments(cls, values)

    @model_validator(mode="after")
    def _one_list(self) -> WikiArguments:
        if self.categories and self.all_pages:
            raise ValueError("categories and all_pages exclude each other")
        if self.categories and self.sitemaps:
            raise ValueError("categories and sitemaps exclude each other")
        if self.part and self.scope == "any":
            raise ValueError(
                "part and scope=any exclude each other: links between parts would be lost"
            )
        if self.part and self.since is not None:
            raise ValueError(
                "part and since exclude each other (the feed of a part has only its pages)"
            )
        return self

    @field_validator("categories", mode="before")
    @classmethod
    def _categories(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        names = tuple(name.strip() for name in value.split(";") if name.strip())
        if not names:
            raise ValueError("argument categories: none in it (expected like Orcs;Towns)")
        return names

    @field_validator("follow", "exclude", mode="before")
    @classmethod
    def _patterns(cls, value: Any, info: ValidationInfo) -> Any:
        if value is not None and not isinstance(value, str):
            return value
        return Patterns.parse(value, name=f"argument {info.field_name}")

    @field_validator("part", mode="before")
    @classmethod
    def _part(cls, value: Any) -> Any:
        return Part.parse(value) if isinstance(value, str) else value

    @field_validator("namespaces", mode="before")
    @classmethod
    def _namespaces(cls, value: Any) -> Any:
        if not isinstance(value, str) or value in {"content", "all"}:
            return value
        names = [name.strip() for name in value.split(",") if name.strip()]
        if not names:
            raise ValueError(
                "argument namespaces: none in it (expected 'content', 'all', or like 0,Help)"
            )
        return tuple(int(n) if re.fullmatch(r"-?\d{1,6}", n) else n for n in names)


def _is_url(text: str) -> bool:
    return text.lower().startswith(("http://", "https://"))
