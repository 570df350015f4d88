from zlib import crc32


class RotateUserAgentMiddleware:
    """Another browser for each page, but the same one each time."""

    def __init__(self, agents):
        self.agents = agents

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler.settings.getlist("USER_AGENTS"))

    def process_request(self, request):
        turn = crc32(request.url.partition("://")[2].partition("/")[2].encode())
        turn += request.meta.get("blocked_times", 0)
        request.headers["User-Agent"] = self.agents[turn % len(self.agents)]


class BlockedMiddleware:
    """Tries again as another browser."""

    def process_response(self, request, response):
        times = request.meta.get("blocked_times", 0)
        if response.status == 403 and times < 2:
            again = request.replace(dont_filter=True)
            again.meta["blocked_times"] = times + 1
            return again
        return response


class MovedAuthorsMiddleware:
    """Asks for a page under its new address, with the callback for it."""

    def __init__(self, crawler):
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    def process_request(self, request):
        if "/author-old/" in request.url:
            url = request.url.replace("/author-old/", "/author/")
            return request.replace(url=url, callback=self.crawler.spider.parse_moved_author)
        return None


class AgeGateMiddleware:
    """Hands a page that asks for our age to a callback of its own."""

    def __init__(self, crawler):
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    def process_response(self, request, response):
        if b'class="age-gate"' in response.body:
            request = request.replace(callback=self.crawler.spider.parse_gate)
            return response.replace(request=request)
        return response
