"""Which values may be injected."""
