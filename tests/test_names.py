"""The names that the documentation and docstrings give exist."""

from __future__ import annotations

import ast
import builtins
import inspect
import pkgutil
import re
import tokenize
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "wikicrawler"
PAGES = [ROOT / "README.md", ROOT / "CHANGES.md", *sorted((ROOT / "docs").glob("*.md"))]

# Settings (WIKICRAWLER_X) and stats (wikicrawler/x) have no dot; paths (x/wikicrawler.y) are files.
DOTTED = re.compile(r"(?<![\w./-])wikicrawler(?:\.[A-Za-z_]\w*)+")
IMPORT = re.compile(r"\bfrom (wikicrawler[\w.]*) import (\w+(?:, \w+)*)")
FILES = {"wikicrawler.sqlite"}
"""Names of files, which look like those of modules."""
ROLE = re.compile(r":(?:attr|class|data|exc|func|meth|mod|obj):`(?:[^`<]*<)?~?([\w.]+)>?`")


def exists(name: str) -> bool:
    """Return True if the dotted *name* is a module, an object in one, or an attribute of a class,
    which may be one of its instances' alone."""
    try:
        pkgutil.resolve_name(name)
    except (ImportError, AttributeError):
        owner, _, attribute = name.rpartition(".")
        return bool(owner) and _is_instances(owner, attribute)
    except ValueError:  # not a name
        return False
    return True


def _is_instances(owner: str, attribute: str) -> bool:
    try:
        found = pkgutil.resolve_name(owner)
    except (ImportError, AttributeError, ValueError):
        return False
    if not inspect.isclass(found):
        return False
    own = [cls for cls in found.__mro__ if cls.__module__.startswith("wikicrawler.")]
    set_in_init = re.compile(rf"\bself\.{attribute}(?:: .+)? = ")
    return any(
        attribute in inspect.get_annotations(cls) or set_in_init.search(inspect.getsource(cls))
        for cls in own
    )


class Docstrings(ast.NodeVisitor):
    """The docstrings of a module, with the scopes in which their names are looked up."""

    def __init__(self, module: str, tree: ast.Module) -> None:
        self.found: list[tuple[str, list[str]]] = []
        self._scopes = [module]
        self._imports = {
            alias.asname or alias.name: f"{node.module}.{alias.name}"
            for node in ast.walk(tree)  # those for type checkers alone too
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        self.visit(tree)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._scopes.append(f"{self._scopes[-1]}.{node.name}")
        self.generic_visit(node)
        self._scopes.pop()

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            self.found.append((node.value.value, list(self._scopes)))
        self.generic_visit(node)

    def resolves(self, name: str, scopes: list[str]) -> bool:
        """Return True if *name*, as a docstring in *scopes* gives it, exists."""
        first, _, rest = name.partition(".")
        imported = f"{self._imports.get(first, '')}.{rest}".rstrip(".")
        places = [f"{scope}.{name}" for scope in scopes]
        return any(map(exists, [*places, imported, name])) or hasattr(builtins, name)


def unknown_names(file: Path) -> Iterator[str]:
    """Yield the names in docstrings and comments of *file* that do not exist."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    docstrings = Docstrings(module, ast.parse(file.read_text("utf-8")))
    with file.open("rb") as source:
        tokens = list(tokenize.tokenize(source.readline))
    comments = [(t.string, [module]) for t in tokens if t.type == tokenize.COMMENT]
    for text, scopes in [*docstrings.found, *comments]:
        for name in {*ROLE.findall(text), *DOTTED.findall(text)} - FILES:
            if not docstrings.resolves(name, scopes):
                yield f"{module}: {name}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_names_in_the_documentation_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    names = set(DOTTED.findall(text)) - FILES
    for module, imported in IMPORT.findall(text):
        names |= {f"{module}.{name}" for name in imported.split(", ")}
    assert [name for name in sorted(names) if not exists(name)] == []


def test_the_names_in_docstrings_and_comments_exist() -> None:
    assert [name for file in sorted(PACKAGE.rglob("*.py")) for name in unknown_names(file)] == []


def test_a_name_that_does_not_exist_is_found() -> None:
    assert exists("wikicrawler.tiers.failures.TiersExhausted")
    assert exists("wikicrawler.tiers.failures.TiersExhausted.reason")  # an instance's
    assert not exists("wikicrawler.errors.TiersExhausted")
    assert not exists("wikicrawler.tiers.failures.TiersExhausted.nowhere")
    assert not exists("wikicrawler.nowhere")
