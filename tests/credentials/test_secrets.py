"""Secrets are read from the environment and from a file that is its owner's alone."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from scrapy.settings import Settings

from wikicrawler.credentials.references import MAX_SECRET, SecretReader, SecretRef
from wikicrawler.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "hunter2-hunter2"  # noqa: S105
ENV = SecretRef("env", "WIKI_PASSWORD", "sources.yml:4: wiki.example.org.login.password")
KEY = SecretRef("key", "wiki", "sources.yml:4: wiki.example.org.login.password")


def reader(root: Path, text: str | bytes | None = None, mode: int = 0o600) -> SecretReader:
    path = root / "secrets.yml"
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        path.chmod(mode)
    return SecretReader(Settings({"WIKICRAWLER_SECRETS_FILE": "secrets.yml"}), root)


def test_a_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIKI_PASSWORD", f" {SECRET}\n")
    assert reader(tmp_path).read(ENV) == SECRET


@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_variable_that_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    monkeypatch.delenv("WIKI_PASSWORD", raising=False)
    if value is not None:
        monkeypatch.setenv("WIKI_PASSWORD", value)
    with pytest.raises(ConfigError, match="WIKI_PASSWORD is not set") as caught:
        reader(tmp_path).read(ENV)
    assert str(caught.value).startswith("sources.yml:4: wiki.example.org.login.password: ")


@pytest.mark.parametrize("value", [f"{SECRET}\nx", f"{SECRET}\x1b", "x" * (MAX_SECRET + 1)])
def test_a_variable_that_no_header_can_have_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("WIKI_PASSWORD", value)
    with pytest.raises(ConfigError, match="line break") as caught:
        reader(tmp_path).read(ENV)
    assert SECRET not in str(caught.value)
    assert "xxxx" not in str(caught.value)


@pytest.mark.parametrize("mode", [0o600, 0o400])
def test_a_key_of_the_file(tmp_path: Path, mode: int) -> None:
    text = f"# comment\nother: 'x'\nwiki: '{SECRET}'\n"
    assert reader(tmp_path, text, mode).read(KEY) == SECRET


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o610, 0o644, 0o666])
def test_a_file_that_others_can_use_is_refused(tmp_path: Path, mode: int) -> None:
    with pytest.raises(ConfigError, match=r"chmod 600 .*secrets\.yml") as caught:
        reader(tmp_path, f"wiki: '{SECRET}'", mode).read(KEY)
    assert f"{mode:04o}" in str(caught.value)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("other: 'x'", "has no key 'wiki'"),
        ("", "has no key 'wiki'"),
        (f"- {SECRET}", "is not a mapping"),
        (f"'{SECRET}'", "is not a mapping"),
        (f"wiki: [{SECRET}]", "is not a text"),
        ("wiki: 123456789", "is not a text"),
        ("wiki:", "is not a text"),
        ("wiki: '  '", "is not a text"),
        (f"wiki: *{SECRET}", "is not plain YAML"),
        (f"wiki: &{SECRET} x", "is not plain YAML"),
        (f"wiki: !{SECRET} x", "is not plain YAML"),
        (f'wiki: "{SECRET}\\q"', "is not plain YAML"),
        (f"wiki: {SECRET}: x", "is not plain YAML"),
        (SECRET.encode("utf-16"), "is not plain YAML"),
        (f"wiki: '{SECRET}\xff'".encode("latin-1"), "is not plain YAML"),
        (f"wiki: 'a'\nwiki: '{SECRET}'", "appears twice"),
    ],
)
def test_a_mistake_in_the_file_is_reported_without_its_secrets(
    tmp_path: Path, text: str | bytes, words: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        reader(tmp_path, text).read(KEY)
    assert words in str(caught.value)
    assert SECRET not in str(caught.value)
    assert "123456789" not in str(caught.value)


def test_a_file_that_is_not_there_or_not_named_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"secrets\.yml: the secrets cannot be read"):
        reader(tmp_path).read(KEY)
    with pytest.raises(ConfigError, match="WIKICRAWLER_SECRETS_FILE names no file"):
        SecretReader(Settings(), tmp_path).read(KEY)


def test_a_folder_and_a_pipe_are_no_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "secrets.yml", 0o600)
    with pytest.raises(ConfigError, match="is not a file"):
        reader(tmp_path).read(KEY)
    (tmp_path / "secrets.yml").unlink()
    (tmp_path / "secrets.yml").mkdir(0o700)
    with pytest.raises(ConfigError, match="is not a file"):
        reader(tmp_path).read(KEY)
