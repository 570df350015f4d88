"""The best document about a company and a fiscal year, out of several providers."""
