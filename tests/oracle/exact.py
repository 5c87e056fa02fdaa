"""Rules in fractions: what they decide when nothing is rounded off.

ROMMA's fractions would have three times as many digits after each mistake. So a vector keeps `BITS` bits of
its largest entry: no decision of a few hundred visits hangs on what is cut off behind them.
"""

from fractions import Fraction

BITS = 600


def romma(X, labels, aggressive=False):
    """Return whether each visit is a mistake, and the vector in the end; labels are +1 and -1."""
    w, mistakes = [Fraction(0)] * len(X[0]), []
    for row, y in zip(X, labels, strict=True):
        x = [Fraction(float(value)) for value in row]
        z, q, N = int(y) * dot(w, x), dot(x, x), dot(w, w)
        mistakes.append(z <= 0)
        if q == 0 or z >= 1 or (z > 0 and not aggressive):
            continue
        shrink, step = Fraction(0), 1 / q
        if z < q * N and q * N != z * z:
            shrink, step = (q * N - z) / (q * N - z * z), N * (1 - z) / (q * N - z * z)
        w = cut([shrink * a + step * int(y) * b for a, b in zip(w, x, strict=True)])
    return mistakes, w


def dot(a, b):
    return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))


def cut(w):
    largest = max(map(abs, w))
    unit = Fraction(2) ** (largest.numerator.bit_length() - largest.denominator.bit_length() - BITS)
    return [round(a / unit) * unit for a in w]
