"""Tests of what an operator sees of watched sources."""
