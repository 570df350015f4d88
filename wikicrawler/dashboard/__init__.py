"""Web pages over what crawls have stored, and controls that are also commands."""
