"""The prompt with which a language model writes a manifest."""

from __future__ import annotations

import re
from importlib.resources import files

from wikicrawler.sources.manifest.schema import schema, schema_text

MAX_SEED = 1024 * 1024
"""Maximum number of characters of the seed data."""

_PLACE = re.compile(r"\{(vertical|schema_id|fence|schema|seed)\}")
_FENCE = re.compile("`{3,}")
_NO_SEED = "[paste the seed data here]"
_DEFAULT_VERTICAL = "First-Time Homebuyer (FTHB)"


def prompt(seed: str = "", vertical: str = "") -> str:
    """Return the prompt for the sources in *seed*, a list in any format.

    :param vertical: the field of business; empty: first-time homebuyers
    """
    # Longer than any fence in the seed data, which therefore cannot end the block.
    longest = max((len(found) for found in _FENCE.findall(seed)), default=2)
    values = {
        "vertical": vertical or _DEFAULT_VERTICAL,
        "schema_id": schema()["$id"],
        "fence": "`" * (longest + 1),
        "schema": schema_text().strip(),
        "seed": seed.strip() or _NO_SEED,
    }
    template = files("wikicrawler").joinpath("sources/manifest/prompt.md").read_text("utf-8")
    return _PLACE.sub(lambda found: values[found[1]], template)
