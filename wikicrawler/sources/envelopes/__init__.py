"""Envelopes: one JSON file for each version of a document, which needs nothing else."""
