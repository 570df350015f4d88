"""A folder of pages: the same files in whatever order they come, and nothing of anybody else's."""

from __future__ import annotations

import os
from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from tests.frontier.test_processes import mounted
from wikicrawler.errors import StateLockedError
from wikicrawler.feeds.markdown.folder import MarkdownFolder
from wikicrawler.feeds.markdown.front_matter import front_matter, split_page
from wikicrawler.feeds.markdown.page_names import Place
from wikicrawler.items import hash_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

SITE = "https://wiki.test/"
BEE, BEES, DEE = f"{SITE}Bee", f"{SITE}bee", f"{SITE}BEE"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "vault"


def crawl(
    root: Path, pages: Mapping[str, str], *, settle: bool = True, below: str = ""
) -> list[str]:
    """Write the *pages*, which are texts by URL; return the URLs of the files that changed."""
    folder = MarkdownFolder(Place(root, below))
    try:
        written = [
            url
            for url, text in pages.items()
            if folder.write(
                url, front_matter({"url": url, "content_hash": hash_text(text)}), f"\n{text}\n"
            )
        ]
        if settle:
            folder.settle()
    finally:
        folder.close()
    return written


def files(root: Path) -> dict[str, str]:
    """The texts of the files of pages by their names."""
    return {
        path.relative_to(root).as_posix(): split_page(path.read_text()).body.strip()
        for path in sorted(root.rglob("*.md"))
        if path.name != "index.md"
    }


def unfinished(root: Path) -> Iterator[Path]:
    return root.rglob("*.part")


def test_links_between_pages_lead_to_their_files(root: Path) -> None:
    crawl(
        root,
        {
            f"{SITE}a/b": f"[c]({SITE}c) [d]({SITE}d#part) [e]({SITE}e)",
            f"{SITE}c": f"[b]({SITE}a/b)",
            f"{SITE}d": f"[c (2)]({SITE}c_(2)) <{SITE}c>",
            f"{SITE}c_(2)": "",
        },
    )
    assert files(root) == {
        "a/b.md": f"[c](../c.md) [d](../d.md#part) [e]({SITE}e)",
        "c.md": "[b](a/b.md)",
        "d.md": "[c (2)](c_%282%29.md) [https://wiki.test/c](c.md)",
        "c_(2).md": "",
    }


def test_the_files_are_the_same_in_whatever_order_the_pages_come(root: Path) -> None:
    urls = [BEE, BEES, DEE, f"{BEE}/", f"{SITE}f"]
    links = " ".join(f"[{url}]({url})" for url in urls)
    pages = {url: f"{url}: {links}" for url in urls}
    found = []
    for n, order in enumerate(permutations(urls)):
        crawl(root / str(n), {url: pages[url] for url in order})
        found.append(files(root / str(n)))
    assert all(one == found[0] for one in found)
    names = {text.partition(": ")[0]: name for name, text in found[0].items()}
    assert set(names) == set(urls)
    assert (names[DEE], names[f"{SITE}f"]) == ("BEE.md", "f.md")
    led = " ".join(f"[{url}]({names[url]})" for url in urls)
    assert set(found[0].values()) == {f"{url}: {led}" for url in urls}


def test_links_follow_a_page_whose_name_another_one_takes_in_a_later_crawl(root: Path) -> None:
    linking = {f"{SITE}f": f"[b]({BEE})"}
    crawl(root, linking | {BEE: "the bee"})
    assert files(root)["f.md"] == "[b](Bee.md)"
    crawl(root, {DEE: f"[b]({BEE})"})
    found = files(root)
    (bee,) = (name for name, text in found.items() if text == "the bee")
    assert bee != "Bee.md"
    assert found["f.md"] == found["BEE.md"] == f"[b]({bee})"


def test_a_second_crawl_writes_what_changed_and_nothing_else(root: Path) -> None:
    pages = {f"{SITE}{n}": f"[next]({SITE}{n + 1})" for n in range(20)}
    crawl(root, pages)
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*.md")}
    assert crawl(root, pages) == []
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*.md")} == before
    assert crawl(root, pages | {f"{SITE}7": "new"}) == [f"{SITE}7"]
    changed = [path for path, time in before.items() if path.stat().st_mtime_ns != time]
    assert changed == [root / "7.md"]


def test_a_page_that_is_gone_has_no_file_and_links_to_it_are_urls_again(root: Path) -> None:
    crawl(root, {BEE: f"[a]({SITE}a/b/c)", f"{SITE}a/b/c": ""})
    folder = MarkdownFolder(Place(root, ""))
    assert folder.remove(f"{SITE}a/b/c")
    assert not folder.remove(f"{SITE}a/b/c")
    folder.settle()
    folder.close()
    assert files(root) == {"Bee.md": f"[a]({SITE}a/b/c)"}
    assert "1 page\n" in (root / "index.md").read_text()
    assert not (root / "a").exists()


def test_a_site_without_a_page_has_an_empty_index(root: Path) -> None:
    crawl(root, {BEE: ""}, below="%(site)s")
    folder = MarkdownFolder(Place(root, "%(site)s"))
    folder.remove(BEE)
    folder.settle()
    folder.close()
    assert "0 pages\n" in (root / "wiki.test/index.md").read_text()


def test_links_to_an_address_that_leads_to_a_page_lead_to_its_file(root: Path) -> None:
    folder = MarkdownFolder(Place(root, ""))
    folder.add_alias(f"{SITE}Apis", BEE)
    folder.close()
    crawl(root, {BEE: "", f"{SITE}f": f"[apis]({SITE}Apis#x)"})
    assert files(root)["f.md"] == "[apis](Bee.md#x)"


def test_sites_have_folders_and_links_between_them(root: Path) -> None:
    other = "http://other.test:8080/x"
    crawl(root, {BEE: f"[x]({other})", other: f"[b]({BEE})"}, below="%(site)s/md")
    assert files(root) == {
        "wiki.test/md/Bee.md": "[x](../../other.test_8080/md/x.md)",
        "other.test_8080/md/x.md": "[b](../../wiki.test/md/Bee.md)",
    }
    assert "- [https://wiki.test/Bee](Bee.md)" in (root / "wiki.test/md/index.md").read_text()


def test_notes_of_a_reader_stay(root: Path) -> None:
    notes = {
        "Bee.md": "mine",
        "index.md": "my index",
        "sub/note.md": "---\nurl: https://a.test/\n---\n",
    }
    for name, text in notes.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    crawl(root, {BEE: f"[s]({SITE}sub/note)", f"{SITE}sub/note": f"[b]({BEE})"})
    assert {name: (root / name).read_text() for name in notes} == notes
    assert sorted(files(root).values()) == sorted(
        ["mine", "", *(text for name, text in files(root).items() if "-" in name)]
    )
    assert len(files(root)) == 4


def test_what_a_kill_left_is_finished_by_the_next_crawl(root: Path) -> None:
    crawl(root, {BEE: f"[c]({SITE}c)"}, settle=False)
    (root / ".Wasp.md.part").write_text("---\nurl: to")
    assert files(root)["Bee.md"] == f"[c]({SITE}c)"
    crawl(root, {f"{SITE}c": ""})
    assert files(root)["Bee.md"] == "[c](c.md)"
    assert not list(unfinished(root))


def test_a_kill_between_the_steps_of_settling_leads_no_link_to_another_page(root: Path) -> None:
    crawl(root, {BEE: "the bee", f"{SITE}f": f"[b]({BEE})", f"{SITE}g": f"[b]({BEE})"})
    crawl(root, {DEE: f"[d]({DEE}#x) [b]({BEE})"}, settle=False)  # BEE has another file now
    crawl(root, {})
    found = files(root)
    (bee,) = (name for name, text in found.items() if text == "the bee")
    assert found["f.md"] == found["g.md"] == f"[b]({bee})"


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a file system")
def test_a_page_that_cannot_be_written_leaves_its_old_file_whole(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "size=128k"):
        root = tmp_path / "disk" / "vault"
        crawl(root, {BEE: "the bee"})
        before = (root / "Bee.md").read_bytes()
        with pytest.raises(OSError, match="No space left"):
            crawl(root, {BEE: "x" * 1_000_000})
        assert (root / "Bee.md").read_bytes() == before
        assert crawl(root, {BEE: "another bee"}) == [BEE]
        assert not list(unfinished(root))


def test_one_process_writes_a_folder(root: Path) -> None:
    folder = MarkdownFolder(Place(root, ""))
    with pytest.raises(StateLockedError, match=r"vault: process .* crawls with this folder"):
        MarkdownFolder(Place(root, ""))
    folder.close()
    MarkdownFolder(Place(root, "")).close()


def test_the_index_lists_the_pages_by_title(root: Path) -> None:
    folder = MarkdownFolder(Place(root, ""))
    for url, title in ((f"{SITE}z", "[a] *b*"), (f"{SITE}y", "C"), (f"{SITE}x y", "a\u202e\n")):
        head = {"url": url, "title": title, "content_hash": "sha256:0"}
        folder.write(url, front_matter(head), "")
    folder.settle()
    folder.close()
    assert (root / "index.md").read_text() == (
        "---\ntitle: Pages\ngenerator: wikicrawler\n---\n\n# Pages\n\n3 pages\n\n"
        "- [\\[a\\] \\*b\\*](z.md)\n- [a\u202e](x%20y.md)\n- [C](y.md)\n"
    )
