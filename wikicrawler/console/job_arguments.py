"""The arguments of a crawl as its job has them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from wikicrawler.audit.redaction import HIDDEN, is_secret_name, redact_parameters
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from scrapy import Spider

MAX_ARGUMENT = 2_000
"""Maximum number of characters of an argument that are stored."""


def arguments_of(spider: Spider) -> dict[str, str]:
    """Return the arguments of *spider* as text, without secrets: those of its model of arguments
    that were given; without a model, the texts among its attributes."""
    arguments = getattr(spider, "args", None)
    if isinstance(arguments, BaseModel):
        found = arguments.model_dump(exclude_unset=True)
    else:
        own = vars(spider).items()
        found = {
            name: value
            for name, value in own
            if isinstance(value, str) and not name.startswith("_") and name != "name"
        }
    return {name[:200]: _shown(name, value) for name, value in found.items()}


def _shown(name: str, value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    text = text[:MAX_ARGUMENT]
    if is_secret_name(name):
        return HIDDEN
    return one_line(redact_parameters(text), MAX_ARGUMENT)
