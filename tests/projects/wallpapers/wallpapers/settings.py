from pathlib import Path

BOT_NAME = "wallpapers"

SPIDER_MODULES = ["wallpapers.spiders"]
NEWSPIDER_MODULE = "wallpapers.spiders"

ROBOTSTXT_OBEY = False

CONCURRENT_REQUESTS = 8
DOWNLOAD_TIMEOUT = 30
COOKIES_ENABLED = False

DEFAULT_REQUEST_HEADERS = {
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "Accept-Language": "de",
}

ITEM_PIPELINES = {"wallpapers.pipelines.WallpaperPipeline": 1}
IMAGES_STORE = str(Path("images").absolute())
IMAGES_THUMBS = {"small": (20, 20)}
MEDIA_ALLOW_REDIRECTS = True

FEED_EXPORT_ENCODING = "utf-8"
