"""For tiers that go through somebody's REST service: crawl4ai, or one of another package.

A page stays charged to its own site: its request waits in that site's download slot, and robots.txt
is the site's. The service itself has a number of places and a breaker of its own.
"""
