"""A copy of a request is what ``Request.replace()`` returns."""

from __future__ import annotations

from typing import Any

from scrapy import FormRequest, Request

from wikicrawler.process.internals.request_copies import copy_with_meta


def parse(response: Any) -> None: ...


REQUEST = Request(
    "https://a.example/ä?b=c d",
    method="post",
    body="ü",
    encoding="latin-1",
    headers={"A": ["1", "ü"], "b-c": "2"},
    cookies={"name": "value"},
    meta={"old": 1},
    cb_kwargs={"key": [1]},
    flags=["flag"],
    priority=3,
    dont_filter=True,
    callback=parse,
    errback=parse,
)


def attributes(request: Request) -> dict[str, Any]:
    return {name: getattr(request, name) for name in request.attributes}


def test_the_copy_has_all_attributes_and_the_other_meta() -> None:
    for request in (REQUEST, Request("https://a.example/")):
        copied = copy_with_meta(request, {"new": 2})
        assert attributes(copied) == attributes(request.replace(meta={"new": 2}))
        assert copied.headers.encoding == request.encoding


def test_the_copy_shares_nothing_that_changes() -> None:
    before = attributes(REQUEST.replace())
    copied = copy_with_meta(REQUEST, {"new": 2})
    copied.headers["A"] = "3"
    copied.headers.appendlist("B-C", ["4"])
    copied.meta["more"] = 1
    copied.cb_kwargs["more"] = 1
    copied.flags.append("more")
    assert attributes(REQUEST) == before


def test_a_request_of_another_class_is_constructed() -> None:
    form = FormRequest("https://a.example/", formdata={"a": "b"})
    copied = copy_with_meta(form, {"new": 2})
    assert type(copied) is FormRequest
    assert attributes(copied) == attributes(form.replace(meta={"new": 2}))
