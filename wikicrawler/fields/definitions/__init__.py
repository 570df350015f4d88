"""What fields are: definitions by a user, a file or a pydantic model, and their JSON Schema."""
