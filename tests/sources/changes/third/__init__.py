"""Labelled pairs by another author than that of the rules."""
