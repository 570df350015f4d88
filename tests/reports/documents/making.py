"""Builds documents: PDFs by reportlab, and HTML as SEC's filers and company sites write it."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from html import escape
from io import BytesIO
from typing import TYPE_CHECKING, Any

from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfgen.canvas import Canvas

from wikicrawler.reports.errors import Outcome
from wikicrawler.reports.models import HTML, PDF, CompanyRef, SourceRef

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ASIAN = {"ja": "HeiseiMin-W3", "zh": "STSong-Light", "ko": "HYSMyeongJo-Medium"}
"""Fonts that a PDF names without embedding them."""
_WIDTH = 92


@dataclass(frozen=True)
class Case:
    """A file, and what it was offered as."""

    name: str
    data: bytes
    company: CompanyRef
    year: int
    source: SourceRef
    outcomes: tuple[Outcome, ...] = (Outcome.OK,)
    """Reasons that are right; any refusal of an impostor counts as one."""

    @property
    def is_held_back(self) -> bool:
        """Whether the case is of the half that was not looked at while the rules were written."""
        return sha256(self.name.encode()).digest()[0] % 2 == 1


def source(content_type: str = PDF, **fields: Any) -> SourceRef:
    """A reference of a company's own site."""
    suffix = {PDF: "pdf", HTML: "html"}.get(content_type, "json")
    given = {
        "provider": "company_ir",
        "tier": 3,
        "url": f"https://ir.example/files/report.{suffix}",
        "content_type": content_type,
        "form": "annual",
    }
    return SourceRef(**(given | fields))


def sec_source(content_type: str = HTML, **fields: Any) -> SourceRef:
    """A reference of SEC EDGAR."""
    given = {
        "provider": "sec_edgar",
        "tier": 1,
        "url": "https://www.sec.gov/Archives/edgar/data/42/000000004223000106/d.htm",
        "content_type": content_type,
        "form": "10-K",
        "accession": "0000000042-23-000106",
    }
    return SourceRef(**(given | fields))


def _wrapped(text: str, width: int) -> Iterable[str]:
    for line in text.split("\n"):
        rest = line
        while len(rest) > width:
            cut = rest.rfind(" ", 0, width)
            cut = cut if cut > 0 else width
            yield rest[:cut]
            rest = rest[cut:].lstrip()
        yield rest


def pdf(
    *pages: str, title: str = "", lang: str = "en", password: str = "", owner: str = ""
) -> bytes:
    """A PDF. Each text is a page or, if it is long, several."""
    out = BytesIO()
    encrypt = StandardEncryption(password, owner) if password or owner else None
    canvas = Canvas(out, pagesize=A4, invariant=1, encrypt=encrypt)
    canvas.setTitle(title)
    font = ASIAN.get(lang, "Helvetica")
    if lang in ASIAN:
        registerFont(UnicodeCIDFont(font))
    for page in pages:
        lines = list(_wrapped(page, 44 if lang in ASIAN else _WIDTH))
        for first in range(0, max(len(lines), 1), 52):
            text = canvas.beginText(50, 790)
            text.setFont(font, 10)
            for line in lines[first : first + 52]:
                text.textLine(line)
            canvas.drawText(text)
            canvas.showPage()
    canvas.save()
    return out.getvalue()


def scanned_pdf(pages: int) -> bytes:
    """A PDF of images without text."""
    out = BytesIO()
    canvas = Canvas(out, pagesize=A4, invariant=1)
    noise = b"".join(sha256(b"%d" % n).digest() for n in range(1200))
    for number in range(pages):
        picture = BytesIO()
        from PIL import Image

        Image.frombytes("L", (160, 240), (noise * 2)[number : number + 160 * 240]).save(
            picture, "PNG"
        )
        canvas.drawImage(ImageReader(picture), 40, 40, 500, 740)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def paragraphs(text: str, tag: str = "p") -> str:
    return "\n".join(f"<{tag}>{escape(line)}</{tag}>" for line in text.split("\n") if line)


def html(*parts: str, title: str = "", lang: str = "en", head: str = "") -> bytes:
    """An HTML document; *parts* are HTML."""
    return (
        f'<!DOCTYPE html>\n<html lang="{lang}"><head><meta charset="utf-8"><title>{escape(title)}'
        f"</title>{head}</head>\n<body>\n{''.join(parts)}\n</body></html>\n"
    ).encode()


def inline_facts(**facts: str) -> str:
    """Hidden facts of inline XBRL about the document."""
    hidden = "".join(
        f'<ix:nonNumeric contextRef="c-1" name="dei:{name}" id="f-{number}">{escape(value)}'
        "</ix:nonNumeric>"
        for number, (name, value) in enumerate(facts.items(), 1)
    )
    return f'<div style="display:none"><ix:header><ix:hidden>{hidden}</ix:hidden></ix:header></div>'


def cover(  # noqa: PLR0917
    form: str, name: str, end: str, kind: str = "", ticker: str = "", spans: bool = True
) -> str:
    """The cover of a filing as SEC's forms prescribe it, in many small elements."""
    period = {"10-Q": "quarterly period"}.get(form, "fiscal year")
    boxes = {
        "10-K": ("☒", "☐"),
        "10-KT": ("☐", "☒"),
    }.get(form.removesuffix("/A"), ("☒", "☐"))
    what = kind or {
        "10-Q": "QUARTERLY REPORT PURSUANT TO SECTION 13 OR 15(d)",
    }.get(form, "ANNUAL REPORT PURSUANT TO SECTION 13 OR 15(d)")
    lines = [
        "UNITED STATES",
        "SECURITIES AND EXCHANGE COMMISSION",
        "Washington, D.C. 20549",
        f"FORM {form}",
        "(Mark One)",
        f"{boxes[0]} {what} OF THE SECURITIES EXCHANGE ACT OF 1934",
        f"For the {period} ended {end}",
        "or",
        f"{boxes[1]} TRANSITION REPORT PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE "
        "ACT OF 1934",
        "For the transition period from              to             .",
        "Commission File Number: 001-36743",
        name,
        "(Exact name of Registrant as specified in its charter)",
        "California                94-2404110",
        "(State or other jurisdiction of incorporation)   (I.R.S. Employer Identification No.)",
    ]
    if ticker:
        lines += [
            "Securities registered pursuant to Section 12(b) of the Act:",
            f"Common Stock, $0.00001 par value per share   {ticker}   The Nasdaq Stock Market LLC",
        ]
    if not spans:
        return "\n".join(lines)
    return "".join(
        '<div style="text-align:center"><span style="font-weight:700">'
        + "</span><span>".join(escape(piece) for piece in line.split("  ") if piece)
        + "</span></div>\n"
        for line in lines
    )


def table(rows: Sequence[Sequence[str]]) -> str:
    cells = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table>{cells}</table>"
