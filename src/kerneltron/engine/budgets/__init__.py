"""Learners that remember only so many examples: the walk, and one file for each way to make room."""
