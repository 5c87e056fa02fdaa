"""Kernels over strings."""
