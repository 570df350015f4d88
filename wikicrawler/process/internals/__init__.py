"""The only code that uses private or undocumented names of Scrapy, Twisted and other libraries.

Each module covers one subject, offers it under public names, and documents which private names it
uses, why, and what would replace them. A private name that is missing raises an error that names
the installed version of the library. ``tests/test_private_names.py`` keeps such names out of all
other packages.
"""
