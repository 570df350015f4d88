"""Wikitext of pages as large wikis have them, the same for the same seed.

Infoboxes, tables with spans, navigation boxes, references, nested and definition lists, code, and
prose with some 250 links a page, in words that are made from syllables.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_ONSETS = (*"bcdfghklmnprstvw", "br", "cl", "gr", "pr", "qu", "sh", "st", "th", "tr")
_NUCLEI = (*"aeiou", "ai", "ea", "ei", "ia", "ou")
_CODAS = ("", "", "", *"lmnrst", "rd", "nd", "ck")
_FOREIGN = ("Ærøskøbing", "Łódź", "Ελλάδα", "Москва", "東京都", "서울", "القاهرة", "हिन्दी", "ไทย")
_CODE = """for name in sorted(lights):
    if lights[name] > {0}:
        print(f"<{{name}}> | {{lights[name]:>{1}}}")"""
_GROUP = 60  # pages that a navigation box shares

TEMPLATES = {
    "Template:Survey hatnote": '<div role="note" class="hatnote">{{{1}}}</div>',
    "Template:Survey infobox": """{| class="infobox vcard" style="width:22em"
! colspan="2" class="infobox-above fn" | {{{name|{{PAGENAME}}}}}
|-
! colspan="2" class="infobox-header" | Place
|-
! scope="row" class="infobox-label" | Region
| class="infobox-data" | {{{region|}}}
|-
! scope="row" class="infobox-label" | Neighbours
| class="infobox-data" | {{{neighbours|}}}
|-
! scope="row" class="infobox-label" | Founded
| class="infobox-data" | {{{founded|}}}<span style="display:none">&nbsp;({{{founded}}}-01-01)</span>
|-
! colspan="2" class="infobox-header" | Measures
|-
! scope="row" class="infobox-label" | Height
| class="infobox-data" | {{{height|0}}}&nbsp;m<br />({{#expr:{{{height|0}}}/0.3048 round 0}} ft)
|-
! scope="row" class="infobox-label" | People
| class="infobox-data" | {{formatnum:{{{people|0}}}}}
|}""",
    "Template:Survey reflist": '<div class="reflist">\n<references />\n</div>',
}


class Vocabulary:
    """Words and titles of a wiki."""

    def __init__(self, seed: int, pages: int) -> None:
        random = Random(f"vocabulary {seed}")  # noqa: S311 - the same again, not a secret
        self.words = _distinct(lambda: _word(random), 3000)
        names = _distinct(
            lambda: " ".join(_word(random, 2).capitalize() for _ in range(random.randint(1, 3))),
            pages,
        )
        self.titles = names
        self.group = {name: number // _GROUP for number, name in enumerate(names)}


def wiki_pages(pages: int, seed: int) -> dict[str, str]:
    """Wikitext by title: *pages* articles and the templates that they use."""
    vocabulary = Vocabulary(seed, pages)
    result = dict(TEMPLATES)
    for number, start in enumerate(range(0, pages, _GROUP)):
        group = vocabulary.titles[start : start + _GROUP]
        result[f"Template:Survey navbox {number}"] = _navbox(number, group)
    for title in vocabulary.titles:
        result[title] = _Writer(vocabulary, title, seed).page()
    return result


def _word(random: Random, least: int = 1) -> str:
    return "".join(
        random.choice(_ONSETS) + random.choice(_NUCLEI) + random.choice(_CODAS)
        for _ in range(random.choice((least, least, 2, 2, 3)))
    )


def _distinct(make: Callable[[], str], count: int) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        found[make()] = None
    return list(found)


def _navbox(number: int, titles: list[str]) -> str:
    rows = []
    for row, start in enumerate(range(0, len(titles), 12)):
        items = "\n".join(f"* [[{title}]]" for title in titles[start : start + 12])
        rows.append(
            f'<tr><th scope="row" class="navbox-group">Part {row + 1}</th>'
            f'<td class="navbox-list navbox-odd hlist"><div>\n{items}\n</div></td></tr>'
        )
    return (
        f'<div role="navigation" class="navbox" aria-labelledby="survey-{number}">'
        '<table class="nowraplinks mw-collapsible autocollapse navbox-inner">'
        '<tr><th scope="col" class="navbox-title" colspan="2">'
        f'<div id="survey-{number}">Survey, sheet {number + 1}</div></th></tr>'
        + "".join(rows)
        + "</table></div>"
    )


class _Writer:
    """Writes one page."""

    def __init__(self, vocabulary: Vocabulary, title: str, seed: int) -> None:
        self._random = Random(f"{seed} {title}")  # noqa: S311
        self._vocabulary = vocabulary
        self._title = title
        self._notes = 0

    def page(self) -> str:
        random = self._random
        group = self._vocabulary.group[self._title]
        kinds = [self._list, self._table, self._definitions, self._code, self._quote]
        # Few pages are very long: with these numbers, 50 to 400 KB of HTML.
        sections = min(32, max(4, round(random.lognormvariate(2.4, 0.45))))
        parts = [
            f"{{{{Survey hatnote|This page is about the place. See also {self._link()}.}}}}",
            self._infobox(),
            f"'''{self._title}''' is {self._prose(60)}",
            *(self._prose(90) for _ in range(2)),
        ]
        for _ in range(sections):
            parts.append(f"== {self._words(random.randint(1, 4)).capitalize()} ==")
            parts += [self._prose(random.randint(50, 130)) for _ in range(random.randint(1, 3))]
            if random.random() < 0.5:
                parts.append(f"=== {self._words(3).capitalize()} ===")
                parts.append(self._prose(80))
            parts.append(random.choices(kinds, (5, 6, 2, 1, 1))[0]())
        parts.append("== References ==\n{{Survey reflist}}")
        parts.append(f"{{{{Survey navbox {group}}}}}")
        parts.append(f"[[Category:Sheet {group + 1}]]\n[[Category:Places]]")
        return "\n\n".join(parts)

    def _words(self, count: int) -> str:
        words = self._vocabulary.words
        # A Pareto rank: half of what is said is said in a few dozen words.
        ranks = (int(self._random.paretovariate(0.55)) for _ in range(count))
        return " ".join(words[rank % len(words)] for rank in ranks)

    def _link(self) -> str:
        target = self._random.choice(self._vocabulary.titles)
        kind = self._random.random()
        if kind < 0.6:
            return f"[[{target}]]"
        if kind < 0.9:
            return f"[[{target}|{self._words(2)}]]"
        return f"[[{target}#References|{self._words(1)}]]"

    def _prose(self, words: int) -> str:
        """A paragraph: sentences with links, emphasis and notes in them."""
        random = self._random
        sentences = []
        while words > 0:
            length = random.randint(6, 18)
            words -= length
            parts = [self._words(length // 2).capitalize()]
            if random.random() < 0.75:
                parts.append(self._link())
            match random.randrange(12):
                case 0:
                    parts.append(f"''{self._words(2)}''")
                case 1:
                    parts.append(f"'''{self._words(1)}'''")
                case 2:
                    parts.append(f"<code>{self._words(1)}_{random.randrange(99)}</code>")
                case 3:
                    parts.append(random.choice(_FOREIGN))
            parts.append(self._words(length // 2))
            sentences.append(" ".join(parts) + "." + self._note())
        return " ".join(sentences)

    def _note(self) -> str:
        if self._random.random() > 0.12:
            return ""
        self._notes += 1
        where = f"[https://example.org/{self._notes}?a=1&b=2 {self._words(4).capitalize()}]"
        return f"<ref>{where}, p. {self._random.randrange(400)}.</ref>"

    def _infobox(self) -> str:
        random = self._random
        return (
            f"{{{{Survey infobox|region={self._link()}"
            f"|neighbours={self._link()}<br />{self._link()}"
            f"|founded={random.randrange(1000, 1990)}|height={random.randrange(2500)}"
            f"|people={random.randrange(10**6)}}}}}"
        )

    def _list(self) -> str:
        marks = self._random.choice("*#")
        lines = []
        for _ in range(self._random.randint(6, 16)):
            lines.append(f"{marks} {self._words(4)} {self._link()} {self._words(5)}")
            if self._random.random() < 0.3:
                lines += [f"{marks}* {self._link()} {self._words(6)}" for _ in range(2)]
                lines.append(f"{marks}** {self._words(8)}")
        return "\n".join(lines)

    def _table(self) -> str:
        random = self._random
        columns, rows = random.randint(4, 8), random.randint(8, 40)
        lines = ['{| class="wikitable sortable"', f"|+ {self._words(3).capitalize()}"]
        lines.append(f'! rowspan="2" | Place !! colspan="{columns - 1}" | {self._words(2)}')
        lines.append("|-\n! " + " !! ".join(self._words(1) for _ in range(columns - 1)))
        tall = 0  # rows that the first cell yet covers
        for row in range(rows):
            cells = [self._cell() for _ in range(columns - 1)]
            lines.append("|-")
            if tall:
                tall -= 1
            elif random.random() < 0.2 and row + 3 < rows:
                tall = 2
                lines.append(f'| rowspan="3" | {self._link()}')
            else:
                lines.append(f"| {self._link()}")
            if random.random() < 0.1:
                lines.append(f'| colspan="2" | {cells[0]}')
                cells = cells[2:]
            lines.append("| " + " || ".join(cells))
        lines.append("|}")
        return "\n".join(lines)

    def _cell(self) -> str:
        random = self._random
        match random.randrange(8):
            case 0:
                return self._link()
            case 1:
                return f"{random.randrange(10**5):,}"
            case 2:
                return f"{self._words(2)}<br />{self._words(2)}"
            case 3:
                return f'<span style="color:#063">{self._words(1)}</span>'
            case _:
                return self._words(random.randint(1, 3))

    def _definitions(self) -> str:
        return "\n".join(
            f"; {self._words(2)}\n: {self._words(8)} {self._link()}.\n: {self._words(6)}"
            for _ in range(self._random.randint(3, 6))
        )

    def _code(self) -> str:
        text = _CODE.format(self._random.randrange(99), self._random.randrange(9) + 1)
        return f'<syntaxhighlight lang="python">\n{text}\n</syntaxhighlight>'

    def _quote(self) -> str:
        return f"<blockquote>\n{self._prose(30)}\n\n{self._prose(20)}\n</blockquote>"
