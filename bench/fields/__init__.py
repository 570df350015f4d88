"""Fields of labelled pages, by this project and by its peers, with the same model."""
