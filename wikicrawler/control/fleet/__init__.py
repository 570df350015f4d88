"""A crawl on several workers, as operators see it: what Redis and the workers say of it."""
