"""A pydantic model is a list of definitions, and extracted values are its instance."""

from __future__ import annotations

import sys
from datetime import date, datetime
from decimal import Decimal
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal
from uuid import UUID  # noqa: TC003 - pydantic reads it

import pytest
from pydantic import BaseModel, ConfigDict, Field, HttpUrl, field_validator

from wikicrawler.fields.definitions.pydantic_models import fields_of_model, load_model, to_model
from wikicrawler.fields.definitions.schema import answer_schema, is_strict
from wikicrawler.fields.errors import ConfigError, ExtractionError
from wikicrawler.fields.values.types import coerce

if TYPE_CHECKING:
    from pathlib import Path


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Size(IntEnum):
    SMALL = 1
    LARGE = 2


class Offer(BaseModel):
    seller: str
    price: float = Field(gt=0)
    colour: Colour | None = None


class Product(BaseModel):
    model_config = ConfigDict(frozen=True)

    title: str = Field(description="as on the page", max_length=5000)
    price: Decimal | None = Field(default=None, ge=0, le=1000)
    stock: int = Field(default=0, gt=-1)
    new: bool | None = None
    colour: Colour = Colour.RED
    size: Size | None = None
    kind: Literal["book", "film"] = "book"
    code: str | None = Field(default=None, pattern="^[A-Z]+$")
    short: str | None = Field(default=None, min_length=2, max_length=5)
    released: date | None = None
    seen: datetime | None = None
    uid: UUID | None = None
    home: HttpUrl | None = None
    tags: list[str] = Field(default=[], min_length=1, max_length=3)
    pages: set[int] = set()
    rates: tuple[Annotated[float, Field(ge=0)], ...] = ()
    colours: list[Colour] = []
    rows: list[dict[str, Any]] = []
    offer: Offer | None = None
    offers: list[Offer] = []
    either: int | float | None = None
    below: float | None = Field(default=None, lt=5)
    brief: str | None = Field(default=None, max_length=5)


class Node(BaseModel):
    name: str
    parent: Node | None = None


class Tree(BaseModel):
    root: Node


def definition(name: str) -> dict[str, Any]:
    found = next(one for one in fields_of_model(Product) if one.name == name)
    return found.model_dump(exclude_defaults=True, exclude={"name"})


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("title", {"description": "as on the page"}),
        ("price", {"type": "number", "minimum": 0, "maximum": 1000}),
        ("stock", {"type": "integer", "minimum": 0}),
        ("new", {"type": "boolean"}),
        ("colour", {"enum": ("red", "blue")}),
        ("size", {"type": "integer", "enum": (1, 2)}),
        ("kind", {"enum": ("book", "film")}),
        ("code", {"pattern": "^[A-Z]+$"}),
        ("short", {"pattern": "(?s)^.{2,5}$"}),
        ("released", {"format": "date"}),
        ("seen", {"format": "date-time"}),
        ("uid", {"format": "uuid"}),
        ("home", {"format": "uri"}),
        ("tags", {"type": "list[string]", "min_items": 1, "max_items": 3}),
        ("pages", {"type": "list[number]"}),
        ("rates", {"type": "list[number]", "minimum": 0}),
        ("colours", {"type": "list[string]", "enum": ("red", "blue")}),
        ("rows", {"type": "list[object]"}),
        ("either", {"type": "number"}),
        ("below", {"type": "number", "maximum": 5}),
        ("brief", {"pattern": "(?s)^.{0,5}$"}),
    ],
)
def test_a_type_is_that_of_a_field(name: str, expected: Any) -> None:
    assert definition(name) == expected


def test_a_nested_model_is_an_object_with_properties() -> None:
    properties = {
        "seller": {"type": "string"},
        "price": {"type": "number", "minimum": 0},
        "colour": {"type": "string", "enum": ["red", "blue"]},
    }
    assert definition("offer") == {"type": "object", "properties": properties}
    assert definition("offers") == {"type": "list[object]", "properties": properties}


def test_the_definitions_of_a_model_have_a_strict_schema() -> None:
    fields = [one for one in fields_of_model(Product) if one.name != "rows"]
    assert is_strict(fields)
    assert answer_schema(fields, quotes=False)["properties"]["size"]["enum"] == [1, 2, None]


def test_values_become_an_instance() -> None:
    raw = {
        "title": " T ",
        "price": "14.50",
        "released": "2026-02-28",
        "colour": "BLUE",
        "pages": [1, 2.0],
        "offers": [{"seller": "s", "price": 3, "colour": None, "x": 1}],
    }
    data = {one.name: coerce(raw.get(one.name), one).value for one in fields_of_model(Product)}
    product = to_model(Product, data)
    assert product.title == "T"
    assert product.price == Decimal("14.5")
    assert product.released == date(2026, 2, 28)
    assert product.colour is Colour.BLUE
    assert product.pages == {1, 2}
    assert product.offers == [Offer(seller="s", price=3)]
    assert product.kind == "book"  # null, so the default
    with pytest.raises(ValueError, match="frozen"):
        product.title = "U"  # type: ignore[misc]
    assert data["stock"] is None  # the values stay as they are


def test_an_alias_is_the_name() -> None:
    class Aliased(BaseModel):
        price: float = Field(alias="unit_price")

    assert [one.name for one in fields_of_model(Aliased)] == ["unit_price"]
    assert to_model(Aliased, {"unit_price": 3}).price == 3


def test_a_missing_value_and_a_refused_one_are_named() -> None:
    data = {"title": None, "offer": {"seller": "s", "price": None}, "stock": -5}
    with pytest.raises(ExtractionError) as caught:
        to_model(Product, data)
    assert caught.value.details["model"] == "Product"
    places = [fault.partition(":")[0] for fault in caught.value.details["faults"]]
    assert places == ["title", "stock", "offer.price"]


def test_a_null_of_a_union_is_left_out_too() -> None:
    class Either(BaseModel):
        x: str | int = 5
        rows: list[str | int] = []

    assert to_model(Either, {"x": None}).x == 5
    with pytest.raises(ExtractionError):
        to_model(Either, {"rows": [None]})


def test_what_a_validator_says_is_one_line() -> None:
    class Shouting(BaseModel):
        title: str

        @field_validator("title")
        @classmethod
        def refuse(cls, title: str) -> str:
            raise ValueError(title)

    with pytest.raises(ExtractionError) as caught:
        to_model(Shouting, {"title": "a\n\x1b[31m"})
    assert caught.value.message.isprintable()


class Callback(BaseModel):
    title: str
    hook: Any


class Mixed(BaseModel):
    a: str | int
    b: dict[str, int]
    c: list[list[str]]
    d: tuple[int, str]
    e: Literal[True]
    f: Literal["a", 1]
    g: bytes
    h: str


class Spaced(BaseModel):
    price: float = Field(alias="unit price")


class Empty(BaseModel):
    pass


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (Node, "Node.parent: the model Node contains itself"),
        (Tree, "Tree.root: parent: the model Node contains itself"),
        (Callback, "Callback.hook: its type is not supported"),
        (Empty, "Empty: has no fields"),
        (Spaced, "Spaced.unit price: FieldDefinition: name"),
    ],
)
def test_a_model_that_no_definitions_have_is_refused(model: Any, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        fields_of_model(model)
    assert message in str(caught.value)


def test_each_field_of_a_type_that_is_not_supported_is_named() -> None:
    with pytest.raises(ConfigError) as caught:
        fields_of_model(Mixed)
    places = [line.partition(":")[0] for line in str(caught.value).splitlines()]
    assert places == [f"Mixed.{name}" for name in "abcdefg"]


class Deep(BaseModel):
    class Inner(BaseModel):
        bad: str | int

    inner: Inner
    empty: Empty


def test_a_fault_in_a_nested_model_names_its_field() -> None:
    with pytest.raises(ConfigError) as caught:
        fields_of_model(Deep)
    assert str(caught.value).splitlines() == [
        "Deep.inner: bad: it is a union of several types (use one type, or one | None)",
        "Deep.empty: the model has no fields",
    ]


def test_a_type_without_json_is_refused_by_name() -> None:
    class Arbitrary(BaseModel):
        model_config = ConfigDict(arbitrary_types_allowed=True)
        title: str
        thing: Exception

    with pytest.raises(ConfigError, match=r"^Arbitrary\.thing: its type is not supported"):
        fields_of_model(Arbitrary)


def test_a_model_is_loaded_by_its_path() -> None:
    assert load_model(f"{__name__}:Product") is Product


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("Product", "does not name a model"),
        ("a b:Product", "does not name a model"),
        (".x:Product", "does not name a model"),
        ("no_such_module:Product", "cannot be imported: ModuleNotFoundError"),
        (f"{__name__}:Prodct", "has no Prodct (did you mean Product?)"),
        (f"{__name__}:Colour", "Colour is not a pydantic model"),
    ],
)
def test_a_path_that_names_no_model_is_refused(path: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_model(path)
    assert message in str(caught.value)


def test_a_module_that_fails_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "failing_models.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ConfigError, match="ZeroDivisionError: division by zero"):
        load_model("failing_models:Product")
    assert "failing_models" not in sys.modules
