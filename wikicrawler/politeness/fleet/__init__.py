"""What the workers of a fleet do together to be polite, in their Redis."""
