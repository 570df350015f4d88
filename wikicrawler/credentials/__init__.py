"""The log-ins and proxies of ``config/sources.yml``, and where their secrets are.

A secret is never in ``sources.yml``: that names an environment variable, or a key of the secrets
file (``WIKICRAWLER_SECRETS_FILE``).
"""
