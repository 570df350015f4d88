"""What operators do: one function for each control, for commands and web pages alike.

Each takes a :class:`~wikicrawler.control.context.Context`, which says who does it. What it changes
in the database and the record of it in the audit log are one transaction, so a process that is
killed leaves both or neither.
"""
