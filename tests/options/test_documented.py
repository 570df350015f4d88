"""docs/settings.md has every setting with its default, and nothing reads one by its own name."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.settings import Settings

from wikicrawler import options
from wikicrawler.fields.config import PREFIX, SETTINGS
from wikicrawler.learning.costs import BAN, PAGE
from wikicrawler.options.kinds import Delays, Number, Setting, Whole
from wikicrawler.scope.traps import RULES
from wikicrawler.tiers.registry import TierRegistry

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "wikicrawler"
OURS = re.compile(
    r"(?:WIKICRAWLER|DOMAIN_THROTTLE|CRAWL4AI|RATE_LIMIT|FIRECRAWL|SCRAPINGANT)_[A-Z_]*[A-Z]"
)
NAMES = {setting.name for setting in options.ALL}
VARIABLES = {setting.environment for setting in options.ALL} - {""}
THEIRS = {"CRAWL4AI_ALLOW_INTERNAL_URLS"}  # of crawl4ai's own server
OF_THE_BUILD = {"WIKICRAWLER_COMPILE"}
OF_FIELDS = {PREFIX.rstrip("_"), *(f"{PREFIX}{name.upper()}" for name in SETTINGS)}

# The tiers say what they cost.
COSTS = {name: tier.cost for name, tier in TierRegistry.from_settings(Settings()).classes.items()}
COSTS |= {"ban": BAN, "page": PAGE}
COMPUTED = {
    options.TIER_COSTS.name: "`{"
    + ", ".join(f'"{name}": {cost:g}' for name, cost in COSTS.items())
    + "}`",
}


def documented() -> dict[str, str]:
    """The default of each of our settings by its name, as docs/settings.md writes it."""
    found: dict[str, str] = {}
    for line in (ROOT / "docs" / "settings.md").read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) > 4 and OURS.fullmatch(name := cells[1].strip("`")):
            assert name not in found, f"{name} is documented twice"
            found[name] = cells[2]
    return found


def written(setting: Setting[Any]) -> str:
    """The default of *setting* as docs/settings.md is to write it."""
    if setting.name in COMPUTED:
        text = COMPUTED[setting.name]
    elif setting.unset:
        text = setting.unset
    elif isinstance(setting, (Number, Whole, Delays)):
        text = f"{setting.text(setting.default)} {setting.unit}".strip()
    elif setting.default is None or setting.default in ("", ()):
        text = "unset"
    else:
        text = f"`{setting.text(setting.default)}`"
    if setting.environment == setting.name:
        text += ", or the environment's"
    elif setting.environment:
        text += f", or the environment's `{setting.environment}`"
    return text


def test_each_setting_is_documented_with_its_default_and_no_other_is() -> None:
    assert documented() == {setting.name: written(setting) for setting in options.ALL}


def test_the_trap_rules_that_are_on_by_default_are_all_there_are() -> None:
    assert options.TRAP_RULES.default == tuple(map(str, RULES))


def test_each_has_a_name_of_its_own_and_a_line_on_what_it_does() -> None:
    assert len(NAMES) == len(options.ALL)
    for constant, setting in vars(options).items():
        if isinstance(setting, Setting):
            assert setting.name.removeprefix("WIKICRAWLER_") == constant
            assert setting.help.endswith(".")
            assert "\n" not in setting.help


@pytest.mark.parametrize(
    "file",
    [
        *sorted(PACKAGE.rglob("*.py")),
        *sorted((ROOT / "docs").glob("*.md")),
        ROOT / "README.md",
        ROOT / "compose.yaml",
    ],
    ids=lambda file: str(file.relative_to(ROOT)),
)
def test_each_setting_that_is_named_exists(file: Path) -> None:
    named = set(OURS.findall(file.read_text("utf-8")))
    assert named - NAMES - VARIABLES - THEIRS - OF_THE_BUILD - OF_FIELDS == set()


def names_read(source: str) -> list[str]:
    """Names of our settings that are strings of their own in *source*, except where a function
    returns them, as a text for a person."""
    tree = ast.parse(source)
    texts = {id(text) for node in ast.walk(tree) for text in _returned(node)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and id(node) not in texts
        if isinstance(node.value, str) and OURS.fullmatch(node.value)
    ]


def _returned(node: ast.AST | None) -> Iterator[ast.expr]:
    if isinstance(node, ast.Return) and node.value is not None:
        values = [node.value]
        while values:
            value = values.pop()
            if isinstance(value, ast.IfExp):
                values += value.body, value.orelse
            yield value


def test_a_name_that_is_read_is_found() -> None:
    read = (
        'X = "CRAWL4AI_URL"\ndef f(s):\n    return s.get("WIKICRAWLER_X") if s else "CRAWL4AI_URL"'
    )
    assert names_read(read) == ["CRAWL4AI_URL", "WIKICRAWLER_X"]


@pytest.mark.parametrize(
    "file",
    sorted(file for file in PACKAGE.rglob("*.py") if file.parent != PACKAGE / "options"),
    ids=lambda file: str(file.relative_to(ROOT)),
)
def test_no_other_module_reads_a_setting_by_its_name(file: Path) -> None:
    assert names_read(file.read_text("utf-8")) == []
