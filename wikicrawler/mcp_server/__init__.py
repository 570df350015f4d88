"""An MCP server: agents read pages, search wikis and crawl sites by the crawl's own tiers.

One process has one event loop, with Scrapy's engine and the protocol. So all calls share what a
crawl has: the throttle of each site, robots.txt, pauses, the guard and the tiers.

``wikicrawler-mcp`` (:mod:`wikicrawler.mcp_server.command`) starts it. Only the modules ``spider``,
``tools``, ``protocol`` and ``stdio`` import the SDK, which is the extra ``mcp``.
"""
