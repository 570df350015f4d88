class OriginMiddleware:
    """Notes of each item the page it is from."""

    async def process_spider_output(self, response, result):
        async for found in result:
            if isinstance(found, dict):
                found["depth"] = response.meta.get("depth", 0)
                found["flags"] = response.flags
            yield found
