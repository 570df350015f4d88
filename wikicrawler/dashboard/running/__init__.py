"""What the screen of run control shows and does: crawls, their logs, live news, and controls."""
