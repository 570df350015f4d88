"""All SQL is in ``wikicrawler.store``: no other room imports SQLAlchemy, but for annotations."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import wikicrawler

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(wikicrawler.__file__).parent


def imported(tree: ast.AST) -> Iterator[str]:
    """Names of the modules that *tree* imports when it runs, inside functions too."""
    if isinstance(tree, ast.If) and ast.unparse(tree.test) == "TYPE_CHECKING":
        return
    if isinstance(tree, ast.Import):
        yield from (name.name for name in tree.names)
    elif isinstance(tree, ast.ImportFrom) and not tree.level:
        yield tree.module or ""
    for child in ast.iter_child_nodes(tree):
        yield from imported(child)


def users(library: str) -> set[str]:
    """Modules of the package that import *library* when they run, as paths in the package."""
    return {
        file.relative_to(PACKAGE).as_posix()
        for file in PACKAGE.rglob("*.py")
        for name in imported(ast.parse(file.read_text("utf-8")))
        if name.partition(".")[0] == library
    }


def test_no_other_room_imports_sqlalchemy() -> None:
    found = users("sqlalchemy")
    assert "store/attempt_sums.py" in found
    assert {path for path in found if not path.startswith("store/")} == set()
