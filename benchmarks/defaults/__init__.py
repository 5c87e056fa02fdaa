"""What learners do as they come, beside the best that we can do and beside what peers do as they come.

    python -m benchmarks --only defaults --page docs/defaults.md

measures the defaults on all sets, judges them, and writes the page. To look at a candidate for a default, on
training rows alone (a quarter of them is held out), ask for its errors on all sets of a kind:

>>> from benchmarks.defaults.evaluating import errors_of, show
>>> from kerneltron import LogisticRegression
>>> show(errors_of(lambda: LogisticRegression(learning_rate=0.1, passes=5), kind="tables"))  # doctest: +SKIP

Texts are learned by the command line: `errors_of(lambda: CommandLine("--ngrams", "2"), kind="text")`, with
`benchmarks.defaults.command_line.CommandLine`. Structures come with kernels of their own, which a candidate
is handed: `errors_of(lambda kernel: SVM(kernel=kernel, C=10), kind="structures")`. On streams a learner
predicts each row before it learns from it by `partial_fit`. `leaving_out` of the same module chooses among
candidates on all sets but one, for each one, and says what the choice costs on that one.

The kinds are tables, streams, text and structures. Data that are not made here are read from the folder that
KERNELTRON_DATA names; sets that are not there are left out.
"""
