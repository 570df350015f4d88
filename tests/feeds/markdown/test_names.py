"""Names of files: readable, safe on every file system, and another one for another URL."""

from __future__ import annotations

import random
import re
import unicodedata
from collections import defaultdict
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.suites.data import suite
from wikicrawler.feeds.markdown.names import file_name, folded, site_folder, told_apart

if TYPE_CHECKING:
    from pathlib import Path

WIKI = "https://wiki.test/wiki/"
_WINDOWS = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE
)


def hostile_titles(count: int) -> list[str]:
    """Titles that break file systems, and the naughty strings; the same in each run."""
    chance = random.Random(7)  # noqa: S311
    words = """con nul.txt COM1 lpt² .. . a. ~ -rf index home % %2F %00 é ß ss SS İ i I ı ſ K k
    한국어 C++ AT&T [[x]] #a ^b x.md x.md/ x.html ： ？ _ $ <>:"/\\|?* / ///// e\u0301 E\u0301"""
    controls = "\0\n\r\x1b\x7f\x85\u200d\u202e\ufeff\ue000\uffff👩 "
    long = ["a" * 300, "각" * 60, "日本" * 90, "x/" * 30, "/".join(["a" * 99] * 5)]
    parts = [*words.split(), *controls, *long, "👩\u200d👩\u200d👧", "a ", "\x1b[31m"]
    found = dict.fromkeys(text for text in suite("naughty_strings") if text.strip())
    while len(found) < count:
        text = "".join(chance.choices(parts, k=chance.randint(1, 4)))
        found |= dict.fromkeys((text, text.swapcase(), unicodedata.normalize("NFD", text)))
    return list(found)[:count]


def urls() -> list[str]:
    escaped = [
        quote(text.encode("utf-8", "surrogatepass"), safe="/:") for text in hostile_titles(5000)
    ]
    found = sorted({WIKI + text for text in escaped})
    assert len(found) == 5000
    return found


def problems(name: str) -> list[str]:
    """What Linux, Windows, macOS, or a reader of Markdown would have against *name*."""
    found = []
    for part in name.split("/"):
        on_a_mac = unicodedata.normalize("NFD", part)
        if part in {"", ".", ".."} or part[0] in ".-~ " or part[-1] in ". ":
            found.append(f"begins or ends badly: {part!r}")
        if re.search(r'[<>:"\\|?*\x00-\x1f\x7f#^\[\]]', part) or not part.isprintable():
            found.append(f"has a character that is not allowed: {part!r}")
        if _WINDOWS.fullmatch(part) or _WINDOWS.fullmatch(part.removesuffix(".md")):
            found.append(f"is a device of Windows: {part!r}")
        if len(part.encode()) > 143 or len(on_a_mac.encode("utf-16-le")) // 2 > 255:
            found.append(f"is too long: {part!r}")
    if not unicodedata.is_normalized("NFC", name):
        found.append("is not in NFC, as its letters may be typed")
    if len(name) > 200:
        found.append("is too long as a whole")
    return found


def test_five_thousand_hostile_titles_have_safe_names() -> None:
    for url in urls():
        for name in (file_name(url), told_apart(url)):
            assert name.endswith(".md")
            assert not problems(name), (url, name)


def test_five_thousand_hostile_titles_are_told_apart_on_every_file_system() -> None:
    by_name: dict[str, list[str]] = defaultdict(list)
    for url in urls():
        by_name[folded(file_name(url))].append(url)
    names = {
        folded(file_name(same[0]) if len(same) == 1 else told_apart(url))
        for same in by_name.values()
        for url in same
    }
    assert len(names) == len(urls())


def test_five_thousand_hostile_titles_are_files(tmp_path: Path) -> None:
    for url in urls():
        path = tmp_path / told_apart(url)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(url)
        assert path.resolve().is_relative_to(tmp_path)
    assert sorted(path.read_text() for path in tmp_path.rglob("*.md")) == urls()


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://wiki.test/wiki/Honey_bee", "wiki/Honey_bee.md"),
        ("https://wiki.test/wiki/Talk:Honey_bee", "wiki/Talk：Honey_bee.md"),
        ("https://wiki.test/wiki/What_is_it%3F", "wiki/What_is_it？.md"),
        ("https://wiki.test/wiki/Caf%C3%A9", "wiki/Café.md"),
        ("https://wiki.test/wiki/100%25", "wiki/100％.md"),
        ("https://wiki.test/wiki/A/B", "wiki/A/B.md"),
        ("https://docs.test/guide/install.html", "guide/install.md"),
        ("https://docs.test/guide/", "guide.md"),
        ("https://docs.test/", "home.md"),
        ("https://docs.test/index.html", "home.md"),
    ],
)
def test_a_common_url_has_its_own_words_as_name(url: str, name: str) -> None:
    assert file_name(url) == name


def test_a_query_is_readable_and_has_a_hash() -> None:
    name = file_name("https://wiki.test/index.php?title=Bee&oldid=3")
    assert re.fullmatch(r"index\.php？title=Bee&oldid=3-[0-9a-f]{8}\.md", name)


def test_no_page_has_the_name_of_the_index() -> None:
    for path in ("index", "index.html", "Index", "INDEX.htm", "%69ndex"):
        assert folded(file_name(f"https://docs.test/{path}")) != "index.md"


@pytest.mark.parametrize(
    ("url", "folder"),
    [
        ("https://en.wikipedia.org/wiki/Bee", "en.wikipedia.org"),
        ("https://en.wikipedia.org:443/wiki/Bee", "en.wikipedia.org"),
        ("http://127.0.0.1:8080/wiki/Bee", "127.0.0.1_8080"),
        ("http://[::1]:80/", "_-1"),
        ("http://con/", "_con"),
        ("no url", "_"),
    ],
)
def test_a_host_is_a_folder(url: str, folder: str) -> None:
    assert site_folder(url) == folder


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_two_urls_are_told_apart(one: str, other: str) -> None:
    first, second = f"https://wiki.test/{one}", f"https://wiki.test/{other}"
    assert not problems(file_name(first))
    assert not problems(site_folder(first + one))
    if first != second:
        assert told_apart(first, 32) != told_apart(second, 32)
