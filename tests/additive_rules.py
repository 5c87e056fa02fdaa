"""The additive rules, each as a learner, its parameters, and the formula that it must follow."""

from math import inf

from kerneltron import LogisticRegression, PassiveAggressive, Pegasos, Perceptron, Romma
from tests.oracle import rules

# Published rules, and what is proved of them, are about one pass over rows as they are.
PUBLISHED = {"scale": False, "passes": 1}
PEGASOS = {**PUBLISHED, "learning_rate": inf}  # steps of 1 / (l2 t)
ADAGRAD = {**PUBLISHED, "learning_rate": 0.5}

ADDITIVE = {
    "perceptron": (Perceptron, {"learning_rate": 0.5}, rules.perceptron(0.5)),
    "margin": (Perceptron, {"margin": 2.0}, rules.perceptron(1.0, 2.0)),
    "PA-0": (PassiveAggressive, {"variant": "0", "scale": False}, rules.passive_aggressive("0")),
    "PA-I": (
        PassiveAggressive,
        {"variant": "I", "C": 0.125, "scale": False},
        rules.passive_aggressive("I", 0.125),
    ),
    "PA-II": (
        PassiveAggressive,
        {"variant": "II", "C": 0.25, "scale": False},
        rules.passive_aggressive("II", 0.25),
    ),
    "ROMMA": (Romma, {}, rules.romma()),
    "aggressive": (Romma, {"aggressive": True}, rules.romma(aggressive=True)),
    "logistic": (
        LogisticRegression,
        {"l2": 0.5, "schedule": "inverse", "learning_rate": 1.0, "scale": False},
        rules.logistic("inverse", 1.0, 0.5),
    ),
    "logistic constant": (
        LogisticRegression,
        {"l2": 0.1, "schedule": "constant", "learning_rate": 0.25, "scale": False},
        rules.logistic("constant", 0.25, 0.1),
    ),
    "pegasos": (Pegasos, {"l2": 0.25, "learning_rate": inf, "scale": False}, rules.pegasos(l2=0.25)),
    "pegasos constant": (
        Pegasos,
        {"l2": 0.5, "schedule": "constant", "learning_rate": 0.25, "scale": False},
        rules.pegasos("constant", 0.25, 0.5),
    ),
    "pegasos slow start": (
        Pegasos,
        {"l2": 0.5, "learning_rate": 2.0, "scale": False},
        rules.pegasos("inverse", 2.0, 0.5),
    ),
}


def columns_of(classes):
    return 1 if classes == 2 else classes
