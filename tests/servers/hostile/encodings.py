"""Text in other encodings than the page says, and files that say that they are pages."""

from __future__ import annotations

import io
import zipfile

from tests.servers.hostile.answers import html, page
from tests.servers.hostile.fault import Expect, Fault, item, skip
from wikicrawler.errors import Reason

CHARSET = "wrong charset, BOM, NUL, lone surrogates, C0"
FILES = "PDF, PNG, ELF labelled html"
TEXT = "Der Müller mahlt Weizen, Roggen und Gerste. " * 20
PAGE = html(f"<p>{TEXT}</p>").replace("<meta charset=utf-8>", "")
TYPE = "text/html; charset={}"


def _zip() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        file.writestr("a.html", PAGE)
    return made.getvalue()


def _row(name: str, body: bytes, content_type: str, expect: Expect | None = None) -> Fault:
    return Fault(
        f"charset-{name}",
        CHARSET,
        page(body, headers={"Content-Type": content_type}),
        expect or item("Der Müller mahlt Weizen"),
        requests=range(1, 2),
    )


MAGIC = {
    "pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj <</Type /Catalog>> endobj\n" * 50,
    "png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\1\0\x08\6\0\0\0" + bytes(range(256)) * 20,
    "elf": b"\x7fELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0>\0" + bytes(range(256)) * 20,
    "zip": _zip(),
    "gif": b"GIF89a\1\0\1\0\x80\0\0\xff\xff\xff\0\0\0!\xf9\4" + bytes(range(256)) * 9,
    "jpeg": b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1" + bytes(range(256)) * 20,
    "mp4": b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + bytes(range(256)) * 20,
    "sqlite": b"SQLite format 3\0\x10\0\1\1\0" + bytes(range(256)) * 20,
    "noise": bytes((n * 7919 + n // 251) % 256 for n in range(20_000)),
}

# Codecs of Python that are no encodings of a page.
CODECS = ("rot13", "base64", "zlib", "hex", "idna", "punycode", "undefined", "unicode_escape")

FAULTS = (
    _row(
        "meta-codec", PAGE.replace("<title>", "<meta charset=rot13><title>").encode(), "text/html"
    ),
    _row(
        "meta-utf-16", PAGE.replace("<title>", "<meta charset=utf-16><title>").encode(), "text/html"
    ),
    _row("utf-16-label", PAGE.encode(), TYPE.format("utf-16")),
    *(_row(f"codec-{codec}", PAGE.encode(), TYPE.format(codec)) for codec in CODECS),
    _row("latin-1-says-utf-8", PAGE.encode("latin-1"), TYPE.format("utf-8")),
    _row("utf-8-says-latin-1", PAGE.encode(), TYPE.format("iso-8859-1")),
    _row("unknown", PAGE.encode(), TYPE.format("x-user-undefined-17")),
    _row("of-4-kb", PAGE.encode(), TYPE.format("x" * 4096)),
    _row("not-ascii", PAGE.encode(), "text/html; charset=ü\x7f"),
    _row("windows-1252", PAGE.encode("cp1252"), TYPE.format("windows-1252")),
    _row(
        "koi8-r",
        PAGE.replace("Müller", "Мельник").encode("koi8-r"),
        TYPE.format("koi8-r"),
        item("Мельник"),
    ),
    _row("utf-16-le-no-bom", PAGE.encode("utf-16-le"), TYPE.format("utf-16le")),
    _row("utf-16-no-bom-no-label", PAGE.encode("utf-16-le"), "text/html", item("mahlt Weizen")),
    _row("utf-16-bom", PAGE.encode("utf-16"), "text/html"),
    _row("utf-32-label", PAGE.encode(), TYPE.format("utf-32")),
    _row("utf-7", PAGE.encode("utf-7"), TYPE.format("utf-7"), item("mahlt Weizen")),
    _row("utf-8-bom-says-latin-1", b"\xef\xbb\xbf" + PAGE.encode(), TYPE.format("iso-8859-1")),
    _row(
        "bom-in-the-middle",
        PAGE.replace("Weizen", "\ufeffWeizen").encode(),
        TYPE.format("utf-8"),
        item("Roggen und Gerste"),
    ),
    _row(
        "nul",
        PAGE.replace("Weizen", "Wei\0zen").encode(),
        TYPE.format("utf-8"),
        item("Roggen und Gerste", lacks=["\0"]),
    ),
    _row(
        "c0",
        PAGE.replace("Weizen", "Wei\1\x0b\x1b[31mzen").encode(),
        TYPE.format("utf-8"),
        item("Roggen und Gerste", lacks=["\x1b", "\1"]),
    ),
    _row(
        "lone-surrogates",
        PAGE.replace("Weizen", "Wei\ud800zen").encode("utf-8", "surrogatepass"),
        TYPE.format("utf-8"),
        item("Roggen und Gerste", lacks=["\ud800"]),
    ),
    _row(
        "surrogate-entity",
        PAGE.replace("Weizen", "Wei&#xD800;zen").encode(),
        TYPE.format("utf-8"),
        item("Roggen und Gerste", lacks=["\ud800"]),
    ),
    _row(
        "cesu-8",
        PAGE.replace("Weizen", "\ud83d\ude00").encode("utf-8", "surrogatepass"),
        TYPE.format("utf-8"),
        item("Roggen und Gerste", lacks=["\ud83d"]),
    ),
    _row("utf-8-cut", PAGE.encode()[:-20] + b"\xc3", TYPE.format("utf-8")),
    _row(
        "overlong",
        PAGE.replace("Weizen", "Wei|zen").encode().replace(b"|", b"\xc0\xbc"),
        TYPE.format("utf-8"),
        item("Roggen und Gerste"),
    ),
    _row(
        "meta-says-other",
        PAGE.replace("<title>", "<meta charset=shift_jis><title>").encode(),
        TYPE.format("utf-8"),
    ),
    Fault("type-garbage", CHARSET, page(headers={"Content-Type": ";;;\xff=,text"}), item()),
    Fault("type-empty", CHARSET, page(headers={"Content-Type": ""}), item()),
    Fault(
        "type-twice",
        CHARSET,
        page(headers=[("Content-Type", "image/png"), ("Content-Type", "text/html")]),
        item(),
    ),
    *(
        Fault(
            f"{kind}-labelled-html", FILES, page(body), skip(Reason.NOT_HTML), requests=range(1, 2)
        )
        for kind, body in MAGIC.items()
    ),
)
