"""The Python face of field extraction: a scraper, and the child process that crawls for it."""
