"""Compiled functions on plain arrays: no self, no callables, no strings, no input or output."""
