"""Watched sources: public sources that are visited on a schedule.

``manifest`` has the list of sources: how it is read, compared and activated. ``schedule`` computes
when each of them is due.
"""
