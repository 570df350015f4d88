"""Only one room of the package uses names that Scrapy and other libraries keep private."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.private_names import UNDOCUMENTED, is_private, private_names

PACKAGE = Path(__file__).parents[1] / "wikicrawler"
ROOM = "process/internals"

LEAKS = {
    "module": ("from twisted.web._newclient import HEADER", "twisted.web._newclient.HEADER"),
    "imported module": ("import twisted.web._newclient as n", "twisted.web._newclient"),
    "imported name": ("from scrapy.core.engine import _Slot", "scrapy.core.engine._Slot"),
    "of the room": (
        "from wikicrawler.process.internals.engine_slot import _x",
        "wikicrawler.process.internals.engine_slot._x",
    ),
    "attribute": ("def f(engine): return engine._slot", "_slot"),
    "of an own name": (
        "class A:\n _slot = 1\n def f(self, engine): return engine._slot",
        "_slot",
    ),
    "of an attribute": ("class A:\n def f(self): return self.engine._slot", "_slot"),
    "written": ("def f(pool): pool._factory = None", "_factory"),
    "deleted": ("def f(pool): del pool._factory", "_factory"),
    "called on a class": (
        "from scrapy.core.scheduler import Scheduler as S\ndef f(s): S._mq(s)",
        "_mq",
    ),
    "on self": (
        "from scrapy.core.scheduler import Scheduler\n"
        "class A(Scheduler):\n def f(self): return self._mq()",
        "_mq",
    ),
    "on self, set by a base": (
        "from scrapy.core import engine\n"
        "class A(engine.ExecutionEngine):\n def f(self): return self._slot",
        "_slot",
    ),
    "on super": (
        "from scrapy.core.scheduler import Scheduler\n"
        "class A(Scheduler):\n def f(self): return super()._mq()",
        "_mq",
    ),
    "override": (
        "from scrapy.core.scheduler import Scheduler\nclass A(Scheduler):\n def _mq(self): ...",
        "_mq",
    ),
    "override by a value": (
        "from scrapy.core.downloader import Downloader\n"
        "class A(Downloader):\n _SLOT_GC_INTERVAL: float = 1.0",
        "_SLOT_GC_INTERVAL",
    ),
    "set, as a base does": (
        "from scrapy.core.downloader import Downloader\n"
        "class A(Downloader):\n def f(self): self._delay = 1",
        "_delay",
    ),
    "by a base of the module": (
        "from scrapy.core.scheduler import Scheduler\n"
        "class A(Scheduler): ...\nclass B(A):\n def _mq(self): ...",
        "_mq",
    ),
    "by a base of ours": (
        "from wikicrawler.frontier.scheduler import FrontierScheduler\n"
        "class A(FrontierScheduler):\n def _mq(self): ...",
        "_mq",
    ),
    "base of a generic": (
        "from scrapy.core.scheduler import Scheduler\n"
        "class A(Scheduler[int]):\n def _mq(self): ...",
        "_mq",
    ),
    "of a variable that is a library's": (
        "class A: ...\ndef f(make):\n x = make(A)\n return x._slot",
        "_slot",
    ),
    "getattr": ("def f(engine): return getattr(engine, '_slot', None)", "_slot"),
    "setattr": ("def f(engine): setattr(engine, '_slot', None)", "_slot"),
    "attrgetter": (
        "from operator import attrgetter\nf = attrgetter('engine._slot')",
        "_slot",
    ),
    "namespace": ("def f(engine): return vars(engine)['_slot']", "_slot"),
    "dict": ("def f(engine): return engine.__dict__['_slot']", "_slot"),
    "path": ("f = 'twisted.web._newclient.HEADER'", "twisted.web._newclient.HEADER"),
    "mangled": ("def f(x): return x._Name__y", "_Name__y"),
    "undocumented": ("def f(slot): return slot.lastseen", "lastseen"),
    "undocumented, by name": ("def f(s): return getattr(s, 'mqs', None)", "mqs"),
    "in a nested function": (
        "class A:\n def f(self):\n  def g(engine): return engine._slot\n  return g",
        "_slot",
    ),
}


@pytest.mark.parametrize(("source", "name"), LEAKS.values(), ids=LEAKS)
def test_a_private_name_is_found(source: str, name: str) -> None:
    assert {use.name for use in private_names(source)} == {name}


ALLOWED = {
    "own": "class A:\n _x = 1\n def f(self): return self._x + A._x",
    "own in a subclass of a library's": (
        "from scrapy.core.scheduler import Scheduler\n"
        "class A(Scheduler):\n def f(self):\n  self._own = 1\n  return self._own"
    ),
    "own, by a class method": (
        "class A:\n @classmethod\n def f(cls):\n  x = cls()\n  return x._g\n def _g(self): ..."
    ),
    "own, by annotation": (
        "class A:\n def f(self, other: A | None): return other._g\n def _g(self): ..."
    ),
    "of a base of ours": (
        "from wikicrawler.frontier.scheduler import FrontierScheduler\n"
        "class A(FrontierScheduler):\n def f(self): return self._codec"
    ),
    "of a base of the module": (
        "class A:\n def _g(self): ...\nclass B(A):\n def f(self): return super()._g()"
    ),
    "local variable": (
        "from scrapy.core.scheduler import Scheduler\n"
        "class A(Scheduler):\n def f(self):\n  _mq = 1\n  return _mq"
    ),
    "named tuple": "def f(row): return row._replace(x=1)._asdict()",
    "dunder": "def f(x): return x.__class__.__name__",
    "exit": "import os\nos._exit(1)",
    "module's own": "_x = 1\ndef f(): return _x",
    "no path": "f = 'of a text._x'",
}


@pytest.mark.parametrize("source", ALLOWED.values(), ids=ALLOWED)
def test_a_name_of_ones_own_is_not(source: str) -> None:
    assert private_names(source) == []


MODULES = {path.relative_to(PACKAGE).as_posix(): path for path in sorted(PACKAGE.rglob("*.py"))}
OUTSIDE = [name for name in MODULES if not name.startswith(f"{ROOM}/")]
INSIDE = [name for name in MODULES if name.startswith(f"{ROOM}/")]


def test_private_names_of_libraries_are_used_in_one_room_only() -> None:
    found = {
        f"{module}:{use.line}: {use.name}"
        for module in OUTSIDE
        for use in private_names(MODULES[module].read_text("utf-8"))
    }
    assert found == set()


@pytest.mark.parametrize("module", INSIDE)
def test_the_room_documents_each_private_name(module: str) -> None:
    source = MODULES[module].read_text("utf-8")
    text = ast.get_docstring(ast.parse(source)) or ""
    used = {use.name for use in private_names(source)}
    names = {part for name in used for part in name.split(".") if is_private(part)}
    names |= used & UNDOCUMENTED
    assert {name for name in names if not re.search(rf"\b{name}\b", text)} == set()


def test_the_room_has_private_names() -> None:
    assert len(INSIDE) > 10
    assert sum(len(private_names(MODULES[name].read_text("utf-8"))) for name in INSIDE) > 30
