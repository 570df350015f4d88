"""The package's modules form no circle of imports, those for type checkers included."""

from __future__ import annotations

from pathlib import Path

import pytest

import wikicrawler
from tests.imports import circles, graph_of, imports_of

PACKAGE = Path(wikicrawler.__file__).parent


def test_there_is_no_circle_of_imports() -> None:
    graph = graph_of(PACKAGE)
    assert len(graph) > 200
    assert circles(graph) == []


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"a"}}, [["a", "b"]]),
        ({"a": {"b", "d"}, "b": {"c"}, "c": {"a"}, "d": set()}, [["a", "b", "c"]]),
        ({"a": {"b"}, "b": {"a", "c"}, "c": {"d"}, "d": {"c"}}, [["a", "b"], ["c", "d"]]),
        ({"a": {"b", "c"}, "b": {"d"}, "c": {"d"}, "d": set()}, []),  # a diamond is no circle
        (
            {"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": {"b"}},  # two that share a module
            [["a", "b", "c", "d"]],
        ),
    ],
)
def test_circles_are_found(graph: dict[str, set[str]], expected: list[list[str]]) -> None:
    assert circles(graph) == expected


SNIPPET = """
import p.plain
import os
from p import sub, name
from p.sub import thing as other
from typing import TYPE_CHECKING
from .near import x
from . import sibling
if TYPE_CHECKING:
    from p.typed import T
def f():
    import p.late
"""


def test_imports_are_found_wherever_they_stand() -> None:
    names = (
        "p",
        "p.plain",
        "p.sub",
        "p.typed",
        "p.late",
        "p.q",
        "p.q.near",
        "p.q.sibling",
        "p.q.me",
    )
    known = dict.fromkeys(names)
    found = imports_of(SNIPPET, "p.q.me", is_package=False, known=known)
    assert found == {*known} - {"p.q", "p.q.me"}
    assert imports_of("from . import me", "p.q", is_package=True, known=known) == {"p.q.me"}
    assert imports_of("from .. import plain", "p.q.me", is_package=False, known=known) == {
        "p.plain"
    }


def test_a_circle_for_type_checkers_alone_is_one(tmp_path: Path) -> None:
    package = tmp_path / "p"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "a.py").write_text("from p import b\n")
    (package / "b.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from p.a import X\n"
    )
    assert circles(graph_of(package)) == [["p.a", "p.b"]]


def test_the_init_of_a_package_is_a_module(tmp_path: Path) -> None:
    package = tmp_path / "p"
    package.mkdir()
    (package / "__init__.py").write_text("from p.a import X\n")
    (package / "a.py").write_text("from p import Y\n")
    assert circles(graph_of(package)) == [["p", "p.a"]]
