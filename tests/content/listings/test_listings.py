"""Code listings as engines write them: the code with its lines, and nothing from beside it."""

from __future__ import annotations

import pytest

from wikicrawler.content import convert

URL = "https://site.example/a/b"
PYTHON = "def f(x):\n\n    if x:\n        return 1"


def markdown(inner: str) -> str:
    page = f"<html><body><main><h1>T</h1>{inner}</main></body></html>"
    return convert(page, URL).markdown.removeprefix("# T\n\n")


def fenced(code: str, language: str = "") -> str:
    return f"```{language}\n{code}\n```"


LINES = (
    '<span class="k">def</span> <span class="nf">f</span>(x):\n\n'
    '    <span class="k">if</span> x:\n        <span class="k">return</span> 1\n'
)
ROWS = [
    '<span class="k">def</span> f(x):',
    "",
    '    <span class="k">if</span> x:',
    '        <span class="k">return</span> 1',
]


def rows(form: str, empty: str = "") -> str:
    """Return *form* for each line of the code, with its number."""
    return "".join(form.format(n, line or empty) for n, line in enumerate(ROWS, 1))


NUMBERS = "1\n2\n3\n4"
SELECT = 'style="-webkit-user-select:none;user-select:none;margin-right:0.4em"'
LISTINGS = {
    "Sphinx, table": (
        '<div class="highlight-python notranslate"><div class="highlight"><table class='
        '"highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre><span class="normal">'
        '1</span>\n<span class="normal">2</span>\n<span class="normal">3</span>\n<span class='
        '"normal">4</span></pre></div></td><td class="code"><div><pre><span></span>'
        f"{LINES}</pre></div></td></tr></table></div></div>",
        "python",
    ),
    "Sphinx, in the lines": (
        '<div class="highlight-python notranslate"><div class="highlight"><pre><span></span>'
        + rows('<span class="linenos">{}</span>{}\n')
        + "</pre></div></div>",
        "python",
    ),
    "Hugo, table": (
        '<div class="highlight"><div><table><tr><td>\n<pre tabindex="0"><code>'
        + rows(f"<span {SELECT}>{{}}\n</span>")
        + '</code></pre></td>\n<td>\n<pre tabindex="0"><code class="language-python" data-lang='
        + '"python">'
        + rows('<span style="display:flex;"><span>{1}\n</span></span>')
        + "</code></pre></td></tr></table>\n</div></div>",
        "python",
    ),
    "Hugo, in the lines": (
        '<div class="highlight"><pre><code class="language-python" data-lang="python">'
        + rows(f'<span style="display:flex;"><span {SELECT}>{{}}</span><span>{{}}\n</span></span>')
        + "</code></pre></div>",
        "python",
    ),
    "Hugo with classes": (
        '<div class="chroma"><table class="lntable"><tr><td class="lntd"><pre class="chroma"><code>'
        + rows('<span class="lnt">{}\n</span>')
        + '</code></pre></td><td class="lntd"><pre class="chroma"><code class="language-python">'
        + rows('<span class="line"><span class="cl">{1}\n</span></span>')
        + "</code></pre></td></tr></table></div>",
        "python",
    ),
    "Rouge": (
        '<div class="language-python highlighter-rouge"><div class="highlight"><pre class='
        '"highlight"><code><table class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre '
        f'class="lineno">{NUMBERS}\n</pre></td><td class="rouge-code"><pre>{LINES}</pre></td></tr>'
        "</tbody></table></code></pre></div></div>",
        "python",
    ),
    "Rouge, a row a line": (
        '<table class="rouge-line-table"><tbody>'
        + rows(
            '<tr id="line-{0}" class="lineno"><td class="rouge-gutter gl" style="user-select: none"'
            '><pre>{0}</pre></td><td class="rouge-code"><pre>{1}\n</pre></td></tr>'
        )
        + "</tbody></table>",
        "",
    ),
    "Asciidoctor": (
        '<div class="listingblock"><div class="content"><pre class="rouge highlight"><code '
        'data-lang="python"><table class="linenotable"><tbody><tr><td class="linenos gl"><pre '
        f'class="lineno">{NUMBERS}\n</pre></td><td class="code"><pre>{LINES}</pre></td></tr>'
        "</tbody></table></code></pre></div></div>",
        "python",
    ),
    "Hexo": (
        '<figure class="highlight python"><table><tr><td class="gutter"><pre>'
        + rows('<span class="line">{}</span><br>')
        + '</pre></td><td class="code"><pre>'
        + rows('<span class="line">{1}</span><br>')
        + "</pre></td></tr></table></figure>",
        "python",
    ),
    "Hexo, Prism": (
        '<pre class="line-numbers language-python" data-language="python"><code class='
        f'"language-python">{LINES}<span aria-hidden="true" class="line-numbers-rows"><span></span>'
        "<span></span></span></code></pre>",
        "python",
    ),
    "highlight.js with numbers": (
        '<pre><code class="hljs language-python"><table class="hljs-ln"><tbody>'
        + rows(
            '<tr><td class="hljs-ln-line hljs-ln-numbers" data-line-number="{0}"><div class='
            '"hljs-ln-n" data-line-number="{0}"></div></td><td class="hljs-ln-line hljs-ln-code" '
            'data-line-number="{0}">{1}</td></tr>',
            " ",
        )
        + "</tbody></table></code></pre>",
        "python",
    ),
    "GitHub": (
        '<table class="highlight tab-size js-file-line-container" data-tab-size="8"><tbody>'
        + rows(
            '<tr><td id="L{0}" class="blob-num js-line-number" data-line-number="{0}"></td><td '
            'id="LC{0}" class="blob-code blob-code-inner js-file-line">{1}</td></tr>',
            "\n",
        )
        + "</tbody></table>",
        "",
    ),
    "Gitea": (
        '<div class="file-view code-view"><table><tbody>'
        + rows(
            '<tr><td class="lines-num"><span data-line-number="{0}"></span></td><td class='
            '"lines-code chroma"><code class="code-inner">{1}\n</code></td></tr>'
        )
        + "</tbody></table></div>",
        "",
    ),
    "GitLab": (
        '<div class="file-content code js-syntax-highlight"><div class="line-numbers">'
        + rows('<a class="file-line-num" data-line-number="{0}" href="#L{0}">{0}</a>')
        + '</div><div class="blob-content"><pre class="code highlight"><code>'
        + rows('<span id="LC{0}" class="line" lang="python">{1}</span>\n')
        + "</code></pre></div></div>",
        "",
    ),
    "cgit": (
        "<table summary='blob content' class='blob'>\n<tr><td class='linenumbers'><pre>"
        + rows("<a id='n{0}' href='#n{0}'>{0}</a>\n")
        + f"</pre></td>\n<td class='lines'><pre><code>{LINES}</code></pre></td></tr></table>",
        "",
    ),
    "Trac": (
        '<table class="code"><thead><tr><th class="lineno" title="Line numbers">Line</th><th '
        'class="content">&nbsp;</th></tr></thead><tbody>'
        + rows('<tr><th id="L{0}"><a href="#L{0}">{0}</a></th><td>{1}</td></tr>')
        + "</tbody></table>",
        "",
    ),
    "GeSHi": (
        f'<table class="python"><tbody><tr class="li1"><td class="ln"><pre class="de1">{NUMBERS}\n'
        f'</pre></td><td class="de1"><pre class="de1">{LINES}</pre></td></tr></tbody></table>',
        "python",
    ),
    "SyntaxHighlighter": (
        '<div class="syntaxhighlighter  python"><table><tbody><tr><td class="gutter">'
        + rows('<div class="line number{0} index0 alt2">{0}</div>')
        + '</td><td class="code"><div class="container">'
        + rows('<div class="line number{} index0 alt2">{}</div>', "&nbsp;").replace(
            "    ", '<code class="python spaces">&nbsp;&nbsp;&nbsp;&nbsp;</code>'
        )
        + "</div></td></tr></tbody></table></div>",
        "python",
    ),
    "Crayon": (
        '<table class="crayon-table"><tr class="crayon-row"><td class="crayon-nums"><div class='
        '"crayon-nums-content">'
        + rows('<div class="crayon-num">{}</div>')
        + '</div></td><td class="crayon-code"><div class="crayon-pre">'
        + rows('<div class="crayon-line" id="crayon-{}">{}</div>', "&nbsp;")
        + "</div></td></tr></table>",
        "",
    ),
    "Docusaurus": (
        '<div class="language-python codeBlockContainer theme-code-block"><div><pre class='
        '"prism-code language-python"><code class="codeBlockLines">'
        + rows('<span class="token-line">{1}<br></span>')
        + '</code></pre><div><button type="button">Copy</button></div></div></div>',
        "python",
    ),
    "Prism in React": (
        '<pre class="prism-code language-python">'
        + rows('<div class="token-line">{1}</div>', '<span style="display:inline-block"></span>')
        + "</pre>",
        "python",
    ),
    "VitePress": (
        '<div class="language-python line-numbers-mode"><button class="copy"></button><span class='
        '"lang">python</span><pre class="shiki"><code>'
        + rows('<span class="line">{1}</span>\n')
        + '</code></pre><div class="line-numbers-wrapper" aria-hidden="true">'
        + rows('<span class="line-number">{0}</span><br>')
        + "</div></div>",
        "python",
    ),
    "lines without newlines": (
        "<pre><code>" + rows('<span data-line="">{1}</span>') + "</code></pre>",
        "",
    ),
    "lines by style": (
        "<pre><code>" + rows('<span style="display: block">{1}</span>') + "</code></pre>",
        "",
    ),
    "Google's prettify": (
        '<pre class="prettyprint linenums lang-py"><ol class="linenums">'
        + rows('<li class="L0">{1}</li>')
        + "</ol></pre>",
        "py",
    ),
    "SyntaxHighlighter 1": (
        '<div class="dp-highlighter"><div class="bar"></div><ol start="1" class="dp-py">'
        + rows('<li class="alt"><span>{1}</span></li>')
        + "</ol></div>",
        "",
    ),
    "Doxygen": (
        '<div class="fragment">'
        + rows('<div class="line"><span class="lineno">    {}</span>{}</div>\n', " ")
        + '<div class="ttc"><div class="ttname">f</div></div>\n</div>',
        "",
    ),
    "rustdoc": (
        '<div class="example-wrap"><pre class="src-line-numbers">'
        + rows('<a href="#{0}" id="{0}">{0}</a>\n')
        + f'</pre><pre class="rust"><code>{LINES}</code></pre></div>',
        "rust",
    ),
    "Redmine": (
        '<table class="filecontent syntaxhl"><tbody>'
        + rows(
            '<tr id="L{0}"><th class="line-num" id="L{0}"><a href="#L{0}">{0}</a></th>'
            '<td class="line-code"><pre>{1}</pre></td></tr>'
        )
        + "</tbody></table>",
        "",
    ),
    "DokuWiki": (
        '<pre class="code python"><ol>'
        + rows('<li class="li1"><div class="de1">{1}</div></li>', "&nbsp;")
        + "</ol></pre>",
        "python",
    ),
    "pandoc": (
        '<div class="sourceCode" id="cb1"><pre class="sourceCode numberSource python numberLines">'
        '<code class="sourceCode python">'
        + rows('<span id="cb1-{0}"><a href="#cb1-{0}"></a>{1}</span>\n')
        + "</code></pre></div>",
        "python",
    ),
    "Jupyter": (
        '<div class="CodeMirror cm-s-jupyter"><div class="highlight hl-ipython3"><pre><span></span>'
        f"{LINES}</pre></div></div>",
        "ipython3",
    ),
    "Org mode": (
        '<div class="org-src-container"><pre class="src src-python">'
        + rows('<span class="linenr">{}: </span>{}\n')
        + "</pre></div>",
        "python",
    ),
    "Microsoft Learn": (
        '<div class="codeHeader"><span class="language">Python</span><button class="action">Copy'
        f'</button></div><pre tabindex="0"><code class="lang-python">{LINES}</code></pre>',
        "python",
    ),
    "copied from an editor": (
        "<div style=\"font-family: Consolas, 'Courier New', monospace; white-space: pre;\">"
        + rows("<div>{1}</div>")
        + "</div>",
        "",
    ),
    "a copy button that is no button": (
        f'<div class="wrap"><div class="copy-btn">Copy</div><pre>{LINES}</pre></div>',
        "",
    ),
}


@pytest.mark.parametrize(("html", "language"), LISTINGS.values(), ids=LISTINGS)
def test_a_listing_is_its_code(html: str, language: str) -> None:
    assert markdown(html) == fenced(PYTHON, language)


def test_the_name_of_a_file_above_the_code_is_kept() -> None:
    title = '<tr><th colspan="2" class="filename"><span class="filename">a.py</span></th></tr>'
    html = LISTINGS["Sphinx, table"][0].replace("<tr>", f"{title}<tr>", 1)
    assert markdown(html) == f"a.py\n\n{fenced(PYTHON, 'python')}"


def test_prompts_that_a_reader_does_not_copy_are_no_code() -> None:
    prompt = '<span style="user-select: none">$ </span>'
    assert markdown(f"<pre>{prompt}ls -l\n{prompt}pwd</pre>") == fenced("ls -l\npwd")


def test_code_that_a_page_forbids_to_copy_is_kept() -> None:
    assert markdown('<pre><span style="user-select:none">x = 1</span></pre>') == fenced("x = 1")


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td>1</td><td>Alice</td></tr><tr><td>2</td><td>Bob</td></tr></table>",
        "<table><tr><td>1</td><td><code>ls</code></td></tr><tr><td>2</td><td><code>cd</code></td>"
        "</tr></table>",
        "<table><tr><td>1</td><td><pre>ls</pre></td></tr></table>",
        "<table><tr><td>1</td><td><pre>ls</pre></td></tr><tr><td>2</td><td><pre>cd</pre></td></tr>"
        "</table>",
    ],
)
def test_a_table_of_numbered_rows_stays_a_table(html: str) -> None:
    assert markdown(html).startswith("|  |  |\n| --- | --- |\n| 1 |")


def test_text_beside_code_is_kept() -> None:
    html = "<div><div>python</div><p>java</p><pre>x</pre><div>Copy it.</div><div>1 2 3</div></div>"
    assert markdown(html) == f"python\n\njava\n\n{fenced('x')}\n\nCopy it.\n\n1 2 3"


@pytest.mark.parametrize(
    "html",
    [
        "<code><div>a</div><div>b</div></code>",
        "<code><p>a</p><p>b</p></code>",
        "<code><pre>a\nb</pre></code>",
        "<pre><code>a</code><code>b</code></pre>",
    ],
)
def test_blocks_in_code_are_its_lines(html: str) -> None:
    assert markdown(html) == fenced("a\nb")
