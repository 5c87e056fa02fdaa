"""Learners with a budget of remembered examples: the walk, and one file for each way to make room."""
