"""Columns brought to one scale: in front of any learner, kernel and map, and inside of linear models."""
