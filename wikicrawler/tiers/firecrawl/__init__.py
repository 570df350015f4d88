"""Tier ``firecrawl``: pages through Firecrawl's REST API, version 2.

https://docs.firecrawl.dev/api-reference/v2-introduction. The service runs at api.firecrawl.dev, or
on a server of one's own.
"""
