"""Documents that are not HTML, as text."""
