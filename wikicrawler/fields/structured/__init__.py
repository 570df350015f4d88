"""What a page states for machines: JSON-LD, microdata, meta elements and infoboxes."""
