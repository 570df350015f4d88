"""Names of processes that share a database."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from wikicrawler.process.owner import is_gone, own_name, own_part

if TYPE_CHECKING:
    import pytest

PID = os.getpid()


def name_of_another() -> str:
    """The name of a process that has ended."""
    code = "from wikicrawler.process.owner import own_name; print(own_name())"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return ended.stdout.strip()


def test_a_process_that_ended_is_gone_and_this_one_is_not() -> None:
    assert is_gone(name_of_another())
    assert not is_gone(own_name())


def test_an_id_that_another_process_has_now_is_gone() -> None:
    assert is_gone(own_name() + "1")


def test_a_part_is_gone_with_its_process() -> None:
    one, other = own_part(), own_part()
    assert one != other
    assert not is_gone(one)
    assert is_gone(name_of_another() + "#1")


def test_of_other_namespaces_and_hosts_nothing_is_known() -> None:
    host, pid, started = name_of_another().split("/")
    machine, _, namespace = host.rpartition(":")
    assert machine == socket.gethostname()
    assert int(namespace) == Path("/proc/self/ns/pid").stat().st_ino
    for other in (f"{machine}:{int(namespace) + 1}", f"other:{namespace}", machine):
        assert not is_gone(f"{other}/{pid}/{started}")
    for wrong in ("", "x", "x/1", f"{host}/x/1"):
        assert not is_gone(wrong)


def test_without_proc_the_name_has_no_namespace(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(path: Path, **_: object) -> os.stat_result:
        raise FileNotFoundError(path)

    monkeypatch.setattr(Path, "stat", missing)
    assert own_name().startswith(f"{socket.gethostname()}/{PID}/")
    assert not is_gone(own_name())
