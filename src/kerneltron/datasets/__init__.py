"""Data: generators whose truth is known."""
