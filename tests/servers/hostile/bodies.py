"""Bodies that are shorter, longer or other than the headers say."""

from __future__ import annotations

import gzip
import sys
import zlib
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import brotli

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

from tests.servers.hostile.answers import page, raw
from tests.servers.hostile.connection import GOOD, WORDS
from tests.servers.hostile.fault import Fault, item, skip
from wikicrawler.errors import Reason

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.servers.hostile.connection import Connection, Request
    from tests.servers.hostile.fault import Expect, Serve

LENGTH = "short Content-Length, cut chunk, RST mid-body"
ENDLESS = "endless body, 10 GB, bombs"
CODING = "wrong Content-Encoding"
BODY = GOOD.encode()
LONG = GOOD.replace("</main>", "<p>And more of them.</p>" * 4000 + "</main>")
ZEROS = b"\0" * 2**20
BOMB_MB = 64


def _head(*lines: str) -> bytes:
    return "\r\n".join(("HTTP/1.1 200 OK", "Content-Type: text/html", *lines, "", "")).encode()


def _lengths(*values: str, body: bytes = BODY) -> Serve:
    return raw(_head(*(f"Content-Length: {value}" for value in values)) + body)


def _both(conn: Connection, request: Request) -> None:
    conn.send(_head("Content-Length: 7", "Transfer-Encoding: chunked"))
    conn.send(f"{SIZE}{GOOD}\r\n0\r\n\r\n")


def _bytewise(text: str) -> str:
    return "".join(f"1\r\n{character}\r\n" for character in text)


def _chunks(data: bytes | str) -> Serve:
    raw_data = data if isinstance(data, bytes) else data.encode()
    return raw(_head("Transfer-Encoding: chunked") + raw_data)


def _endless(*lines: str, chunk: bytes = b"<p>word " * 8192) -> Serve:
    def serve(conn: Connection, request: Request) -> None:
        conn.send(_head(*lines))
        conn.flood(chunk)

    return serve


def _coded(body: bytes | Callable[[], bytes], coding: str) -> Serve:
    return page(body, headers={"Content-Encoding": coding})


@lru_cache
def _bomb(coding: str) -> bytes:
    """As much as 64 MB, in kilobytes."""
    if coding == "br":
        packer = brotli.Compressor(quality=1)
        return b"".join(packer.process(ZEROS) for _ in range(BOMB_MB)) + packer.finish()
    if coding == "zstd":
        packer = zstd.ZstdCompressor()
        return b"".join(packer.compress(ZEROS) for _ in range(BOMB_MB)) + packer.flush()
    bits = {"gzip": 31, "deflate": 15}[coding]
    deflater = zlib.compressobj(9, wbits=bits)
    return b"".join(deflater.compress(ZEROS) for _ in range(BOMB_MB)) + deflater.flush()


def _row(group: str, name: str, serve: Serve, expect: Expect) -> Fault:
    return Fault(name, group, serve, expect)


SIZE = f"{len(BODY):x}\r\n"
UNDECODABLE = skip(Reason.NETWORK, detail="cannot be decoded")
NETWORK, TOO_LARGE = skip(Reason.NETWORK), skip(Reason.TOO_LARGE)

FAULTS = (
    *(
        _row(LENGTH, name, serve, expect)
        for name, serve, expect in (
            ("length-too-large", _lengths(str(len(BODY) + 100)), NETWORK),
            ("length-negative", _lengths("-5"), NETWORK),
            ("length-twice", _lengths(str(len(BODY)), "7"), NETWORK),
            ("length-no-number", _lengths("many"), NETWORK),
            ("length-of-5000-digits", _lengths("9" * 5000), NETWORK),
            ("chunk-cut", _chunks(SIZE + GOOD[:200]), NETWORK),
            ("chunks-without-end", _chunks(f"{SIZE}{GOOD}\r\n"), NETWORK),
            ("chunk-size-bad", _chunks(f"xyz\r\n{GOOD}\r\n0\r\n\r\n"), NETWORK),
            ("chunk-size-negative", _chunks(f"-5\r\n{GOOD}\r\n0\r\n\r\n"), NETWORK),
            ("chunk-size-huge", _chunks(f"{'F' * 40}\r\n{GOOD}"), NETWORK),
            ("chunk-extension-huge", _chunks(f"5;{'x' * 2**20}\r\nhello\r\n0\r\n\r\n"), NETWORK),
            (
                "chunks-with-trailers",
                _chunks(f"{SIZE}{GOOD}\r\n0\r\nX-End: yes\r\n\r\n"),
                item(WORDS),
            ),
            ("chunks-of-a-byte", _chunks(_bytewise(LONG) + "0\r\n\r\n"), item(WORDS)),
            ("length-and-chunks", _both, item(WORDS)),
            ("length-of-0", _lengths("0"), skip(Reason.EMPTY)),
            # HTTP has no way to tell: the message ends there (RFC 9112, section 6.3).
            ("length-too-small", _lengths(str(len(LONG) // 2), body=LONG.encode()), item(WORDS)),
            ("nothing-but-nuls", page(b"\0" * 2**20), skip(Reason.NOT_HTML)),
            ("partial-content", page(status=206), skip(Reason.HTTP_ERROR)),
        )
    ),
    *(
        Fault(name, ENDLESS, serve, TOO_LARGE, requests=range(1, 2))
        for name, serve in {
            "endless-body": _endless(),
            "endless-chunks": _endless(
                "Transfer-Encoding: chunked", chunk=b"%x\r\n%s\r\n" % (len(ZEROS), ZEROS)
            ),
            "length-of-10-gb": _endless(f"Content-Length: {10 * 2**30}"),
            "body-of-21-mb": page(lambda: BODY + b"<p>word " * (21 * 2**17)),
            **{
                f"bomb-{coding}": _coded(partial(_bomb, coding), coding)
                for coding in ("gzip", "deflate", "br", "zstd")
            },
            "bomb-gzip-in-gzip": _coded(lambda: gzip.compress(_bomb("gzip")), "gzip, gzip"),
            "bomb-gzip-thrice": _coded(
                lambda: gzip.compress(gzip.compress(_bomb("gzip"))), "gzip, gzip, gzip"
            ),
        }.items()
    ),
    *(
        _row(CODING, name, serve, expect)
        for name, serve, expect in (
            ("says-gzip-is-plain", _coded(BODY, "gzip"), item(WORDS)),
            ("says-br-is-plain", _coded(BODY, "br"), item(WORDS)),
            ("says-deflate-is-plain", _coded(BODY, "deflate"), item(WORDS)),
            ("coding-not-ascii", page(headers={"Content-Encoding": b"\xff\xfe"}), item(WORDS)),
            ("coding-unknown", _coded(BODY, "x-rot13"), item(WORDS)),
            ("gzip-unannounced", page(gzip.compress(BODY)), skip(Reason.NOT_HTML)),
            ("gzip-cut", _coded(gzip.compress(BODY)[:-20], "gzip"), UNDECODABLE),
            (
                "gzip-with-more-behind",
                _coded(gzip.compress(BODY) + b"\0" * 99, "gzip"),
                item(WORDS),
            ),
            (
                "gzip-in-two-streams",
                _coded(gzip.compress(BODY[:200]) + gzip.compress(BODY[200:]), "gzip"),
                item(WORDS),
            ),
            *(
                (f"{name}-in-a-million-streams", _coded(body, coding), UNDECODABLE)
                for name, coding, body in (
                    ("gzip", "gzip", lambda: gzip.compress(b"") * 900_000),
                    ("zstd", "zstd", lambda: zstd.compress(b"") * 1_500_000),
                    (
                        "nested",
                        "zstd, br",
                        lambda: brotli.compress(zstd.compress(b"") * 1_500_000, quality=1),
                    ),
                )
            ),
            ("gzip-of-nothing", _coded(b"", "gzip"), skip(Reason.EMPTY)),
            *(
                (f"{coding}-noise", _coded(bytes(range(256)), coding), UNDECODABLE)
                for coding in ("gzip", "deflate", "br", "zstd")
            ),
        )
    ),
)
