"""Values of requests and of ``spider.state`` come back from JSON as they were."""

from __future__ import annotations

import enum
import json
import math
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import attrs
import pytest
from scrapy import Field, Item

from wikicrawler.errors import Reason
from wikicrawler.frontier.instances import NotStorableError
from wikicrawler.frontier.values import MAX_DEPTH, from_json, to_json
from wikicrawler.items import Content, Sketch
from wikicrawler.pages import Failure, Link, Page
from wikicrawler.tiers.mediawiki.site import WikiSite


class Colour(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    LOW = 1


class Word(str):
    """A string of another class."""

    __slots__ = ()


class Product(Item):
    name = Field()
    tags = Field()


@dataclass
class Plain:
    name: str
    tags: set[str] = field(default_factory=set)
    started: list[str] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.started.append("made")


@dataclass(frozen=True, slots=True)
class Slotted:
    at: datetime


@attrs.define
class Attrs:
    name: str
    size: int = 0


class Point(NamedTuple):
    x: int
    y: float


class Closing:
    """What runs code when it is let go of."""


@dataclass
class WithDel:
    name: str

    def __del__(self) -> None:
        """Not to be made by a file."""


def through(value: Any) -> Any:
    return from_json(json.loads(json.dumps(to_json(value), allow_nan=False)))


VALUES = [
    *(None, True, 0, -1, 2**70, 1.5, "", "naïve \ud800 \x00", [], {}, [1, [2, {"a": None}]]),
    *(math.inf, -math.inf, 1e-300, -0.0),
    *((), (1, "a", (b"\xff",)), {1, 2}, frozenset({b"a"}), {(1, 2), "x"}),
    *(b"", b"\x00\xff", bytearray(b"ab")),
    *(date(2026, 2, 3), time(4, 5, 6, 7), timedelta(days=-1, microseconds=3)),
    *(datetime(2026, 2, 3, 4), datetime(2026, 2, 3, tzinfo=UTC)),
    datetime(2026, 2, 3, tzinfo=timezone(timedelta(hours=-3, minutes=-30))),
    datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=ZoneInfo("Europe/Berlin")),
    *(Decimal("1.10"), Fraction(1, 3), UUID(int=5), 1 + 2j, Path("/a/b")),
    *(deque([1, (2,)], maxlen=4), Counter("aab"), OrderedDict([("b", 1), ("a", 2)])),
    *(defaultdict(list, {"a": [1]}), defaultdict(None, {"a": 1})),
    *({1: "a", None: "b", (1, 2): "c"}, {"$tuple": [1]}, {"$x": 1, "b": 2}, {"$dict": {"$set": 1}}),
    *(Colour.RED, Level.LOW, Reason.BUSY, Point(1, 2.5), Link("https://a/", 4)),
    *(Plain("a", {"b"}), Slotted(datetime.now(UTC)), Attrs("n", 3)),
    Product(name="a", tags=("b",)),
    Page("https://a/", b"<p>", "utf-8", links=(Link("b"),), fetched_at=datetime.now(UTC)),
    Content("t", "m", sketch=Sketch(b"1", b"2", b"3"), metadata={"infobox": [{"title": "x"}]}),
    Failure(Reason.BUSY, "later", retry_after=2.5),
    WikiSite.default("https://wiki.example/w/api.php"),
]


@pytest.mark.parametrize("value", VALUES, ids=map(str, range(len(VALUES))))
def test_a_value_comes_back_as_it_was(value: Any) -> None:
    for whole in (value, [value], {"a": {"b": value}}, (value,)):
        back = through(whole)
        assert back == whole
        assert repr(back) == repr(whole) or isinstance(value, (set, frozenset, WikiSite))
        assert type(back) is type(whole)


def test_details_that_equality_does_not_show() -> None:
    assert math.isnan(through(math.nan))
    assert through(deque([1], maxlen=3)).maxlen == 3
    assert through(defaultdict(list))["x"] == []
    local = datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=ZoneInfo("Europe/Berlin"))
    assert (through(local).fold, through(local).utcoffset()) == (1, local.utcoffset())
    assert type(through(Word("a"))) is str
    assert type(through(True)) is bool


def test_a_dataclass_is_put_together_without_its_own_code() -> None:
    assert through(Plain("a")).started == ["made"]  # not made a second time


LOOP: list[Any] = []
LOOP.append(LOOP)
DEEP: list[Any] = []
for _ in range(MAX_DEPTH + 5):
    DEEP = [DEEP]


@dataclass
class Changed:
    name: str


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"a": {"b": object()}}, "['a']['b'] is of the type object, which JSON cannot hold"),
        ({"a": [1, (2, Closing())]}, "['a'][1][1] is of the type Closing"),
        ({"a": lambda: 1}, "['a'] is of the type function"),
        ({1: open}, "[1] is of the type builtin_function_or_method"),
        ({"a": Closing}, "['a'] is of the type type"),
        ({"a": LOOP}, "or contains itself"),
        ({"a": DEEP}, f"is nested more than {MAX_DEPTH} levels deep"),
        ({"a": defaultdict(lambda: 1)}, "['a'] is a defaultdict of"),
        ({"a": WithDel("x")}, "['a'] is of the type WithDel"),
        ({"a": (n for n in ())}, "['a'] is of the type generator"),
        ({"a": ValueError("x")}, "['a'] is of the type ValueError"),
        ({"a": enum.Flag("F", "A B")(3)}, "['a'] is"),
    ],
)
def test_what_json_cannot_hold_is_refused_by_its_key(value: Any, message: str) -> None:
    with pytest.raises(NotStorableError) as caught:
        to_json(value)
    assert message in str(caught.value)


def test_a_class_of_a_function_is_refused() -> None:
    @dataclass
    class Local:
        name: str

    with pytest.raises(NotStorableError, match="is not found by its name in the module"):
        to_json(Local("a"))


@pytest.mark.parametrize(
    "written",
    [
        {"$object": ["os:system", {"a": 1}]},
        {"$object": ["subprocess:Popen", {"args": ["id"]}]},
        {"$object": ["tests.frontier.test_values:Closing", {}]},
        {"$object": ["tests.frontier.test_values:WithDel", {"name": "a"}]},
        {"$object": ["tests.frontier.test_values:Changed", {"name": "a", "more": 1}]},
        {"$object": ["tests.frontier.test_values:Changed", {}]},
        {"$enum": ["builtins:int", "real"]},
        {"$enum": ["tests.frontier.test_values:Colour", "__class__"]},
        {"$namedtuple": ["builtins:list", [1]]},
        {"$namedtuple": ["tests.frontier.test_values:Point", [1]]},
        {"$item": ["builtins:dict", {"a": 1}]},
        {"$item": ["tests.frontier.test_values:Product", {"unknown": 1}]},
        {"$eval": "1 + 1"},
        {"$": 1},
        {"$bytes": "not base64"},
        {"$datetime": 5},
        {"$timedelta": ["a"]},
        {"$deque": [[1], -2]},
        {"$defaultdict": ["eval", []]},
        {"$set": [[1]]},
        {"$dict": [[{}, 1]]},
        {"$uuid": "x"},
    ],
)
def test_what_was_not_written_by_us_is_refused(written: Any) -> None:
    with pytest.raises(Exception):  # noqa: B017, PT011 - which one does not matter
        from_json(written)


def test_reading_imports_nothing() -> None:
    assert "this" not in sys.modules
    with pytest.raises(ValueError, match="or its module is not imported"):
        from_json({"$object": ["this:Anything", {}]})
    assert "this" not in sys.modules
