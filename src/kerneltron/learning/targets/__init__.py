"""What the truth of a row means to a learner: one file for each meaning."""
