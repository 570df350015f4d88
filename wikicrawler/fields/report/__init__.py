"""What a person sees of extracted fields: a page of HTML, and a table for a terminal."""
