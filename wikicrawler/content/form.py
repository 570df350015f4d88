"""The form in which :func:`wikicrawler.content.convert` writes a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

# The words and the defaults of the settings. A worker process knows no settings, and to load their
# definitions takes as long as to convert some pages, so they are written here once more.
IMAGE_FORMS = ("alt", "markdown")
LINK_FORMS = ("inline", "references", "relative", "text")


class Form(NamedTuple):
    """What the Markdown of a page has, and how."""

    images: str = IMAGE_FORMS[0]
    """``alt``: the alt texts of images that stand for words; ``markdown``: the images, too."""
    links: str = LINK_FORMS[0]
    """``inline``, ``references``, ``relative`` or ``text``."""
    comments: bool = False
    """Whether an article has the comments of its readers."""

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """Return the form that *settings* ask for.

        :raises ConfigError: a setting is not valid
        """
        from wikicrawler import options  # noqa: PLC0415

        return cls(
            options.IMAGES.read(settings),
            options.LINKS.read(settings),
            options.COMMENTS.read(settings),
        )

    def check(self) -> None:
        """Raise ``ValueError`` if there is no such form."""
        for name, words in (("images", IMAGE_FORMS), ("links", LINK_FORMS)):
            value = getattr(self, name)
            if value not in words:
                raise ValueError(f"{name} is {value!r}, not {' or '.join(map(repr, words))}")

    @property
    def has_images(self) -> bool:
        """Whether images are in the Markdown, with their addresses."""
        return self.images == "markdown"

    @property
    def name(self) -> str:
        """What is not the default, as ``-markdown-comments``; empty for the default form. The form
        of links does not count: what is compared has them inline."""
        parts = [self.images if self.images != IMAGE_FORMS[0] else ""]
        parts.append("comments" if self.comments else "")
        return "".join(f"-{part}" for part in parts if part)


DEFAULT = Form()
