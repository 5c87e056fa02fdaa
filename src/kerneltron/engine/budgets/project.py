"""Project: Projectron and Projectron++ (Orabona, Keshet and Caputo, 2009)."""

from typing import Any, NamedTuple

from kerneltron.engine.budgets.held import Held
from kerneltron.engine.budgets.walk import ENTERED, PASSED_OVER, SPREAD, admit, needs_row, spread
from kerneltron.engine.coded_rules import PERCEPTRON, CodedRule
from kerneltron.engine.compiled import INLINED, internal
from kerneltron.engine.dispatch import implements, where
from kerneltron.engine.dual import Block, DualState, VisitDecision
from kerneltron.engine.rules.perceptron import PerceptronRule


class Project(NamedTuple):
    """Add an example as its projection onto those that are held, where little is lost by that.

    `eta` is the longest residual that is let go, 0 for none, infinite as soon as the budget is spent.
    `tolerance` is the part of a squared length that is taken as rounding.
    """

    eta: float
    tolerance: float


@internal
def project(block: Block, held: Held, k: int, count: int) -> float:
    """Complete the projection of visit k onto the first `count` places, and return the squared residual.

    `held.projections[k]` is d = K^-1 k(x) for the places that were there when the block began. For a place p
    that came since, with projection e and squared residual r, d[p] = (k(x_p, x) - <e, k(x)>) / r, and d[:p]
    loses d[p] e.
    """
    d, values = held.projections[k], held.values[k]
    for p in range(held.before, count):
        e = held.projections[held.holders[p] - held.before]
        rest = values[p] + block.constant
        for s in range(p):
            rest -= e[s] * (values[s] + block.constant)
        d[p] = rest / held.residuals[p]
        for s in range(p):
            d[s] -= d[p] * e[s]
    rest = block.q[k]
    for s in range(count):
        rest -= d[s] * (values[s] + block.constant)
    return float(max(0.0, rest))


def soften(rule: Any, way: Project, block: Block, k: int, residual: float, decision: VisitDecision) -> bool:
    """Return whether a margin that is too thin, but no mistake, is learned from; it may shorten the steps."""
    raise NotImplementedError


@where(soften, lambda rule_type: rule_type not in (PerceptronRule, CodedRule), **INLINED)
def soften_nothing(
    rule: Any, way: Project, block: Block, k: int, residual: float, decision: VisitDecision
) -> bool:
    """Leave the steps to rules that choose their length themselves."""
    return False


@implements(soften, PerceptronRule, **INLINED)
def soften_margins(
    rule: PerceptronRule, way: Project, block: Block, k: int, residual: float, decision: VisitDecision
) -> bool:
    """Let every column without a mistake take the step of Projectron++, and tell whether all are such.

    With the loss l = margin - z and P the projection, tau = min(1, l / |P x|^2, 2 (l - |rest| / eta) /
    |P x|^2), none where that is not above 0. Without a number for eta, the last term is left out.
    """
    are_all = True
    for c in range(decision.z.size):
        y = block.labels[k, c]
        if decision.step[c] == 0.0:
            continue
        if y * decision.z[c] <= 0.0:
            are_all = False
            continue
        loss, length = rule.margin - y * decision.z[c], block.q[k] - residual
        if length <= 0.0:
            decision.step[c] = 0.0
            continue
        tau = min(1.0, loss / length)
        if 0.0 < way.eta < 1e300:
            tau = min(tau, 2.0 * (loss - residual**0.5 / way.eta) / length)
        decision.step[c] *= max(0.0, tau)
    return are_all


@implements(soften, CodedRule, **INLINED)
def soften_by_code(
    rule: CodedRule, way: Project, block: Block, k: int, residual: float, decision: VisitDecision
) -> bool:
    """Do either, as the rule with this code does."""
    if rule.code != PERCEPTRON:
        return False
    return soften(PerceptronRule(*rule.numbers[:2]), way, block, k, residual, decision)


@implements(needs_row, Project, **INLINED)
def needs_projection(way: Project, state: DualState, held: Held) -> bool:
    """Tell that every example is projected."""
    return True


@implements(admit, Project, **INLINED)
def admit_independent(
    way: Project, rule: Any, state: DualState, block: Block, held: Held, k: int, decision: VisitDecision
) -> tuple[int, float]:
    """Let an example have a place where the others do not span it closely enough, and there is room."""
    count, q = state.counts[0], block.q[k]
    residual = project(block, held, k, count)
    is_full = count >= held.budget
    is_small = residual <= way.tolerance * q or (way.eta < 1e300 and residual <= way.eta * way.eta)
    never_enters = (is_full or way.eta < 1e300) and soften(rule, way, block, k, residual, decision)
    if is_small or is_full or never_enters:
        for c in range(decision.z.size):
            if decision.step[c] != 0.0:
                return SPREAD, q - residual
        return PASSED_OVER, 0.0
    held.residuals[count] = residual
    return ENTERED, q


@implements(spread, Project, **INLINED)
def spread_projection(way: Project, state: DualState, held: Held, k: int, decision: VisitDecision) -> None:
    """Add each place as often as it stands in the projection."""
    weights, columns = state.weights, state.weights.scale.size
    for s in range(held.features, state.counts[0]):
        part = held.projections[k, s]
        for c in range(columns):
            weights.v[s * columns + c] += part * decision.step[c]
            if weights.u.size > 0:
                weights.u[s * columns + c] += weights.mass[c] * part * decision.step[c]
