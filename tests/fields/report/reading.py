"""A report, read as a browser reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import html as lxml_html

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

EVENTS = ("on", "style", "srcdoc", "formaction")


class Report:
    """The elements of a report."""

    def __init__(self, text: str) -> None:
        self.source = text
        self.root: HtmlElement = lxml_html.document_fromstring(
            text.encode(), parser=lxml_html.HTMLParser(encoding="utf-8", huge_tree=True)
        )
        assert len(self.all("//*[@id]")) == len({one.get("id") for one in self.all("//*[@id]")})

    def all(self, path: str) -> list[HtmlElement]:
        return list(self.root.xpath(path))

    def target(self, href: str) -> HtmlElement:
        (found,) = self.root.xpath("//*[@id=$name]", name=href.removeprefix("#"))
        return found

    def evidence(self, name: str) -> str:
        """The text of an evidence, with the parts that stand behind an earlier one's end."""
        first = self.target(name)
        further = self.root.xpath("//mark[@data-continues=$name]", name=name)
        return first.text_content() + "".join(one.text_content() for one in further)

    def links(self) -> Iterator[tuple[HtmlElement, str]]:
        """The links from findings to their evidence: each row and the id."""
        for link in self.all("//a[starts-with(@href, '#evidence-')]"):
            (row,) = link.xpath("ancestor::tr")
            yield row, link.get("href").removeprefix("#")

    def texts(self) -> str:
        return self.root.text_content()

    def rows(self, field: str) -> list[list[str]]:
        """The cells of the findings of *field*."""
        (table,) = self.root.xpath("//table[caption=$name]", name=f"Findings of {field}")
        return [
            [" ".join(cell.text_content().split()) for cell in row]
            for row in table.xpath("tbody/tr")
        ]

    def harmful(self) -> list[str]:
        """What could load or run something."""
        allowed = {"html", "head", "meta", "title", "style", "body", "header", "main", "section"}
        allowed |= {"nav", "h1", "h2", "h3", "p", "ul", "li", "a", "span", "strong", "mark", "code"}
        allowed |= {"table", "caption", "thead", "tbody", "tr", "th", "td", "div"}
        bad = [one.tag for one in self.root.iter() if one.tag not in allowed]
        for one in self.root.iter():
            for name, value in one.items():
                if name.startswith(EVENTS) or name in {"src", "action", "ping"}:
                    bad.append(f"{one.tag} {name}")
                if name == "href" and not value.startswith(("#", "https://", "http://")):
                    bad.append(f"{one.tag} {name}={value[:20]}")
        bad += [meta.get("http-equiv") for meta in self.all("//meta[@http-equiv]")][1:]
        return bad
