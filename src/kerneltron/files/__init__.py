"""Model files: how they are written, what stands in them, and one file for each kind of thing in them."""
