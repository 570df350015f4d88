"""The update of a mirror: only what has changed since an earlier crawl."""
