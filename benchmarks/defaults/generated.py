"""Generated tables and streams, each with one thing that learners find awkward."""

from typing import Any

import numpy as np

from kerneltron.datasets import noisy_logistic
from kerneltron.datasets.letters import letters as draw_letters

ROWS = 8_000
STREAM_ROWS = 4_000


def awkward_scales() -> tuple[Any, Any]:
    """Return a noisy halfspace whose columns have deviations from 1e-4 to 1e6 and are off the origin."""
    data, random = noisy_logistic(ROWS, d=20, scale=5.0, seed=1), np.random.default_rng(1)
    scales = 10.0 ** random.permutation(np.linspace(-4, 6, 20))
    return (data.X + 2 * random.standard_normal(20)) * scales, data.y


def rare_classes() -> tuple[Any, Any]:
    """Return six classes of two clusters each, the rarest of which has one row in two hundred."""
    random = np.random.default_rng(2)
    y = random.choice(6, ROWS, p=(0.6, 0.25, 0.1, 0.03, 0.015, 0.005))
    centres = 1.5 * random.standard_normal((6, 2, 10))
    return centres[y, random.integers(2, size=ROWS)] + random.standard_normal((ROWS, 10)), y


def label_noise() -> tuple[Any, Any]:
    """Return two sides of a curved border, with 15 % of the labels flipped."""
    random = np.random.default_rng(3)
    X, w = random.standard_normal((ROWS, 10)), random.standard_normal(10)
    is_inside = X @ w + 0.7 * (X[:, 0] ** 2 - X[:, 1] ** 2) + X[:, 2] * X[:, 3] > 0
    return X, (is_inside ^ (random.random(ROWS) < 0.15)).astype(int)


def letters() -> tuple[Any, ...]:
    """Return 26 classes of six clusters each."""
    return tuple(draw_letters(4_000, 4_000))


def drift() -> tuple[Any, Any]:
    """Return a stream of two classes whose border turns, once around in 2,000 rows, with 5 % of noise."""
    random = np.random.default_rng(4)
    X, angle = random.standard_normal((STREAM_ROWS, 10)), 2 * np.pi * np.arange(STREAM_ROWS) / 2_000
    scores = np.cos(angle) * X[:, 0] + np.sin(angle) * X[:, 1] + 0.5 * X[:, 2]
    return X, ((scores > 0) ^ (random.random(STREAM_ROWS) < 0.05)).astype(int)


def prices() -> tuple[Any, Any]:
    """Return half-hourly prices and demands of two regions in their own units.

    The question is whether the price is above its mean over the last day: labels come in runs, and the level
    of prices moves.
    """
    random, time = np.random.default_rng(5), np.arange(STREAM_ROWS + 48)
    hour, day = (time % 48) / 2, (time // 48) % 7
    swing = 1500 * np.sin(2 * np.pi * (hour - 9) / 24) - 400 * (day > 4)
    demands = [
        level + share * swing + _wander(random, 250.0, 0.95) for level, share in ((7000, 1), (4500, 0.6))
    ]
    level = np.exp(np.cumsum(0.01 * random.standard_normal(time.size)))
    own, other = (
        level * (40 + 12 * np.exp((demand - mean) / 1200) + _wander(random, 5.0, 0.8))
        for demand, mean in zip(demands, (7000, 4500), strict=True)
    )
    lagged = np.cumsum(np.insert(own, 0, 0.0))
    day_before = (lagged[48:-1] - lagged[:-49]) / 48
    columns = [day, hour, own, demands[0], other, demands[1], other - own]
    return np.column_stack(columns)[48:], (own[48:] > day_before).astype(int)


def _wander(random: Any, deviation: float, memory: float) -> Any:
    """Draw a series in which each value is near the one before."""
    noise = deviation * np.sqrt(1 - memory**2) * random.standard_normal(STREAM_ROWS + 48)
    for place in range(1, noise.size):
        noise[place] += memory * noise[place - 1]
    return noise
