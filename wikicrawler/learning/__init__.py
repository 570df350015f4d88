"""Which tier to try first for a page, learned from what became of other pages.

``learning.model`` is pure: no I/O, no clock, no Scrapy. Its entry point is
:class:`~wikicrawler.learning.model.learner.Learner`. Around it, ``restore`` reads the database,
``live`` holds the learner of a crawl, ``recorder`` teaches it, and ``learned_policy`` acts on it.
See ``docs/learning.md``.
"""
