"""Patterns of numbers that several kinds of citations share."""

from __future__ import annotations

SECTION_SIGN = r"(?:§{1,2}+ ?|[Ss]ections? |SECTIONS? |[Ss]ecs?\. ?)"
PART_WORD = r"(?:[Pp]arts?|PARTS?|[Pp]ts?\.) ?"
LIST = r"(?: ?[,;] ?(?:and |or |& )?+| (?:and|or|&|and/or) )"
RANGE = r"(?: ?--? ?| through | to )"
CODE = r"(?:C\.? ?F\.? ?R(?![A-Za-z])\.?|Code of Federal Regulations(?: \(CFR\))?+)"

_UNITS = (
    "percent|million|billion|thousand|dollars|cents|euros|days?|business|calendar|months?|years?"
    "|hours?|minutes|weeks?|feet|foot|square|sq|acres|miles|inches|meters|pounds|basis|points?"
    "|loans?|borrowers?|lenders?|units?|people|comments?|commenters?|entities|institutions"
    "|pages?|times|of them|times"
)
END = (
    r"(?![0-9A-Za-z_])(?!\.[0-9])(?!,[0-9]{3})(?! ?%)(?!-[0-9A-Za-z]{1,20}-)"
    rf"(?! (?:{_UNITS})\b)"
)
"""What may not follow a number: more of it, a unit."""
OTHER_WORK = r"(?! ?(?:C\.? ?F\.? ?R|U\.? ?S\.? ?C|F\.? ?R\b|Fed\.|Stat\.|F\.[23]d))"
"""What may not follow a number without a point in a list: the abbreviation of another work."""
