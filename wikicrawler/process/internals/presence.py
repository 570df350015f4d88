"""Checks that a library has the private names that this package uses."""

from __future__ import annotations

from contextlib import contextmanager
from inspect import signature
from typing import TYPE_CHECKING

from wikicrawler.errors import LibraryVersionError

if TYPE_CHECKING:
    from collections.abc import Iterator

_RIGHT = {
    "scrapy": "scrapy>=2.19,<2.20",
    "twisted": "another version (Twisted 26.10 works)",
    "readability-lxml": "readability-lxml>=0.9,<1",
}
"""What to install, by distribution."""


@contextmanager
def imported_from(library: str, purpose: str) -> Iterator[None]:
    """Context of the imports of private names from *library*, the name of a distribution.

    :raises LibraryVersionError: an import in it fails
    """
    try:
        yield
    except ImportError as error:
        raise _missing(library, str(error), purpose) from error


def require(owner: object, name: str, *parameters: str, library: str, purpose: str) -> None:
    """Check that *owner* has the attribute *name*; with *parameters*, that it is callable and has
    parameters of these names.

    :param library: the name of a distribution
    :param purpose: what of this package needs it, as the subject of a sentence
    :raises LibraryVersionError: it has not
    """
    of = owner if isinstance(owner, type) else type(owner)
    missing = object()
    found = getattr(owner, name, missing)
    if found is missing:
        raise _missing(library, f"{of.__name__}.{name} is missing", purpose)
    if not parameters:
        return
    if not callable(found):
        raise _missing(library, f"{of.__name__}.{name} is not a function", purpose)
    if not set(parameters) <= set(signature(found).parameters):
        needed = ", ".join(parameters)
        raise _missing(library, f"{of.__name__}.{name} does not take {needed}", purpose)


def _missing(library: str, problem: str, purpose: str) -> LibraryVersionError:
    # Here, because worker processes import this module and do without the other.
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    try:
        installed = version(library)
    except PackageNotFoundError:  # it was copied, not installed
        installed = "of unknown version"
    return LibraryVersionError(
        f"{purpose} cannot work with {library} {installed}: {problem}; install {_RIGHT[library]}"
    )
