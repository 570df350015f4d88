"""Tier ``scrapingant``: pages through ScrapingAnt's REST API, version 2.

https://docs.scrapingant.com/. The endpoint ``/v2/markdown`` is not used: pages are converted from
their HTML, as those of all tiers are.
"""
