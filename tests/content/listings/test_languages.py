"""The language of a code block, in each form in which pages state it."""

from __future__ import annotations

import pytest

from wikicrawler.content import convert

URL = "https://site.example/a/b"


def language(html: str) -> str:
    page = f"<html><body><main><h1>T</h1>{html}</main></body></html>"
    return convert(page, URL).markdown.split("```")[1].partition("\n")[0]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<pre language="ruby">x</pre>', "ruby"),
        ('<pre lang="ruby">x</pre>', "ruby"),
        ('<div data-lang="ruby"><pre>x</pre></div>', "ruby"),
        ('<pre><code data-lang="ruby">x</code></pre>', "ruby"),
        ('<pre data-language="c++">x</pre>', "c++"),
        ('<pre data-enlighter-language="php">x</pre>', "php"),
        ('<pre data-code-wrap="python"><code class="lang-python">x</code></pre>', "python"),
        (
            '<div class="sourceCode"><pre class="sourceCode python"><code>x</code></pre></div>',
            "python",
        ),
        ('<pre class="brush: js; toolbar: false">x</pre>', "js"),
        ('<pre data-syntaxhighlighter-params="brush: java; gutter: false">x</pre>', "java"),
        ('<pre class="prettyprint lang-js">x</pre>', "js"),
        ('<pre><code class="hljs python">x</code></pre>', "python"),
        ('<div class="highlight highlight-source-python"><pre>x</pre></div>', "python"),
        ('<div class="highlight highlight-text-html-basic"><pre>x</pre></div>', "html"),
        ('<figure class="highlight python"><pre>x</pre></figure>', "python"),
        ('<pre class="src src-python">x</pre>', "python"),
        ('<pre class="programlisting language-java">x</pre>', "java"),
        ('<pre class="code php">x</pre>', "php"),
        ('<pre class="javascript">x</pre>', "javascript"),
        ('<div class="highlight-mylexer notranslate"><pre>x</pre></div>', "mylexer"),
        ('<div class="mw-highlight mw-highlight-lang-lua"><pre>x</pre></div>', "lua"),
        ('<div class="language-py highlighter-rouge"><div><pre>x</pre></div></div>', "py"),
        ('<pre class="language-elvish">x</pre>', "elvish"),
    ],
)
def test_the_language_of_code_is_kept(html: str, expected: str) -> None:
    assert language(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        '<pre><code class="language-plaintext">x</code></pre>',
        '<pre class="lang-none">x</pre>',
        '<div class="highlight-text notranslate"><pre>x</pre></div>',
        '<div class="highlight-default notranslate"><pre>x</pre></div>',
        '<pre lang="en">x</pre>',
        '<pre lang="de-AT">x</pre>',
        '<pre data-lang="1">x</pre>',
        '<pre class="wiki">x</pre>',
        '<div class="lang-en"><pre>x</pre></div>',
        '<div class="highlight-wrapper"><pre>x</pre></div>',
        '<div class="my-language-switch"><pre>x</pre></div>',
        '<div class="go"><pre>x</pre></div>',
    ],
)
def test_what_is_no_language_is_not_said(html: str) -> None:
    assert language(html) == ""
