"""A library without a private name that the package uses ends the start with a plain error."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from wikicrawler.errors import LibraryVersionError
from wikicrawler.process.internals.engine_slot import check
from wikicrawler.process.internals.presence import imported_from, require


class Library:
    _value = 1

    def _method(self, body: bytes, *, limit: int) -> None: ...


def test_a_name_that_is_there_is_accepted() -> None:
    require(Library, "_value", library="scrapy", purpose="This test")
    require(Library(), "_method", "body", "limit", library="scrapy", purpose="This test")
    check()


@pytest.mark.parametrize(
    ("needed", "problem"),
    [
        (["_gone"], "Library._gone is missing"),
        (["_value", "body"], "Library._value is not a function"),
        (["_method", "body", "size"], "Library._method does not take body, size"),
    ],
    ids=["missing", "no function", "other parameters"],
)
def test_the_error_names_what_is_missing_and_what_to_install(
    needed: list[str], problem: str
) -> None:
    name, *parameters = needed
    with pytest.raises(LibraryVersionError) as found:
        require(Library, name, *parameters, library="scrapy", purpose="This test")
    assert str(found.value) == (
        f"This test cannot work with scrapy {version('scrapy')}: {problem}; install "
        "scrapy>=2.19,<2.20"
    )


def test_so_does_a_failed_import() -> None:
    with (
        pytest.raises(LibraryVersionError, match=r"with scrapy 2\.19\S*: .*'_Gone'.*; install"),
        imported_from("scrapy", "This test"),
    ):
        from scrapy.core.engine import _Gone  # type: ignore[attr-defined]  # noqa: F401
