"""Explicit feature maps of the kernels whose features can be listed, and the algebra over them."""
