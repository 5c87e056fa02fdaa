"""The search for a kernel: candidates are evaluated on held-out examples, and ranked.

A kernel is evaluated in one place, `trying.evaluated`, by the error that `held_out` computes on a `Sample`.
`finding.find_kernel` resolves what a learner requests: kernel="auto", or widths as in Gaussian("auto").
`proposing.propose` shows all candidates as a table, and `proposing.propose_sigma` returns a width alone.
"""
