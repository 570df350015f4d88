"""Subcommands of ``scrapy``.

``tiers`` and ``explain`` are entry points of the group ``scrapy.commands``: Scrapy loads them in
every project of an environment that has the package, and with any command. Their modules therefore
import nothing heavy; what they do is in ``tiers_answer`` and ``explain_answer``.
"""
