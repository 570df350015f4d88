"""How each kind of setting is read, and what is refused."""

from __future__ import annotations

from collections import UserDict
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from wikicrawler.errors import ConfigError
from wikicrawler.options.kinds import (
    Component,
    Delays,
    FilePath,
    Flag,
    Names,
    Number,
    Seconds,
    Setting,
    Share,
    Table,
    Text,
    Whole,
)

FLAG = Flag("X", True, help="")
WHOLE = Whole("X", 4, low=1, help="")
LIMIT = Whole("X", None, low=1, help="", unset="no limit")
NUMBER = Number("X", 60.0, above=True, help="")
SECONDS = Seconds("X", 60.0, help="")
BOUNDED = Seconds("X", 60.0, high=86_400.0, help="")
SHARE = Share("X", 0.5, noun="the share of pages", help="")
DELAYS = Delays("X", (2.0, 5.0), high=3600.0, help="")
NAMES = Names("X", ("a",), help="")
TEXT = Text("X", "static", help="")
FROM_ENVIRONMENT = Text("X", "", environment="X_OF_THE_ENVIRONMENT", help="")
FILE = FilePath("X", None, help="")
TABLE = Table("X", {}, like='{"a": 1}', help="")
COMPONENT = Component("X", "a.B", help="")


@pytest.mark.parametrize(
    ("setting", "value", "read"),
    [
        *((FLAG, value, True) for value in (None, True, 1, "1", "True", "true", "2")),
        *((FLAG, value, False) for value in (False, 0, "0", "False", "false")),
        (WHOLE, None, 4),
        (WHOLE, "1", 1),
        (LIMIT, None, None),
        (LIMIT, "", None),
        (LIMIT, 30, 30),
        (NUMBER, None, 60.0),
        (NUMBER, "0.1", 0.1),
        (SECONDS, 0, 0.0),
        (BOUNDED, "86400", 86_400.0),
        (SHARE, 1, 1.0),
        (DELAYS, None, (2.0, 5.0)),
        (DELAYS, "", ()),
        (DELAYS, "1,2.5,", (1.0, 2.5)),
        (DELAYS, [0.01, "3600"], (0.01, 3600.0)),
        (NAMES, None, ("a",)),
        (NAMES, "", ()),
        (NAMES, "b, c", ("b", "c")),
        (NAMES, ["b", " c"], ("b", "c")),
        (TEXT, None, "static"),
        (TEXT, " learned ", "learned"),
        (TEXT, "", ""),
        (FILE, None, None),
        (FILE, "", None),
        (FILE, "a/b", Path("a/b")),
        (FILE, Path("a/b"), Path("a/b")),
        (TABLE, None, {}),
        (TABLE, " ", {}),
        (TABLE, '{"a": [1]}', {"a": [1]}),
        (TABLE, UserDict({"a": 1}), {"a": 1}),
        (COMPONENT, None, "a.B"),
        (COMPONENT, "", "a.B"),
        (COMPONENT, dict, dict),
    ],
)
def test_a_value_is_read_as_its_type(setting: Setting[Any], value: Any, read: Any) -> None:
    found = setting.read(Settings({"X": value}))
    assert found == read
    assert type(found) is type(read)


@pytest.mark.parametrize("value", [True, False, 1, 0, "1", "0", "True", "false", 2, 1.5, "2", None])
def test_a_flag_is_read_as_scrapy_reads_it(value: Any) -> None:
    settings = Settings({"X": value})
    assert FLAG.read(settings) is settings.getbool("X", True)


@pytest.mark.parametrize(
    ("setting", "value", "says"),
    [
        *((FLAG, value, ": True or False is needed") for value in ("maybe", "", "yes", [], 1e999)),
        *(
            (WHOLE, value, ": a whole number, 1 or more, is needed, like 4")
            for value in ("", 0, -1, "1.5", "x", [], True, 1e999)
        ),
        (LIMIT, 0, ": a whole number, 1 or more, is needed (unset: no limit)"),
        *(
            (NUMBER, value, ": a number above 0 is needed, like 60")
            for value in ("", 0, "nan", "inf", [], True, 10**400)
        ),
        (SECONDS, -0.1, ": a number of seconds, 0 or more, is needed, like 60"),
        (BOUNDED, 86_401, ": a number of seconds from 0 to 86400 is needed, like 60"),
        (SHARE, 1.1, ": the share of pages, 0 to 1, is needed, like 0.5"),
        *(
            (DELAYS, value, ": a list of seconds, one for each retry, is needed, like 2,5")
            for value in ("2,x", [-1], ["nan"], [3601], 7, [True])
        ),
        (NAMES, 7, ": a list, or names with commas between them, is needed, like a"),
        (FILE, 7, ": the path of a file is needed"),
        (TABLE, [5], '; right would be {"a": 1}'),
        (TABLE, 7, '; right would be {"a": 1}'),
    ],
)
def test_a_wrong_value_is_named_with_what_would_be_right(
    setting: Setting[Any], value: Any, says: str
) -> None:
    with pytest.raises(ConfigError) as error:
        setting.read(Settings({"X": value}))
    assert str(error.value) == f"X is {value!r}{says}"


@pytest.mark.parametrize(("value", "says"), [("{", "X is not JSON: "), ("[1]", "X is [1]; ")])
def test_a_wrong_table_of_the_command_line_is_named(value: str, says: str) -> None:
    with pytest.raises(ConfigError) as error:
        TABLE.read(Settings({"X": value}))
    assert str(error.value).startswith(says)
    assert str(error.value).endswith('; right would be {"a": 1}')


def test_a_text_may_be_of_the_environment_unless_a_setting_hides_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert FROM_ENVIRONMENT.read(Settings()) == ""
    monkeypatch.setenv("X_OF_THE_ENVIRONMENT", " there ")
    assert FROM_ENVIRONMENT.read(Settings()) == "there"
    assert FROM_ENVIRONMENT.read(Settings({"X": "here"})) == "here"
    assert FROM_ENVIRONMENT.read(Settings({"X": ""})) == ""


def test_any_kind_falls_back_on_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    rate = Number("X", 60.0, environment="X_OF_THE_ENVIRONMENT", help="")
    assert rate.read(Settings()) == 60.0
    monkeypatch.setenv("X_OF_THE_ENVIRONMENT", " 30 ")
    assert rate.read(Settings()) == 30.0
    assert rate.read(Settings({"X": None})) == 30.0
    assert rate.read(Settings({"X": 20})) == 20.0
    monkeypatch.setenv("X_OF_THE_ENVIRONMENT", " ")
    assert rate.read(Settings()) == 60.0


@pytest.mark.parametrize("value", ["fast", "0", "-1", "nan", "inf", "1e999", "6O", "60/min"])
def test_a_wrong_value_of_the_environment_names_the_variable(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rate = Number("X", 60.0, above=True, environment="X_OF_THE_ENVIRONMENT", help="")
    monkeypatch.setenv("X_OF_THE_ENVIRONMENT", value)
    with pytest.raises(ConfigError) as error:
        rate.read(Settings())
    assert str(error.value) == (
        f"X_OF_THE_ENVIRONMENT (environment variable) is {value!r}: a number above 0 is needed, "
        "like 60"
    )
    with pytest.raises(ConfigError, match=r"^X is 'no': "):  # the setting is what is wrong
        rate.read(Settings({"X": "no"}))
