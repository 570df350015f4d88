"""``scrapy staged replay`` names what the present converter makes otherwise."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from scrapy.utils.defer import deferred_f_from_coro_f

from tests.commands.test_staged import scrapy
from tests.pdfs import pdf_of
from tests.servers.regulations import RegulationSite, section
from tests.sources.watching import Watch, source
from wikicrawler.content.conversion import CONVERTER_VERSION
from wikicrawler.items import hash_text

if TYPE_CHECKING:
    from pathlib import Path


async def staged(folder: Path) -> Watch:
    """Six sections, pages that make trouble, a moved one, a PDF, XML and a text in Latin-1."""
    with RegulationSite() as site:
        watched = Watch(folder, source(site.url("/")))
        links = "".join(
            f"<li><a href='/{name}'>{name}</a>"
            for name in ("moved", "a.pdf", "a.xml", "a.txt", "latin", *map(str, range(9)))
        )
        site.put("/", site.documents["/"].body.replace("<ul>", f"<ul>{links}"))  # type: ignore[arg-type,union-attr]
        site.moved["/moved"] = "/deep/er/"
        site.put("/deep/er/", section(77, rest="<p>See <a href='other'>the other one</a>.</p>"))
        site.put("/a.pdf", pdf_of("Section 1024.5", "Section 1024.6"), "application/pdf")
        site.put("/a.xml", "<rule><p>A servicer shall.</p></rule>", "application/xml")
        site.put("/a.txt", "Gebühr: 5 €".encode("cp1252"), "text/plain; charset=windows-1252")
        latin = section(78, rest="<p>Gebühr é</p>").encode("latin-1", "xmlcharrefreplace")
        site.put("/latin", latin, "text/html; charset=iso-8859-1")
        await watched.crawl()
    assert len(watched.index()) == 12
    return watched


def rewrite(watched: Watch, number: int, **content: Any) -> str:
    """Change the envelope of the line *number* of the index; return its path."""
    path = watched.index()[number]["path"]
    file = watched.staged / path
    envelope = json.loads(file.read_text("utf-8"))
    envelope["content"] |= content
    envelope["integrity"]["change_rules"] = "0-old/1"
    file.write_text(json.dumps(envelope))
    return str(path)


def number_of(watched: Watch, ending: str) -> int:
    return next(n for n, line in enumerate(watched.index()) if line["url"].endswith(ending))


@deferred_f_from_coro_f
async def test_each_envelope_that_comes_out_otherwise_is_named(tmp_path: Path) -> None:
    watched = await staged(tmp_path)
    same = scrapy(watched, "staged", "replay", "--fail")
    expected = f"12 envelopes, converter {CONVERTER_VERSION}: 12 the same, 0 differ\n"
    assert (same.returncode, same.stdout) == (0, expected), same.stderr

    page = number_of(watched, "/1024/1/")
    body = json.loads((watched.staged / watched.index()[page]["path"]).read_text())["content"]
    changed = rewrite(watched, page, body=body["body"].replace("(b) A ", "(b) The\x1b "))
    noise = number_of(watched, "/1024/2/")
    only_noise = rewrite(watched, noise, body=section_text(watched, noise) + "\n\n\n")
    damaged = rewrite(watched, number_of(watched, "/a.pdf"), body_base64="JVBERi0=")
    no_original = rewrite(watched, number_of(watched, "/a.xml"), body_base64=None)
    found = scrapy(watched, "staged", "replay", "--diff")
    assert found.returncode == 1, "one is damaged"
    lines = found.stdout.splitlines()
    at = lines.index(f"{changed}: differs (made by converter 0-old)")
    assert lines[at + 1].startswith("  @ line ")
    assert lines[at + 2].startswith("  - (b) The\\x1b servicer shall")
    assert lines[at + 3].startswith("  + (b) A servicer shall")
    assert f"{only_noise}: differs, only in noise (made by converter 0-old)" in lines
    assert any(line.startswith(f"{damaged}: failed: ") for line in lines)
    assert no_original not in found.stdout
    assert lines[-1].endswith(
        "8 the same, 2 differ (1 not only in noise), 1 without an original, 1 failed"
    )


def section_text(watched: Watch, number: int) -> str:
    envelope = json.loads((watched.staged / watched.index()[number]["path"]).read_text("utf-8"))
    assert envelope["integrity"]["content_hash"] == hash_text(envelope["content"]["body"])
    return str(envelope["content"]["body"])


@deferred_f_from_coro_f
async def test_the_options_choose_envelopes_and_the_exit_code(tmp_path: Path) -> None:
    watched = await staged(tmp_path)
    path = rewrite(watched, 0, body="# Another text")
    for arguments, code, names in (
        ([], 0, [path]),
        (["--fail"], 1, [path]),
        (["--source", "reg-x"], 0, [path]),
        (["--since", "2999-01-01"], 0, []),
    ):
        done = scrapy(watched, "staged", "replay", "--json", *arguments)
        assert done.returncode == code, (arguments, done.stderr)
        *found, summary = map(json.loads, done.stdout.splitlines())
        assert [one["path"] for one in found] == names
        assert summary["differs"] == summary["changed"] == len(names)
        assert summary["converter"] == CONVERTER_VERSION
    done = scrapy(watched, "staged", "replay", "--source", "nobody")
    assert done.returncode == 2
    assert "no envelope is of 'nobody'" in done.stderr
