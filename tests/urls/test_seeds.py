"""Parsing of seeds, and reports of invalid ones."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import Request

from wikicrawler.errors import ConfigError
from wikicrawler.text.lines import MAX_LINE
from wikicrawler.urls.addresses import MAX_URL, parse_url
from wikicrawler.urls.seeds import read_seeds

BASE = Path("/nowhere")


@pytest.fixture
def from_file(tmp_path):
    def from_file(data: str | bytes):
        path = tmp_path / "seeds.txt"
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return read_seeds("seeds.txt", tmp_path)

    return from_file


# --- the argument ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argument", "urls"),
    [
        ("https://a.example/", ["https://a.example/"]),
        ("  https://a.example/x\n", ["https://a.example/x"]),
        ("https://a.example/ http://b.example/", ["https://a.example/", "http://b.example/"]),
        ("https://a.example/, http://b.example/", ["https://a.example/", "http://b.example/"]),
        ("https://a.example/,HTTP://b.example/", ["https://a.example/", "http://b.example/"]),
        ("https://a.example/,\n\thttp://b.example/,", ["https://a.example/", "http://b.example/"]),
        ("https://a.example/Rome,_Italy?x=1,2", ["https://a.example/Rome,_Italy?x=1,2"]),
        ("https://a.example/b https://a.example/b#c", ["https://a.example/b"]),
    ],
)
def test_an_argument_is_one_url_or_several(argument, urls):
    seeds = read_seeds(argument, BASE)
    assert seeds.urls == urls
    assert seeds.problems == []


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://a.example", "https://a.example/"),
        ("HTTPS://A.Example:443?q", "https://a.example/?q"),
        ("http://a.example:80/", "http://a.example/"),
        ("http://a.example:443/", "http://a.example:443/"),
        ("http://a.example:/", "http://a.example/"),
        ("http://a.example./x", "http://a.example/x"),
        ("http://a_b.example/", "http://a_b.example/"),
        ("https://bücher.example/Größe", "https://xn--bcher-kva.example/Gr%C3%B6%C3%9Fe"),
        ("https://straße.example/", "https://xn--strae-oqa.example/"),
        ("https://例え.テスト/", "https://xn--r8jz45g.xn--zckzah/"),
        ("http://１２７.0.0.1/", "http://127.0.0.1/"),
        ("http://[2001:DB8:0:0:0:0:0:1]:8080/", "http://[2001:db8::1]:8080/"),
        ("https://a.example/a|b?c=[d]", "https://a.example/a%7Cb?c=%5Bd%5D"),
        ("https://a.example/wiki/Q:_A@b#section", "https://a.example/wiki/Q:_A@b"),
        ("https://a.example/100%25_%zz", "https://a.example/100%25_%zz"),
        ("https://a.example/می‌خواهم", "https://a.example/%D9%85%DB%8C%E2%80%8C%D8%AE%D9%88%D8%A7%D9%87%D9%85"),
    ],
)  # fmt: skip
def test_a_url_is_normalised_to_the_requested_form(text, url):
    assert parse_url(text) == url
    assert Request(url).url == url


URLS = st.builds(
    "{}://{}{}/{}{}".format,
    st.sampled_from(["http", "https", "HTTP"]),
    st.from_regex(r"[a-zA-Zäß0-9._-]{1,20}", fullmatch=True),
    st.sampled_from(["", ":80", ":443", ":8080", ":"]),
    st.text(max_size=20),
    st.one_of(st.just(""), st.text(max_size=20).map("?{}".format)),
)


@given(st.one_of(st.text(), URLS, URLS.map(lambda url: url.encode("ascii", "ignore").decode())))
def test_a_normalised_url_is_unchanged_by_normalisation_and_scrapy(text):
    try:
        url = parse_url(text)
    except ValueError as exc:
        assert str(exc).isprintable()  # noqa: PT017 - an error is one outcome of two
        return
    assert url.isascii()
    assert parse_url(url) == url
    assert Request(url).url == url


# --- a file ---------------------------------------------------------------------------------


def test_a_file_has_one_url_a_line(from_file):
    seeds = from_file(
        "# wikis\n"
        "https://a.example/\n"
        "\n"
        "  https://b.example/x  # the second\n"
        "\t# https://c.example/\n"
        "https://b.example/x#y\n"
        "https://a.example"
    )
    assert seeds.urls == ["https://a.example/", "https://b.example/x"]
    assert seeds.problems == []


def test_a_file_from_windows_is_read(from_file):
    seeds = from_file(b"\xef\xbb\xbfhttps://a.example/\r\n\r\n# x\r\nhttps://b.example/\r\n")
    assert seeds.urls == ["https://a.example/", "https://b.example/"]
    assert seeds.problems == []


def test_invalid_lines_are_reported_and_the_others_used(from_file, tmp_path):
    seeds = from_file(
        b"https://a.example/\n"
        b"en.wikipedia.org/wiki/Rome\n"
        b"# a comment counts as a line\n"
        b"https://b.example/\xff\n"
        b"https://c.example/" + b"x" * MAX_LINE + b"\n"
        b"https://d.example/\n"
    )
    assert seeds.urls == ["https://a.example/", "https://d.example/"]
    name = tmp_path / "seeds.txt"
    assert seeds.problems[0] == (
        f"{name}:2: 'en.wikipedia.org/wiki/Rome' has no scheme "
        "(write 'https://en.wikipedia.org/wiki/Rome')"
    )
    assert seeds.problems[1].startswith(f"{name}:4: ")
    assert "is not UTF-8" in seeds.problems[1]
    assert seeds.problems[2].startswith(f"{name}:5: ")
    assert "is longer than 65,536 bytes" in seeds.problems[2]
    assert len(seeds.problems[2]) < 400
    assert len(seeds.problems) == 3


def test_a_million_lines_are_read(from_file):
    lines = "".join(f"https://a.example/wiki/Page_{i}\n" for i in range(100_000))
    assert len(from_file(lines * 10).urls) == 100_000


def test_a_comment_after_much_white_space_takes_linear_time(from_file):
    assert from_file("https://a.example/\nx" + " " * 60_000 + "y").urls == ["https://a.example/"]


def test_a_pipe_is_read_like_a_file(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=("https://a.example/\n",))
    writer.start()
    assert read_seeds(str(path), BASE).urls == ["https://a.example/"]
    writer.join()


def test_a_file_may_have_any_name(tmp_path):
    for name in ("my seeds", "wikis,2024", "a.example"):
        (tmp_path / name).write_text("https://a.example/")
        assert read_seeds(name, tmp_path).urls == ["https://a.example/"]


# --- mistakes -------------------------------------------------------------------------------

BAD = [
    ("a.example/x", "has no scheme (write 'https://a.example/x')"),
    ("//a.example/x", "has no scheme (write 'https://a.example/x')"),
    ("localhost:8080/x", "has no scheme (write 'https://localhost:8080/x')"),
    ("a.example/?u=http://b", "has no scheme (write 'https://a.example/?u=http://b')"),
    ("ht!tp://a.example/", "has no valid scheme (write 'https://a.example/')"),
    ("://a.example/", "has no valid scheme (write 'https://a.example/')"),
    ("ftp://a.example/", "has the scheme 'ftp' (only http:// and https:// are supported)"),
    ("file:///etc/passwd", "has the scheme 'file'"),
    ("data:text/html,x", "has the scheme 'data'"),
    ("javascript:alert(1)", "has the scheme 'javascript'"),
    ("http:/a.example", "has no // after the scheme"),
    ("http:a.example", "has no // after the scheme"),
    ("http://", "has no host"),
    ("https:///x", "has no host"),
    ("http://:80/", "has no host"),
    ("http://[::1/", "has an invalid host ("),
    ("http://[1]/", "has a"),
    ("http://[fe80::1%eth0]/", "has an IPv6 address with a zone"),
    ("http://a.example:99999/", "has the port '99999' (a number from 1 to 65535)"),
    ("http://a.example:0/", "has the port '0'"),
    ("http://a.example:x/", "has the port 'x'"),
    ("http://a.example:" + "9" * 5000 + "/", "has the port '9999"),
    ("http://a..example/", "has an invalid host name"),
    ("http://a%2eb.example/", "has an invalid host name"),
    ("http://" + "a" * 64 + ".example/", "has an invalid host name"),
    ("http://" + "é" * 300 + ".example/", "has an invalid host name"),
    ("http://127.1/", "has an invalid IP address"),
    ("http://0x7f000001/", "has an invalid IP address"),
    ("http://2130706433/", "has an invalid IP address"),
    ("http://a.example\\@b.example/", "contains a backslash"),
    ("http://a.example/a\x00b", "contains the control character U+0000"),
    ("http://a.example/\x1b[2J", "contains the control character U+001B"),
    ("http://a.example/\udcff", "contains the control character U+DCFF"),
    ("http://a.example/" + "x" * MAX_URL, "has 8,017 characters (at most 8,000)"),
    ("http://a.example/" + "é" * 3000, "has 18,017 characters when encoded"),
]


@pytest.mark.parametrize(("text", "what"), BAD, ids=lambda value: repr(value)[:40])
def test_an_invalid_seed_is_reported_and_the_others_used(text, what):
    seeds = read_seeds(f"https://good.example/ {text}", BASE)
    assert seeds.urls == ["https://good.example/"]
    (problem,) = seeds.problems
    assert problem.startswith(f"seeds: {text[:8]!r}"[:13])
    assert what in problem
    assert problem.isprintable()
    assert len(problem) < 500


@pytest.mark.parametrize(
    "text", ["https://me:hunter2@a.example/", "me:hunter2@a.example/", "//me:hunter2@a.example/"]
)
def test_a_password_is_rejected_and_not_repeated(text):
    with pytest.raises(ConfigError) as caught:
        read_seeds(text, BASE)
    assert "hunter2" not in str(caught.value)
    assert "***@a.example" in str(caught.value)


def test_the_error_for_a_password_names_the_settings_for_it():
    with pytest.raises(ConfigError, match="HTTPAUTH_USER, HTTPAUTH_PASS and HTTPAUTH_DOMAIN"):
        read_seeds("https://me:hunter2@a.example/", BASE)


def test_a_space_in_a_line_is_reported_once_with_a_hint(from_file):
    seeds = from_file("https://a.example/\nhttps://a.example/Main Page\n")
    assert len(seeds.problems) == 1
    assert "write %20, or _ in a wiki title" in seeds.problems[0]


def test_control_characters_in_a_seed_are_escaped(from_file):
    seeds = from_file(
        "https://a.example/\nx\r2026 [x] INFO: forged \x1b[2J\u2028\u202e" + "y" * 500
    )
    (problem,) = seeds.problems
    assert problem.isprintable()
    assert len(problem) < 500


@pytest.mark.parametrize("argument", ["", " \n"])
def test_an_empty_argument_is_an_error(argument):
    with pytest.raises(ConfigError, match="seeds: empty"):
        read_seeds(argument, BASE)


@pytest.mark.parametrize("name", ["seeds.txt", "./seeds", "../x", "/x/y", "lists/a.csv"])
def test_a_missing_file_is_reported_with_its_full_path(name):
    with pytest.raises(ConfigError) as caught:
        read_seeds(name, BASE)
    assert f"the file {BASE / name} does not exist (" in str(caught.value)
    assert "https://" in str(caught.value)


def test_a_bare_word_is_reported_as_url_and_as_file():
    with pytest.raises(ConfigError) as caught:
        read_seeds("wowpedia", BASE)
    assert "has no scheme (write 'https://wowpedia')" in str(caught.value)
    assert "the file /nowhere/wowpedia does not exist either" in str(caught.value)


def test_a_file_without_a_url_is_an_error(from_file, tmp_path):
    with pytest.raises(ConfigError, match="contains no URL"):
        from_file("# all of it\n\n")
    with pytest.raises(ConfigError, match=r"seeds\.txt:1: 'x' has no scheme"):
        from_file("x")
    with pytest.raises(ConfigError, match="and 980 more"):
        from_file("x\n" * 1000)
    with pytest.raises(ConfigError, match="is UTF-16"):
        from_file("https://a.example/".encode("utf-16"))


def test_a_directory_or_device_is_not_read(tmp_path):
    for path in (tmp_path, "/dev/zero"):
        with pytest.raises(ConfigError, match="is not a file"):
            read_seeds(str(path), BASE)


def test_a_dangling_link_is_a_missing_file(tmp_path):
    (tmp_path / "link.txt").symlink_to(tmp_path / "missing")
    with pytest.raises(ConfigError, match="does not exist"):
        read_seeds("link.txt", tmp_path)


@given(st.one_of(st.text(), st.text(st.sampled_from("htps:/,@ .a\n[]%#?\0é~\\"), max_size=40)))
def test_any_argument_raises_only_config_errors(argument):
    try:
        seeds = read_seeds(argument, BASE)
    except ConfigError as exc:
        assert str(exc).replace("\n", "").isprintable()  # noqa: PT017 - one outcome of two
        return
    assert seeds.urls
    assert len(set(seeds.urls)) == len(seeds.urls)


@given(data=st.binary(max_size=200))
def test_any_file_raises_only_config_errors(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any seeds"
    path.write_bytes(data)
    try:
        read_seeds(str(path), BASE)
    except ConfigError as exc:
        assert str(path) in str(exc)  # noqa: PT017 - an error is one outcome of two


GOOD = st.integers(0, 999).map("https://a.example/{}".format)
BAD = st.one_of(
    st.sampled_from(
        ["http://[::1/", "http://a.example:99999/", "ftp://a.example/", "http:///x", "x"]
    ),
    st.binary(min_size=1, max_size=20)
    .map(lambda data: b"http://" + data.translate(None, b"\n\r#") + b"\0")
    .map(lambda data: data.decode("latin-1")),
)


@given(st.lists(st.tuples(st.booleans(), GOOD, BAD), min_size=1, max_size=12))
def test_each_invalid_line_is_reported_with_its_number(tmp_path_factory, lines):
    path = tmp_path_factory.getbasetemp() / "mixed seeds"
    text = "".join(f"{good if is_good else bad}\n" for is_good, good, bad in lines)
    path.write_bytes(text.encode("latin-1"))
    expected = list(dict.fromkeys(good for is_good, good, _ in lines if is_good))
    numbers = [number for number, (is_good, *_) in enumerate(lines, 1) if not is_good]
    if not expected:
        with pytest.raises(ConfigError):
            read_seeds(str(path), BASE)
        return
    seeds = read_seeds(str(path), BASE)
    assert seeds.urls == expected
    assert [problem.split(": ")[0] for problem in seeds.problems] == [
        f"{path}:{n}" for n in numbers
    ]
    assert all(problem.isprintable() for problem in seeds.problems)
