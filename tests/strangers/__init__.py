"""What meets the text of strangers on the event loop takes time linear in its length."""
