"""Passes over examples, in order: what they are, how many, when to stop, and what is reported of them."""
