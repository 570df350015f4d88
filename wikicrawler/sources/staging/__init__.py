"""The staging folder: where envelopes are written, and where consumers read them."""
