"""The dashboard: web pages over what crawls recorded, and controls for their operators.

Its pages hold no SQL and no logic of their own: they show what ``store``, ``explain`` and the jobs
say, and their controls call what the commands call.
"""
