"""Structured data from pages, extracted by an LLM that shows its evidence."""
