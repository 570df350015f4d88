"""Which tier to try first for a page, learned from what became of other pages.

Pure: no I/O, no clock, no Scrapy; the caller brings times and random numbers. ``docs/learning.md``
states the model. :class:`~wikicrawler.learning.learner.Learner` is the front door.
"""
