"""Scrapy projects as others write them, which know nothing of wikicrawler.

Each folder with a ``scrapy.cfg`` is one, of Scrapy's template for version 2.19 or older. Each
spider takes the address of its site as the argument ``site``; :mod:`tests.projects.sites` has the
sites.
"""
