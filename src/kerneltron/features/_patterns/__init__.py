"""The language of patterns: one file for each kind of example, and what they share."""
