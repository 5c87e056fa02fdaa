"""Certificates in words."""

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kerneltron.theory.certificates import Certificate


def told(certificate: "Certificate") -> str:
    """Return what a certificate says, as sentences that a student understands."""
    sentences = [_mistakes(certificate), *_bound(certificate), *_margin(certificate), *_batch(certificate)]
    return "\n".join(sentences)


def told_of_several(parts: "Sequence[Certificate]") -> str:
    """Return a table of certificates, one row per class against the rest."""
    rows = [("class", "mistakes", "bound", "sharpest", "margin", "radius")]
    for part in parts:
        counts = f"{part.mistakes:,}", number(part.bound), number(part.sharpest.bound)
        rows.append((str(part.label), *counts, f"{part.margin:.3g}", f"{part.radius:.3g}"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)) for row in rows]
    lines.append("Each class is told from the rest by a vector of its own.")
    first = parts[0]
    if first.theorem is not None:
        lines += [f"  {first.theorem.statement}", f"  {first.theorem.reference}."]
    lines += [f"No bound: {reason}." for reason in dict.fromkeys(part.reason for part in parts) if reason]
    return "\n".join([*lines, *_batch(first)])


def number(bound: float) -> str:
    """Return a bound as a whole number of mistakes: the fraction of one cannot be made.

    Examples
    --------
    >>> number(12.7), number(12345678.9), number(float("inf"))
    ('12', '12,345,678', 'no bound')
    """
    if bound == inf:
        return "no bound"
    return f"{int(bound):,}" if bound < 1e15 else f"{bound:.3g}"


def _mistakes(certificate: "Certificate") -> str:
    passes = f"{certificate.passes:g} {'pass' if certificate.passes == 1 else 'passes'}"
    thin, count = certificate.margin_updates, certificate.mistakes
    more = f", and moved {thin:,} times more for a margin that was too thin" if thin else ""
    mistakes = "mistake" if count == 1 else "mistakes"
    return f"In {passes} ({certificate.visits:,} visits) the learner made {count:,} {mistakes}{more}."


def _bound(certificate: "Certificate") -> list[str]:
    theorem = certificate.theorem
    if theorem is None or certificate.bound == inf:
        return [f"No bound: {certificate.reason}."]
    what = "updates" if theorem.statement.startswith("updates") else "mistakes"
    says = f"No such run over these examples could have made more than {number(certificate.bound)} {what}"
    least = certificate.sharpest.bound
    if int(least) < int(certificate.bound):
        says += f" ({number(least)}, compared with a vector that leaves some examples short)"
    statement = theorem.statement if certificate.deviation else theorem.if_separated or theorem.statement
    return [f"{says}:", f"  {statement}", f"  {theorem.reference}."]


def _margin(certificate: "Certificate") -> list[str]:
    lower, upper = certificate.attainable
    if certificate.theorem is not None and certificate.theorem.search is not None:
        return [
            f"Every mistake brings the weights closer to a vector u by at least {certificate.margin:.4g}."
        ]
    longest = f"The longest example has length {certificate.radius:.4g}."
    if lower > 0:
        has = f"A vector of length 1 separates the examples with margin {lower:.4g}"
        return [f"{has}, and none with more than {upper:.4g}.", longest]
    found = [
        f"No vector was found that separates the examples: none can with more than {upper:.2g}. {longest}"
    ]
    if certificate.bound < inf:
        found.append(
            f"The bound compares with a margin of {certificate.margin:.4g}; what examples lack of it is "
            f"{certificate.deviation:.4g} in all, the square root of the sum of squares."
        )
    return found


def _batch(certificate: "Certificate") -> list[str]:
    wrong, examples = certificate.first_pass
    if certificate.test_error is None or not examples:
        return []
    return [
        f"The first pass was wrong on {wrong:,} of {examples:,} examples, {100 * wrong / examples:.1f} %: in "
        "the mean that is the error of a vector that is drawn by how many examples it was used for. Measured "
        f"on the test examples: {100 * certificate.test_error:.1f} %."
    ]
