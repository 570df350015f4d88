"""Whatever a file contains, it is a manifest, or its faults are reported with their places."""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.sources.manifest.samples import EXAMPLE, encoded, manifest, source
from tests.suites.data import suite
from wikicrawler.sources.manifest.faults import MAX_FAULTS
from wikicrawler.sources.manifest.reader import MAX_BYTES, Reading, read_manifest


def faults(data: bytes | str) -> list[str]:
    reading = read_manifest(data.encode() if isinstance(data, str) else data)
    assert (reading.manifest is None) is bool(reading.faults)
    return list(map(str, reading.faults))


def notices(data: bytes | str) -> list[str]:
    return list(map(str, read_manifest(data.encode() if isinstance(data, str) else data).notices))


def test_the_example_of_the_specification_is_valid() -> None:
    reading = read_manifest(EXAMPLE.encode())
    assert (reading.faults, reading.notices) == ((), ())
    assert reading.manifest is not None
    (found,) = reading.manifest.active
    assert found.id == "cfpb-reg-x"
    assert found.max_depth == 3
    assert found.paths.admits("https://www.consumerfinance.gov/rules-policy/regulations/1024/5/")


def test_each_comment_of_an_example_with_comments_is_a_fault() -> None:
    text = EXAMPLE.replace('"crawl",', '"crawl", // scrape | crawl').replace(
        "    }\n  ]", "} // …\n]"
    )
    assert [fault.split(":")[0] for fault in faults(text)] == ["19", "38"]
    assert all("a comment" in fault for fault in faults(text))


def test_only_active_sources_are_visited() -> None:
    states = ("active", "paused", "retired", "proposed")
    reading = read_manifest(encoded(manifest(*(source(id=s, status=s) for s in states))))
    assert reading.manifest is not None
    assert [found.id for found in reading.manifest.active] == ["active"]
    assert len(reading.manifest.sources) == 4


def test_missing_optional_fields_have_their_defaults() -> None:
    reading = read_manifest(encoded(manifest()))
    assert reading.manifest is not None
    fields = reading.manifest.sources[0].fields
    assert fields["scrape_config"] == {
        "include_patterns": [],
        "exclude_patterns": [],
        "max_depth": 3,
        "tiers": None,
        "wait_for_selector": None,
        "ignore_changes": [],
        "custom_headers": {},
    }
    assert fields["citation"] is None
    assert fields["metadata"]["notes"] is None


def test_all_faults_are_reported_at_once_with_pointer_line_and_column() -> None:
    text = """{
  "version": "1.0",
  "created": "2026-02-13",
  "updated": "2026-02-13T00:00:00Z",
  "vertical": "FTHB Loans",
  "sorces": [],
  "sources": [
    {
      "id": "CFPB Reg X", "id": "again",
      "name": "", "url": "www.hud.gov", "domain": "HUD.gov",
      "regulatory_domain": null,
      "source_type": "regulations", "content_type": "HTML", "method": 7,
      "frequency": "wekly", "priority": "high", "status": "active", "agency": "HUD",
      "scrape_config": {"max_depth": 99, "include_patterns": ["1024/*", "/a", "/a"]},
    },
    true
  ]
}"""
    assert faults(text) == [
        "2:14: /version: the text '1.0' is not a version MAJOR.MINOR.PATCH (like \"1.0.0\")",
        "3:14: /created: the text '2026-02-13' is not a date and time with an offset "
        '(like "2026-02-13T00:00:00Z")',
        "5:15: /vertical: the text 'FTHB Loans' is not a kebab-case id (write 'fthb-loans')",
        "6:3: /sorces: unknown key (did you mean sources?)",
        '8:5: /sources/0: lacks jurisdiction (add it, like "federal")',
        "9:13: /sources/0/id: the text 'CFPB Reg X' is not a kebab-case id (write 'cfpb-reg-x')",
        "9:27: /sources/0/id: appears twice (first in line 9; keep one)",
        "10:15: /sources/0/name: an empty text is not a line of text "
        '(like "CFPB Regulation X (RESPA)")',
        "10:26: /sources/0/url: has no scheme (write 'https://www.hud.gov')",
        "10:51: /sources/0/domain: 'HUD.gov' is not in its plain form (write 'hud.gov')",
        '11:28: /sources/0/regulatory_domain: null is not a text (like "RESPA")',
        "12:22: /sources/0/source_type: the text 'regulations' is unknown "
        "(did you mean regulation?)",
        "12:53: /sources/0/content_type: the text 'HTML' is unknown (did you mean html?)",
        "12:71: /sources/0/method: the number 7 is not a text (one of scrape, crawl)",
        "13:20: /sources/0/frequency: the text 'wekly' is unknown (did you mean weekly?)",
        "13:69: /sources/0/agency: unknown key (it belongs in metadata)",
        "14:38: /sources/0/scrape_config/max_depth: the number 99 is out of bounds "
        "(a whole number from 0 to 50)",
        "14:63: /sources/0/scrape_config/include_patterns/0: '1024/*' does not start with / or * "
        "(write '/1024/*')",
        "14:79: /sources/0/scrape_config/include_patterns/2: the text '/a' appears twice "
        "(keep one)",
        "14:85: /sources/0: a comma after the last value (remove it)",
        "16:5: /sources/1: true is not an object",
    ]


YAML = """\
# a comment
version: 1.0.0
created: 2026-02-13T00:00:00Z
updated: 2026-02-13T00:00:00Z
vertical: fthb
sources:
  - id: hud
    name: 2026-02-13
    url: https://www.hud.gov/
    domain: hud.gov
    regulatory_domain: no
    citation: 1.0
    jurisdiction: 010
    source_type: guidance
    content_type: html
    method: crawl
    frequency: weekly
    priority: high
    status: active
    description: ~
    scrape_config:
      max_depth: 4
      custom_headers: {X-Count: 12:30}
    metadata:
      last_known_update: 2024-10-01
      agency: "null"
"""


def test_yaml_scalars_have_the_types_of_the_schema() -> None:
    reading = read_manifest(YAML.encode())
    assert reading.faults == ()
    assert reading.manifest is not None
    fields = reading.manifest.sources[0].fields
    names = ("name", "regulatory_domain", "citation", "jurisdiction", "description")
    assert [fields[name] for name in names] == ["2026-02-13", "no", "1.0", "010", None]
    assert all(type(fields[name]) is str for name in names[:-1])
    assert fields["scrape_config"]["max_depth"] == 4
    assert fields["scrape_config"]["custom_headers"] == {"X-Count": "12:30"}
    assert fields["metadata"]["last_known_update"] == "2024-10-01"
    assert fields["metadata"]["agency"] == "null"


def test_yaml_and_json_of_the_same_values_are_the_same_manifest() -> None:
    data = json.loads(EXAMPLE)
    from_yaml = read_manifest(yaml.safe_dump(data).encode())
    assert from_yaml.faults == ()
    assert from_yaml.manifest == read_manifest(EXAMPLE.encode()).manifest


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("status: active", "status: active\n    status: b", "20:5: /sources/0/status: appears"),
        ("id: hud", "id: &a hud", "7:9: /sources/0/id: &a: an anchor"),
        ("name: 2026-02-13", "name: *a", "8:11: /sources/0/name: *a: an alias"),
        ("id: hud", "id: !!str hud", "7:9: /sources/0/id: 'tag:yaml.org,2002:str': a tag"),
        ("name: 2026", "<<: {a: b}\n    name: 2026", "8:5: /sources/0: merge keys"),
        ("name: 2026", "? [a, {b: c}]\n    : d\n    name: 2026", "8:7: /sources/0: a key is not"),
        ("max_depth: 4", "max_depth: 0x4", "22:18: /sources/0/scrape_config/max_depth: the text"),
        ("max_depth: 4", "max_depth: true", "22:18: /sources/0/scrape_config/max_depth: the text"),
        ("    name:", "\tname:", "8:1: /sources/0: is not YAML"),
        ("version: 1.0.0", "version: 1.0", "2:10: /version: the text '1.0' is not a version"),
        ("frequency: weekly", "frequency: yes", "17:16: /sources/0/frequency: the text 'yes'"),
        ("# a comment", "---\n---", "2:1: a second document"),
    ],
)  # fmt: skip
def test_what_json_does_not_have_is_a_fault_in_yaml(old: str, new: str, fault: str) -> None:
    assert any(found.startswith(fault) for found in faults(YAML.replace(old, new)))


def test_an_alias_is_not_expanded() -> None:
    bomb = "a: &a [x, x]\n" + "".join(f"b{i}: &b{i} [*a, *a]\n" for i in range(30))
    assert len(faults(bomb)) < 200


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + EXAMPLE,
        EXAMPLE.replace("\n", "\r\n"),
        EXAMPLE.replace("  ", "\t"),
        "\n\n" + EXAMPLE + "\n\n",
        "\ufeff" + YAML.replace("\n", "\r\n"),
    ],
    ids=["bom", "crlf", "tabs", "empty-lines", "yaml"],
)
def test_byte_order_marks_line_ends_and_tabs_make_no_difference(text: str) -> None:
    reading = read_manifest(text.encode())
    assert (reading.faults, reading.notices) == ((), ())
    assert reading.data == text.encode()


def test_lines_and_columns_are_right_with_a_byte_order_mark_and_windows_line_ends() -> None:
    text = "\ufeff" + EXAMPLE.replace("\n", "\r\n").replace("weekly", "fortnightly")
    assert faults(text)[0].startswith("20:20: /sources/0/frequency: ")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "1:1: null is not a manifest (an object with the keys version, "),
        (b"[]", "1:1: an empty list is not a manifest"),
        (b"{}", "1:1: lacks created"),
        (b'{"a": 1', "1:8: the text ends here (it is not complete: expected a comma or })"),
        (b'{"a": "the "best" one"}', "1:13: 'best' is not valid here (expected a comma or }, and"),
        (b'{"a": "b\nc"}', "1:9: a text contains a line end"),
        (b'{"a": "b}', "1:7: a text has no closing"),
        (b'{"a": "\\x"}', "1:8: a text contains a backslash"),
        (b"{'a': 1}", "1:2: ' is not a quotation mark of JSON"),
        (b'{"a": None}', "1:7: /a: None is not JSON (write null)"),
        (b'{"a": 01}', "1:7: '01' is not valid here (expected a value)"),
        (b'{"a": NaN}', "1:7: 'NaN' is not valid here"),
        (b'{"a": 1e999}', "1:7: /a: is too large or too long a number"),
        (b'{"a": ' + b"9" * 5_000 + b"}", "1:7: /a: is too large or too long a number"),
        (b'{"a": "\\ud800"}', "1:7: /a: contains a control character or half a character"),
        (b'{"a": "\\u0000"}', "1:7: /a: contains a control character"),
        (b'{"a" 1}', "1:6: '1' is not valid here (expected a colon"),
        (b'{"a": 1} }', "1:10: } after the end of the manifest"),
        (b'{"\\u0007": 1}', "1:2: the key '\\x07' contains a control character"),
        (b"\xff\xfe{\0}\0", "1:1: the file is UTF-16"),
        (b'{"a":\n "\xff"}', "2:3: byte 0xff is not UTF-8"),
        (b'{"a": "\0"}', "1:8: the file contains a NUL byte"),
        (b" " * (MAX_BYTES + 1), "1:1: the file is too large for a manifest"),
        (b"[" * 10_000, "1:21: /0/0"),
        (b"sources: " + b"[" * 100, "1:29: /sources/0"),
        (b"[" + b"0," * 1_000_000, "1:400000: has more than 200,000 values"),
        (b'{"' + b"a" * 1_000_000 + b'": 1}', "1:2: a key has 1,000,000 characters"),
    ],
    ids=range(27),
)  # fmt: skip
def test_a_broken_or_hostile_file_has_a_fault_with_its_place(data: bytes, expected: str) -> None:
    found = faults(data)
    assert any(fault.startswith(expected) for fault in found), found
    assert all(fault.isprintable() and len(fault) < 1_500 for fault in found)


@pytest.mark.parametrize("opening", [b"[", b"{? ", b"- ", b"? "])
def test_a_manifest_in_yaml_that_is_nested_too_deep_has_a_fault(opening: bytes) -> None:
    # Its place differs: libyaml may read 1,000 levels ahead, and report the last of them.
    found = faults(b"sources:\n " + opening * 10_000)
    assert any(" is nested more than 20 deep" in fault for fault in found), found


def test_missing_commas_are_reported_and_the_rest_is_read() -> None:
    text = EXAMPLE.replace('"crawl",', '"crawl"').replace('"max_depth": 3,', '"max_depth": 3')
    found = faults(text)
    assert [fault.split(":")[0] for fault in found] == ["20", "27"]
    assert all("a comma is missing before this" in fault for fault in found)


def test_a_login_in_a_url_is_not_shown() -> None:
    found = faults(encoded(manifest(source(url="https://me:sesame@www.hud.gov/"))))
    assert "user name or password" in found[0]
    assert "sesame" not in str(found)


def test_the_number_of_faults_is_bounded() -> None:
    assert len(faults(encoded(manifest(*[{}] * 4_000)))) == MAX_FAULTS


PROSE = "Sure: here is the manifest.\n\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{PROSE}```json\n{EXAMPLE}```\n\nAsk me for {{more}}!\n", 4),
        (f"```\n{EXAMPLE}```", 2),
        (f"```json\r\n{EXAMPLE}", 2),
        (f"{PROSE}{EXAMPLE}\nIs there more?", 3),
        (f"{PROSE}~~~~yaml\n{YAML}~~~~\n", 4),
        (f"{PROSE}1. Install\n   ```sh\n   pip install x\n   ```\n```json\n{EXAMPLE}```", 8),
        (f"# Manifest\n\nBelow.\n\n{EXAMPLE}", 5),
    ],
)
def test_an_answer_of_a_language_model_is_read(text: str, line: int) -> None:
    reading = read_manifest(text.encode())
    assert reading.faults == ()
    assert reading.manifest is not None
    for notice in reading.notices:
        assert str(notice) == f"{line}:1: the text before and after the manifest is ignored"
    wrong = read_manifest(text.replace("weekly", "often").encode())
    assert wrong.faults[0].place.line == line + (19 if "{" in text[:200] else 16)


def test_an_answer_with_two_manifests_is_ambiguous() -> None:
    found = faults(f"```json\n{EXAMPLE}```\nor\n```json\n{EXAMPLE}```\n")
    assert found == ["45:1: has 2 blocks between ``` fences (keep the one with the manifest)"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
FIELDS = st.sampled_from(sorted(source() | {"scrape_config": 0, "metadata": 0, "schedule": 0}))


def checked(data: bytes) -> Reading:
    reading = read_manifest(data)
    assert (reading.manifest is None) is bool(reading.faults)
    for fault in (*reading.faults, *reading.notices):
        assert str(fault).isprintable()
        assert fault.place.line <= data.count(b"\n") + data.count(b"\r") + 1
    return reading


@given(JSON)
def test_any_json_value_is_a_manifest_or_has_faults(value: object) -> None:
    checked(json.dumps(value).encode())
    checked(json.dumps(value, indent=1, ensure_ascii=False).encode("utf-8", "replace"))


@given(st.dictionaries(FIELDS, JSON), st.dictionaries(st.sampled_from(list(manifest())), JSON))
def test_any_value_of_a_field_is_valid_or_a_fault(own: dict, heads: dict) -> None:
    checked(json.dumps(manifest(source(**own), **heads)).encode())


@given(st.text() | st.binary())
def test_any_text_is_a_manifest_or_has_faults(text: str | bytes) -> None:
    checked(text.encode("utf-8", "replace") if isinstance(text, str) else text)


@given(st.integers(0, len(EXAMPLE)), st.text(max_size=3), st.integers(0, 20))
def test_a_damaged_manifest_raises_nothing(at: int, text: str, dropped: int) -> None:
    damaged = EXAMPLE[:at] + text + EXAMPLE[at + dropped :]
    checked(damaged.encode("utf-8", "replace"))


@given(st.integers(0, len(YAML)), st.text(max_size=3), st.integers(0, 20))
def test_a_damaged_manifest_in_yaml_raises_nothing(at: int, text: str, dropped: int) -> None:
    damaged = YAML[:at] + text + YAML[at + dropped :]
    checked(damaged.encode("utf-8", "replace"))


@pytest.mark.parametrize("case", suite("json"), ids=lambda case: case["name"])
def test_what_is_no_json_is_a_fault(case: dict[str, str]) -> None:
    data = b'{"x":%s}' % case["input"].encode("utf-8", "surrogateescape")
    found = checked(data).faults
    syntax = [f for f in found if not str(f.message).startswith(("lacks ", "unknown key"))]
    if case["name"].startswith("n_"):
        assert syntax
    elif case["name"].startswith("y_"):
        allowed = ("appears twice", "contains a control", "is too ", "the key ")
        assert all(fault.message.startswith(allowed) for fault in syntax)


def test_no_case_of_the_yaml_suite_raises_anything() -> None:
    for case in suite("yaml"):
        checked(case["yaml"].encode())
        checked(("sources:\n  - " + case["yaml"].replace("\n", "\n    ")).encode())


@pytest.mark.parametrize(
    "data",
    [
        b"{" + b"#\n" * 1_900_000,
        b"{" + b",".join(b'"k%d": 1' % number for number in range(190_000)) + b"}",
        encoded(manifest(source(scrape_config={"include_patterns": ["/a"] * 150_000}))),
        b"a: {" + b"a, " * 1_300_000,
    ],
    ids=["comments", "keys", "globs", "duplicates"],
)
def test_reading_stops_at_the_maximum_number_of_faults(data: bytes) -> None:
    # Quadratic time would take minutes.
    assert len(faults(data)) == MAX_FAULTS
