"""A model that reads each program's prompt, and answers in the form that it asks for.

What it finds in a text is the same for all, so that the programs differ by what they send it and by
what they make of its answers. It reads by rules, or knows what is right, and can invent what it
does not find, as small models do.
"""

from __future__ import annotations

import ast
import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.fields.reader import find
from tests.servers.openai_reading import Asked, Wanted, answer_to, read_request

if TYPE_CHECKING:
    from bench.fields.corpus import Page

INVENTED = {"string": "Quentin Marlowe", "number": 47.11, "integer": 4711}
"""The value of each type that it invents. No page of the corpus has one."""
_CRAWL4AI = re.compile(
    r"<url_content>\n(.*)\n</url_content>.*<schema_block>\n(.*)\n</schema_block>", re.DOTALL
)
_SCRAPEGRAPHAI = re.compile(
    r"OUTPUT INSTRUCTIONS: (.*?)\n.*?(?:WEBSITE CONTENT:|Content of \d+:) +(.*)", re.DOTALL
)
_SCHEMA = re.compile(r"```(?:json)?\n(\{.*?\})\n```", re.DOTALL)
_LANGEXTRACT = re.compile(r"\nQ: (.*)\nA: *\Z", re.DOTALL)
_LISTED = re.compile(r"^- ([\w-]+) \((\w+)\)", re.MULTILINE)


class Form(NamedTuple):
    """A prompt that was understood."""

    program: str
    asked: Asked


def answer(body: dict[str, Any], page: Page | None = None, *, invents: bool = False) -> str:
    """Return the text of the answer to a request.

    :param page: that it is about, whose labels the model knows; None: it reads by rules
    :raises ValueError: its prompt is none of those that are known
    """
    form = read(body)
    fields = form.asked.fields
    found = _known(form, page) if page else answer_to(form.asked)
    for name, wanted in fields.items():
        if invents and _is_nothing(found[name]):
            value = INVENTED[wanted.type]
            label = name.replace("_", " ")
            lie = {"value": value, "text": str(value), "quote": f"{label}: {value}"}
            if form.program == "ours":
                del lie["text"]
            found[name] = lie if wanted.quoted else value
    if form.program == "crawl4ai":
        return f"<blocks>\n{json.dumps([found])}\n</blocks>\n<score>5</score>"
    if form.program == "scrapegraphai":
        texts = {name for name, wanted in fields.items() if wanted.type == "string"}
        na = {name: "NA" for name in texts if found[name] is None}
        return json.dumps(found | na)
    if form.program == "langextract":
        given = [
            {name: str(one.get("text") or one["quote"] if isinstance(one, dict) else one)}
            for name, one in found.items()
            if not _is_nothing(one)
        ]
        return json.dumps({"extractions": given})
    return json.dumps(found)


def read(body: dict[str, Any]) -> Form:
    """Return what a request asks for, and by which program."""
    prompt = str(body["messages"][-1]["content"])
    if found := _CRAWL4AI.search(prompt):
        page = json.loads(f'"{found[1]}"', strict=False)  # it sends the page as a JSON string
        return Form("crawl4ai", Asked(_wanted(json.loads(found[2])), page))
    if found := _SCRAPEGRAPHAI.search(prompt):
        schemas = _SCHEMA.findall(prompt)
        if not schemas:
            raise ValueError("no schema in a prompt of ScrapeGraphAI")
        return Form("scrapegraphai", Asked(_wanted(json.loads(schemas[-1])), _page_of(found[2])))
    if found := _LANGEXTRACT.search(prompt):
        listed = _LISTED.findall(prompt)
        fields = {name: Wanted(kind, quoted=True) for name, kind in listed}
        return Form("langextract", Asked(fields, found[1]))
    asked = read_request(body)
    if not asked.fields:
        raise ValueError("a prompt without fields")
    return Form("ours", asked)


def _known(form: Form, page: Page) -> dict[str, Any]:
    """Return what is right, where the text that was sent has it."""
    labels = {field.name: field for field in page.fields}
    answers: dict[str, Any] = {}
    for name, wanted in form.asked.fields.items():
        found = find(labels[name], form.asked.page) if name in labels else None
        if not wanted.quoted:
            answers[name] = found.value if found else None
        elif form.program == "langextract":
            answers[name] = {"value": found.value, "text": found.text} if found else None
        else:
            value, quote = (found.value, found.quote) if found else (None, None)
            answers[name] = {"value": value, "quote": quote}
    return answers


def _page_of(text: str) -> str:
    """Return the page in a prompt of ScrapeGraphAI, which prints a list of texts."""
    printed = text.strip().removesuffix(".").strip()
    try:
        value = ast.literal_eval(printed)
    except (SyntaxError, ValueError):
        return printed
    return "\n\n".join(map(str, value)) if isinstance(value, list) else printed


def _wanted(schema: dict[str, Any]) -> dict[str, Wanted]:
    return {name: Wanted(_type_of(one)) for name, one in (schema.get("properties") or {}).items()}


def _type_of(schema: dict[str, Any]) -> str:
    options = [one.get("type") for one in schema.get("anyOf") or [schema]]
    return next((str(one) for one in options if one not in {None, "null"}), "string")


def _is_nothing(value: Any) -> bool:
    return value is None or (isinstance(value, dict) and value.get("value") is None)
