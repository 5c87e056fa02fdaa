"""Speed and memory as ratios against other people's learners, measured in one run: `python -m benchmarks`."""
