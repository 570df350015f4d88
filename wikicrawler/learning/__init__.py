"""Which tier to try first for a page, learned from what became of other pages.

The model is pure: no I/O, no clock, no Scrapy; :class:`~wikicrawler.learning.learner.Learner` is
its front door. Around it, ``restore`` reads the database, ``live`` has the learner of a crawl,
``recorder`` teaches it, ``policy`` acts by it, and ``asked`` explains. See ``docs/learning.md``.
"""
