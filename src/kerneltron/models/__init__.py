"""What a learner knows, as plain arrays, and how that predicts."""
