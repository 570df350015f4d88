"""The verdict on an answer, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikicrawler.errors import Reason
from wikicrawler.tiers.base import Action, Failure
from wikicrawler.tiers.verdict.conditions import Sight
from wikicrawler.tiers.verdict.kinds import other_kind
from wikicrawler.tiers.verdict.markup import Markup, read_markup
from wikicrawler.tiers.verdict.rules import shipped_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wikicrawler.tiers.verdict.rules import Rule

# A site that blocks says so with any status; of other rules the status knows better.
_BLOCKS = frozenset({Reason.BLOCKED, Reason.BLOCKED_CAPTCHA, Reason.CONSENT, Reason.BUSY})


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an answer is, and why."""

    reason: Reason | None = None
    """None: nothing speaks against its being a page."""
    rule: str = ""
    """Id in ``wikicrawler/data/verdict.yml``; ``status``, ``kind`` or ``no-text`` else."""
    vendor: str = ""
    evidence: tuple[str, ...] = ()
    """What the rule found, a line each. It may quote the page, on one line and escaped."""
    final: bool = False
    """Whether it is true of the page itself, so that no other tier would do better."""
    status: int | None = None

    @property
    def word(self) -> str:
        """The reason's word, or ``ok``."""
        return self.reason or "ok"

    def failure(self) -> Failure | None:
        """The same for a tier; its detail quotes nothing of the page. None where it is ok."""
        if self.reason is None:
            return None
        detail = f"{self.vendor} ({self.rule})" if self.vendor else ", ".join(self.evidence)
        if self.vendor and self.status is not None:
            detail += f", HTTP {self.status}"
        action = Action.FINAL if self.final else Action.NEXT
        return Failure(self.reason, detail, action, self.status)


def judge_response(status: int, headers: Mapping[str, str], body: bytes) -> Failure | None:
    """Why an HTTP answer holds no page, by what is cheap to see; None where it may hold one.

    *headers* have lower-case names.
    """
    return explain_response(status, headers, body).failure()


def judge_status(status: int) -> Failure | None:
    """Why an answer of that HTTP *status* holds no page; None for 2xx."""
    return _by_status(status).failure()


def judge_text(text: str, body: bytes) -> Failure | None:
    """Why an HTML page whose content is *text*, as Markdown, is none after all."""
    return explain_text(text, body).failure()


def says_enough(body: bytes) -> bool:
    """Whether the document shows more text than any challenge, wall or shell does."""
    enough = shipped_rules().enough_text
    return read_markup(body, 2 * enough).length > enough


def explain_response(status: int, headers: Mapping[str, str], body: bytes) -> Verdict:
    """As :func:`judge_response`, with the reasons."""
    rules = shipped_rules()
    kind = other_kind(headers, body)
    # Twice, for white space and character references make text longer than it is.
    markup = Markup() if kind else read_markup(body, 2 * rules.enough_text)
    sight = Sight(status, headers, markup)
    blocks = (rule for rule in rules.on_response if rule.reason in _BLOCKS)
    if (found := _first(blocks, sight)) is not None:
        return found
    by_status = _by_status(status)
    if by_status.reason is not None:
        return by_status
    if kind:
        return Verdict(Reason.NOT_HTML, "kind", evidence=(kind,), final=True)
    others = (rule for rule in rules.on_response if rule.reason not in _BLOCKS)
    return _first(others, sight) or Verdict()


def explain_text(text: str, body: bytes) -> Verdict:
    """As :func:`judge_text`, with the reasons."""
    rules = shipped_rules()
    text = text.strip()
    if len(text) > rules.enough_content:
        return Verdict()
    sight = Sight(markup=read_markup(body), content=text)
    found = _first(rules.on_content, sight)
    if found is not None:
        # The status was judged with the answer; here it is not known.
        return Verdict(found.reason, found.rule, found.vendor, found.evidence, found.final)
    if not text:
        return Verdict(Reason.EMPTY, "no-text", evidence=("no text on the page",))
    return Verdict()


def _by_status(status: int) -> Verdict:
    said = (f"HTTP {status}",)
    if status in {404, 410}:
        return Verdict(Reason.MISSING, "status", evidence=said, final=True, status=status)
    if status in {429, 503}:
        return Verdict(Reason.BUSY, "status", evidence=said, status=status)
    if status in {401, 403}:
        return Verdict(Reason.BLOCKED, "status", evidence=said, status=status)
    if status >= 300:
        return Verdict(Reason.HTTP_ERROR, "status", evidence=said, status=status)
    return Verdict()


def _first(rules: Iterable[Rule], sight: Sight) -> Verdict | None:
    for rule in rules:
        evidence = rule.evidence(sight)
        if evidence is not None:
            return Verdict(
                rule.reason, rule.id, rule.vendor, evidence, rule.final, status=sight.status
            )
    return None
