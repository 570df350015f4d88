"""Log-ins to private wikis: one session for all requests to a wiki, renewed when it ends."""
