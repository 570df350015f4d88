"""The project's one database: SQLite in a file, or PostgreSQL by URL.

``tables`` defines the schema, ``database`` opens the database, ``attempts``, ``attempt_sums``,
``history`` and ``sites`` read it, and ``records`` writes to it. ``startup_reading`` reads and
``writer`` writes in a thread of the crawl, which continues whatever the state of the database.
``audit_chain``, ``audit_queries`` and ``audit_sums`` read and write the audit log of
``audit_tables``, which ``audit_triggers`` protects, and ``audit_writer`` writes it in a thread; a
crawl that is audited stops if it cannot. ``chain_text`` is the arithmetic of its chain.
``manifests`` reads and writes the manifests of watched sources, and ``staging_events`` what is
announced of their envelopes.

No other room imports SQLAlchemy, except for annotations: all SQL is here.
"""
