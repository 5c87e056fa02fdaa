"""Compiled functions of the kernels over trees."""
