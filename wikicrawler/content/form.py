"""The form in which :func:`wikicrawler.content.convert` writes a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from wikicrawler import options

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


class Form(NamedTuple):
    """What the Markdown of a page has, and how."""

    images: str = options.IMAGES.default
    """``alt``: the alt texts of images that stand for words; ``markdown``: the images, too."""
    comments: bool = options.COMMENTS.default
    """Whether an article has the comments of its readers."""

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """Return the form that *settings* ask for.

        :raises ConfigError: a setting is not valid
        """
        return cls(options.IMAGES.read(settings), options.COMMENTS.read(settings))

    def check(self) -> None:
        """Raise ``ValueError`` if there is no such form."""
        if self.images not in IMAGE_FORMS:
            raise ValueError(
                f"images is {self.images!r}, not {' or '.join(map(repr, IMAGE_FORMS))}"
            )

    @property
    def has_images(self) -> bool:
        """Whether images are in the Markdown, with their addresses."""
        return self.images == "markdown"

    @property
    def name(self) -> str:
        """What is not the default, as ``-markdown-comments``; empty for the default form."""
        parts = [self.images if self.images != IMAGE_FORMS[0] else ""]
        parts.append("comments" if self.comments else "")
        return "".join(f"-{part}" for part in parts if part)


IMAGE_FORMS = options.IMAGES.words
DEFAULT = Form()
