"""Learners on a budget, one example at a time, as the papers have them: lists, and kernel values as needed.

A remembered example has coefficients `alpha`, one per column, and `total`, the sum of these after each
example so far, of which the average is made. Where examples are dropped, it is made of the constant feature
alone: see `Learner.steadied`. Plans are those of `tests.oracle.dual`.
"""

from itertools import count
from math import sqrt

import numpy as np
from scipy.optimize import brentq

from tests.oracle.loops import mistaken, sides


class Remembered:
    def __init__(self, x, columns, number, born):
        self.x, self.number, self.born = x, number, born
        self.alpha, self.total = np.zeros(columns), np.zeros(columns)


class Learner:
    """`k` is the kernel without the constant feature, `bias` that one; `constant` what it has of its own."""

    def __init__(self, k, columns, budget, bias=1.0):
        self.kernel, self.columns, self.budget, self.bias = k, columns, budget, bias
        self.held, self.constant = [], Remembered(None, columns, -1, -1)
        self.features, self.lives_on = None, []  # of a sketch, and what was dropped into it
        self.moves, self.spent = 0, np.zeros(columns)
        self.visits, self.intercepts = 0, np.zeros(columns)  # the sum of the intercepts after each visit

    def k(self, x, z):
        return self.kernel(x, z) + self.bias**2

    def score(self, x, name="alpha"):
        parts = [self.k(x, each.x) * getattr(each, name) for each in self.held]
        if self.lives_on:
            z = self.features(x)
            parts += [z @ self.features(each.x) * getattr(each, name) for each in self.lives_on]
        return sum(parts, np.zeros(self.columns)) + getattr(self.constant, name)

    def intercept(self):
        """Return what the vectors of now add to every score."""
        parts = [self.bias**2 * each.alpha for each in self.held]
        return sum(parts, self.constant.alpha)

    def steadied(self, x):
        """Return the score by the vectors of now, with the mean of all intercepts in the place of theirs."""
        return self.score(x) - self.intercept() + self.intercepts / self.visits

    def everything(self):
        return (*self.held, *self.lives_on, self.constant)

    def norms(self):
        """Return ||w||^2 of each column, of learners that keep nothing beside examples."""
        parts = [a.alpha * b.alpha * self.k(a.x, b.x) for a in self.held for b in self.held]
        return sum(parts, np.zeros(self.columns))

    def weight(self, each):
        return float(np.square(each.alpha).sum() * self.k(each.x, each.x))

    def lightest(self):
        least = min(self.weight(each) for each in self.held)
        light = [each for each in self.held if self.weight(each) <= least * (1 + 1e-9)]
        return min(light, key=lambda each: each.born)


def learn(plan, way, k, X, codes, columns, visits, budget, bias=1.0, with_norms=False):
    """Yield the learner after each visit, and whether that was a mistake."""
    self = Learner(k, columns, budget, bias)
    for t, i in zip(count(1), visits):
        scores, q = list(self.score(X[i])), self.k(X[i], X[i])
        norms = list(self.norms()) if with_norms else [None] * columns
        shrinks, steps = plan(scores, codes[i], q, norms, t, 1.0)
        for each in self.everything():
            each.alpha = each.alpha * np.array(shrinks, float)
        if any(steps):
            way(self, X[i], i, np.array(steps, float), scores, sides(codes[i], columns))
        for each in self.everything():
            each.total = each.total + each.alpha
        self.visits, self.intercepts = self.visits + 1, self.intercepts + self.intercept()
        assert budget is None or len(self.held) <= budget
        yield self, mistaken(scores, codes[i])


def entered(self, x, number, steps):
    """Add an example, and return it; one that is remembered is added to, and becomes the youngest."""
    self.moves += 1
    known = [each for each in self.held if each.number == number]
    if not known:
        self.held.append(Remembered(x, self.columns, number, 0))
    one = known[0] if known else self.held[-1]
    one.alpha, one.born = one.alpha + steps, self.moves
    return one


def is_full(self, number):
    is_known = any(each.number == number for each in self.held)
    return not is_known and self.budget is not None and len(self.held) >= self.budget


def stop(self, x, number, steps, scores, labels):
    if not is_full(self, number):
        entered(self, x, number, steps)


def smallest(self, x, number, steps, scores, labels):
    entered(self, x, number, steps)
    if len(self.held) > self.budget:
        self.held.remove(self.lightest())


def random(draw):
    """`draw` returns a number below its second argument for the number of a move."""

    def way(self, x, number, steps, scores, labels):
        if is_full(self, number):
            # The last one takes the place of the one that goes.
            gone = draw(self.moves + 1, len(self.held))
            new = entered(self, x, number, steps)
            self.held[gone] = new
            self.held.pop()
        else:
            entered(self, x, number, steps)

    return way


def forget(self, x, number, steps, scores, labels):
    """The Forgetron: every column shrinks by the largest phi that keeps Q within 15/32 of the moves."""
    entered(self, x, number, steps)
    if len(self.held) <= self.budget:
        return
    oldest = min(self.held, key=lambda each: each.born)
    f = self.score(oldest.x)
    for c in range(self.columns):
        sigma = abs(oldest.alpha[c])
        if sigma == 0:
            continue
        mu = np.sign(oldest.alpha[c]) * f[c]

        def psi(phi, sigma=sigma, mu=mu):
            return (phi * sigma) ** 2 + 2 * phi * sigma - 2 * phi * sigma * phi * mu

        left = 15 / 32 * self.moves - self.spent[c]
        phi = 1.0
        if psi(1.0) > left:
            grid = np.linspace(0, 1, 10_001)
            low = max(grid[:-1][psi(grid[:-1]) <= left])
            high = low + 1e-4
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (middle, high) if psi(middle) <= left else (low, middle)
            phi = low
        self.spent[c] += psi(phi)
        for each in (*self.held, self.constant):
            factor = np.ones(self.columns)
            factor[c] = phi
            each.alpha = each.alpha * factor
    self.held.remove(oldest)


def bpa(self, x, number, steps, scores, labels):
    """Try every example that may go, and take the one after which w has changed least."""
    if not is_full(self, number):
        entered(self, x, number, steps)
        return
    q = self.k(x, x)

    def change(r):
        beta = r.alpha * self.k(r.x, x) / q + steps
        squares = r.alpha**2 * self.k(r.x, r.x) - 2 * r.alpha * beta * self.k(r.x, x) + beta**2 * q
        return float(squares.sum())

    gone = min(self.held, key=change)
    new = entered(self, x, number, steps)
    new.alpha = new.alpha + gone.alpha * self.k(gone.x, x) / q
    self.held.remove(gone)


def project(eta=None, margin=0.0, tolerance=1e-10):
    """Projectron; with a margin, Projectron++."""

    def way(self, x, number, steps, scores, labels):
        if any(each.number == number for each in self.held):
            entered(self, x, number, steps)
            return
        q, full = self.k(x, x), is_full(self, number)
        d, rest = np.zeros(0), q
        if self.held:
            K = np.array([[self.k(a.x, b.x) for b in self.held] for a in self.held])
            common = np.array([self.k(a.x, x) for a in self.held])
            d = np.linalg.solve(K, common)
            rest = max(0.0, q - d @ common)
        only_margins = margin > 0
        if full or eta is not None:
            for c in range(self.columns):
                z = labels[c] * scores[c]
                if steps[c] and z > 0 and margin > 0:
                    loss, length = margin - z, q - rest
                    tau = min(1, loss / length) if length > 0 else 0
                    if eta:
                        tau = min(tau, 2 * (loss - sqrt(rest) / eta) / length) if length > 0 else 0
                    steps[c] *= max(0, tau)
                elif steps[c]:
                    only_margins = False
        else:
            only_margins = False
        if rest <= tolerance * q or (eta is not None and rest <= eta**2) or full or only_margins:
            if steps.any():
                self.moves += 1
                for part, each in zip(d, self.held, strict=True):
                    each.alpha = each.alpha + part * steps
        else:
            entered(self, x, number, steps)

    return way


def sketch(features):
    """`features` is the map z; what is dropped is added to a vector of such features."""

    def way(self, x, number, steps, scores, labels):
        entered(self, x, number, steps)
        if len(self.held) <= self.budget:
            return
        gone = self.lightest()
        self.held.remove(gone)
        self.constant.alpha = self.constant.alpha + self.bias**2 * gone.alpha
        self.constant.total = self.constant.total + self.bias**2 * gone.total
        self.features = features
        self.lives_on.append(gone)

    return way


def merge():
    """Merge the lightest with the one that loses least; k is Gaussian."""

    def best(self, a, b):
        """Return the weight of the lighter one in the best z, and what is lost."""
        value = self.kernel(a.x, b.x)

        def lost(h):
            alpha = value ** ((1 - h) ** 2) * a.alpha + value ** (h**2) * b.alpha
            both = a.alpha @ a.alpha + b.alpha @ b.alpha + 2 * value * (a.alpha @ b.alpha)
            return both - alpha @ alpha

        def slope(h):  # by a step in the complex plane, from which nothing is subtracted
            return lost(h + 1e-30j).imag

        grid = np.linspace(0.0, 0.5, 101)
        at = int(np.argmin([lost(h) for h in grid]))
        low, high = grid[max(0, at - 1)], grid[min(100, at + 1)]
        h = brentq(slope, low, high, xtol=1e-15) if slope(low) < 0 < slope(high) else grid[at]
        if h < 1e-6 or lost(h) >= lost(0.0):
            h = 0.0
        return h, lost(h)

    def size(each):
        return float(each.alpha @ each.alpha)

    def way(self, x, number, steps, scores, labels):
        entered(self, x, number, steps)
        if len(self.held) <= self.budget:
            return
        one = self.lightest()
        other = min(
            (each for each in self.held if each is not one), key=lambda each: best(self, one, each)[1]
        )
        a, b = (one, other) if size(one) <= size(other) * (1 + 1e-9) else (other, one)
        h, _ = best(self, a, b)
        value = self.kernel(a.x, b.x)
        z = Remembered(h * a.x + (1 - h) * b.x, self.columns, -1, max(a.born, b.born))
        if h == 0:
            z.number = b.number
        for name in ("alpha", "total"):
            mine, its = getattr(a, name), getattr(b, name)
            mixed = value ** ((1 - h) ** 2) * mine + value ** (h**2) * its
            setattr(z, name, mixed)
            beside = getattr(self.constant, name) + self.bias**2 * (mine + its - mixed)
            setattr(self.constant, name, beside)
        self.held[self.held.index(b)] = z
        self.held.remove(a)

    return way
