"""The requests of a crawl that are not done, in a form that survives a kill.

:mod:`~wikicrawler.frontier.protocol` says what a frontier is; ``sqlite`` is one, for one process.
:class:`~wikicrawler.frontier.scheduler.FrontierScheduler` connects a frontier to Scrapy.
"""
