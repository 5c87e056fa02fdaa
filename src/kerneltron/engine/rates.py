"""Step sizes of the gradient rules."""

from kerneltron.engine.compiled import inlined


@inlined
def rate(inverse_rate: float, decay: float, t: int) -> float:
    """Return eta_t = 1 / (1/eta_0 + decay t).

    decay = 0 is the constant step eta_0; decay = l2 is the inverse schedule, and with an infinite eta_0
    that of Pegasos, 1 / (l2 t).
    """
    return 1.0 / (inverse_rate + decay * t)
