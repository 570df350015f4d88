"""Watched sources: public sources that are visited on a schedule.

``manifest`` has the list of sources: how it is read, compared and activated. ``schedule`` computes
when each of them is due, and ``agenda`` keeps that in the database and says who visits it.
``visits`` fetches the documents of a source. ``changes`` tells whether a document has changed, and
where; ``citations`` finds what it cites. ``envelopes`` describes a version of a document, and
``staging`` writes it to the staging folder. ``alerts`` reports what an operator has to know.
"""
