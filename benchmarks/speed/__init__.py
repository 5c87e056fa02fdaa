"""`make speed`: a few headline ratios against peers in the same run, compared with a committed record."""
