"""Runs that show on real data what the learners do."""
