"""The servers of models: where they are, and where their keys are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from wikicrawler.fields.errors import ConfigError
from wikicrawler.fields.litellm_extra import INSTALL, PREFIX, find_litellm, knows_provider
from wikicrawler.text.names import nearest
from wikicrawler.text.safe import quoted
from wikicrawler.urls.addresses import redact

if TYPE_CHECKING:
    from wikicrawler.fields.models import ScraperConfig

MAX_URL = 2_000
"""Characters of a base URL."""
MAX_MODEL = 300
"""Characters of the name of a model."""


class Provider(NamedTuple):
    """A provider with an OpenAI-compatible API."""

    base_url: str
    key_variable: str | None
    """The environment variable that usually has its keys; None: it needs none."""


class Endpoint(NamedTuple):
    """Where a model is asked."""

    base_url: str
    """With ``/v1`` or what the provider has in its place, without a slash at the end. Empty if
    litellm knows it."""
    model: str
    """The name that the server knows."""
    needs_key: bool
    """Whether a request without a key is certain to be refused."""
    by_litellm: bool = False
    """Whether litellm asks it, because its API is not OpenAI's."""


PROVIDERS = {
    "openai": Provider("https://api.openai.com/v1", "OPENAI_API_KEY"),
    # its compatible API takes no JSON Schema
    "anthropic": Provider("https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"),
    "groq": Provider("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    "mistral": Provider("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    "deepseek": Provider("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    "openrouter": Provider("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "together": Provider("https://api.together.xyz/v1", "TOGETHER_API_KEY"),
    "gemini": Provider("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    "ollama": Provider("http://localhost:11434/v1", None),
}
"""By the prefix of a model's name: ``openai/gpt-4o-mini``."""


def endpoint_of(config: ScraperConfig) -> Endpoint:
    """Return where the model of *config* is asked, and under which name.

    The prefix of a provider is no part of the name that its server knows. With ``base_url`` an
    unknown prefix is: ``Qwen/Qwen2.5-7B-Instruct`` is sent as it is, and a server's own
    ``openai/gpt-oss-20b`` is configured as ``openai/openai/gpt-oss-20b``.

    litellm asks the models of providers that only litellm knows, if it is installed, and those with
    ``litellm/`` before their name.

    :raises ConfigError: the provider is unknown and there is no ``base_url``, or that is no URL;
        or litellm is needed and not installed
    """
    if config.model.startswith(PREFIX):
        return _litellm_endpoint(config)
    prefix, slash, name = config.model.partition("/")
    provider = PROVIDERS.get(prefix) if slash else None
    model = name if provider else config.model
    if not model or not model.isprintable() or len(model) > MAX_MODEL:
        raise ConfigError(f"model: {quoted(config.model, 80)} names no model (like openai/gpt-4o)")
    if config.base_url is not None:
        return Endpoint(checked_base_url(config.base_url), model, needs_key=False)
    if provider is None:
        if slash and knows_provider(prefix):
            return Endpoint("", model, needs_key=False, by_litellm=True)
        raise ConfigError(_unknown(config.model, prefix, bool(slash)))
    return Endpoint(provider.base_url, model, needs_key=provider.key_variable is not None)


def _litellm_endpoint(config: ScraperConfig) -> Endpoint:
    """Return where a model is asked whose name begins with ``litellm/``."""
    model, shown = config.model.removeprefix(PREFIX), quoted(config.model, 80)
    provider, slash, name = model.partition("/")
    if not (provider and slash and name) or not model.isprintable() or len(model) > MAX_MODEL:
        raise ConfigError(f"model: {shown} names no model (like litellm/cohere/command-r)")
    if find_litellm() is None:
        raise ConfigError(f"model: {shown} needs litellm ({INSTALL})")
    base_url = "" if config.base_url is None else checked_base_url(config.base_url)
    return Endpoint(base_url, model, needs_key=False, by_litellm=True)


def key_variable_of(config: ScraperConfig) -> str | None:
    """Return the environment variable of the keys, or None.

    A server under another ``base_url`` than its provider's has none: keys of a provider are not
    sent to others. The variables of litellm's providers are guessed; it may know others, which it
    reads itself.
    """
    forced = config.model.startswith(PREFIX)
    prefix, slash, _ = config.model.removeprefix(PREFIX).partition("/")
    if slash and config.base_url is None and (forced or prefix not in PROVIDERS):
        known = PROVIDERS.get(prefix)
        name = re.sub(r"[^A-Z0-9]", "_", prefix[:80].upper())
        return known.key_variable if known else f"{name}_API_KEY"
    if forced:
        return None
    provider = PROVIDERS.get(prefix) if slash else None
    if provider is None or (config.base_url or provider.base_url).rstrip("/") != provider.base_url:
        return None
    return provider.key_variable


def checked_base_url(url: str) -> str:
    """Return *url* without the slash at its end.

    :raises ConfigError: it is not an http(s) URL, or has a login, a query or a fragment
    """
    try:
        parts = urlsplit(url)
        is_url = parts.scheme in ("http", "https") and bool(parts.hostname)
        is_plain = not (parts.query or parts.fragment or "?" in url or "#" in url or "@" in url)
        is_url = is_url and is_plain and (parts.port is None or parts.port > 0)
    except ValueError:
        is_url = False
    if is_url and len(url) <= MAX_URL and url.isascii() and url.isprintable() and " " not in url:
        return url.rstrip("/")
    raise ConfigError(
        f"base_url: {quoted(redact(url.partition('?')[0]), 120)} is not the URL of a server,"
        " without login and query (like http://localhost:8000/v1)"
    )


def _unknown(model: str, prefix: str, has_prefix: bool) -> str:
    shown = quoted(model, 80)
    if not has_prefix:
        return (
            f"model: {shown} has no provider (write it before the name, like openai/{model[:60]},"
            " or set base_url)"
        )
    close = nearest(prefix[:40].lower(), PROVIDERS)
    meant = f"did you mean {close}?" if close else f"known: {', '.join(PROVIDERS)}"
    return (
        f"model: {shown} has an unknown provider ({meant}); for another server with an"
        " OpenAI-compatible API, set base_url (like http://localhost:8000/v1); the providers of"
        f" litellm need it ({INSTALL})"
    )
