"""Subcommands of ``scrapy``.

``tiers``, ``explain``, ``manifest``, ``audit`` and ``prove`` are entry points of the group
``scrapy.commands``: Scrapy loads them in every project of an environment that has the package, and
with any command. Their modules therefore import nothing heavy; what they do is in ``tiers_answer``,
``explain_answer``, ``manifest.answer``, ``audit_answer`` and ``prove_answer``.
"""
