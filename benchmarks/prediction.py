"""Predicting in dual form beside nearest neighbours, which also compare a new row with remembered ones."""

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from benchmarks.compare import Work, faster, fewer_errors
from benchmarks.digits import digits
from benchmarks.dual import learner
from benchmarks.measure import with_slow_ones
from benchmarks.settings import Settings
from benchmarks.table import Row

PASSES = 3  # later ones hardly add examples that predict


def prediction(settings: Settings) -> list[Row]:
    """Set predicting ten classes beside scikit-learn's brute-force search of the five nearest neighbours."""
    data = digits(settings.dense_rows)
    mine = learner(PASSES).fit(data.X, data.y)
    other = KNeighborsClassifier(algorithm="brute").fit(data.X, data.y)
    ours = f"predicting ten classes from {mine.support_.size:,} remembered rows"
    theirs = f"KNeighborsClassifier, brute force, {len(data.X):,} rows"
    for learned in (mine, other):
        learned.predict(data.X_test[:1000])
    contestants = {ours: mine.predict}, {theirs: other.predict}
    timings = with_slow_ones(*contestants, lambda: data.X_test, settings.repeats)
    speed = faster(timings, ours, theirs, Work(len(data.X_test), "rows"))
    if not data.real:  # generated classes differ in directions that distances hardly see
        return [speed]
    wrong = [float(np.mean(learned.predict(data.X_test) != data.y_test)) for learned in (mine, other)]
    return [speed, fewer_errors("ten classes", "KNeighborsClassifier", wrong[0], wrong[1])]
