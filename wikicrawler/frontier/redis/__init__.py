"""The frontier of several workers, in Redis."""
