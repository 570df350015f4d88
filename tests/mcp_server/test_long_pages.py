"""Pages that are longer than an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mcp_server.serving import run, session, text_of
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.content import convert

if TYPE_CHECKING:
    from pathlib import Path

    from tests.mcp_server.serving import Session

SENTENCE = "The lamp of the tower is lit at dusk, and the keeper writes the hour into the book. "


def long_page(megabytes: float, note: str = "") -> str:
    """HTML of paragraphs with a heading now and then."""
    parts = []
    size = 0
    while size < megabytes * 2**20:
        number = len(parts)
        heading = f"<h2>Night {number}</h2>" if number % 10 == 0 else ""
        parts.append(f"{heading}<p>{number} {note} {SENTENCE * 30}</p>\n")
        size += len(parts[-1])
    return f"<!doctype html><title>Log</title><main><h1>Log</h1>{''.join(parts)}</main>"


async def parts_of(found: Session, url: str, max_chars: int) -> list[dict[str, Any]]:
    """All parts of a page."""
    parts = [await found.data("read_page", url=url, max_chars=max_chars)]
    while (offset := parts[-1]["next_offset"]) is not None:
        parts.append(
            await found.data(
                "read_page",
                url=url,
                offset=offset,
                max_chars=max_chars,
                content_hash=parts[0]["content_hash"],
            )
        )
    return parts


def test_ten_megabytes_come_in_bounded_parts_that_are_the_whole_page(
    tmp_path: Path, site: ScriptedServer
) -> None:
    html = long_page(10)
    site.on("/log", Reply(body=html))
    most = 50_000

    async def work() -> None:
        async with session(tmp_path, WIKICRAWLER_PAGE_CPU_SECONDS="100") as found:
            result = await found.call("read_page", url=site.url("/log"), max_chars=most)
            assert len(text_of(result)) < most + 2000
            parts = await parts_of(found, site.url("/log"), most)
        texts = [one["page_says"]["text"] for one in parts]
        assert max(map(len, texts)) <= most
        whole = convert(html, site.url("/log")).markdown
        assert len(whole) > 10_000_000
        assert "".join(texts) == whole
        assert {one["total_chars"] for one in parts} == {len(whole)}
        assert {one["content_hash"] for one in parts} == {parts[0]["content_hash"]}
        # Each part but the last ends behind a paragraph, and none ends with a heading.
        assert all(text.endswith("book.\n\n") for text in texts[:-1])
        assert site.paths() == ["/robots.txt", "/log"]

    run(work())


def test_each_part_has_the_addresses_of_its_links(tmp_path: Path, site: ScriptedServer) -> None:
    paragraphs = "".join(f'<p><a href="/{n}">{n}</a> {SENTENCE * 5}</p>' for n in range(20))
    html = f"<!doctype html><title>Log</title><main><h1>Log</h1>{paragraphs}</main>"
    site.on("/log", Reply(body=html))

    async def texts(form: str) -> list[str]:
        folder = tmp_path / form
        folder.mkdir()
        async with session(folder, WIKICRAWLER_LINKS=form) as found:
            parts = await parts_of(found, site.url("/log"), 3000)
            return [one["page_says"]["text"] for one in parts]

    async def work() -> None:
        references, relative = await texts("references"), await texts("relative")
        assert "".join(references) == convert(html, site.url("/log")).markdown
        assert "".join(relative) == convert(html, site.url("/log"), links="relative").markdown

    run(work())


def test_a_page_that_changes_is_not_mixed_with_what_was_read(
    tmp_path: Path, site: ScriptedServer
) -> None:
    site.on("/log", Reply(body=long_page(0.05, "old")), Reply(body=long_page(0.05, "new")))
    site.on("/other", Reply(body=long_page(1.5, "other")))

    async def work() -> None:
        async with session(tmp_path, WIKICRAWLER_MCP_CACHE_MB="1") as found:
            url = site.url("/log")
            first = await found.data("read_page", url=url, max_chars=5000)
            where = {"offset": first["next_offset"], "content_hash": first["content_hash"]}
            second = await found.data("read_page", url=url, max_chars=5000, **where)
            assert "old" in second["page_says"]["text"]
            await found.data("read_page", url=site.url("/other"))  # the cache has room for one
            message = await found.error("read_page", url=url, max_chars=5000, **where)
            assert "has changed" in message
            assert "offset 0" in message
            anew = await found.data("read_page", url=url, max_chars=5000)
            assert "new" in anew["page_says"]["text"]

    run(work())


def test_the_list_of_a_crawl_is_bounded(tmp_path: Path, site: ScriptedServer) -> None:
    paths = [f"/{'x' * 200}{number}" for number in range(12)]
    links = "".join(f'<a href="{path}">page</a> ' for path in paths)
    body = "<!doctype html><title>{0}</title><main><h1>{0}</h1><p>{1}</p></main>"
    for path in ("/", *paths):
        site.on(path, Reply(body=body.format("t" * 5000, f"{SENTENCE * 20} {path} {links}")))

    async def work() -> None:
        async with session(tmp_path, WIKICRAWLER_MCP_MAX_CHARS="2000") as found:
            result = await found.call("crawl_site", seed=site.url("/"), max_pages=10)
            data = result.structured_content
            assert data["read"] == 10 == len(data["pages"]) + data["omitted"]
            assert data["omitted"] > 0
            assert len(text_of(result)) < 2000 + 1500

    run(work())
