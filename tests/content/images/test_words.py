"""Images that stand for words, and those that say nothing new."""

from __future__ import annotations

import pytest

from tests.content.rendering import page, rendered_text
from wikicrawler.content import convert
from wikicrawler.errors import ContentError, Reason

URL = "https://wiki.example/wiki/T"


def markdown(inner: str) -> str:
    return convert(page(inner), URL).markdown


def article(inner: str) -> str:
    html = f"<html><head><title>T</title></head><body><main>{inner}</main></body></html>"
    return convert(html, URL, wiki=False).markdown


def icon(alt: str, more: str = "") -> str:
    return f'<img src="/i/x.png" width="20" alt="{alt}" {more}>'


@pytest.mark.parametrize("write", [markdown, article])
def test_icons_in_a_table_are_words(write):
    cost = f"3 {icon('Fuel')} and 4 {icon('Steel')}"
    table = f"<table><tr><th>Cost</th></tr><tr><td>{cost}</td></tr><tr><td>{icon('Yes')}</td></tr>"
    text = write(f"<p>Before.</p>{table}</table>")
    assert text.endswith("| Cost |\n| --- |\n| 3 Fuel and 4 Steel |\n| Yes |")


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        (f"Press {icon('A')} to jump.", "Press A to jump."),
        (f"3{icon('Fuel')}and 4{icon('Steel')}.", "3 Fuel and 4 Steel."),
        (f"({icon('Fuel')})", "(Fuel)"),
        (f"x {icon('Fuel')}{icon('Steel')} y", "x Fuel Steel y"),
        (f"x {icon('★')}{icon('★')} y", "x ★★ y"),
        (f"用{icon('火')}燃", "用火燃"),
        (f"Hi{icon('😀')}!", "Hi😀!"),
        (f"Hi {icon(':-)', 'class=smiley')}", "Hi :-)"),
        (f"Get <b>{icon('Fuel icon')}</b> now", "Get **Fuel** now"),
        (f"Text <code>a {icon('Key')}</code>", "Text `a Key`"),
    ],
)
def test_icons_in_a_sentence_are_words(inner, text):
    assert markdown(f"<p>{inner}</p>") == text
    assert article(f"<p>{inner}</p>") == text


@pytest.mark.parametrize(
    "alt", ["", "Fuel.png", "Icon-fuel.svg", "icon", "Image 3", "photo", "|", "File:Fuel.PNG"]
)
def test_an_alt_text_that_says_nothing_is_left_out(alt):
    assert markdown(f"<p>3 {icon(alt)} and 4</p>") == "3 and 4"


@pytest.mark.parametrize(
    "inner",
    [
        f"{icon('Iron Ingot')} Iron Ingot",
        f"{icon('Iron ingot icon')}&nbsp;Iron Ingots",
        f"Iron Ingot {icon('Iron ingot')}",
        f'{icon("Iron Ingot")} <a href="/wiki/I">Iron Ingot</a>',
        f'<a href="/wiki/I">{icon("Iron Ingot")}</a> (<a href="/wiki/I">Iron Ingot</a>)',
        f'<a href="/wiki/I">{icon("Iron Ingot")} Iron Ingot</a>',
        f"Iron {icon('Iron Ingot')} Ingot",
        f"{icon('Iron Ingot')}<br>Iron Ingot",
        f"Iron Ingot, {icon('Refined Iron Ingot')}",
    ],
)
def test_an_alt_text_that_repeats_the_text_beside_it_is_left_out(inner):
    text = rendered_text(markdown(f"<p>{inner}</p>"))
    assert text.lower().count("iron") == text.lower().count("ingot") == 1


def test_in_scripts_without_spaces_a_longer_word_repeats_an_icon():
    assert (
        markdown(f"<p>x {icon('ズームアウト')} <b>ズームアウトボタン</b></p>")
        == "x **ズームアウトボタン**"
    )


def test_an_icon_beside_a_similar_word_is_kept():
    assert markdown(f"<p>Biofuel {icon('Fuel')} x</p>") == "Biofuel Fuel x"
    assert markdown(f"<p>{icon('Iron Ore')} Iron Bar</p>") == "Iron Ore Iron Bar"


def test_an_icon_before_the_cell_of_its_name_is_left_out_and_a_value_is_kept():
    rows = "<tr><td>{}</td><td>{}</td></tr>"
    table = "<table class=wikitable><tr><th>A</th><th>B</th></tr>{}</table>"
    same = table.format(rows.format(icon("Sword"), "Sword") + rows.format("Bow", icon("Bow")))
    assert markdown(same).endswith("|  | Sword |\n| Bow |  |")
    values = table.format(rows.format(icon("Yes"), "Yes") + rows.format("Yes", icon("No")))
    assert markdown(values).endswith("| Yes | Yes |\n| Yes | No |")
    below = table.format(rows.format("1", icon("Sword")) + rows.format("Sword", "2"))
    assert markdown(below).endswith("| 1 | Sword |\n| Sword | 2 |")


def test_the_title_of_the_page_is_not_repeated_but_may_be_a_word_of_a_cell():
    html = page(
        f"<p>x</p><div>{icon('Fuel')}</div><table class=wikitable><tr><th>a<th>b<tr>"
        f"<td>1<td>{icon('Fuel')}</table>"
    ).replace("<title>T<", "<title>Fuel<")
    assert convert(html, URL).markdown == "x\n\n| a | b |\n| --- | --- |\n| 1 | Fuel |"


@pytest.mark.parametrize(
    "figure",
    [
        '<div class="thumb"><div class="thumbinner">{}<div class="thumbcaption">Cap</div></div>'
        "</div>",
        "<figure>{}<figcaption>Cap</figcaption></figure>",
        '<ul class="gallery"><li class="gallerybox"><div class="thumb">{}</div>'
        '<div class="gallerytext"><p>Cap</p></div></li></ul>',
    ],
)  # fmt: skip
def test_the_caption_of_an_image_says_what_it_shows(figure):
    text = markdown(f"<p>x</p>{figure.format(icon('A red lamp'))}")
    assert text.endswith("Cap")
    assert "lamp" not in text


def test_an_image_without_caption_is_described_on_a_wiki_only():
    alone = f"<p>Some text.</p><p>{icon('A red lamp')}</p>"
    assert markdown(alone) == "Some text.\n\nA red lamp"
    assert article(alone) == "Some text."


@pytest.mark.parametrize(
    "inner",
    [
        "<p>Text. <a href='/share'>{}</a></p>".format(icon("Follow us on the network of the bird")),
        f"<ul><li><a href='/share'>{icon('Mastodon')}</a></li></ul><p>Text.</p>",
        f"<h2>{icon('A lamp')}</h2><p>Text.</p>",
        "<p><img src='/l.jpg' width='640' alt='A lamp'>Text.</p>",
        f"<p>{icon('The lamp of the old harbour at night')}Text.</p>",
        f"<figure>{icon('A lamp')}<figcaption>Cap</figcaption></figure><p>Text.</p>",
    ],
)
def test_illustrations_and_buttons_of_an_article_are_left_out(inner):
    assert article(inner) == "Text."


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        (f'3 <a href="/wiki/Fuel">{icon("Fuel")}</a>', "3 [Fuel](https://wiki.example/wiki/Fuel)"),
        (
            f'3 <a href="/wiki/Fuel" title="Fuel">{icon("Icon_Fuel.png")}</a>',
            "3 [Fuel](https://wiki.example/wiki/Fuel)",
        ),
        (f'3 <a href="/wiki/Fuel" title="Fuel">{icon("")}</a>', "3"),
        (f'3 <a class="image" href="/wiki/File:F.png" title="Fu">{icon("Fuel")}</a>', "3 Fuel"),
        (f'3 <a class="mw-file-description" href="/wiki/File:F.png">{icon("Fuel")}</a>', "3 Fuel"),
        (f'3 <a href="/i/F.png">{icon("Fuel")}</a>', "3 Fuel"),
        (f'3 <a href="/wiki/A"><a href="/wiki/B">{icon("Fuel")}</a></a>', "3 [Fuel](https://wiki.example/wiki/B)"),
    ],
)  # fmt: skip
def test_an_image_is_the_text_of_its_link_unless_it_leads_to_the_image(inner, text):
    content = convert(page(f"<p>{inner}</p>"), URL)
    assert content.markdown == text
    assert "https://wiki.example/i/F.png" in content.links or "F.png" not in str(content.links)


@pytest.mark.parametrize(
    "inner",
    [
        icon("Fuel", 'aria-hidden="true"'),
        icon("Fuel", 'role="presentation"'),
        icon("Ada", 'class="avatar"'),
        '<img alt="Ada" src="https://secure.gravatar.com/avatar/1">',
        '<img alt="Visits" src="/t.gif" width="1" height="1">',
        f'<span style="display:none">{icon("Fuel")}</span>',
        f'<span class="mw-editsection">{icon("Fuel")}</span>',
        f'<div class="navbox">{icon("Fuel")}</div>',
        "<svg><title>Layer 1</title></svg>",
        '<svg role="img" aria-hidden="true" aria-label="Fuel"></svg>',
        f'<noscript><a href="/ad">{icon("Fuel")}</a></noscript>',
        f"<noscript>{icon('Fuel')} needs scripts</noscript>",
    ],
)
def test_decoration_people_pixels_and_furniture_have_no_text(inner):
    assert markdown(f"<p>a {inner} b</p>") in {"a b", "a\n\nb"}


def test_a_drawing_with_a_label_is_an_image():
    assert markdown('<p>a <svg role="img" aria-label="Fuel"><path/></svg> b</p>') == "a Fuel b"
    assert markdown('<p>a <svg role="img"><title>Fuel</title></svg> b</p>') == "a Fuel b"


@pytest.mark.parametrize(
    "inner",
    [
        '<img class="lazyload" src="data:,x" data-src="/f.png" alt="Fuel">'
        '<noscript><img src="/f.png" alt="Fuel"></noscript>',
        '<noscript><img src="/f.png" alt="Fuel"></noscript>'
        '<span class="lazy-image-placeholder" data-mw-src="/f.png" data-alt="Fuel"></span>',
        '<picture><source srcset="/f.webp"><img src="/f.png" alt="Fuel"></picture>',
        '<picture><img class="lazy" data-src="/f.png" alt="Fuel"></picture>'
        '<noscript><img src="/f.png" alt="Fuel"></noscript>',
        '<img hidden data-src="/f.png" alt="Fuel">'
        '<noscript><img src="/f.png" alt="Fuel"></noscript>',
    ],
)  # fmt: skip
def test_an_image_that_is_loaded_late_is_there_once(inner):
    assert markdown(f"<p>a {inner} b</p>") == "a Fuel b"


def test_a_formula_is_written_once():
    math = (
        '<span class="mwe-math-element"><span style="display:none"><math alttext="a_1"><semantics>'
        '<mi>a</mi><annotation encoding="application/x-tex">{\\displaystyle a_1}</annotation>'
        '</semantics></math></span><img class="mwe-math-fallback-image-inline" aria-hidden="true" '
        'alt="{\\displaystyle a_1}" src="/m.svg"></span>'
    )
    assert markdown(f"<p>x {math} y</p>") == "x $`a_1`$ y"
    old = '<img class="tex" alt="E = mc^2" src="/m.png">'
    assert markdown(f"<p>x {old} y</p>") == "x $`E = mc^2`$ y"


def test_the_fields_of_an_infobox_have_the_words():
    box = f'<table class="infobox"><tr><th>Cost</th><td>3 {icon("Fuel")}</td></tr></table><p>x</p>'
    for images in ("alt", "markdown"):
        content = convert(page(box), URL, images=images)
        assert content.metadata["infobox"] == [{"title": "", "fields": {"Cost": "3 Fuel"}}]


@pytest.mark.parametrize("images", ["alt", "markdown"])
@pytest.mark.parametrize("wiki", [True, False])
def test_a_page_of_images_only_is_empty(images, wiki):
    inner = f"<p>{icon('A red lamp')}</p><table><tr><td>{icon('Yes')}</td></tr></table>"
    with pytest.raises(ContentError) as caught:
        convert(page(inner), URL, wiki=wiki, images=images)
    assert caught.value.reason is Reason.EMPTY


@pytest.mark.parametrize("images", ["alt", "markdown"])
def test_a_page_of_many_images_is_empty_or_judged_by_the_rest(images):
    rows = f"<tr><td>{icon('Yes')}</td><td>{icon('No')}</td></tr>" * 5000
    table = f"<table><tr><th>{icon('A')}</th><th>{icon('B')}</th></tr>{rows}</table>"
    with pytest.raises(ContentError) as caught:
        convert(page(table), URL, images=images)
    assert caught.value.reason is Reason.EMPTY
    links = "".join(
        f"<p><a href='/wiki/L{i}'>{icon(f'Lamp of the tower {i}')}</a></p>" for i in range(3000)
    )
    content = convert(page(f"<p>Loading</p>{links}"), URL, images=images)
    assert content.text == "Loading"


@pytest.mark.parametrize("images", ["alt", "markdown"])
def test_a_page_is_judged_by_its_text_without_images(images):
    content = convert(page(f"<p>Loading {icon('A red lamp')}</p>"), URL, images=images)
    assert "A red lamp" in content.markdown
    assert content.text == "Loading"
    assert convert(page("<p>Loading</p>"), URL, images=images).text == "Loading"
