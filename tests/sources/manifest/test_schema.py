"""The published schema, and the manifest that ships with the project."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator

from tests.sources.manifest.samples import EXAMPLE
from wikicrawler.sources.manifest.reader import read_file
from wikicrawler.sources.manifest.schema import schema

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[3]
DOCUMENTED = (ROOT / "docs" / "manifest.md").read_text("utf-8")


def fields(part: dict[str, Any], above: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the fields of the schema by name; those of a source without a prefix."""
    for name, below in part.get("properties", {}).items():
        yield f"{above}{name}", below
        prefix = f"{above}{name}." if below.get("type") != "array" else ""
        yield from fields(below, prefix)


ALL = [*fields(schema()), *fields(schema()["$defs"]["source"])]


def test_the_schema_is_a_valid_one() -> None:
    Draft202012Validator.check_schema(schema())


def test_the_schema_accepts_the_example_of_the_specification_by_itself() -> None:
    Draft202012Validator(schema()).validate(json.loads(EXAMPLE))


def test_each_field_is_described() -> None:
    assert len(ALL) > 35
    assert [name for name, part in ALL if not part.get("description", "").endswith(".")] == []


def test_each_field_is_documented() -> None:
    rows = set(re.findall(r"^\| `([\w.$]+)` \|", DOCUMENTED, re.MULTILINE))
    assert rows == {name for name, _ in ALL}


def test_the_manifest_of_the_project_is_valid_without_a_notice() -> None:
    reading = read_file(ROOT / "config" / "manifest-fthb.json")
    assert (reading.faults, reading.notices) == ((), ())
    assert reading.manifest is not None
    assert len(reading.manifest.active) >= 25
    for found in reading.manifest.sources:
        assert found.fields["metadata"]["corroboration_status"] == "unverified"
        assert found.fields["metadata"]["notes"]


def test_the_manifest_of_the_project_keeps_the_official_comments() -> None:
    reading = read_file(ROOT / "config" / "manifest-fthb.json")
    assert reading.manifest is not None
    found = reading.manifest.find("cfpb-reg-z")
    assert found is not None
    assert found.paths.admits(f"{found.url}43/interp-1/")
