"""Compiled functions of the kernels over graphs."""
