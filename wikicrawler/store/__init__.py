"""The project's one database: SQLite in a file, or PostgreSQL by URL.

``tables`` defines the schema, ``database`` opens the database, ``attempts``, ``attempt_sums``,
``history`` and ``sites`` read it, and ``records`` writes to it. ``startup_reading`` reads and
``writer`` writes in a thread of the crawl, which continues whatever the state of the database.
``manifests`` reads and writes the manifests of watched sources.

No other room imports SQLAlchemy, except for annotations: all SQL is here.
"""
