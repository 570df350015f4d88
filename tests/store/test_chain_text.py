"""The text of a record is canonical, and its hash covers each byte."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.store.chain_text import GENESIS, canonical_text, clean, digest_of, hash_of

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec=None), max_size=20),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=8,
)
FIELDS = st.dictionaries(st.text(max_size=8), VALUES, max_size=6)


@given(FIELDS)
def test_a_decoded_text_is_encoded_as_the_same_text(fields: dict[str, Any]) -> None:
    text = canonical_text(fields)
    assert canonical_text(json.loads(text)) == text


@given(FIELDS)
def test_the_text_is_one_line_of_ascii_that_any_database_stores(fields: dict[str, Any]) -> None:
    text = canonical_text(fields)
    assert text.isascii()
    assert text.isprintable()
    assert "\\u0000" not in text.replace("\\\\", "")
    assert text.encode() == text.encode("ascii")


@given(st.dictionaries(st.text("abc", max_size=3), VALUES, max_size=5), st.randoms())
def test_the_order_of_the_fields_does_not_matter(fields: dict[str, Any], rng: Any) -> None:
    items = list(fields.items())
    rng.shuffle(items)
    assert canonical_text(dict(items)) == canonical_text(fields)


@given(FIELDS)
def test_no_value_is_lost_but_what_databases_refuse(fields: dict[str, Any]) -> None:
    assert json.loads(canonical_text(fields)) == {clean(k): clean(v) for k, v in fields.items()}


@given(FIELDS, st.data())
def test_each_flipped_byte_changes_the_hash(fields: dict[str, Any], data: st.DataObject) -> None:
    text = canonical_text(fields)
    index = data.draw(st.integers(0, len(text) - 1))
    bit = data.draw(st.integers(0, 6))
    flipped = text[:index] + chr(ord(text[index]) ^ 1 << bit) + text[index + 1 :]
    assert hash_of(digest_of(flipped), GENESIS) != hash_of(digest_of(text), GENESIS)


def test_the_hash_is_that_of_the_documentation() -> None:
    digest = sha256(b'{"a":1}').hexdigest()
    assert digest_of('{"a":1}') == digest
    assert hash_of(digest, GENESIS) == sha256(f"{digest}\n{'0' * 64}".encode()).hexdigest()


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_number_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="not a finite number"):
        canonical_text({"n": [number]})


def test_an_integral_number_is_written_without_a_fraction() -> None:
    assert canonical_text({"n": 2.0, "m": 0.5}) == '{"m":0.5,"n":2}'
