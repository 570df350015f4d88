"""What the screen of manifests shows: a text with its faults, differences, and a checked text."""
