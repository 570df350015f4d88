"""What the screen of costs shows: limits in words, and pictures."""
