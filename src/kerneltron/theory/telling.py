"""Certificates in words."""

from collections.abc import Sequence
from math import ceil, inf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kerneltron.theory.certificates import Certificate


def told(certificate: "Certificate") -> str:
    """Return what a certificate says, as sentences that a student understands."""
    sentences = [_mistakes(certificate), *_bound(certificate), *_margin(certificate), *_batch(certificate)]
    return "\n".join(sentences)


def told_of_several(parts: "Sequence[Certificate]") -> str:
    """Return a table of certificates, one row per class against the rest."""
    rows = [("class", "mistakes", "bound", "sharpest", "gamma", "R")]
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
    theorem, bound = certificate.theorem, certificate.bound
    if theorem is None or bound == inf:
        return [f"No bound: {certificate.reason}."]
    what = "updates" if theorem.statement.startswith("updates") else "mistakes"
    says = f"No such run over these examples could have made more than {number(bound)} {what}"
    least = certificate.sharpest.bound
    if int(least) < int(bound):
        leaves = " that leaves some examples short" if certificate.sharpest.deviation else ""
        says += f" ({number(least)}, compared with another vector{leaves})"
    statement = theorem.statement if certificate.deviation else theorem.if_separated or theorem.statement
    lines = [f"{says}:", f"  {statement}", f"  {theorem.reference}."]
    if certificate.delta:
        lines.append(
            f"Each example had a feature of its own, of value {certificate.delta:.4g}: its square is added "
            "to R^2, and to ||w*||^2 the sum of max(0, 1 - y <w*, x>)^2 divided by it, once for all visits."
        )
    if least >= certificate.visits:
        lines.append(f"There were {certificate.visits:,} visits: of so few, that says nothing.")
    return lines


def _margin(certificate: "Certificate") -> list[str]:
    lower, upper = certificate.attainable
    if certificate.theorem is not None and certificate.theorem.by_entropy:
        return _entropy(certificate)
    longest = f"The longest example has length {certificate.radius:.4g}."
    if lower > 0:
        has = f"A vector of length 1 separates the examples with margin {lower:.4g}"
        return [f"{has}, and none with more than {upper:.4g}.", longest]
    found = [
        f"No vector was found that separates the examples; none can with more than {upper:.2g}. {longest}"
    ]
    if certificate.bound < inf:
        visits = 1 if certificate.delta else ceil(certificate.passes)
        times = f" over {visits} visits to each" if visits > 1 else ""
        lacking = certificate.deviation * visits**0.5
        found.append(
            f"The bound asks a unit vector for a margin of {certificate.margin:.4g}; the squares of what "
            f"examples lack of it have the sum {lacking:.4g}^2{times}."
        )
    return found


def _entropy(certificate: "Certificate") -> list[str]:
    if certificate.bound == inf:
        return []
    short = f", but for {certificate.deviation:.4g} that is lacking in all" if certificate.deviation else ""
    return [
        f"Every mistake brings the weights closer to a vector u by at least {certificate.margin:.4g}{short}."
    ]


def _batch(certificate: "Certificate") -> list[str]:
    wrong, examples = certificate.first_pass
    if certificate.test_error is None or not examples:
        return []
    return [
        f"The first pass was wrong on {wrong:,} of {examples:,} examples, {100 * wrong / examples:.1f} %. Of "
        "examples that are drawn at random, that is the error to expect of a vector drawn by how many "
        "examples it was used for; this learner, as it is now, errs on "
        f"{100 * certificate.test_error:.1f} % of the test examples."
    ]
