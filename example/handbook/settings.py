BOT_NAME = "handbook"
SPIDER_MODULES = ["handbook.spiders"]
NEWSPIDER_MODULE = "handbook.spiders"

ADDONS = {"wikicrawler.WikiCrawler": 500}

TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
LOG_LEVEL = "INFO"
