"""The way of a page through the tiers of its plan."""
