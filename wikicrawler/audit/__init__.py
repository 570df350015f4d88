"""The audit log: an append-only, hash-chained record of each network operation of a crawl.

``wire`` finds each request that a download handler sends, ``record`` describes it, without the
secrets that ``redaction`` removes, and ``recorder`` is the Scrapy extension that has it written.
``verification`` checks the chain in the database, ``proof`` exports a part of it and checks an
export without a database, ``anchor`` keeps the end of the chain elsewhere.

The tables and all SQL are in :mod:`wikicrawler.store`. ``docs/audit.md`` is for users.
"""
