"""The comments below an article, which ``comments=True`` keeps."""

from __future__ import annotations

import pytest

from wikicrawler.content import convert

URL = "https://news.example/a/b"
SENTENCE = "The ferry left at nine, as it had on every day of the year, and came back at noon. "
ARTICLE = f"<article><h1>Ferry</h1>{f'<p>{SENTENCE * 3}</p>' * 4}</article>"
COMMENT = "<p>I was on board that day, and it rained from the pier to the island and back.</p>"


def comments_in(attributes: str) -> str:
    return (
        f"<main>{ARTICLE}<h2>One comment</h2><div {attributes}><div><b>Ada</b>{COMMENT}"
        "<form><label>Your comment</label><textarea></textarea></form></div></div></main>"
    )


@pytest.mark.parametrize("names", ["class=comments", "id=comments", "class='post-comment'"])
def test_the_comments_of_an_article_go_and_come_back_behind_it(names):
    html = comments_in(names)
    without = convert(html, URL).markdown
    whole = convert(html, URL, comments=True).markdown
    assert "on board" not in without
    assert "One comment" not in without
    assert whole.startswith(without + "\n\n## One comment\n\n**Ada**")
    assert "on board" in whole


def test_comments_stay_behind_the_article_that_holds_them():
    inside = ARTICLE.replace(
        "</article>", f"<section class=comments><ul><li>{COMMENT}</ul></section></article>"
    )
    without = convert(inside, URL).markdown
    assert "on board" not in without
    found = convert(inside, URL, comments=True).markdown
    assert found.startswith(without)
    assert found.endswith("to the island and back.")


def test_the_links_of_comments_are_those_of_the_content_if_they_are_kept():
    html = comments_in("class=comments").replace("on board", "<a href=/c>on board</a>")
    assert convert(html, URL).links == ()
    assert convert(html, URL, comments=True).links == ("https://news.example/c",)


def test_other_furniture_goes_with_comments_too():
    html = comments_in("class=comments").replace("</main>", "<div class=sharing>Share</div></main>")
    assert "Share" not in convert(html, URL, comments=True).markdown


def test_a_discussion_is_the_same_with_and_without_comments():
    html = f"<div><h1>Boats</h1>{f'<div class=comment>{COMMENT * 4}</div>' * 6}</div>"
    assert convert(html, URL).markdown == convert(html, URL, comments=True).markdown
    assert "on board" in convert(html, URL).markdown
