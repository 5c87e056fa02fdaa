"""Compiled functions of the kernels over strings."""
