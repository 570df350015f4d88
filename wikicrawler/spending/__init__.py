"""Credits of paid services: how many were used, how many may be, and what the month will cost.

``months`` computes with calendar months, ``limits`` reads the operator's limits, and ``ledger``
counts the credits of one service in the database, where all crawls of the project see them.
"""
