"""A crawl that can be killed at any moment and goes on: scheduler, feeds, exit codes."""
