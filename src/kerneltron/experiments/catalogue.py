"""Which experiments `kerneltron reproduce` knows. Their modules are imported when they run."""

from typing import NamedTuple


class Entry(NamedTuple):
    """An experiment by name: where its `reproduce` is, what it shows, and the data sets that it reads."""

    name: str
    module: str
    brief: str
    data: tuple[str, ...] = ()  # folders below KERNELTRON_DATA
    optional: tuple[str, ...] = ()  # those of more parts, which are left out without them
    is_long: bool = False  # minutes or more: `--all` leaves it out


# Of these, each experiment takes those that are there.
MANY, TEXTS = ("mnist", "a9a", "graphs", "trec_questions"), ("newsgroups", "sms_spam", "a9a")

ENTRIES = (
    Entry("digits", "digits", "handwritten digits by learner, hypothesis, kernel and passes"),
    Entry("mnist", "mnist", "digit 9 against the rest, by kernel and passes", ("mnist",)),
    Entry("spam", "spambase", "a tree, the averaged perceptron and kitchen sinks on e-mails", ("spambase",)),
    Entry("adult", "adult", "incomes within a budget of remembered examples", ("a9a",)),
    Entry("questions", "questions", "what a question asks for, by trees and words", ("trec_questions",)),
    Entry("graphs", "molecules", "which molecules are active, and how networks came about", ("graphs",)),
    Entry("splice", "splice", "where genes are spliced, by string kernels", ("splice",)),
    Entry("shakespeare", "plays", "comedy or tragedy, Hamlet or Falstaff, by word pairs", ("shakespeare",)),
    Entry("kernels", "kernels", "XOR, a circle, parity and DNF, which no linear learner solves"),
    Entry(
        "hashing", "hashing", "what hashing costs, beside four published results", optional=("newsgroups",)
    ),
    Entry("personal-mail", "personal", "one spam filter for everyone and for each one"),
    Entry("ratings", "ratings", "who will like a film, one learner per film", optional=("movielens",)),
    Entry("winnow", "winnow", "mistakes against the number of irrelevant attributes"),
    Entry("overfitting", "overfitting", "when expressiveness turns into overfitting"),
    Entry("hypotheses", "hypotheses", "last, random, average and vote, by passes", optional=("mnist",)),
    Entry("drift", "drift", "a stream whose rule changes half way"),
    Entry("budgets", "budgets", "a line with flipped labels, within a budget of remembered examples"),
    Entry(
        "parallel",
        "mixing",
        "shards that are mixed after each round, beside serial training",
        optional=("a9a", "newsgroups"),
    ),
    Entry("scaling", "scaling", "time and memory against the number of examples"),
    Entry("bounded", "bounded", "maps and budgets beside the exact model", MANY, is_long=True),
    Entry(
        "machines", "machines", "support vector machines beside ten passes", (*MANY, "splice"), is_long=True
    ),
    Entry("second-order", "second_order", "AROW beside first-order learners", TEXTS, is_long=True),
    Entry("online-to-batch", "online_to_batch", "k/m of one pass beside the error of each hypothesis"),
    Entry("regret", "regret", "loss beyond the best fixed vector: hashed, within a budget, under drift"),
    Entry("games", "games", "what concept classes cost at worst, and learners against an adversary"),
    Entry("bounds", "bounds", "mistakes and their bound by dimension, and with the conjunction kernel"),
    Entry("counter-example", "counter_example", "averaging once, at the end, can lose what shards know"),
    Entry("two-workers", "two_workers", "a filter for mail, learned by two processes"),
    Entry("lectures", "lectures", "the pictures of the lectures"),
)
EXPERIMENTS = {entry.name: entry for entry in ENTRIES}
