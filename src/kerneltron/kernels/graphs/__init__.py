"""Kernels over graphs."""
