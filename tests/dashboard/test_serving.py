"""The process of the dashboard."""

from __future__ import annotations

import signal
import socket
from typing import TYPE_CHECKING

import pytest

from tests.servers.dashboard import RealDashboard

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_without_a_word(tmp_path: Path, number: signal.Signals) -> None:
    with RealDashboard(tmp_path / "project") as dashboard:
        assert dashboard.get("/").status_code == 200
        dashboard.process.send_signal(number)
        assert dashboard.process.wait(60) == 0
        assert (dashboard.folder / "dashboard.log").read_text() == ""


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        with pytest.raises(AssertionError, match=f"--port {port}: Address already in use"):
            RealDashboard(tmp_path / "project").start(int(port))
