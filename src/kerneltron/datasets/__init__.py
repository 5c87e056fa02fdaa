"""Data: sets that ship with scikit-learn, and generators whose truth is known."""
