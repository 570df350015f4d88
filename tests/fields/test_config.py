"""The configuration comes from the environment, a file and arguments, or all faults are named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from wikicrawler.fields.config import PREFIX, PROVIDERS, SETTINGS, endpoint_of, load_config
from wikicrawler.fields.errors import ConfigError
from wikicrawler.fields.models import ScraperConfig

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "sk-very-secret"  # noqa: S105
DEFAULTS = {
    "backend": "http",
    "model": "openai/gpt-4o-mini",
    "max_concurrent": 5,
    "timeout": 30000,
    "headless": True,
    "stealth": True,
    "max_pages": 50,
    "max_depth": 3,
    "input_format": "markdown",
    "chunk_token_threshold": 2048,
    "verbose": False,
}
"""The table of the specification."""


def faults(file: Any = None, environ: dict[str, str] | None = None, **overrides: Any) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load_config(file, environ or {}, **overrides)
    return str(caught.value).splitlines()


@pytest.mark.parametrize(("name", "value"), DEFAULTS.items())
def test_the_defaults_are_those_of_the_specification(name: str, value: Any) -> None:
    found = getattr(load_config(environ={}), name)
    assert found == value
    assert type(found) is type(value)


def test_without_sources_the_rest_is_unset() -> None:
    config = load_config(environ={})
    assert config == ScraperConfig()
    assert (config.api_keys, config.base_url, config.max_tokens, config.max_cost) == (
        (),
        None,
        None,
        None,
    )


def test_a_file_wins_over_the_environment_and_an_argument_over_both(tmp_path: Path) -> None:
    path = tmp_path / "scraper.yml"
    path.write_text("max_pages: 20\nmax_depth: 2\n")
    environ = {f"{PREFIX}{name}": "9" for name in ("MAX_PAGES", "MAX_DEPTH", "TIMEOUT")}
    config = load_config(path, environ, max_depth=1, timeout=None)
    assert (config.max_pages, config.max_depth, config.timeout) == (20, 1, 9)


SAMPLES: dict[str, tuple[str, Any]] = {
    "backend": ("browser", "browser"),
    "model": ("groq/llama", "groq/llama"),
    "api_keys": (" a, b,,a ", ("a", "b")),
    "base_url": ("http://localhost:8000/v1/", "http://localhost:8000/v1"),
    "max_concurrent": ("7", 7),
    "timeout": ("100", 100),
    "headless": ("false", False),
    "stealth": ("no", False),
    "max_pages": ("1", 1),
    "max_depth": ("0", 0),
    "input_format": ("text", "text"),
    "chunk_token_threshold": ("512", 512),
    "verbose": ("true", True),
    "quotes": ("0", False),
    "max_tokens": ("1000", 1000),
    "max_cost": ("0.5", 0.5),
    "max_answer_tokens": ("64", 64),
}


def test_each_setting_has_a_variable() -> None:
    assert set(SAMPLES) == set(SETTINGS)
    environ = {f"{PREFIX}{name.upper()}": text for name, (text, _) in SAMPLES.items()}
    config = load_config(environ=environ)
    assert config.model_dump() == {name: value for name, (_, value) in SAMPLES.items()}


def test_an_empty_variable_is_not_set() -> None:
    assert load_config(environ={f"{PREFIX}TIMEOUT": " "}).timeout == 30000


@pytest.mark.parametrize("suffix", ["yml", "json"])
def test_each_setting_may_be_in_a_file(suffix: str, tmp_path: Path) -> None:
    values = {name: value for name, (_, value) in SAMPLES.items()}
    path = tmp_path / f"scraper.{suffix}"
    path.write_text(json.dumps(values, indent=2))
    assert load_config(path, {}).model_dump() == values
    assert load_config(environ={}, **values).model_dump() == values


def test_an_empty_file_sets_nothing(tmp_path: Path) -> None:
    path = tmp_path / "scraper.yml"
    path.write_text("# nothing\nmax_pages:\n")
    assert load_config(path, {}) == ScraperConfig()


def test_all_faults_of_all_sources_are_named_at_once(tmp_path: Path) -> None:
    path = tmp_path / "scraper.yml"
    path.write_text("max_page: 20\nbackend: htpp\ntimeout: 0\nmax_cost: 010\n")
    environ = {f"{PREFIX}MAX_DEPHT": "1", f"{PREFIX}MAX_DEPTH": "x", "OTHER": "x"}
    assert faults(path, environ, headles=True, max_tokens=True) == [
        f"{PREFIX}MAX_DEPHT: unknown setting (did you mean max_depth?)",
        f"{path}:1: max_page: unknown setting (did you mean max_pages?)",
        f"{path}:4: max_cost: YAML reads it as a number or a date: put a text in quotes, else write"
        " digits",
        "headles: unknown setting (did you mean headless?)",
        f"{PREFIX}MAX_DEPTH: Input should be a valid integer, unable to parse string as an integer",
        f"{path}:2: backend: Input should be 'http', 'browser' or 'auto'",
        f"{path}:3: timeout: Input should be greater than or equal to 1",
        "max_tokens: is true or false, and must not be",
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_cost", float("inf")),
        ("max_cost", "inf"),
        ("max_cost", float("nan")),
        ("max_cost", 0),
        ("max_pages", 1.5),
        ("max_pages", True),
        ("verbose", "perhaps"),
        ("model", 5),
        ("api_keys", 5),
        ("api_keys", [5]),
        ("base_url", 5),
        ("input_format", "pdf"),
    ],
)
def test_a_value_of_another_type_is_refused(name: str, value: Any) -> None:
    (fault,) = faults(**{name: value})
    assert fault.startswith(f"{name}: ")


@pytest.mark.parametrize(
    "text", ["just text\n", "- a\n", "a: [\n", "max_pages: 1\nmax_pages: 2\n", "\0"]
)
def test_a_file_that_is_no_mapping_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "scraper.yml"
    path.write_text(text)
    assert faults(path)[0].startswith(f"{path}:")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path / "none.yml")
    assert fault.endswith("none.yml: the configuration cannot be read: No such file or directory")


@pytest.mark.parametrize(
    ("provider", "variable"),
    [(name, one.key_variable) for name, one in PROVIDERS.items() if one.key_variable],
)
def test_keys_come_from_the_variable_of_the_provider(provider: str, variable: str) -> None:
    environ = {one.key_variable: "other" for one in PROVIDERS.values() if one.key_variable}
    environ[variable] = "a, b"
    assert load_config(environ=environ, model=f"{provider}/m").api_keys == ("a", "b")


def test_keys_that_are_configured_win_over_the_variable_of_the_provider(tmp_path: Path) -> None:
    environ = {"OPENAI_API_KEY": "usual", f"{PREFIX}API_KEYS": "own"}
    assert load_config(environ=environ).api_keys == ("own",)
    path = tmp_path / "scraper.yml"
    path.write_text("api_keys: [one, two]\n")
    assert load_config(path, environ).api_keys == ("one", "two")


@pytest.mark.parametrize(
    ("model", "base_url", "keys"),
    [
        ("openai/gpt-4o", "http://localhost:8000/v1", ()),
        ("openai/gpt-4o", "https://api.openai.com/v1/", ("usual",)),
        ("Qwen/Qwen2.5-7B", "http://localhost:8000/v1", ()),
        ("ollama/llama3", None, ()),
    ],
)
def test_the_keys_of_a_provider_are_sent_to_no_other_server(
    model: str, base_url: str | None, keys: tuple[str, ...]
) -> None:
    config = load_config(environ={"OPENAI_API_KEY": "usual"}, model=model, base_url=base_url)
    assert config.api_keys == keys


@pytest.mark.parametrize("bad", [f"{SECRET}\nx", f"{SECRET} x", f"{SECRET}é", SECRET * 100])
def test_no_key_is_in_a_message(bad: str, tmp_path: Path) -> None:
    path = tmp_path / "scraper.json"
    path.write_text(json.dumps({"api_keys": [bad]}))
    yml = tmp_path / "scraper.yml"
    yml.write_text(f"{SECRET}\n")
    for found in (
        faults(api_keys=[bad]),
        faults(environ={f"{PREFIX}API_KEYS": bad}),
        faults(environ={"OPENAI_API_KEY": bad}),
        faults(path),
        faults(yml),
        faults(api_keys={SECRET: 1}),
        faults(api_keys=SECRET, max_pages="x"),
    ):
        assert SECRET not in "\n".join(found)


def test_no_key_is_in_a_repr() -> None:
    config = load_config(environ={}, api_keys=SECRET)
    assert SECRET not in f"{config!r}{config}"


@pytest.mark.parametrize(
    ("model", "base_url", "endpoint"),
    [
        ("openai/gpt-4o-mini", None, ("https://api.openai.com/v1", "gpt-4o-mini", True)),
        ("groq/llama-3", None, ("https://api.groq.com/openai/v1", "llama-3", True)),
        ("openrouter/meta/llama", None, ("https://openrouter.ai/api/v1", "meta/llama", True)),
        ("ollama/llama3:8b", None, ("http://localhost:11434/v1", "llama3:8b", False)),
        ("openai/gpt-4o", "http://[::1]:8000/v1/", ("http://[::1]:8000/v1", "gpt-4o", False)),
        ("Qwen/Qwen2.5", "http://localhost/v1", ("http://localhost/v1", "Qwen/Qwen2.5", False)),
        ("local", "http://localhost/v1", ("http://localhost/v1", "local", False)),
        ("openai/openai/x", "http://localhost/v1", ("http://localhost/v1", "openai/x", False)),
    ],
)
def test_a_model_is_asked_at_its_provider_or_at_the_given_server(
    model: str, base_url: str | None, endpoint: tuple[str, str, bool]
) -> None:
    assert endpoint_of(load_config(environ={}, model=model, base_url=base_url)) == (
        *endpoint,
        False,
    )


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("gpt-4o", "has no provider (write it before the name, like openai/gpt-4o, or set base_ur"),
        ("opnai/gpt-4o", "has an unknown provider (did you mean openai?); for another server"),
        ("Qwen/Qwen2.5", "has an unknown provider (known: openai, "),
        ("openai/", "names no model"),
        ("", "names no model"),
        ("openai/a\nb", "names no model"),
    ],
)
def test_a_model_without_a_server_says_what_to_set(model: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        endpoint_of(ScraperConfig(model=model))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        *("localhost:8000/v1", "ftp://x/v1", "http://", "http://u:p@x/v1", "http://x/v1?key=p"),
        *("http://x/v1#a", "http://x:99999/v1", "http://x /v1", "http://x/\n", "", "http://[::1"),
        "http://x/" + "a" * 2000,
    ],
)
def test_a_base_url_is_a_plain_url(url: str) -> None:
    (fault,) = faults(base_url=url)
    assert fault.startswith("base_url: ")
    assert ":p@" not in fault
    assert "key=p" not in fault
    with pytest.raises(ConfigError):
        endpoint_of(ScraperConfig(base_url=url))
