"""A secret is hidden in the log however a message writes it."""

from __future__ import annotations

import base64
import html
import json
import logging
import logging.config
import os
import pprint
import subprocess
import sys
import textwrap
import traceback
import warnings
from typing import TYPE_CHECKING
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.settings import Settings

from tests.growth import LIMIT, growth
from wikicrawler.console.log_secrets import LogSecrets, secrets_of
from wikicrawler.console.safe_log import protect_log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

# Secrets of several kinds, each long enough to be broken.
PHRASE = "correct horse battery staple " * 4 + "Tail-Of-It"
TOKEN = "Bearer eyJhbGciOiJIUzI1NiJ9." + "0aB1cD2/+=" * 12 + "Tail-Of-It"
MIXED = 'it\'s "quoted" <&> \\ and ünïcödé 例え\tTail-Of-It'
KEY = "-----BEGIN KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0B\n" * 4 + "Tail-Of-It\n-----END KEY-----\n"
SECRETS = {"phrase": PHRASE, "token": TOKEN, "mixed": MIXED, "key": KEY}


def hidden(secret: str, text: str) -> str:
    secrets = LogSecrets()
    secrets.add([secret])
    return secrets.hide(text)


FORMS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "repr": repr,
    "bytes": lambda s: repr(s.encode()),
    "repr of repr": lambda s: repr(repr(s)),
    "pprint": lambda s: pprint.pformat({"some": {"header": s}}, width=60),
    "pprint, narrow": lambda s: pprint.pformat({"header": s}, width=20),
    "pprint of a list": lambda s: pprint.pformat([s, 1, (s,)], width=40),
    "pprint alone": lambda s: pprint.pformat(s, width=40),
    "pprint of bytes": lambda s: pprint.pformat({"header": s.encode()}, width=30),
    "pprint, indented": lambda s: textwrap.indent(pprint.pformat([s], width=50), " " * 12),
    "json": json.dumps,
    "json, not escaped": lambda s: json.dumps(s, ensure_ascii=False),
    "json of PHP": lambda s: json.dumps(s).replace("/", "\\/"),
    "percent-encoded": quote,
    "percent-encoded completely": lambda s: quote(s, safe=""),
    "percent-encoded twice": lambda s: quote(quote(s, safe=""), safe=""),
    "form": quote_plus,
    "lower hexadecimal": lambda s: quote(s, safe="").lower(),
    "upper case": str.upper,
    "lower case": str.lower,
    "html": html.escape,
    "base64": lambda s: base64.b64encode(s.encode()).decode(),
    "unicode_escape": lambda s: s.encode("unicode_escape").decode(),
    "ascii": ascii,
    "traceback": lambda s: "".join(traceback.format_exception(ValueError(s))),
    "traceback of a KeyError": lambda s: "".join(traceback.format_exception(KeyError(s))),
    "cut": lambda s: s[:40] + "…",
    "query": lambda s: "GET /?" + "token=" + quote_plus(s) + "&x=1",
}


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_secret_is_hidden_in_every_form(form: Callable[[str], str], secret: str) -> None:
    values = secrets_of(Settings({"MY_TOKEN": secret}))
    secrets = LogSecrets()
    secrets.add(values)
    shown = secrets.hide(f"before {form(secret)} after")
    assert "***" in shown
    assert shown.startswith("before ")
    assert shown.endswith(" after")
    for word in ("tail-of-it", "staple", "0ab1cd2", "quoted", "codé", "miievqib", "vghpbc"):
        assert word not in shown.lower()


@pytest.mark.parametrize("width", range(8, 90, 7))
def test_a_text_that_is_wrapped_is_hidden(width: int) -> None:
    for text in (textwrap.fill(PHRASE, width), textwrap.fill(TOKEN, width, initial_indent="  ")):
        for secret in (PHRASE, TOKEN):
            text = hidden(secret, text)  # noqa: PLW2901
        assert text.strip() == "***"


@given(st.text(min_size=8, max_size=60).map(str.strip).filter(lambda s: len(s) >= 8))
def test_any_secret_is_hidden_in_dumps(secret: str) -> None:
    for width in (10, 30, 80):
        shown = hidden(secret, pprint.pformat({"a": secret}, width=width))
        assert "".join(shown.split()) == "{'a':'***'}".replace("'***'", _quoted_like(shown))
    assert hidden(secret, repr(secret))[1:-1] == "***"


def _quoted_like(shown: str) -> str:
    """Return the hidden value in the quotes that *shown* has: pprint may choose either."""
    value = "".join(shown.split()).removeprefix("{'a':").removesuffix("}")
    assert value.strip("'\"()") == "***"
    return value


def test_a_dump_without_secrets_is_unchanged() -> None:
    dump = pprint.pformat({"USER_AGENT": PHRASE, "x": [b"y" * 200], "path": "a'\n b"}, width=40)
    assert hidden("another secret", dump) == dump


@pytest.mark.parametrize("value", ["a b c", "x" * 5 + " " + "y" * 90, "it's " + '"a" ' * 40])
@pytest.mark.parametrize("name", ["FTP_PASSWORD", "db_pass", "api_key", "AWS_SECRET_ACCESS_KEY"])
def test_a_value_that_is_broken_is_hidden_by_its_name(name: str, value: str) -> None:
    for width in (20, 60):
        dump = pprint.pformat({"before": 1, name: value, "zz": "shown"}, width=width)
        shown = LogSecrets().hide(dump)
        assert f"'{name}': '***'" in " ".join(shown.split())
        assert "'shown'" in shown
        assert "a" not in shown.replace(name, "").replace("before", "").replace("shown", "")


@pytest.mark.parametrize(
    "text",
    [
        "https%3A%2F%2Fbob%3Ahunter2%40x.org%2F",
        "HTTPS://BOB:HUNTER2@X.ORG/",
        "?url=http%3a%2f%2fbob%3ahunter2%40x.org",
        r'{"url": "https:\/\/bob:hunter2@x.org\/"}',
        pprint.pformat({"proxy": b"http://bob:" + b"hunter2" * 30 + b"@x.org/"}, width=40),
        pprint.pformat([b"x" * 17 + b"http://bob:hunter2@x.org/"], width=20),
    ],
)
def test_the_login_of_a_url_is_hidden_in_every_form(text: str) -> None:
    shown = LogSecrets().hide(text)
    assert "ter2" not in shown.lower()
    assert "***" in shown
    assert "x.org" in shown.lower()


@pytest.mark.parametrize(
    "text",
    ["https%3A%2F%2Fx.org%2F%40me", "mail me%40x.org", "https://x.org/?u=https%3A%2F%2Fx.org%2F@a"],
)
def test_what_is_no_login_is_unchanged(text: str) -> None:
    assert LogSecrets().hide(text) == text


def test_secrets_inside_of_other_settings_are_found() -> None:
    settings = Settings(
        {
            "FEEDS": {"ftp://bob:feed%20pass@x.org/a.csv": {"format": "csv"}},
            "DATABASE": {"host": "db.example.org", "password": "of the database"},
            "MY_DATABASE_URL": "postgresql://bob:of-postgres@x.org/",
            "BACKENDS": [{"name": "first", "api_key": "of-a-backend"}],
            "MY_CREDENTIALS": {"id": "the-user", "keys": ["key-one", "key-two"]},
            "SORTING": {"sort_key": "published"},
            "HTTPAUTH_USER": "bob",
            "HTTPAUTH_PASS": "of-the-site",
        }
    )
    found = secrets_of(settings)
    assert found >= {"feed pass", "feed%20pass", "of the database", "of-postgres", "of-a-backend"}
    assert found >= {"the-user", "key-one", "key-two", "of-the-site"}
    assert base64.b64encode(b"bob:of-the-site").decode().rstrip("=") in found
    assert not found & {"published", "db.example.org", "first", "csv"}


@pytest.fixture
def written(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    factory = logging.getLogRecordFactory()
    protect_log(Settings({"MY_TOKEN": PHRASE}))
    yield caplog
    logging.setLogRecordFactory(factory)


def test_all_loggers_hide_it(written: pytest.LogCaptureFixture) -> None:
    dump = pprint.pformat({"header": PHRASE})
    for name in ("scrapy.statscollectors", "asyncio", "twisted", "urllib3", "root"):
        logging.getLogger(name).error("Dumping:\n%(dump)s", {"dump": dump})
    logging.captureWarnings(True)
    try:
        warnings.warn(dump, stacklevel=1)
    finally:
        logging.captureWarnings(False)
    try:
        raise ValueError(dump)
    except ValueError as error:
        error.add_note(textwrap.fill(PHRASE, 30))
        logging.getLogger("x").exception("failed")
    assert len(written.records) == 7
    assert "Tail-Of-It" not in written.text
    assert "staple" not in written.text


def test_the_settings_that_scrapy_logs_hide_it(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "scrapy", "crawl", "wiki", "-a", "seeds=http://127.0.0.1:1/"),
            *("-s", f"FTP_PASSWORD={PHRASE}", "-s", f"AWS_SESSION_TOKEN={TOKEN}"),
        ],
        env={**os.environ, "SCRAPY_SETTINGS_MODULE": "wikicrawler.settings"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert "'FTP_PASSWORD': '***'" in done.stderr
    assert "'AWS_SESSION_TOKEN': '***'" in done.stderr
    for word in ("staple", "Tail-Of-It", "0aB1cD2"):
        assert word not in done.stderr


NEAR = [
    "token='",
    "a_key='a' ",
    "'\n '",
    "\\",
    "a_",
    '"',
    "PASS: ('",
    " ",
    "\n",
    "s3cret of it'\n ",
]


@pytest.mark.parametrize("piece", [*NEAR, "://a'\n b'", "://a@", "%3A%2F%2Fa", "%40", ":\\/\\/"])
@pytest.mark.parametrize("start", ["", "x_PASS='", "s3cret", "@ "])
def test_the_time_to_hide_secrets_is_linear(piece: str, start: str) -> None:
    secrets = LogSecrets()
    secrets.add(["s3cret of it's own \n \n kind, with a tail", "  '\n'\n'  x"])
    assert growth(secrets.hide, lambda size: start + piece * size, 1_000) < LIMIT
