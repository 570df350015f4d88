"""Checks that a library has the private names that this package uses."""

from __future__ import annotations

from contextlib import contextmanager
from inspect import signature
from typing import TYPE_CHECKING

from wikicrawler.errors import LibraryVersionError

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORKING_VERSIONS = {
    "scrapy": "scrapy>=2.19,<2.20",
    "twisted": "another version (Twisted 26.10 works)",
    "readability-lxml": "readability-lxml>=0.9,<1",
}
"""The versions to install, by distribution."""


@contextmanager
def imported_from(library: str, purpose: str) -> Iterator[None]:
    """Return a context manager for imports of private names from *library*, a distribution name.

    :raises LibraryVersionError: an import in the context fails
    """
    try:
        yield
    except ImportError as error:
        raise _missing(library, str(error), purpose) from error


def require(owner: object, name: str, *parameters: str, library: str, purpose: str) -> None:
    """Check that *owner* has the attribute *name*; with *parameters*, that it is callable with
    these parameter names.

    :param library: the name of a distribution
    :param purpose: the part of this package that needs it, as the subject of a sentence
    :raises LibraryVersionError: the check fails
    """
    cls = owner if isinstance(owner, type) else type(owner)
    missing = object()
    found = getattr(owner, name, missing)
    if found is missing:
        raise _missing(library, f"{cls.__name__}.{name} is missing", purpose)
    if not parameters:
        return
    if not callable(found):
        raise _missing(library, f"{cls.__name__}.{name} is not a function", purpose)
    if not set(parameters) <= set(signature(found).parameters):
        needed = ", ".join(parameters)
        raise _missing(library, f"{cls.__name__}.{name} does not take {needed}", purpose)


def _missing(library: str, problem: str, purpose: str) -> LibraryVersionError:
    # Imported here: worker processes import this module, but do not need importlib.metadata.
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    try:
        installed = version(library)
    except PackageNotFoundError:  # copied, not installed
        installed = "of unknown version"
    return LibraryVersionError(
        f"{purpose} cannot work with {library} {installed}: {problem}; "
        f"install {_WORKING_VERSIONS[library]}"
    )
