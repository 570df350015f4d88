"""Proof that a downloaded file is the document that was offered."""
