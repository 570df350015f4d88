"""Arguments of the ``fields`` spider."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from wikicrawler.errors import ConfigError
from wikicrawler.fields.definitions.define import define_fields, parse_fields, read_fields_file
from wikicrawler.fields.definitions.pydantic_models import load_model
from wikicrawler.fields.models import Backend, InputFormat  # noqa: TC001 - for pydantic
from wikicrawler.spiders.arguments import known_arguments
from wikicrawler.urls.patterns import Patterns
from wikicrawler.urls.seeds import Seeds, read_seeds

if TYPE_CHECKING:
    from pydantic import ValidationInfo

    from wikicrawler.fields.models import FieldDefinition

_SUFFIXES = (".yml", ".yaml", ".json")


class FieldsArguments(BaseModel):
    """``-a NAME=VALUE`` of ``scrapy crawl fields``."""

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    url: str | None = Field(None, description="URL of the page, or of the first one of a site.")
    urls: str | None = Field(
        None,
        description="URLs separated by commas or white space, or the name of a file with one a "
        "line (# begins a comment).",
    )
    fields: str | None = Field(
        None,
        description="The fields, like 'name: string, price: number (in euros)', or the name of a "
        "YAML or JSON file with them.",
    )
    schema_: str | None = Field(
        None,
        alias="schema",
        description="Import path of a pydantic model in place of fields: module:Model.",
    )
    mode: Literal["scrape", "many", "crawl"] | None = Field(
        None,
        description="'scrape': one page; 'many': each page of urls; 'crawl': a site from url on, "
        "until the fields are complete. Without it: scrape with url, many with urls.",
    )
    config: str | None = Field(
        None, description="YAML or JSON file with the settings of field extraction."
    )
    model: str | None = Field(None, description="The model, like openai/gpt-4o-mini.")
    backend: Backend | None = Field(None, description="The tiers that fetch the pages.")
    input_format: InputFormat | None = Field(
        None, description="Form of the page that the model reads."
    )
    max_pages: int | None = Field(None, gt=0, description="Read at most so many pages of a site.")
    max_depth: int | None = Field(
        None, ge=0, description="Follow links at most so many steps from url."
    )
    max_tokens: int | None = Field(None, gt=0, description="Tokens of all calls together.")
    max_cost: float | None = Field(None, gt=0, description="US dollars of all calls together.")
    estimate: bool = Field(False, description="Ask no model: estimate what the pages would cost.")
    scope: Literal["host", "site"] = Field(
        "host", description="How far links may lead: the host of url, or its registered domain."
    )
    follow: Patterns = Field(
        default_factory=Patterns, description="Follow only links whose URL a pattern matches."
    )
    exclude: Patterns = Field(
        default_factory=Patterns, description="Follow no link whose URL a pattern matches."
    )

    @model_validator(mode="before")
    @classmethod
    def _known(cls, values: Any) -> Any:
        names = {"schema": "schema_"}
        given = {names.get(name, name): value for name, value in dict(values).items()}
        known = known_arguments(cls, given)
        return {"schema" if name == "schema_" else name: value for name, value in known.items()}

    @field_validator("follow", "exclude", mode="before")
    @classmethod
    def _patterns(cls, value: Any, info: ValidationInfo) -> Any:
        if value is not None and not isinstance(value, str):
            return value
        return Patterns.parse(value, name=f"argument {info.field_name}")

    @model_validator(mode="after")
    def _one_of_each(self) -> FieldsArguments:
        if (self.url is None) == (self.urls is None):
            raise ValueError("give either url or urls (-a url=https://shop.example/book)")
        if (self.fields is None) == (self.schema_ is None):
            raise ValueError('give either fields or schema (-a fields="name: string")')
        if self.way != "many" and self.url is None:
            raise ValueError(f"mode {self.way} is for one url, not for urls")
        if self.way == "many" and self.urls is None:
            raise ValueError("mode many is for urls, not for one url")
        return self

    @property
    def way(self) -> Literal["scrape", "many", "crawl"]:
        """The mode."""
        return self.mode or ("scrape" if self.urls is None else "many")

    def definitions(self) -> list[FieldDefinition]:
        """Return the fields.

        :raises ConfigError: they are not valid
        """
        if self.schema_ is not None:
            return define_fields(load_model(self.schema_))
        text = self.fields or ""
        if "\n" not in text and text.strip().lower().endswith(_SUFFIXES):
            return read_fields_file(text.strip())
        return parse_fields(text)

    def seeds(self) -> Seeds:
        """Return the URLs.

        :raises ConfigError: there is none
        """
        if self.urls is not None:
            return read_seeds(self.urls, Path.cwd())
        if "://" not in (self.url or ""):
            raise ConfigError(f"url: {self.url!r} is not a URL (like https://shop.example/book)")
        return read_seeds(self.url or "", Path.cwd())
