"""A crawl is complete when no page could add anything."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.fields.completion import is_complete, missing_fields
from wikicrawler.fields.errors import ConfigError
from wikicrawler.fields.models import FieldDefinition

TITLE = FieldDefinition(name="title")
STOCK = FieldDefinition(name="stock", type="integer")
NEW = FieldDefinition(name="new", type="boolean")
MAKER = FieldDefinition(name="maker", type="object", properties={"name": "string"})
TAGS = FieldDefinition(name="tags", type="list[string]")


@pytest.mark.parametrize(
    ("merged", "missing"),
    [
        ({}, ["title", "stock", "new", "maker"]),
        ({"title": "t", "stock": None}, ["stock", "new", "maker"]),
        ({"title": "t", "stock": 0, "new": False, "maker": {"name": "m"}}, []),
        ({"title": "t", "stock": 0, "new": False, "maker": None}, ["maker"]),
        ({"other": 1}, ["title", "stock", "new", "maker"]),
    ],
)
def test_scalars_and_objects_are_complete_when_none_is_null(
    merged: dict[str, Any], missing: list[str]
) -> None:
    fields = [TITLE, STOCK, NEW, MAKER]
    assert [field.name for field in missing_fields(merged, fields)] == missing
    assert is_complete(merged, fields) is (not missing)


@pytest.mark.parametrize("tags", [None, [], ["a"]])
def test_a_list_is_never_complete(tags: Any) -> None:
    merged = {"title": "t", "tags": tags}
    assert not is_complete(merged, [TITLE, TAGS])
    assert missing_fields(merged, [TITLE, TAGS]) == [TAGS]


def test_no_fields_are_an_error() -> None:
    with pytest.raises(ConfigError, match="there are no fields"):
        is_complete({}, [])
    with pytest.raises(ConfigError, match="there are no fields"):
        missing_fields({"a": 1}, [])


@given(
    st.dictionaries(st.sampled_from("abc"), st.none() | st.integers()),
    st.dictionaries(
        st.sampled_from("abc"), st.sampled_from(["string", "list[number]"]), min_size=1
    ),
)
def test_completion_is_that_of_the_specification(
    merged: dict[str, Any], types: dict[str, Any]
) -> None:
    fields = [FieldDefinition(name=name, type=kind) for name, kind in types.items()]
    expected = not any(field.is_list for field in fields) and all(
        merged.get(field.name) is not None for field in fields
    )
    assert is_complete(merged, fields) is expected
