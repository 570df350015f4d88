from dataclasses import dataclass


@dataclass
class Chapter:
    url: str
    heading: str
    words: int
    markdown: str
    tier: str
