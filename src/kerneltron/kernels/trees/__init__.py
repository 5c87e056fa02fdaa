"""Kernels over trees."""
