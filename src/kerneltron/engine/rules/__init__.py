"""The update rules, one a file: each says how far to move, and nothing else."""
