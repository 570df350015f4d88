"""The JSON Schema of an envelope, and the verification of one."""

from __future__ import annotations

import json
from base64 import b64decode
from functools import cache
from importlib.resources import files
from typing import Any

from jsonschema import Draft202012Validator

from wikicrawler.items import hash_text
from wikicrawler.text.safe import one_line

_MAX_FAULTS = 20


@cache
def envelope_schema() -> str:
    """Return the JSON Schema of an envelope as its file has it."""
    return files("wikicrawler").joinpath("sources/envelopes/schema.json").read_text("utf-8")


@cache
def _validator() -> Any:
    return Draft202012Validator(json.loads(envelope_schema()))


def faults_of(envelope: Any) -> list[str]:
    """Return what is wrong with *envelope*, one line each: the schema, a hash, a length."""
    found = []
    for number, error in enumerate(_validator().iter_errors(envelope)):
        if number >= _MAX_FAULTS:
            break
        found.append(f"{error.json_path}: {one_line(error.message, 200)}")
    return found or _disagreements(envelope)


def _disagreements(envelope: dict[str, Any]) -> list[str]:
    content, integrity = envelope["content"], envelope["integrity"]
    body, html, data = content["body"], content["body_html"], content["body_base64"]
    found = []
    if integrity["content_hash"] != hash_text(body):
        found.append("$.integrity.content_hash: not the hash of content.body")
    if integrity["html_hash"] != (None if html is None else hash_text(html)):
        found.append("$.integrity.html_hash: not the hash of content.body_html")
    if content["body_length_chars"] != len(body):
        found.append("$.content.body_length_chars: not the length of content.body")
    if data is not None and not _is_base64(data):
        found.append("$.content.body_base64: not Base64")
    return found


def _is_base64(text: str) -> bool:
    try:
        b64decode(text, validate=True)
    except ValueError:
        return False
    return True
