"""The frame of the report: its head, with a policy under which nothing is loaded or run."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

from wikicrawler.fields.report.escaping import html_of

STYLE = """
:root { color-scheme: light dark; --line: #8886; --soft: #8882; --mark: #ffe27a; --ink: #1a1a1a;
  --hidden: #c4b0ff; --addressed: #ff9d94; --contradicted: #9fd8a4; --note: #5c5c5c }
@media (prefers-color-scheme: dark) {
  :root { --mark: #6b5900; --ink: #f4f4f4; --hidden: #50389c; --addressed: #9c2a20;
    --contradicted: #1f5c2a; --note: #b0b0b0 } }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 76rem; margin: 0 auto; padding: 1rem }
h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem }
caption { text-align: left; color: var(--note) }
th, td { border: 1px solid var(--line); padding: .3rem .5rem; text-align: left;
  vertical-align: top; max-width: 28rem }
table a, .value, code { overflow-wrap: anywhere }
table a, .value { display: inline-block; min-width: 5rem }
thead th { background: var(--soft) }
.text { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate;
  border-left: .25rem solid var(--line); padding: .25rem .75rem; margin: .5rem 0 }
.value { white-space: pre-wrap; unicode-bidi: isolate }
.cut, .note { color: var(--note); font-style: italic }
mark { background: var(--mark); color: var(--ink); border-radius: .15rem }
mark mark, mark[data-continues] { outline: 1px solid currentColor }
mark::after { content: " " attr(data-note); font: .75em system-ui, sans-serif; opacity: .85 }
mark[data-continues]::after { content: none }
mark.hidden, .flag.hidden { background: var(--hidden); color: var(--ink);
  outline: 2px dashed currentColor }
mark.addressed, .flag.addressed { background: var(--addressed); color: var(--ink);
  outline: 2px solid currentColor }
mark.contradicted, .flag.contradicted { background: var(--contradicted); color: var(--ink);
  outline: 2px dotted currentColor }
mark:target { outline: 3px solid Highlight; scroll-margin: 30vh }
.flag { margin: 0 .2rem; padding: 0 .3rem; border-radius: .15rem }
"""
"""The same for each report: its hash is in the policy."""


def document(title: str, body: str) -> str:
    """Return a page of HTML.

    :param title: a text
    :param body: HTML
    """
    digest = b64encode(sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{html_of(policy)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{html_of(title)}</title>
<style>{STYLE}</style>
</head>
<body>
{body}</body>
</html>
"""
