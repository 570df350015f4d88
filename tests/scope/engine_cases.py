"""URLs of engines: chrome, lists, and content that looks like chrome."""

from __future__ import annotations

HEADS = {
    "mediawiki": '<meta name="generator" content="MediaWiki 1.39.6"/>',
    "dokuwiki": '<meta name="generator" content="DokuWiki Release 2008"/>',
    "moin": '<script src="/moin_static199/common/js/common.js"></script>',
    "xwiki": '<html xmlns="x" lang="en" data-xwiki-reference="xwiki:Main.WebHome" class="a">',
    "confluence": '<meta name="ajs-version-number" content="7.19.2">',
    "phpbb": '<body id="phpbb" class="nojs notouch section-viewtopic ltr ">',
    "forum": '<meta name="generator" content="vBulletin 4.2.5" />',
    "foswiki": '<meta name="foswiki.TOPIC" content="WebHome" />',
    "trac": '<link rel="stylesheet" href="/garden/chrome/common/css/trac.css" type="text/css" />',
    "gitea": '<meta name="author" content="Gitea - Git with a cup of tea">',
    "gitlab": '<meta content="GitLab" property="og:site_name">',
    "tiki": '<meta name="generator" content="Tiki Wiki CMS Groupware - https://tiki.org">',
    "jspwiki": '<meta name="wikiPageName" content="Main" />',
    "pmwiki": "<!--HTMLHeader--><style type='text/css'>",
    "sphinx": '<script src="../_static/documentation_options.js?v=1"></script>',
    "mkdocs": '<meta name="generator" content="mkdocs-1.6.1, mkdocs-material-9.5"><script>'
    '{"base": "..", "features": []}</script>',
}
CHROME = {
    "mediawiki": """
        /wiki/Special:RecentChanges /index.php?title=Special:Random
        /w/index.php?title=A&action=edit /index.php?title=A&oldid=17 /wiki/A?diff=prev&oldid=3
        /index.php/Spezial:Anmelden /wiki/Sp%C3%A9cial:Recherche
        /wiki/%E7%89%B9%E5%88%A5:%E6%A4%9C%E7%B4%A2 /wiki/A?printable=yes
        /w/index.php?title=Sp%C3%A9cial%3ARecherche /index.php?title=B&action=edit&redlink=1""",
    "dokuwiki": """
        /start?do=edit /doku.php?id=a&do=revisions /doku.php?id=a&rev=1500 /a?idx=plants
        /doku.php?do=media&ns=x /start?tab_files=files&do=media&image=a.png
        /_detail/a.png?id=start /_media/a.png /_export/xhtml/start /lib/exe/mediamanager.php
        /lib/exe/fetch.php?media=a.pdf /doku.php?id=a&s[]=word /feed.php
        /wiki/doku.php/a:b?do=diff&rev2[0]=1 /a?do=backlink""",
    "moin": """
        /FrontPage?action=edit /A?action=AttachFile&do=view&target=x.pdf /A?action=info
        /wiki/A?action=diff&rev1=1 /A?action=recall&rev=3 /RandomPage /A?highlight=b /PageHits
        /+history/Home /+modify/Home /+login /+serve/x.css /w/+diff/Home?rev1=1 /pic.PNG""",
    "xwiki": """
        /xwiki/bin/edit/Main/WebHome /bin/inline/A/B /xwiki/bin/view/A/B?viewer=history
        /xwiki/bin/view/A/B?xpage=print /bin/viewrev/A/B?rev=1.2 /bin/download/A/B/x.png
        /xwiki/bin/login/XWiki/XWikiLogin /bin/attach/A/B /xwiki/bin/export/A/B?format=xar
        /bin/view/Main/Search?text=a /bin/view/A/WebPreferences""",
    "confluence": """
        /pages/editpage.action?pageId=1 /pages/viewpreviousversions.action?pageId=1
        /login.action?os_destination=%2Fx /pages/diffpagesbyversion.action?pageId=1
        /pages/viewpageattachments.action?pageId=1 /wiki/dosearchsite.action?queryString=a
        /display/X/Home?showComments=true /pages/viewinfo.action?pageId=1 /display/~anna
        /spaces/flyingpdf/pdfpageexport.action?pageId=1 /label/X/howto /exportword?pageId=1
        /pages/viewpage.action?pageId=1&focusedCommentId=2 /rest/api/content""",
    "phpbb": """
        /posting.php?mode=reply&t=1 /ucp.php?mode=login /memberlist.php?mode=viewprofile&u=2
        /search.php?search_id=active_topics /viewtopic.php?p=17
        /forum/viewtopic.php?t=1&view=print /mcp.php?i=main /report.php?p=1 /viewonline.php
        /app.php/help/faq /index.php?mark=forums /viewtopic.php?f=1&t=2&view=next
        /download/file.php?id=1 /app.php/feed""",
    "forum": """
        /newreply.php?do=newreply&p=1 /member.php?u=1 /search.php?do=getnew
        /printthread.php?t=1 /showthread.php?t=1&goto=nextnewest /usercp.php /calendar.php
        /index.php?action=register""",
    "foswiki": """
        /bin/edit/Main/WebHome?t=1 /bin/attach/Main/A /bin/rdiff/Main/A
        /bin/oops/Main/A?template=more /bin/view/Main/A?rev=3 /foswiki/bin/view/Main/A?raw=on
        /bin/view/Main/A?cover=print /bin/view/Main/A?skin=plain;rev=2
        /bin/view/Main/WebSearch /bin/login/Main/A /bin/rename/Main/A
        /bin/view/System/UserRegistration /bin/view/Main/WebPreferences""",
    "trac": """
        /garden/wiki/A?action=diff&version=3 /garden/wiki/A?version=2 /garden/timeline
        /garden/search?q=a /garden/login /garden/newticket /garden/query?status=new
        /garden/browser/trunk /garden/changeset/17 /garden/wiki/A?format=txt
        /garden/raw-attachment/wiki/A/x.png /garden/prefs /garden/report/1
        /garden/attachment/wiki/A/x.png""",
    "gitea": """
        /a/b/wiki/Home?action=_edit /a/b/wiki/_new /a/b/wiki/Home/_history
        /a/b/src/branch/main/x.py /a/b/commits/branch/main /user/login?redirect_to=%2F
        /explore/repos /a/b/wiki/raw/x.md /a/b/issues?q=&type=all /a/b.git
        /a/b/archive/main.zip /a/b/wiki/Home?action=_revision /a/b/commit/0123abcd
        /a/b/activity""",
    "gitlab": """
        /a/b/-/wikis/home/history /a/b/-/wikis/home/edit /a/b/-/wikis/new
        /a/b/-/wikis/home?version_id=1 /users/sign_in /a/b/-/tree/main /a/b/-/blob/main/x.py
        /a/b/-/commits/main /explore/projects /a/b/-/wikis/git_access /a/b/-/wikis/templates
        /a/b/-/issues/new /a/b/-/raw/main/x""",
    "tiki": """
        /tiki-editpage.php?page=A /tiki-pagehistory.php?page=A /tiki-login.php
        /tiki-print.php?page=A /tiki-index.php?page=A&sort_mode=x /tiki-backlinks.php?page=A""",
    "jspwiki": """
        /Edit.jsp?page=Main /Diff.jsp?page=Main&r1=2 /PageInfo.jsp?page=Main /Login.jsp
        /Wiki.jsp?page=Main&version=3 /wiki/Main?skin=PrintFriendly /Search.jsp""",
    "pmwiki": """
        /pmwiki.php?n=Main.HomePage?action=edit /Main/HomePage?action=diff /Site/Search
        /pmwiki.php?n=Main.A&action=print /Main/GroupHeader""",
    "sphinx": """
        /docs/genindex.html /docs/genindex-A.html /docs/search.html /docs/py-modindex.html
        /docs/_sources/index.rst.txt /docs/_modules/index.html /docs/_modules/a/b.html
        /docs/search.html?q=a /docs/http-routingtable.html /docs/genindex/ /docs/modindex.html""",
    "mkdocs": "/docs/404.html /docs/search/search_index.json /docs/search.html",
}
CONTENT = {
    "mediawiki": """
        /wiki/Foo%26action%3Draw
        /wiki/Foo%3Faction%3Dedit
        /wiki/Foo%3Boldid%3D1
        /wiki/Special_relativity /index.php?title=Action /w/index.php?title=A%26action%3Dedit
        /wiki/A/Special /wiki/Category:Specials /index.php?title=Category:A&pagefrom=B
        /wiki/Diff=3""",
    "dokuwiki": """
        /start /doku.php?id=start /doku.php?id=soil:revisions /tools/edit /media:index
        /doku.php/wiki:do /undo?id=3 /library/exe/x /feed:start /how_to_do=it""",
    "moin": """
        /FrontPage /wiki/HelpContents /CategoryAction /RandomPages /A+B /action /SubPage/Info
        /Projects/RecentChangesExplained""",
    "xwiki": """
        /xwiki/bin/view/Main/WebHome /xwiki/bin/view/Help/Edit/ /bin/view/A/B?language=de
        /xwiki/wiki/sub/view/Main/ /bin/view/Main/Searching""",
    "confluence": """
        /display/DOC/Editing+pages /pages/viewpage.action?pageId=17
        /wiki/spaces/D/pages/1/Login /spaces/D/pages/12/Search+tips /display/DOC/Labels""",
    "phpbb": """
        /viewtopic.php?f=1&t=2 /viewtopic.php?t=2&start=15 /viewforum.php?f=1 /index.php
        /viewtopic.php?t=3&sid=0123456789abcdef0123456789abcdef""",
    "forum": """
        /showthread.php?t=17 /showthread.php?tid=3&page=2 /forumdisplay.php?f=2
        /index.php?topic=12.0 /index.php?board=3.0""",
    "foswiki": """
        /bin/view/Main/WebHome /Main/SearchTips /bin/view/Main/EditingHelp
        /foswiki/bin/view/A/B /bin/view/Main/WebSearchTips""",
    "trac": """
        /garden/wiki/WikiStart /garden/wiki/Search /garden/ticket/17 /garden/milestone/1.0
        /garden/wiki/LoginHelp /garden/roadmap""",
    "gitea": "/a/b/wiki/Home /a/b/wiki/Raw-Data /a/b /a/b/issues/3 /a/b/wiki/Src /a/b/wiki/user",
    "gitlab": """
        /a/b/-/wikis/home /a/b/-/wikis/guide/history-of-x /a/b/-/issues/3 /a/b
        /a/b/-/wikis/edit-guide""",
    "tiki": "/tiki-index.php?page=HomePage /tiki-read_article.php?articleId=1 /HomePage",
    "jspwiki": "/Wiki.jsp?page=Main /wiki/EditPageHelp /wiki/Search",
    "pmwiki": "/pmwiki.php?n=Main.HomePage /Main/Searching /PmWiki/Uploads",
    "sphinx": """
        /docs/ /docs/guide/search.html /docs/guide/genindex.html /docs/genindex-of-plants.html
        /docs/searching.html /other/genindex.html /docs/api/modules.html""",
    "mkdocs": """
        /docs/ /docs/guide/search.html /docs/search/ /docs/guide/404/ /other/search.html
        /docs/blog/ /docs/blog/2024/05/02/category/ /docs/blog/archive/2024/a-post/
        /docs/blog/category/ /docs/archive/2024/ /docs/guide/category/tools/ /docs/page/2/
        /docs/weblog/page/2/ /other/blog/page/2/""",
}
LISTS = {
    "moin": "/TitleIndex /RecentChanges /wiki/WordIndex /+index/ /+index/help",
    "xwiki": "/bin/view/Main/AllDocs /xwiki/bin/view/Main/Tags",
    "confluence": "/pages/listpages-alphaview.action?key=D /collector/pages.action?key=D",
    "foswiki": "/bin/view/Main/WebIndex /Main/WebTopicList",
    "trac": "/garden/wiki/TitleIndex /garden/wiki/RecentChanges",
    "gitea": "/a/b/wiki/?action=_pages /a/b/wiki/_pages",
    "gitlab": "/a/b/-/wikis/pages",
    "mkdocs": """
        /docs/blog/archive/2024/ /docs/blog/archive/2024/05/ /docs/blog/category/news/
        /docs/blog/page/2/ /docs/blog/category/news/page/3/ /docs/blog/author/anna/
        /docs/en/blog/page/2/index.html /docs/blog/category/news.html""",
}
