"""Subcommands of ``scrapy``.

``tiers``, ``explain`` and ``manifest`` are entry points of the group ``scrapy.commands``: Scrapy
loads them in every project of an environment that has the package, and with any command. Their
modules therefore import nothing heavy; what they do is in ``tiers_answer``, ``explain_answer`` and
``manifest.answer``.
"""
