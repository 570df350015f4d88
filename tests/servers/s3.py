"""A real API of S3 on loopback: moto's server, with faults that a test asks for.

::

    with RealS3() as s3:
        bucket = s3.new_bucket()
        settings = s3.settings       # the endpoint and the credentials, as Scrapy names them
        s3.before = lambda call: ...  # sees each request; may return a Fault

Tests use the fixture ``s3``.
"""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from tests.servers.serving import Serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SECRET = "sesame-of-the-bucket"  # noqa: S105
TOKEN = "token-of-the-session"  # noqa: S105


class Call(NamedTuple):
    """A request."""

    method: str
    path: str
    """``/bucket/key``."""
    query: str
    creates: bool
    """Whether it has ``If-None-Match: *``."""


@dataclass(frozen=True)
class Fault:
    """What comes of a request instead of the answer."""

    status: int | None = None
    """An error of this status instead of what was asked for; None: the connection breaks."""
    code: str = "InternalError"
    done: bool = False
    """Whether the request is carried out nevertheless."""


class RealS3(Serving):
    """Context manager. The buckets are those of this process."""

    def __init__(self) -> None:
        from moto.moto_server.werkzeug_app import (
            DomainDispatcherApplication,
            create_backend_app,
        )
        from werkzeug.serving import WSGIRequestHandler, make_server

        class Silent(WSGIRequestHandler):
            protocol_version = "HTTP/1.1"

            def log(self, *args: Any) -> None:
                """:attr:`RealS3.calls` is the log."""

        self._app = DomainDispatcherApplication(create_backend_app)
        self._lock = threading.Lock()
        self._http = make_server(
            "127.0.0.1", 0, self._answer, threaded=True, request_handler=Silent
        )
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        self.reset()

    def reset(self) -> None:
        """Forget the requests and what was asked for; the buckets remain."""
        self.calls: list[Call] = []
        self.before: Callable[[Call], Fault | None] = lambda _: None
        """Is called with each request before it is carried out, one at a time."""
        self.after: Callable[[Call], None] = lambda _: None
        """Is called with each request after it was carried out, before the answer."""
        self.ignores_conditions = False
        """Whether ``If-None-Match`` has no effect."""

    @property
    def settings(self) -> dict[str, str]:
        return {
            "AWS_ENDPOINT_URL": self.url,
            "AWS_ACCESS_KEY_ID": "someone",
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_SESSION_TOKEN": TOKEN,
        }

    def client(self) -> Any:
        """A client as anybody has it."""
        from boto3.session import Session

        return Session().client(
            "s3",
            endpoint_url=self.url,
            region_name="us-east-1",
            aws_access_key_id="someone",
            aws_secret_access_key=SECRET,
        )

    def new_bucket(self) -> str:
        name = f"staging-{uuid4()}"
        self.client().create_bucket(Bucket=name)
        return name

    def _answer(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        call = Call(
            environ["REQUEST_METHOD"],
            environ["PATH_INFO"],
            environ["QUERY_STRING"],
            environ.get("HTTP_IF_NONE_MATCH") == "*",
        )
        if self.ignores_conditions:
            environ.pop("HTTP_IF_NONE_MATCH", None)
        with self._lock:
            self.calls.append(call)
            fault = self.before(call)
            done: list[Any] = []
            body: Iterable[bytes] = ()
            if fault is None or fault.done:
                body = list(self._app(environ, lambda *given: done.append(given)))
                self.after(call)
        if fault is None:
            start(*done[-1][:2])
            return body
        if fault.status is None:
            with suppress(OSError):  # the client is gone
                environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
            return ()
        text = f"<Error><Code>{fault.code}</Code><Message>as told</Message></Error>".encode()
        start(f"{fault.status} X", [("Content-Length", str(len(text)))])
        return [text]
