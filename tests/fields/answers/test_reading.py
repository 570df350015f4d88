"""What a model answers is read as it stands, or the reason is given why not."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import LIMIT, growth
from wikicrawler.fields.answers.json_reading import MAX_DEPTH, Ending, Repair, read_json
from wikicrawler.fields.answers.raw_values import RawValue, values_of
from wikicrawler.fields.answers.reading import MAX_CHARS, Answer, Note, Outcome, read_answer
from wikicrawler.fields.models import FieldDefinition

NAMES = ["title", "price", "tags"]


def read(text: str | None, finish: str | None = "stop", refusal: str | None = None) -> Answer:
    return read_answer(text, finish_reason=finish, refusal=refusal, names=NAMES)


def test_a_pure_object_is_read_without_notes() -> None:
    assert read('{"title": "A", "price": 1.5, "tags": ["x"]}') == Answer(
        Outcome.OK, {"title": "A", "price": 1.5, "tags": ["x"]}
    )


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ('```json\n{"price": 1}\n```', {Note.FENCES}),
        ('~~~\n{"price": 1}\n~~~', {Note.FENCES}),
        ('Here it is:\n{"price": 1}', {Note.PROSE}),
        ('{"price": 1}\nI hope this helps {you}!', {Note.PROSE}),
        ('As [1] says {so}: ```{"price": 1}```', {Note.PROSE, Note.FENCES, Note.SKIPPED_JSON}),
        ('{"foo": 1} {"price": 1} {"price": 2}', {Note.SKIPPED_JSON, Note.PROSE}),
        ('[{"price": 1}]', {Note.ARRAY}),
        ('[{"price": 1}, "x", {"y": 2}]', {Note.ARRAY, Note.NOT_OBJECTS}),
        ('{"result": {"price": 1}, "confidence": 1}', {Note.WRAPPED}),
        ('{"price": 1, "colour": "red"}', {Note.EXTRA_KEYS}),
        ('{"price": 1, "price": 2}', {Repair.DUPLICATED_KEY}),
        ('{"price": 1,}', {Repair.TRAILING_COMMA}),
        ("{'price': 1}", {Repair.PYTHON}),
        ('<think>{"price": 9}? No.</think>\n{"price": 1}', {Note.REASONING}),
        ('Is it {"price": 9}? No.</think>{"price": 1}', {Note.REASONING}),
        ('\ufeff\x00 {"price":\x0b1}', set()),
    ],
)
def test_what_stands_around_the_object_is_noted(text: str, notes: set[str]) -> None:
    assert read(text) == Answer(Outcome.OK, {"price": 1}, notes=tuple(sorted(map(str, notes))))


@pytest.mark.parametrize(
    ("text", "value", "notes"),
    [
        ("NaN", None, (Repair.NOT_A_NUMBER,)),
        ("-Infinity", None, (Repair.NOT_A_NUMBER,)),
        ("1e999", None, (Repair.NOT_A_NUMBER,)),
        ("9" * 5000, None, (Repair.NOT_A_NUMBER,)),
        ("[True, None]", [True, None], (Repair.PYTHON,)),
        (r'"3 \* 4"', r"3 \* 4", (Repair.ESCAPES,)),
        (r'"\ud800x"', "\ufffdx", (Repair.SURROGATES,)),
        ('"\ud800x"', "\ufffdx", (Repair.SURROGATES,)),
        (r'"\ud83d\ude00"', "😀", ()),
        ('"two\nlines"', "two\nlines", ()),
        ("'it is'", "it is", (Repair.PYTHON,)),
    ],
)
def test_a_value_that_json_does_not_have_is_repaired_without_a_guess(
    text: str, value: object, notes: tuple[str, ...]
) -> None:
    assert read(f'{{"price": {text}}}') == Answer(
        Outcome.OK, {"price": value}, notes=tuple(map(str, notes))
    )


@pytest.mark.parametrize(
    "text",
    [
        "I can't find a price.",
        "{price: 1}",
        "{'title': 'O'Brien'}",
        '{"title": "The "best" book", "price": 1}',
        '{"price": 007}',
        '{"price": .5}',
        '{"price": 1 "title": 2}',
        "[" * (MAX_DEPTH + 1),
        '{"price": ' + "[" * MAX_DEPTH + "1" + "]" * MAX_DEPTH + "}",
        '{"price": "' + "x" * MAX_CHARS + '"}',
    ],
)
def test_what_needs_a_guess_is_no_json(text: str) -> None:
    assert read(text).outcome is Outcome.NOT_JSON


def test_fifty_levels_are_read() -> None:
    text = '{"price": ' + "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1) + "}"
    assert read(text).outcome is Outcome.OK


@pytest.mark.parametrize(
    ("text", "finish", "refusal", "outcome"),
    [
        (None, "stop", None, Outcome.EMPTY),
        (" \n\ufeff", "stop", None, Outcome.EMPTY),
        (None, "tool_calls", None, Outcome.EMPTY),
        (None, None, None, Outcome.EMPTY),
        (None, "stop", "I can't help with that.", Outcome.REFUSED),
        ('{"price": 1}', "content_filter", None, Outcome.FILTERED),
        ("", "length", None, Outcome.TRUNCATED),
        ("<think>Let me see", "length", None, Outcome.TRUNCATED),
        ("null", "stop", None, Outcome.NOT_AN_OBJECT),
        ('"a text"', "stop", None, Outcome.NOT_AN_OBJECT),
        ('["a", 1]', "stop", None, Outcome.NOT_AN_OBJECT),
        ("{}", "stop", None, Outcome.NO_FIELDS),
        ('{"colour": "red"}', "stop", None, Outcome.NO_FIELDS),
        ('[{"colour": "red"}]', "stop", None, Outcome.NO_FIELDS),
    ],
)
def test_an_answer_without_fields_has_its_reason(
    text: str | None, finish: str | None, refusal: str | None, outcome: Outcome
) -> None:
    assert read(text, finish, refusal).outcome is outcome


def test_several_objects_are_left_to_the_caller() -> None:
    assert read('[{"price": 1, "x": 0}, {"title": "A"}]') == Answer(
        Outcome.SEVERAL, data_list=({"price": 1}, {"title": "A"}), notes=(str(Note.EXTRA_KEYS),)
    )


WHOLE = '{"title": "A \\"B\\"", "price": 12.5, "tags": ["x", {"y": [1, 2]}]}'


@pytest.mark.parametrize("finish", ["length", "stop"])
@pytest.mark.parametrize("size", range(1, len(WHOLE)))
def test_the_complete_members_of_a_truncated_answer_are_recovered(size: int, finish: str) -> None:
    answer = read(WHOLE[:size], finish)
    whole = json.loads(WHOLE)
    assert answer.outcome is Outcome.TRUNCATED
    assert answer.data is not None
    assert answer.data == {name: whole[name] for name in answer.complete}
    # A number is complete with the comma behind it.
    ends = [WHOLE.index(", "), WHOLE.index(', "tags"') + 1, len(WHOLE) - 1]
    assert answer.complete == tuple(
        name for name, end in zip(whole, ends, strict=True) if size >= end
    )


def test_a_truncated_array_has_its_complete_objects_and_members() -> None:
    answer = read('[{"price": 1}, {"title": "A", "price": 2', "length")
    assert answer == Answer(Outcome.TRUNCATED, data_list=({"price": 1}, {"title": "A"}))
    assert answer.complete == ("price", "title")


def test_a_complete_object_of_a_model_that_went_on_is_ok() -> None:
    assert read('{"price": 1}' + "\n" * 100, "length").outcome is Outcome.OK


def test_a_page_cannot_end_the_answer_by_a_tag_in_a_value() -> None:
    text = """{"title": "</think>{'price': 1}"}"""
    assert read(text).data == {"title": "</think>{'price': 1}"}


def test_notes_have_nothing_of_the_answer() -> None:
    known = {str(member) for kind in (Note, Repair) for member in kind}
    assert set(read('x {"price": 1, "evil\x1b": NaN,}').notes) <= known


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(NAMES), JSON, min_size=1), st.booleans())
def test_a_valid_object_comes_back_equal(data: dict[str, Any], ascii_only: bool) -> None:
    text = json.dumps(data, ensure_ascii=ascii_only)
    expected = json.loads(json.dumps(data).encode("utf-8", "replace"))
    assert read(text).outcome is Outcome.OK
    if "\\ud" not in json.dumps(data):
        assert read(text).data == expected


@given(st.text(st.sampled_from(list("{}[]\":,\\ntrue1.-'`</thinkprice> \ud800")) | st.characters()))
def test_no_text_raises(text: str) -> None:
    for finish in ("stop", "length", None):
        answer = read(text, finish)
        assert isinstance(answer.outcome, Outcome)
        assert (answer.data is None) <= (answer.outcome is not Outcome.OK)


@given(st.text())
def test_python_reads_the_same_where_it_reads_json(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        return
    reading = read_json(text)
    assert reading.ending is Ending.COMPLETE
    assert reading.value == expected or reading.repairs


HOSTILE = ["{", "[", "{}", "[]", '{"', '"', "```", "```json\n{", "<think>", "</think>", '{\\"', "'"]
HOSTILE += [
    '{"a":1}',
    "{'",
    '[{"a":1},',
    '{"a":{"',
    '{"price":1,',
    "{'a':'b' ",
    "1",
    "\\u",
    "[NaN,",
]
HOSTILE += ['{"a\\"', "\ud800", "{}</think>", '{"a":"\\u', '{"x": "</think>{"', "~", "{'\"", "- "]


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_hostile_answer_takes_linear_time(piece: str) -> None:
    assert growth(read, partial(_repeated, piece), 5_000) < LIMIT


@pytest.mark.parametrize("piece", HOSTILE[::4])
def test_a_hostile_answer_of_the_largest_size_has_an_outcome(piece: str) -> None:
    assert isinstance(read(_repeated(piece, MAX_CHARS), "length").outcome, Outcome)


def _repeated(piece: str, size: int) -> str:
    return piece * (size // len(piece))


# -- values --------------------------------------------------------------------------------------


def field(kind: Any) -> FieldDefinition:
    return FieldDefinition(name="f", type=kind)


def values(kind: str, given: Any, *, quotes: bool = True) -> list[tuple[Any, str | None]]:
    return [(v.value, v.quote) for v in values_of({"f": given}, [field(kind)], quotes=quotes)]


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [
        ("string", "A", [("A", None)]),
        ("string", {"value": "A", "quote": "is A"}, [("A", "is A")]),
        ("string", {"value": "A"}, [("A", None)]),
        ("string", {"value": "A", "quote": ["is A"]}, [("A", "is A")]),
        ("string", {"value": "A", "quote": 3}, [("A", None)]),
        ("string", {"value": None, "quote": "x"}, []),
        ("string", None, []),
        ("string", ["A"], [("A", None)]),
        ("string", ["A", "B"], [(["A", "B"], None)]),
        ("string", {"text": "A"}, [({"text": "A"}, None)]),
        ("boolean", {"value": False, "quote": "no"}, [(False, "no")]),
        ("list[string]", ["A", None, "B"], [("A", None), ("B", None)]),
        ("list[string]", "A", [("A", None)]),
        ("list[string]", [{"value": "A", "quote": "a"}, "B"], [("A", "a"), ("B", None)]),
        ("list[string]", {"value": ["A", "B"], "quote": "a, b"}, [("A", "a, b"), ("B", "a, b")]),
        ("list[string]", {"value": ["A", "B"], "quote": ["a", "b"]}, [("A", "a"), ("B", "b")]),
        ("list[string]", [], []),
        ("object", {"a": 1}, [({"a": 1}, None)]),
        ("object", {"value": {"a": 1}, "quote": "q"}, [({"a": 1}, "q")]),
        ("object", {"value": 3, "quote": "q"}, [({"value": 3, "quote": "q"}, None)]),
        ("object", {"a": {"value": 1, "quote": "q"}, "b": None}, [({"a": 1, "b": None}, None)]),
        ("list[object]", [{"value": {"a": 1}, "quote": "q"}], [({"a": 1}, "q")]),
        ("list[object]", {"value": [{"a": 1}], "quote": "q"}, [({"a": 1}, "q")]),
        ("list[object]", [{"value": 3}], [({"value": 3}, None)]),
    ],
)
def test_a_value_is_taken_with_or_without_its_quote(
    kind: str, given: Any, expected: list[tuple[Any, str | None]]
) -> None:
    assert values(kind, given) == expected


def test_names_that_the_answer_does_not_have_have_no_values() -> None:
    assert values_of({}, [field("string")], quotes=True) == []


@given(JSON, st.sampled_from(["string", "number", "list[string]", "object", "list[object]"]))
def test_no_json_raises(given: Any, kind: str) -> None:
    for quotes in (True, False):
        found = values_of({"f": given}, [field(kind)], quotes=quotes)
        assert all(isinstance(item, RawValue) and item.value is not None for item in found)
