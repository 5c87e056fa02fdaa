"""Examples for clusters, in files of several formats."""

import json

import numpy as np


def texts(n=400, seed=0, words=60):
    """Return labels, and lists of words that tell them."""
    rng = np.random.default_rng(seed)
    weights = np.random.default_rng(99).normal(size=words)
    chosen = rng.integers(0, words, (n, 6))
    labels = np.where(weights[chosen].sum(axis=1) > 0, "spam", "ham")
    return labels.tolist(), [[f"w{word}" for word in row] for row in chosen.tolist()]


def write_vw(path, n=400, seed=0):
    labels, rows = texts(n, seed)
    lines = [f"{label} |text {' '.join(row)}" for label, row in zip(labels, rows, strict=True)]
    path.write_text("\n".join(lines) + "\n")
    return path


def write_csv(path, n=400, seed=0):
    """Some texts have line ends and quotes inside."""
    labels, rows = texts(n, seed)
    lines = [
        f'{label},"{" ".join(row[:3])}\n""{" ".join(row[3:])}""",{number}'
        for number, (label, row) in enumerate(zip(labels, rows, strict=True))
    ]
    path.write_text("label,text,number\n" + "\n".join(lines) + "\n")
    return path


def write_jsonl(path, n=400, seed=0):
    labels, rows = texts(n, seed)
    pairs = zip(labels, rows, strict=True)
    path.write_text(
        "".join(json.dumps({"label": label, "text": " ".join(row)}) + "\n" for label, row in pairs)
    )
    return path


def write_parquet(path, n=400, seed=0, group=100):
    import pyarrow
    import pyarrow.parquet

    labels, rows = texts(n, seed)
    table = pyarrow.table({"label": labels, "text": [" ".join(row) for row in rows]})
    pyarrow.parquet.write_table(table, path, row_group_size=group)
    return path


WRITERS = {"vw": write_vw, "csv": write_csv, "jsonl": write_jsonl, "parquet": write_parquet}


def separable(n=300, features=6, seed=0):
    """Return rows of small whole numbers that a vector through the origin separates, and R^2 / gamma^2."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 4, features) * rng.choice([-1, 1], features)
    X = rng.integers(-4, 5, (20 * n, features)).astype(float)
    score = X @ truth
    chosen = np.flatnonzero(np.abs(score) >= 4)[:n]
    X, score = X[chosen], score[chosen]
    gamma = np.abs(score).min() / np.linalg.norm(truth)
    return X, np.where(score > 0, 1, 0), (np.linalg.norm(X, axis=1).max() / gamma) ** 2
