"""The programming language of a code block, as the page states it.

An engine states it in an attribute (``data-lang``, ``language``), in a class with a prefix
(``language-python``, ``highlight-source-js``, ``brush: js``) or in a bare class (``hljs python``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_MAX_CLASSES = 1000
"""Characters of a ``class`` value that are searched."""
_WRAPPERS = 3
"""Elements around a code block that may state its language."""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TOKEN = re.compile(r"(?=[\w#+.-]*[a-z])\w[\w#+.-]{0,31}", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"(?:data-)?(?:[a-z]+-)?(?:code-?)?lang(?:uage)?")
_PREFIX = re.compile(
    r"(?<!\S)(mw-highlight-lang-|highlight-source-|language-|lang-|src-|hl-|highlight-(?:text-)?)"
    r"([\w#+.-]{1,32})(?!\S)|(brush:)\s*([\w#+.-]{1,32})",
    re.IGNORECASE,
)
_CERTAIN = frozenset({"mw-highlight-lang-", "highlight-source-", "brush:"})
"""Prefixes that only a generator of code blocks writes: the name after them may be unknown."""
_LIKELY = _CERTAIN | {"language-", "lang-", "src-"}
"""Prefixes whose name may be unknown on the code block itself."""

_NO_LANGUAGE = _names(
    "auto code default guess ignore no-highlight nocode nohighlight none null output plain "
    "plain-text plain_text plaintext raw text txt undefined unknown"
)
"""Names for text without a language. They say nothing in a fence."""

# Languages as they are named in fences and by highlighters (Pygments, highlight.js, Prism, Rouge).
_KNOWN = _names(
    """
    abap abnf actionscript ada agda al antlr apache apacheconf apex apl applescript arduino arm
    armasm asciidoc asm asp aspnet assembly autohotkey autoit avrasm awk bash bat batch bbcode
    bibtex bicep blade bnf brainfuck c c# c++ c-sharp cfm clj cljs clojure cmake cmd cobol coffee
    coffeescript coldfusion common-lisp console coq cpp cql crystal cs csharp csp css csv cuda cue
    cypher cython d dart dax delphi diff django dns docker dockerfile dos dot doscon dotenv dts ebnf
    edn eex ejs elisp elixir elm emacs-lisp erb erl erlang excel f# fish flow fortran fs fsharp fsx
    gawk gcode gd gdscript gherkin git gitignore gleam glsl gnuplot go golang gql gradle graphql
    graphviz groovy haml handlebars haskell haxe hbs hcl hlsl hs htm html html+erb html5 http hy
    idris ini io ipython ipython3 irb j java javadoc javascript jinja jinja2 jl js json json5 jsonc
    jsonld jsonnet jsp jsx julia jupyter kotlin kql ksh kt kts latex lean less lisp liquid
    livescript llvm log logql lua makefile make mako markdown mathematica matlab md mdx mel mermaid
    meson metal mips mjs ml mojo mongodb moonscript mustache mwscript mysql nasm nginx nim nix nsis
    objc objective-c objectivec ocaml octave odin openscad org oz pascal patch pcre perl pgsql php
    phtml pkl pl plantuml plpgsql plsql postgres postgresql postscript pot powershell processing
    prolog promql properties proto protobuf ps ps1 pseudocode psql pug puppet purescript pwsh py py3
    pycon pyrex python python2 python3 q qml qsharp r racket raku rake rb react reason regex regexp
    rego restructuredtext rexx rst ruby rust rs sas sass scala scheme scilab scm scss sed sh shell
    shell-session shellscript shellsession smali smalltalk smarty sml soql solidity sparql splunk
    sql sqlite squirrel ssh-config stan stata styl stylus svelte svg swift systemd systemverilog tap
    tcl terminal terraform tex tf thrift toml ts tsql tsx turtle twig typescript typst v vala vb
    vb.net vba vbnet vbs vbscript verilog vhdl vim viml visual-basic vue vue-html wasm wat wgsl wiki
    wikitext wolfram wren x86asm xaml xhtml xml xml+html xpath xquery xsl xslt yacc yaml yml zig zsh
    """
)
# As bare classes, these words have other meanings.
_AMBIGUOUS = _names(
    "al apex console crystal cue d dart dot excel flow git go io j less log lean make metal ml "
    "octave org patch processing properties q r react reason stan svg tap terminal turtle v wiki "
    "c dos elm fish moonscript oz pl ps"
)
# Two-letter codes of natural languages (ISO 639-1), for the ``lang`` of an element.
_NATURAL = _names(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da
    de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz
    ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln
    lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi
    pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti
    tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """
)


def is_known(name: str) -> bool:
    """Return True if *name* is that of a known language, in any case."""
    return name.lower() in _KNOWN


def language_of(el: HtmlElement) -> str:
    """Return the language that a code block, its ``<code>`` or its wrappers state, or ''.

    A name that says that there is no language, such as ``plaintext``, ends the search.
    """
    parent = el.getparent()
    for place in (el, *el.iterchildren("code")):
        if name := _stated(place, inside=True):
            return "" if name.lower() in _NO_LANGUAGE else name
    place = el
    for _ in range(_WRAPPERS):
        if parent is None or parent.tag in {"body", "main", "article", "section"}:
            break
        if name := _stated(parent, inside=False):
            return "" if name.lower() in _NO_LANGUAGE else name
        if any(map(_is_text, (place.getprevious(), place.getnext()))):
            break
        place, parent = parent, parent.getparent()
    return ""


def _is_text(el: HtmlElement | None) -> bool:
    """Return True if *el* stands beside a code block or its wrapper and does not belong to it."""
    return el is not None and el.tag in _TEXT_TAGS


_TEXT_TAGS = _names("p pre h1 h2 h3 h4 h5 h6 ul ol dl table blockquote section article")


def _stated(el: HtmlElement, *, inside: bool) -> str:
    """Return the language in the attributes of *el*, or ''.

    *inside*: *el* is the code block itself or its ``<code>``, whose names are those of languages.
    """
    for key, value in el.items():
        if key == "class" or not isinstance(key, str) or "lang" not in key:
            continue
        if _ATTRIBUTE.fullmatch(key) and (name := _token(value)):
            if key == "lang" and (not inside or name.lower() in _NATURAL or name[2:3] == "-"):
                continue
            if inside or is_known(name):
                return name
    params = el.get("data-syntaxhighlighter-params")
    classes = f"{el.get('class') or ''} {params or ''}"[:_MAX_CLASSES]
    certain = _LIKELY if inside else _CERTAIN
    sphinx = "notranslate" in classes  # beside `highlight-` and the name of any lexer
    for prefix, first, brush, second in _PREFIX.findall(classes):
        name = _token((first or second).removesuffix("-basic"))
        if name and ((prefix or brush).lower() in certain or sphinx or is_known(name)):
            return name
    return _bare_class(classes.split(), inside=inside)


def _bare_class(names: list[str], *, inside: bool) -> str:
    if not inside and _HIGHLIGHTERS.isdisjoint(names):
        return ""
    sure = not _HIGHLIGHTERS.isdisjoint(names)
    for name in names:
        lower = name.lower()
        if lower in _KNOWN and lower not in _HIGHLIGHTERS and (sure or lower not in _AMBIGUOUS):
            return name
    return ""


# Classes that stand beside the bare name of a language.
_HIGHLIGHTERS = _names(
    "CodeRay code codehilite highlight hljs prettyprint programlisting prism-code rouge shiki src "
    "sourceCode syntax syntaxhighlighter"
)


def _token(text: str) -> str:
    text = text.strip()
    match = _TOKEN.fullmatch(text)
    return match[0].strip(".-") if match else ""
