"""Providers of reports."""
