"""Serves faults, each at an address of its own, and notes what was asked."""

from __future__ import annotations

import selectors
import socket
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from tests.servers.hostile.connection import Connection, Request, read_request

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.servers.hostile.fault import Fault

_BACKLOG = 64
_LONGEST_WAIT = 30  # seconds


class HostileServer:
    """Context manager: a thread that accepts, and one for each connection."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._selector = selectors.DefaultSelector()
        self._wake, self._woken = socket.socketpair()
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._victim = _listen("127.127.127.127")
        self._victim_hits = 0
        self._sites = [_Site(fault, number) for number, fault in enumerate(faults)]
        self._by_name = {site.fault.name: site for site in self._sites}

    def __enter__(self) -> Self:
        self._selector.register(self._wake, selectors.EVENT_READ)
        self._selector.register(self._victim, selectors.EVENT_READ)
        for site in self._sites:
            if site.fault.listen == "open":
                self._selector.register(site.socket, selectors.EVENT_READ, site)
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._woken.close()
        self._thread.join()
        with self._lock:
            for sock in self._open:
                with suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)  # ends the thread that waits on it
        for site in self._sites:
            site.close()
        self._victim.close()
        self._wake.close()
        self._selector.close()

    def url(self, fault: Fault) -> str:
        """The page at which a crawl meets *fault*."""
        return self._by_name[fault.name].url

    def netloc(self, fault: Fault) -> str:
        """Address and port of *fault*, or the host that it has instead."""
        return self._by_name[fault.name].netloc

    @property
    def victim(self) -> str:
        """Address and port that no crawl may reach."""
        address, port = self._victim.getsockname()
        return f"{address}:{port}"

    @property
    def victim_hits(self) -> int:
        """How many connections :attr:`victim` has had."""
        self._settle()
        return self._victim_hits

    def requests(self, fault: Fault) -> list[Request]:
        """What was asked of *fault*, in order; connections without a request have no path."""
        self._settle()
        with self._lock:
            return list(self._by_name[fault.name].requests)

    def sources(self) -> str:
        """The configuration file of the operator, who knows the wikis among the faults."""
        lines = [
            f'  "{site.netloc}": {site.origin}/api.php\n' for site in self._sites if site.fault.api
        ]
        return "mediawiki_sites:\n" + "".join(lines) if lines else "mediawiki_sites: {}\n"

    def _settle(self) -> None:
        """Wait until every connection that was made is counted and closed. A client may have given
        up and gone before the server's thread has noted it.

        Raises:
            TimeoutError: a client still has a connection after 30 seconds.
        """
        give_up = time.monotonic() + _LONGEST_WAIT
        while not self._is_quiet():
            if time.monotonic() > give_up:
                raise TimeoutError("connections to the hostile server are still open")
            time.sleep(0.01)

    def _is_quiet(self) -> bool:
        with self._lock:
            return not self._open and not self._selector.select(timeout=0)

    def _accept(self) -> None:
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is self._wake:
                    return
                with suppress(OSError), self._lock:  # OSError: it has gone already
                    self._take(key.fileobj, key.data)  # type: ignore[arg-type]

    def _take(self, listening: socket.socket, site: _Site | None) -> None:
        """Accept a connection to *site*, or to the victim. Under the lock, so that it is always
        either waiting or in ``_open``."""
        sock, _ = listening.accept()
        if site is None:
            self._victim_hits += 1
            sock.close()
            return
        self._open.add(sock)
        threading.Thread(target=self._serve, args=(sock, site), daemon=True).start()

    def _serve(self, sock: socket.socket, site: _Site) -> None:
        tls = None
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            request = Request(time.monotonic())
            if site.fault.greet is not None:
                self._note(site, request)
                site.fault.greet(Connection(sock, request, self._names(site)))
                return
            wire = sock
            if site.tls is not None:
                try:
                    wire = tls = site.tls.wrap_socket(sock, server_side=True)
                except OSError:
                    self._note(site, request)
                    return
                with self._lock:
                    self._open.add(tls)
            asked = read_request(wire)
            if asked is None:
                self._note(site, request)
                return
            self._note(site, asked)
            serve = site.fault.robots if asked.route == "/robots.txt" else site.fault.serve
            serve(Connection(wire, asked, self._names(site)), asked)
        except OSError:
            pass  # the client has gone, or the server is stopped
        finally:
            with self._lock:
                self._open -= {sock, tls}
            for end in (tls, sock):
                if end is not None:
                    with suppress(OSError):
                        end.close()

    def _note(self, site: _Site, request: Request) -> None:
        with self._lock:
            site.requests.append(request)
            request.number = sum(r.route != "/robots.txt" for r in site.requests)

    def _names(self, site: _Site) -> dict[str, str]:
        return {
            "origin": site.origin,
            "netloc": site.netloc,
            "victim": f"http://{self.victim}",
        }


class _Site:
    """One fault's server."""

    def __init__(self, fault: Fault, number: int) -> None:
        self.fault = fault
        self.requests: list[Request] = []
        address = f"127.64.{number // 250}.{number % 250 + 1}"
        self.socket = _listen(address, fault.listen)
        self._fill: list[socket.socket] = []
        if fault.listen == "full":
            for _ in range(2):
                self._fill.append(filler := socket.socket())
                filler.setblocking(False)
                filler.connect_ex(self.socket.getsockname())
        self.tls = fault.tls(address) if fault.tls else None
        self.netloc = fault.host or f"{address}:{self.socket.getsockname()[1]}"
        self.origin = f"{'https' if fault.tls else 'http'}://{self.netloc}"
        self.url = self.origin + (f"/f/{fault.name}" if fault.path is None else fault.path)

    def close(self) -> None:
        for sock in (self.socket, *self._fill):
            sock.close()


def _listen(address: str, how: str = "open") -> socket.socket:
    sock = socket.socket()
    sock.bind((address, 0))
    if how != "refused":  # a port that is bound and does not listen refuses, and is nobody else's
        sock.listen(0 if how == "full" else _BACKLOG)
    return sock
