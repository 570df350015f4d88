"""The JSON API, over a real dashboard."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
import requests
from jsonschema import Draft202012Validator

from wikicrawler.dashboard.api.document import document
from wikicrawler.dashboard.api.questions import QUESTIONS
from wikicrawler.dashboard.api.triggers import TRIGGERS

if TYPE_CHECKING:
    from requests import Response

    from tests.servers.dashboard import RealDashboard

PARAMETERS = {"id": "notices", "site": "localhost", "sequence:int": "1"}


def at(path: str) -> str:
    """*path* with values for its parameters."""
    for name, value in PARAMETERS.items():
        path = path.replace(f"{{{name}}}", value)
    return path


def send(api: RealDashboard, path: str, **fields: Any) -> Response:
    return api.session.post(api.url + path, json=fields, timeout=60)


def controls(api: RealDashboard) -> list[dict[str, Any]]:
    """The records of controls, the last first."""
    found = api.get("/api/audit?kind=control").json()
    return [record["fields"] for record in found["records"]]


@pytest.mark.parametrize("operation", QUESTIONS, ids=lambda one: one.path)
def test_each_question_is_answered(api: RealDashboard, operation: Any) -> None:
    if operation.path == "/api/jobs/{id}":
        job = api.get("/api/jobs").json()["jobs"][0]["id"]
        answer = api.get(f"/api/jobs/{job}")
    else:
        answer = api.get(at(operation.path))
    assert answer.status_code in ({404} if operation.path.endswith(":int}") else {200})
    assert isinstance(answer.json(), dict)


def test_sources_have_their_status(api: RealDashboard) -> None:
    page = api.get("/api/sources?sort=id").json()
    status = {line["source"]["id"]: line["status"] for line in page["lines"]}
    assert list(status) == ["moved", "notices"]
    assert status["moved"] == "failed"
    assert status["notices"] in {"changed", "ok"}
    assert page["by_status"]["failed"] == 1
    one = api.get("/api/sources?status=failed&text=moved").json()
    assert [line["error"] for line in one["lines"]] == ["missing: HTTP 404"]


def test_failures_are_searched_by_their_urls_and_errors(api: RealDashboard) -> None:
    found = api.get("/api/errors?source=moved&text=/MOVED").json()
    assert found["matching"] > 0
    assert {row["source"] for row in found["rows"]} == {"moved"}
    assert api.get("/api/errors?source=moved&text=nothing").json()["matching"] == 0


@pytest.mark.parametrize("operation", [*QUESTIONS, *TRIGGERS], ids=lambda one: one.path)
def test_without_the_token_nothing_is_answered(api: RealDashboard, operation: Any) -> None:
    url = api.url + at(operation.path)
    wrong = {"Authorization": "Bearer wrong"}
    answer = requests.request(operation.method, url, headers=wrong, timeout=60)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    answer = requests.request(operation.method, url, timeout=60)
    assert answer.status_code == (401 if operation.method == "GET" else 403)


@pytest.mark.parametrize("operation", [*QUESTIONS, *TRIGGERS], ids=lambda one: one.path)
def test_what_is_not_known_is_named(api: RealDashboard, operation: Any) -> None:
    path = at(operation.path)
    if operation.method == "GET":
        answer = api.get(f"{path}?colour=red")
    else:
        answer = send(api, path, colour="red")
    assert answer.status_code == 400
    assert "colour: Extra inputs are not permitted" in answer.json()["error"]


@pytest.mark.parametrize(
    ("body", "kind", "wrong"),
    [
        (b"{", "application/json", "Expecting property name"),
        (b"[" * 100_000, "application/json", "nested too deep"),
        (b"[]", "application/json", "the request: Input should be a valid dictionary"),
        (b"{}", "text/plain", "Content-Type: application/json"),
        (b'{"reason": 5}', "application/json", "reason: Input should be a valid string, not 5"),
        (b"\xff{}", "application/json", "codec can't decode"),
    ],
)
def test_a_wrong_body_is_explained(api: RealDashboard, body: bytes, kind: str, wrong: str) -> None:
    answer = api.session.post(
        f"{api.url}/api/scheduler/pause", data=body, headers={"Content-Type": kind}, timeout=60
    )
    assert answer.status_code == 400
    assert wrong in answer.json()["error"]


def test_a_pause_is_done_and_recorded(api: RealDashboard) -> None:
    answer = send(api, "/api/sources/pause", ids=["notices"], reason="a <b>test</b>")
    assert answer.json() == {"sources": ["notices"]}
    (line,) = api.get("/api/sources?text=notices").json()["lines"]
    assert (line["status"], line["pause_reason"]) == ("paused", "a <b>test</b>")
    last = controls(api)[0]
    assert (last["action"], last["subject"], last["by"], last["via"]) == (
        "source.pause",
        "notices",
        "token",
        "api",
    )
    assert send(api, "/api/sources/resume", all=True).status_code == 200
    (line,) = api.get("/api/sources?text=notices").json()["lines"]
    assert line["status"] in {"changed", "ok"}


def test_a_control_that_is_refused_says_why(api: RealDashboard) -> None:
    assert send(api, "/api/scheduler/pause").json()["is_paused"] is True
    answer = send(api, "/api/scheduler/pause")
    assert (answer.status_code, "paused" in answer.json()["error"]) == (409, True)
    assert send(api, "/api/scheduler/resume").json()["is_paused"] is False
    answer = send(api, "/api/sources/pause", ids=["nobody"])
    assert (answer.status_code, "no such source" in answer.json()["error"]) == (400, True)


def test_sources_are_visited(api: RealDashboard) -> None:
    run = send(api, "/api/sources/run", category={"priority": "high"}).json()
    assert run["sources"] == 1
    while (job := api.get(f"/api/jobs/{run['job']}").json())["ended"] is None:
        time.sleep(0.1)
    assert job["finish_reason"] == "finished"
    assert job["requested_by"] == "token"
    visits = api.get("/api/sources/notices/runs").json()["visits"]
    assert len(visits) == 2
    assert len(api.get("/api/sources/moved/runs").json()["visits"]) == 1


def test_a_manifest_is_activated_and_restored(api: RealDashboard) -> None:
    text = (api.folder / "manifest.json").read_text()
    newer = text.replace('"1.0.0"', '"1.1.0"')
    done = send(api, "/api/manifests", text=newer, check_robots=False).json()
    assert (done["activation"]["version"], done["is_new"]) == ("1.1.0", True)
    answer = send(api, "/api/manifests", text="{", check_robots=False)
    assert answer.status_code == 409
    assert "the manifest:1:" in answer.json()["error"]
    done = send(api, "/api/manifests/restore", version="1.0.0", check_robots=False).json()
    assert done["activation"]["restored"] == 1
    assert controls(api)[0]["action"] == "manifest.rollback"


class TestTheDocument:
    def test_it_is_served(self, api: RealDashboard) -> None:
        assert api.get("/api/openapi.json").json() == json.loads(json.dumps(document()))

    def test_it_has_each_operation(self) -> None:
        found = {
            (method.upper(), path)
            for path, methods in document()["paths"].items()
            for method in methods
        }
        named = {(o.method, o.path.replace(":int", "")) for o in (*QUESTIONS, *TRIGGERS)}
        assert found == named

    def test_its_references_lead_somewhere(self) -> None:
        text = json.dumps(document())
        schemas = document()["components"]["schemas"]
        for name in {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}:
            assert name in schemas
        for schema in schemas.values():
            Draft202012Validator.check_schema(schema)
