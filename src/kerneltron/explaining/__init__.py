"""What a learner knows, and why it decides as it does."""
