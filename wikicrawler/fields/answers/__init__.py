"""What a model is asked, and what its answer says."""
