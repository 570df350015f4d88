"""Protection from hostile servers and pages: no private addresses, no unbounded input."""
