"""Functions that return the verdict on a response.

``judge_…`` returns a failure or None, for tiers; ``explain_…`` returns a :class:`Verdict` with its
evidence.
"""

from __future__ import annotations

import re
import string
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from wikicrawler.errors import Reason
from wikicrawler.pages import Action, Failure
from wikicrawler.tiers.verdict.conditions import RuleInput
from wikicrawler.tiers.verdict.file_types import non_html_type
from wikicrawler.tiers.verdict.markup import Markup, read_markup
from wikicrawler.tiers.verdict.rules import shipped_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wikicrawler.tiers.verdict.rules import Rule

# Rules with these reasons apply to any status. For other reasons an error status takes precedence.
_BLOCKS = frozenset({Reason.BLOCKED, Reason.BLOCKED_CAPTCHA, Reason.CONSENT, Reason.BUSY})

_NO_ARTICLE = b"noarticletext"  # the class of MediaWiki's words for a page that does not exist
_SAMPLE_FACTOR = 4  # part of the Markdown to sample, in multiples of the limit: markup counts too
_DESTINATION = re.compile(r"\]\([^()\s]*+\)|https?://[^\s|<>]++")
# "?" counts as a letter: it replaces non-ASCII characters.
_NOT_ALPHANUMERIC = bytes(set(range(128)) - set(string.ascii_letters.encode() + b"0123456789?"))


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a response, with its evidence."""

    reason: Reason | None = None
    """None for a page."""
    rule: str = ""
    """Id in ``wikicrawler/tiers/verdict/rules.yml``, or ``status``, ``kind``, ``no-text`` or
    ``conversion``."""
    vendor: str = ""
    evidence: tuple[str, ...] = ()
    """The matches of the rule, one line each. They may quote the page, escaped."""
    final: bool = False
    """True if the failure is the page's own: no other tier could succeed."""
    status: int | None = None

    @property
    def word(self) -> str:
        """The reason, or ``ok``."""
        return self.reason or "ok"

    def failure(self) -> Failure | None:
        """Return the verdict as a tier's failure, without quotations of the page; None for a
        page."""
        if self.reason is None:
            return None
        detail = f"{self.vendor} ({self.rule})" if self.vendor else ", ".join(self.evidence)
        if self.vendor and self.status is not None:
            detail += f", HTTP {self.status}"
        action = Action.FINAL if self.final else Action.NEXT
        if self.reason is Reason.BUSY and self.status in {None, *range(200, 300)}:
            # By its status nothing has slowed the site down yet, or repeated the request.
            action = Action.WAIT
        return Failure(self.reason, detail, action, self.status, vendor=self.vendor)


def judge_response(status: int, headers: Mapping[str, str], body: bytes) -> Failure | None:
    """Return a failure if an HTTP response is not a page, as far as known before the conversion.

    :param headers: headers with lower-case names
    """
    return explain_response(status, headers, body).failure()


def judge_early(status: int, headers: Mapping[str, str], body: bytes) -> Failure | None:
    """Like :func:`judge_response`, but do not examine the document of a successful response.

    For callers that convert the document and then call :func:`judge_page`: most pages have enough
    text, and need not be parsed twice.
    """
    return explain_early(status, headers, body).failure()


def judge_page(
    status: int,
    headers: Mapping[str, str],
    body: bytes,
    text: str,
    *,
    is_shown: bool = False,
) -> Failure | None:
    """Return a failure if a response is not a page, now that its content is known.

    :param text: the content as Markdown
    :param is_shown: whether MediaWiki states which revision of the page it shows. What stands for
        a page states none: a missing page, a login, an error, what a proxy sends instead.
    """
    return explain_page(status, headers, body, text, is_shown=is_shown).failure()


def judge_status(status: int) -> Failure | None:
    """Return the failure for an HTTP *status*; None for 2xx except 206."""
    return _by_status(status).failure()


def judge_text(text: str, body: bytes) -> Failure | None:
    """Return a failure if an HTML document with the content *text* (Markdown) is not a page."""
    return explain_text(text, body).failure()


def has_enough_text(body: bytes) -> bool:
    """Return True if the document has more visible text than any challenge, wall or shell."""
    enough = shipped_rules().enough_text
    return read_markup(body, 2 * enough).length > enough


def explain_response(status: int, headers: Mapping[str, str], body: bytes) -> Verdict:
    """Like :func:`judge_response`, but return the verdict."""
    return _explain_response(status, headers, body)[0]


def _explain_response(
    status: int, headers: Mapping[str, str], body: bytes
) -> tuple[Verdict, Markup | None]:
    """Return the verdict, and the whole markup of the document if it was read."""
    kind = non_html_type(headers, body)
    # Twice the limit: white space and character references inflate the length.
    markup = Markup() if kind else read_markup(body, 2 * shipped_rules().enough_text)
    verdict = _by_rules(status, headers, markup, kind)
    return verdict, None if kind or markup.is_cut else markup


def _by_rules(status: int, headers: Mapping[str, str], markup: Markup, kind: str | None) -> Verdict:
    rules = shipped_rules()
    facts = RuleInput(status, headers, markup)
    blocks = (rule for rule in rules.on_response if rule.reason in _BLOCKS)
    if (found := _first(blocks, facts)) is not None:
        return found
    by_status = _by_status(status)
    if by_status.reason is not None:
        return by_status
    if kind:
        return Verdict(Reason.NOT_HTML, "kind", evidence=(kind,), final=True)
    others = (rule for rule in rules.on_response if rule.reason not in _BLOCKS)
    return _first(others, facts) or Verdict()


def explain_early(status: int, headers: Mapping[str, str], body: bytes) -> Verdict:
    """Like :func:`judge_early`, but return the verdict."""
    facts = RuleInput(status, headers)
    plain = (rule for rule in shipped_rules().on_response if not rule.text_max)
    if (
        _by_status(status).reason is None
        and not non_html_type(headers, body)
        and _first(plain, facts) is None
    ):
        return Verdict()
    return explain_response(status, headers, body)


def explain_page(
    status: int,
    headers: Mapping[str, str],
    body: bytes,
    text: str,
    *,
    is_shown: bool = False,
) -> Verdict:
    """Like :func:`judge_page`, but return the verdict."""
    is_page = is_shown and text and status == HTTPStatus.OK and _NO_ARTICLE not in body
    if is_page or has_enough_content(text):
        # A status or a header of a failure was judged before the conversion.
        return _first(shipped_rules().on_long, RuleInput(status, content=text.strip())) or Verdict()
    verdict, markup = _explain_response(status, headers, body)
    return verdict if verdict.reason is not None else explain_text(text, body, markup)


def has_enough_content(text: str) -> bool:
    """Return True if content with the Markdown *text* exceeds the limit of every rule.

    Only letters and digits count, without URLs: fewer characters than a reader sees.
    """
    rules = shipped_rules()
    enough = max(rules.enough_text, rules.enough_content)
    if len(text) <= enough:
        return False
    # Half of the sample is enough for most pages. It ends with a word, so that no URL is cut.
    half = text[: _SAMPLE_FACTOR * enough // 2]
    end = max(half.rfind(" "), half.rfind("\n"), 0)
    return _alphanumeric(half[:end]) > enough or (
        _alphanumeric(text[: _SAMPLE_FACTOR * enough]) > enough
    )


def _alphanumeric(text: str) -> int:
    """Return the number of letters and digits in Markdown, without URLs."""
    shown = _DESTINATION.sub("", text)
    return len(shown.encode("ascii", "replace").translate(None, _NOT_ALPHANUMERIC))


def explain_text(text: str, body: bytes, markup: Markup | None = None) -> Verdict:
    """Like :func:`judge_text`, but return the verdict.

    :param markup: that of *body*, if it was read before
    """
    rules = shipped_rules()
    text = text.strip()
    if len(text) > rules.enough_content:
        found = _first(rules.on_long, RuleInput(content=text))
    else:
        found = _first(
            rules.on_content, RuleInput(markup=markup or read_markup(body), content=text)
        )
    if found is not None:
        # Without a status: that was judged with the response.
        return Verdict(found.reason, found.rule, found.vendor, found.evidence, found.final)
    if not text:
        return Verdict(Reason.EMPTY, "no-text", evidence=("no text on the page",))
    return Verdict()


def _by_status(status: int) -> Verdict:
    evidence = (f"HTTP {status}",)
    if status in {404, 410}:
        return Verdict(Reason.MISSING, "status", evidence=evidence, final=True, status=status)
    if status in {429, 503}:
        return Verdict(Reason.BUSY, "status", evidence=evidence, status=status)
    if status in {401, 403}:
        return Verdict(Reason.BLOCKED, "status", evidence=evidence, status=status)
    if not 200 <= status < 300 or status == 206:  # 206 without a Range request
        return Verdict(Reason.HTTP_ERROR, "status", evidence=evidence, status=status)
    return Verdict()


def _first(rules: Iterable[Rule], facts: RuleInput) -> Verdict | None:
    for rule in rules:
        evidence = rule.evidence(facts)
        if evidence is not None:
            return Verdict(
                rule.reason, rule.id, rule.vendor, evidence, rule.final, status=facts.status
            )
    return None
