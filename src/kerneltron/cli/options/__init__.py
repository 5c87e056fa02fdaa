"""Options that several commands share, in groups."""
