"""What the hostile server notes, and when it is read."""

from __future__ import annotations

import socket

from tests.servers.hostile import ALL, HostileServer

BY_NAME = {fault.name: fault for fault in ALL}


def connect_and_leave(netloc: str) -> None:
    host, port = netloc.split(":")
    socket.create_connection((host, int(port))).close()


def test_who_has_left_without_an_answer_is_counted() -> None:
    # None of these waits for the server, which has not even accepted the connection.
    faults = [BY_NAME[name] for name in ("ordinary", "tls", "closed-at-once")]
    with HostileServer(faults) as server:
        for count in range(1, 21):
            for fault in faults:
                connect_and_leave(server.netloc(fault))
                assert len(server.requests(fault)) == count
            connect_and_leave(server.victim)
            assert server.victim_hits == count
