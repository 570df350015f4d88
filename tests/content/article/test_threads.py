"""Discussions: the texts of posts, without what is around them."""

from __future__ import annotations

import pytest

from tests.content.article.pages import (
    MENU,
    PARAGRAPH,
    SENTENCE,
    cards,
    comments,
    paragraphs,
    stated,
)
from wikicrawler.content import convert

URL = "https://forum.example/t/1"


def markdown(body: str, head: str = "") -> str:
    return convert(f"<head>{head}</head><body>{body}</body>", URL, wiki=False).markdown


def post(number: int, text: str, signature: str = "") -> str:
    """Return a post with a profile of its author beside its text, as prosilver has it."""
    return (
        f'<div id="p{number}" class="post bg{number % 2}"><div class="inner"><dl class="profile">'
        f'<dt><a href="/u{number}">Name{number}</a></dt><dd>Board member</dd><dd>Posts: 1540</dd>'
        f'<dd>Joined: March 2009</dd></dl><div class="body"><h3><a href="#p{number}">Re: Steam '
        f'engine drains</a></h3><p class="author">by Name{number}, <time>Tue 7:40 pm</time></p>'
        f'<div class="content">{text}</div>{signature}<ul class="buttons"><li><a href="/q{number}">'
        "Quote</a></li></ul></div></div></div>"
    )


def thread(*posts: str) -> str:
    return (
        f'{MENU}<div id="page"><h2><a href="/t/1">Steam engine drains</a></h2><div class="bar">'
        f'<a href="/r">Post reply</a></div>{"".join(posts)}<div class="bar"><a href="/r">Post '
        'reply</a></div><div class="stat"><h3>Who is online</h3><p>1 guest in this forum</p></div>'
        "</div>"
    )


def test_profiles_buttons_and_repeated_titles_are_dropped():
    text = markdown(
        thread(*(post(n, f"<p>TEXT{n} {PARAGRAPH}</p>") for n in range(4))),
        "<title>Steam engine drains - Forum</title>",
    )
    assert all(f"TEXT{n} " in text for n in range(4))
    for chrome in ("Board member", "1540", "Quote", "Re: Steam", "Who is online", "Post reply"):
        assert chrome not in text


def test_the_author_and_the_date_of_each_post_are_kept():
    text = markdown(thread(*(post(n, f"<p>{PARAGRAPH}</p>") for n in range(3))))
    assert [f"by Name{n}, Tue 7:40 pm" in text for n in range(3)] == [True] * 3


def test_a_post_of_a_few_words_is_kept_without_its_profile():
    long = [post(n, f"<p>TEXT{n} {PARAGRAPH}</p>") for n in range(3)]
    text = markdown(thread(*long, post(9, "Thanks, that was it!")))
    assert "Thanks, that was it!" in text
    assert "Board member" not in text


def test_a_text_that_ends_several_posts_is_a_signature():
    signature = '<div class="sig">If it moves, oil it.</div>'
    posts = [post(n, f"<p>TEXT{n} {PARAGRAPH}</p>") for n in range(4)]
    posts[1] = post(1, f"<p>TEXT1 {PARAGRAPH}</p><p>If it moves, oil it.</p>")
    posts[2] = post(2, f"<p>TEXT2 {PARAGRAPH}</p><p>If it moves, oil it.</p>")
    text = markdown(thread(*posts))
    assert "TEXT2" in text
    assert "oil it" not in text
    assert "oil it" in markdown(thread(*posts[:2]))
    assert signature not in text


def test_texts_that_microdata_marks_are_kept_without_what_is_beside_them():
    parts = "".join(
        f'<div class="part{n}" itemscope itemtype="https://schema.org/Answer"><div class="votes">'
        f'{n} votes</div><div class="cell"><div itemprop="text">{paragraphs(2, f"TEXT{n}")}</div>'
        '<div class="foot"><span>4133 gold badges and 1818 silver badges and more</span></div>'
        "</div></div>"
        for n in range(2)
    )
    text = markdown(f"<h1>How so?</h1><div>{parts}</div>", stated("QAPage"))
    assert "TEXT0 1" in text
    assert "TEXT1 1" in text
    assert "badges" not in text
    assert "votes" not in text


@pytest.mark.parametrize(
    "head", [stated("DiscussionForumPosting"), stated("QAPage")], ids=["forum", "question"]
)
def test_the_posts_of_a_discussion_are_no_comments(head):
    text = markdown(
        f'{MENU}<div id="page"><h1>Storm</h1><div class="body">{paragraphs(2, "FIRST")}</div>'
        f'<div id="comments">{comments(9)}</div></div>',
        head,
    )
    assert "FIRST 1" in text
    assert all(f"REPLY{number} " in text for number in range(9))


def test_comments_without_an_article_are_the_content():
    text = markdown(
        f'{MENU}<div class="link"><a href="/x">A ferry</a></div><div class="commentarea">'
        f"{comments(9)}</div>"
    )
    assert all(f"REPLY{number} " in text for number in range(9))


@pytest.mark.parametrize("kind", ["NewsArticle", "BlogPosting", "https://schema.org/Article"])
@pytest.mark.parametrize("name", ["comment", "reader-says"])
def test_replies_to_an_article_go_though_they_are_longer(kind, name):
    area = "comments" if name == "comment" else "voices"
    text = markdown(
        f'{MENU}<div id="page"><h1>Storm closes the port</h1><div class="text">'
        f'{paragraphs(3, "ARTICLE")}</div><div id="{area}"><h3>12 voices</h3>'
        f"{comments(12, name)}</div></div>",
        stated(kind),
    )
    assert "ARTICLE 2" in text
    assert "REPLY" not in text
    assert "12 voices" not in text


def test_comments_go_from_a_short_article_without_structured_data():
    text = markdown(
        f"{MENU}<main><article><h1>Closed</h1><p>SHORT {SENTENCE * 2}</p></article>"
        f'<div id="comments">{comments(4)}</div></main>'
    )
    assert "SHORT" in text
    assert "REPLY" not in text


def test_what_follows_the_last_post_is_dropped():
    posts = [post(n, f"<p>TEXT{n} {PARAGRAPH}</p>") for n in range(3)]
    after = (
        f'<div class="join"><h3>Join the conversation</h3><p>Write now. {SENTENCE}</p></div>'
        f'<div class="same"><h3>Similar</h3><div class="row">{cards(4)}</div></div>'
    )
    text = markdown(
        f'<div id="page"><h2>Steam engine drains</h2><form>{"".join(posts)}</form>{after}</div>',
        f"<title>Steam engine drains</title>{stated('DiscussionForumPosting')}",
    )
    assert "TEXT2" in text
    assert "Join the conversation" not in text
    assert "CARD" not in text


@pytest.mark.parametrize("date", ["2025-02-12 9:11", "12.02.2025", "2/12/25, 9:11 PM", "9:11"])
def test_a_date_in_digits_is_kept_without_a_class_that_says_so(date):
    posts = "".join(
        f'<div class="msg"><div class="author"><h4>Name{n}</h4></div><div class="x1">{date}</div>'
        f'<div class="x2">192.0.2.{n}</div><div class="body"><p>TEXT{n} {PARAGRAPH}</p></div></div>'
        for n in range(3)
    )
    text = markdown(f'<div id="page"><h2>Steam engine drains</h2>{posts}</div>')
    assert text.count(date) == 3
    assert "Name2" in text
    assert "192.0" not in text


def test_the_titles_in_a_list_of_discussions_are_kept():
    topics = "".join(
        f'<div class="topic"><div class="votes">{n} votes</div><div class="main"><div class="name">'
        f'<a href="/t/{n}">TOPIC{n} Why does the batter not rise in winter?</a></div><div>'
        f"Even near the stove, as it had on every day of the year.</div><div class=who>"
        f"asked <time>1 March</time></div></div></div>"
        for n in range(5)
    )
    text = markdown(f"<main><h1>New questions</h1><div>{topics}</div></main>")
    assert all(f"TOPIC{n} Why" in text for n in range(5))


@pytest.mark.parametrize("name", ["update-list", "timeline", "candidate", "validated"])
def test_a_part_of_a_word_names_no_author_or_date(name):
    sections = "".join(
        f'<section class="part"><div class="{name}"><ul><li>One</li><li>Two {n}</li></ul></div>'
        f"<p>TEXT{n} {PARAGRAPH}</p></section>"
        for n in range(4)
    )
    text = markdown(f"{MENU}<main><h1>Steps</h1>{sections}</main>")
    assert all(f"Two {n}" in text for n in range(4))
    assert "TEXT3" in text
