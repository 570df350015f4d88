"""Scrapy's commands that this project replaces (``COMMANDS_MODULE``), for itself alone."""
