"""Reports on a company's own site: its investor relations pages."""
