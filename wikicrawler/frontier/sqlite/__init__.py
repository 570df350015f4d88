"""The frontier of one process, in a SQLite database in the state folder."""
