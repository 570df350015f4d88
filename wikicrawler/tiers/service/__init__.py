"""Shared parts of tiers behind a REST service: crawl4ai, or the service of another package's tier.

A page is charged to its own site: its request waits in that site's download slot, and that site's
robots.txt applies. The service has a concurrency limit and a circuit breaker of its own.
"""
