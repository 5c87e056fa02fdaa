"""One module for each door: see `tests/fuzzing/__init__.py`."""
