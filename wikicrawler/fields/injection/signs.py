"""Signs that the text around a value is about its extraction.

A text for people does not name the fields, and does not say that a value will be output; a text that
sets a field has to do one of these. Each sign alone also stands in ordinary texts. So two kinds of
signs are needed if one of them names the field or is an unreadable spelling, otherwise three, and
only one for a value that the page contradicts (:mod:`wikicrawler.fields.injection.labels`).
"""

# ruff: noqa: E501 - tables of phrases

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import re2

from wikicrawler.fields.evidence.folding import Span, fold
from wikicrawler.fields.injection.addressing import NAMES
from wikicrawler.fields.injection.paragraphs import paragraph_ends
from wikicrawler.fields.injection.readings import plain_letters

if TYPE_CHECKING:
    from wikicrawler.fields.evidence.alignment import Content
    from wikicrawler.fields.models import FieldDefinition

_BEFORE, _BEHIND = 200, 120
"""Characters around a value that are looked at, those behind it to the end of its paragraph."""
_MAX_EVIDENCE = 500
_WORD = re.compile(r"[^\W\d_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SAY = (
    r"(?:answer|respond|reply|report|state|output|return|extract|record|list|quote|cite|mention|give|use|write|"
    r"print|put|set|enter|fill|note|treat|prefer|replace|substitute|change|choose|pick|take|store|emit|copy)"
)
_DATA = r"(?:fields?|keys?|values?|entr(?:y|ies)|columns?|propert(?:y|ies)|attributes?|slots?|variables?)"

OF_FIELD = (
    r"\b{name}s? ?(?::=|==?|=>|<-|->|→) ?\S",
    rf"\b{{name}} {_DATA}\b",
    rf"\b{_DATA} (?:of |for |named |called )?(?:the )?'?{{name}}\b",
    r"(?:^|[^a-z0-9])'{name}' ?:",
    r"\bas (?:(?:the|a|an|its|their|this|new|correct|actual|only) ){0,3}{name}\b",
    r"\b{name} (?:to be|should be|must be|has to be|shall be|ought to be|is to be|needs to be|will be)\b",
    r"\b{name} (?:that )?(?:you|we|they|it) (?:have |had )?(?:found|saw|see|seen|read|extracted|got|want|wanted)\b",
    r"\b(?:who|what|which) is the {name}\b",
    r"\b(?:get|fetch|lookup|read|find)_{name}\b|\bget ?{name}\(",
)
"""What names the field itself, as ``{name}``: kind 0."""
KINDS = (
    (
        rf"\b(?:please|kindly|be sure to|make sure to|remember to|do not forget to|you (?:must|should|will|shall|can|may|have to|are to)|"
        rf"authori[sz]e you to|always|instead|simply|just|must|should) ?,? {_SAY}\b",
        rf"(?:^|[.!?:;] ){_SAY} (?:the |this |that |it |only |with |as |'|[0-9])",
        rf"\bto {_SAY} [^.!?]{{1,60}} as (?:the |its )?{{name}}\b",
        r"\b(?:continue|go on|proceed) in (?:this|the same) way\b",
        r"\bdo (?:as|what) (?:the user|you are|i|we) \w+",
    ),
    (
        r"\b(?:json|schema|output|extract(?:ed|ion|or|ing)?|pars(?:e|er|ing)|scrap(?:er|ing)|crawler|summari[sz](?:e|er|ing|ation)|"
        r"prompt|llm|api response|tool (?:result|call|output)|function (?:result|call)|ground truth|few-shot|placeholder)\b",
        r"\byour (?:final )?(?:answer|task|instructions?|reply|response|output|extraction|summary|result)\b",
        r"\b\w+_\w+\(\)|\breturned\b|\b(?:begin|end|new|start of|end of) (?:new )?context\b",
        NAMES,
        r"\b(?:instructions?|note|notes|message|rules?|guidance) (?:for|to) (?:the |all |any )?(?:assistants?|models?|bots?|agents?|readers?|system|machines?)\b",
    ),
    (
        r"\b(?:overrid(?:es?|ing|den)|supersed(?:es?|ed|ing)|takes? precedence|prevails?|outdated|out of date|obsolete|no longer (?:valid|correct|true|applies))\b",
        r"\b(?:correct|corrected|real|true|actual|right|verified|authoritative) {name}\b|\b{name} (?:was|is|has been) (?:corrected|wrong|changed|verified)\b",
        r"\b(?:is|are|was) (?:wrong|incorrect|invalid|false|fake)\b|\binstead of (?:the|what)\b",
        r"\b(?:disregard|ignore|forget|replace|discard)\b",
        r"\bwhat(?:ever)? (?:is|was|else is) (?:written|stated|said|printed|shown)\b",
    ),
    (
        r"\b(?:the )?users? (?:wants?|asked|asks|prefers?|needs?|expects?|wishes|requested)\b",
        r"\bi (?:hereby )?(?:authori[sz]e|instruct|order|command|allow|permit|ask) you\b",
        r"\bas the (?:owner|admin|administrator|developer|operator|author|publisher) of this (?:page|site|document|website)\b",
        r"\b(?:admin|administrator|root|operator|developer|system)s? (?:override|mode|note|notice|message|access|command)\b",
    ),
    (
        r"(?:^|[.!?;\]>] )(?:system|user|assistant|human|tool|ai|bot|input|output|observation|thought|action|final answer|tool result|q|a) ?: ",
    ),
)
"""Other kinds of signs."""
_DISGUISED = re.compile(
    "[\U0001d400-\U0001d7ff]{4}|(?:[\U0001f130-\U0001f189\u24b6-\u24e9][\ufe0f\u20e3 ]?){4}"
    # words of two alphabets
    "|(?:[A-Za-z][\u0370-\u052f\u13a0-\u13ff]{1,5}[A-Za-z][^.!?]{0,30}){2}"
)
"""Letters of mathematics, in squares and circles, and of other alphabets in place of Latin ones."""
UNREADABLE = (
    # letters with a space between each two, digits of base 16 or 64
    r"(?:^|[^a-z])(?:[a-z] {1,2}){12,}[a-z](?:$|[^a-z])",
    r"\b(?:[0-9a-f]{2}){20,}\b",
    r"\b[a-z0-9+/]{40,}={0,2}",
)


def is_about_extraction(
    content: Content, span: Span, field: FieldDefinition, *, doubted: bool
) -> bool:
    """Return True if there are enough signs around *span*: two kinds, one of which names the field;
    three; or one if the value is *doubted*. At most some 900 characters are searched."""
    folded = content.folded
    low, end = max(0, span.start - _BEFORE), min(span.end, span.start + _MAX_EVIDENCE)
    paragraph_end = paragraph_ends(content).search(content.text, end, end + _BEHIND)
    high = paragraph_end.start() if paragraph_end else end + _BEHIND
    source = content.text[low:high]
    text = plain_letters(folded.text[folded.offset(low) : folded.offset(high)])
    of_field, *others, unreadable = (
        any(one.search(text) for one in kind) for kind in _patterns(field.name)
    )
    unreadable = unreadable or bool(_DISGUISED.search(source))
    count = of_field + sum(others) + unreadable
    return count >= (1 if doubted else 2 if of_field or unreadable else 3)


@lru_cache(200)
def _patterns(field: str) -> tuple[tuple[Any, ...], ...]:
    """Return the patterns of each kind, that of the field first."""
    words = _WORD.findall(fold(_CAMEL.sub(" ", field)))
    name = r"[ _-]?".join(map(re.escape, words)) or r"[^\s\S]"
    kinds = (OF_FIELD, *KINDS, UNREADABLE)
    return tuple(tuple(re2.compile(one.replace("{name}", name)) for one in kind) for kind in kinds)
