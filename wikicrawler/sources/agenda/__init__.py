"""The agenda: which watched sources are visited next, and by which process."""
