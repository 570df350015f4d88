"""A library that lacks a private name raises an error that explains it."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from wikicrawler.errors import LibraryVersionError
from wikicrawler.process.internals.engine_slot import check_engine
from wikicrawler.process.internals.presence import imported_from, require


class Library:
    _value = 1

    def _method(self, body: bytes, *, limit: int) -> None: ...


def test_an_existing_name_is_accepted() -> None:
    require(Library, "_value", library="scrapy", purpose="This test")
    require(Library(), "_method", "body", "limit", library="scrapy", purpose="This test")
    check_engine()


@pytest.mark.parametrize(
    ("needed", "problem"),
    [
        (["_gone"], "Library._gone is missing"),
        (["_value", "body"], "Library._value is not a function"),
        (["_method", "body", "size"], "Library._method does not take body, size"),
    ],
    ids=["missing", "no function", "other parameters"],
)
def test_the_error_has_the_missing_name_and_the_version_to_install(
    needed: list[str], problem: str
) -> None:
    name, *parameters = needed
    with pytest.raises(LibraryVersionError) as found:
        require(Library, name, *parameters, library="scrapy", purpose="This test")
    assert str(found.value) == (
        f"This test cannot work with scrapy {version('scrapy')}: {problem}; install "
        "scrapy>=2.19,<2.20"
    )


def test_a_failed_import_raises_the_same_error() -> None:
    with (
        pytest.raises(LibraryVersionError, match=r"with scrapy 2\.19\S*: .*'_Gone'.*; install"),
        imported_from("scrapy", "This test"),
    ):
        from scrapy.core.engine import _Gone  # type: ignore[attr-defined]  # noqa: F401
