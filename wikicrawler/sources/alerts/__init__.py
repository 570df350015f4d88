"""Alerts: what an operator has to know about watched sources and paid services.

``events`` has what can happen and how severe it is; ``visit_events`` and ``checks`` tell whether it
did. ``book`` keeps alerts in the database, each problem once while it lasts, and queues
``messages``; ``outbox`` delivers these to ``channels``. ``extension`` is the part of a crawl.
"""
