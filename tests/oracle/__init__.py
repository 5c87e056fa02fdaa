"""Slow, obvious Python for every compiled function: no shared code, no tricks, dense double precision."""
