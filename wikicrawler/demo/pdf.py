"""PDF files of a few lines of text."""

from __future__ import annotations

_LINE = 16  # points
_TOP = 760


def pdf_of(pages: list[list[str]]) -> bytes:
    """Return a PDF with the lines of ASCII text on each of *pages*."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, lines in enumerate(pages):
        stream = _stream(lines)
        objects += [
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R "
            f">> >> /Contents {5 + 2 * number} 0 R >>",
            f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        ]
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    trailer = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>"
    return data + f"{trailer}\nstartxref\n{len(data)}\n%%EOF\n".encode()


def _stream(lines: list[str]) -> str:
    shown = []
    for number, line in enumerate(lines):
        escaped = line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        shown.append(f"BT /F1 11 Tf 56 {_TOP - _LINE * number} Td ({escaped}) Tj ET")
    return "\n".join(shown)
