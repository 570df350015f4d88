"""``python -m wikicrawler.content``."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.content.rendering import page


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "wikicrawler.content", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)


def test_a_file_is_printed_as_markdown(tmp_path):
    (tmp_path / "a.html").write_text(page('<p><a href="b">x</a></p>'))
    done = run(str(tmp_path / "a.html"), "--url", "https://wiki.example/wiki/A")
    assert (done.returncode, done.stdout) == (0, "[x](https://wiki.example/wiki/b)\n")


def test_standard_input_is_printed_as_json():
    done = run("-", "--url", "https://wiki.example/wiki/A", "--json", stdin=page("<p>é</p>"))
    assert json.loads(done.stdout)["markdown"] == "é"


def test_a_page_without_text_or_a_missing_file_is_an_error(tmp_path):
    for name, message in (("-", "empty"), (str(tmp_path / "none.html"), "No such file")):
        done = run(name, "--url", "https://wiki.example/wiki/A")
        assert done.returncode == 1
        assert message in done.stderr
        assert "Traceback" not in done.stderr


def test_a_non_wiki_page_has_its_metadata():
    html = "<meta name=description content=D><div class=mw-parser-output>x</div><nav>n</nav>"
    done = run("-", "--url", "https://page.example/", "--page", "--json", stdin=html)
    content = json.loads(done.stdout)
    assert (content["markdown"], content["metadata"]) == ("x", {"wiki": False, "description": "D"})


def test_an_invalid_url_is_rejected():
    done = run("-", "--url", "page.example/a", stdin="<p>x</p>")
    assert done.returncode == 2
    assert "--url must begin with http" in done.stderr


def test_it_explains_what_is_kept_and_dropped_without_a_url():
    html = "<nav>Menu</nav><main><h1>T</h1><p>One two.</p></main>"
    html += '<div class="share\x1b[31m">Share</div>'
    done = run("-", "--page", "--explain", stdin=html)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["dropped", "dropped", "kept"]
    assert "<nav>" in lines[0]
    assert "share" in lines[1]
    assert "\x1b" not in done.stdout
    assert "several parts" in lines[2]
    assert lines[2].endswith("'T One two.'")


def test_a_page_without_content_is_explained_too():
    done = run("-", "--page", "--explain", stdin="<body><nav>Menu</nav></body>")
    assert done.returncode == 1
    assert "<nav>" in done.stdout
    assert "empty" in done.stderr


def test_a_wiki_page_is_explained(tmp_path):
    (tmp_path / "a.html").write_text(page('<div class="navbox">Boxes</div><p>x</p>'))
    done = run(str(tmp_path / "a.html"), "--explain")
    assert "the content of a wiki page" in done.stdout
    assert "'Boxes'" in done.stdout


def test_the_conversion_does_not_import_scrapy():
    code = (
        "import sys, wikicrawler.content as c\n"
        "assert c.convert('<p>x</p>', 'https://page.example/').markdown == 'x'\n"
        "print(*sorted({'scrapy', 'twisted'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "\n", "")


def test_comments_are_kept_on_demand():
    text = f"<article>{'<p>The ferry left at nine, and it came back at noon.</p>' * 9}</article>"
    html = f"<main>{text}<div id=comments>I was there.</div></main>"
    url = ("--url", "https://page.example/")
    without = run("-", *url, stdin=html).stdout
    assert run("-", *url, "--comments", stdin=html).stdout == f"{without}\nI was there.\n"


def test_links_have_the_form_that_is_asked_for():
    html = page('<p><a href="/b">b</a></p>')
    url = ("--url", "https://wiki.example/wiki/A")
    assert run("-", *url, "--links", "relative", stdin=html).stdout == "[b](/b)\n"
    done = run("-", *url, "--links", "text", "--json", stdin=html)
    content = json.loads(done.stdout)
    assert (content["markdown"], content["links"]) == ("b", ["https://wiki.example/b"])
    assert not {"inline_links", "origin", "text_key"} & content.keys()
    assert run("-", *url, "--links", "html", stdin=html).returncode == 2


def test_images_are_alt_texts_or_images():
    html = page('<p>3 <img src="/f.png" alt="Fuel"></p>')
    url = ("--url", "https://wiki.example/wiki/A")
    assert run("-", *url, stdin=html).stdout == "3 Fuel\n"
    kept = run("-", *url, "--images", "markdown", stdin=html)
    assert kept.stdout == "3 ![Fuel](https://wiki.example/f.png)\n"
    assert run("-", *url, "--images", "html", stdin=html).returncode == 2
