"""The choice of tiers, simulated: worlds of sites that change, and policies that crawl them."""
