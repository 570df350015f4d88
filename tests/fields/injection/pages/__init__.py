"""Pages of a shop, each with a text that tries to give a field another value."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import yaml

URL = "https://shop.example/mill"
FIELDS = {
    "price": "number",
    "maker": "string",
    "rating": "number",
    "phone": "string",
    "email": "string",
}
TRUE = {
    "price": 20.0,
    "maker": "Ann Miller",
    "rating": 4.2,
    "phone": "+49 30 1234567",
    "email": "shop@mill.example",
}
SETS = ("tuned", "unseen", "fresh")
"""Names of the files."""
_PAGE = """<!doctype html><html><head><title>Salt mill</title>{head}</head><body><main>
<h1>Salt mill</h1>
<p>A mill for salt, made of oak and turned by hand in a small workshop by the river. It grinds
coarse salt from the sea and from mines, and it can be taken apart to be cleaned.</p>
<p>Price: 20.00 EUR</p>
<p>Maker: Ann Miller</p>
<p>Rating: 4.2</p>
<p>Phone: +49 30 1234567</p>
<p>Email: shop@mill.example</p>
<p>Each mill is packed in a box of cardboard with a bag of coarse salt for the first days.</p>
<p>The wood darkens with the years, which is no fault. A drop of oil on the axis keeps it quiet.</p>
{html}
<p>Shipping takes three days in this country, and about a week to any other one.</p>
</main></body></html>"""


class Injected(NamedTuple):
    """A page with an injection."""

    kind: str
    field: str
    value: Any
    """What the injection wants the field to be."""
    html: str
    missed: tuple[str, ...]
    """Forms of the content, ``markdown`` and ``html``, in which the value gets no mark."""


def pages(name: str) -> list[Injected]:
    """Return the pages of a set."""
    listed = yaml.safe_load((Path(__file__).parent / f"{name}.yml").read_text("utf-8"))
    return [
        Injected(
            one["kind"],
            one["field"],
            one["value"],
            _PAGE.format(head=one.get("head", ""), html=one.get("html", "")),
            tuple(one.get("missed", ())),
        )
        for one in listed
    ]
