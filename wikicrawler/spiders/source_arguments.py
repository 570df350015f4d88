"""Arguments of the ``sources`` spider."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from wikicrawler.spiders.arguments import known_arguments


class SourcesArguments(BaseModel):
    """``-a NAME=VALUE`` of ``scrapy crawl sources``."""

    model_config = ConfigDict(extra="forbid")

    manifest: str | None = Field(
        None, description="File of the manifest; without it the active one is used."
    )
    only: tuple[str, ...] = Field((), description="Ids of sources, separated by commas.")
    force: bool = Field(False, description="Visit sources that are not due, too.")
    scheduled: bool = Field(
        False,
        description="The schedule began the crawl: off-peak hours count, and so do failures.",
    )

    @model_validator(mode="before")
    @classmethod
    def _known(cls, values: Any) -> Any:
        return known_arguments(cls, values)

    @field_validator("only", mode="before")
    @classmethod
    def _ids(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        return tuple(one.strip() for one in value.split(",") if one.strip())
