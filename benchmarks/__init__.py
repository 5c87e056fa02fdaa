"""Speed and memory as ratios against other people's learners, measured in one run: `python -m benchmarks`."""

import os

# Processes that are measured start as those of users do: from bytecode.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
