"""What the screens of sites show: pictures, and the answer to why a page goes as it does."""
