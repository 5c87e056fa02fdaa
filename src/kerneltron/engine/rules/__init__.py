"""The update rules, one per file: each says how far to move, and nothing else."""
