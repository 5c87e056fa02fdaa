"""The tables of the page about the defaults, line by line; the first line names the columns."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.defaults.ours import FORMERLY, PASSES
from benchmarks.defaults.peers import SUPPORT_VECTORS
from benchmarks.defaults.shares import Share, shares

Figures = dict[str, Any]
Cells = Sequence[str]


def sizes(figures: Sequence[Figures]) -> Iterable[Cells]:
    """Yield how large each set is."""
    yield "set", "kind", "classes", "rows to learn from", "to test on", "splits"
    for each in figures:
        counts = [f"{each[key]:,}" for key in ("classes", "rows", "test_rows", "splits")]
        yield each["set"], each["kind"], *counts


def goals(figures: Sequence[Figures], before: Mapping[str, Figures]) -> Iterable[Cells]:
    """Yield each question with its shares, before and now."""
    names = [each["set"] for each in figures]
    earlier = {each.question: each for each in shares([before[name] for name in names if name in before])}
    yield "question", "before", "now", "goal", "sets where it is not so"
    for each in shares(figures):
        then = earlier.get(each.question)
        goal = f"{100 * each.goal:.0f} %" if each.goal else ""
        yield each.question, _share(then), _share(each), goal, ", ".join(each.failing)


def _share(share: Share | None) -> str:
    return "-" if share is None or share.share is None else f"{100 * share.share:.0f} % of {share.judged}"


def recommended(figures: Sequence[Figures], before: Mapping[str, Figures]) -> Iterable[Cells]:
    """Yield the recommended learners beside our best and the best peers."""
    yield "set", "learner", "before", "now", "our best", "its setting", "best peer"
    for each in figures:
        name, best = each["recommended"], each["best"]
        peers = {peer: found for peer, found in each["peers"].items() if "error" in found}
        first = min(peers, key=lambda peer: peers[peer]["error"]) if peers else None
        yield (
            each["set"],
            f"`{name}`",
            _error(_then(before, each, name)),
            _marked(_error(each["ours"][name]), each["verdicts"]["close"]),
            _error(best),
            f"`{max(best['chosen'], key=best['chosen'].count)}`",
            f"{_error(peers[first])} {first}" if first else "-",
        )


def grids(figures: Sequence[Figures]) -> Iterable[Cells]:
    """Yield what the best is chosen from; sets of the same kind mostly have the same grid."""
    found: dict[tuple[str, ...], list[str]] = {}
    for each in figures:
        found.setdefault(tuple(each["grid"]), []).append(each["set"])
    yield "sets", "settings"
    for names, chosen in found.items():
        yield ", ".join(chosen), "; ".join(f"`{name}`" for name in names)


def linear(figures: Sequence[Figures], before: Mapping[str, Figures]) -> Iterable[Cells]:
    """Yield the linear learners beside linear peers."""
    peers = _names(each["peers"] for each in figures)
    peers = [name for name in peers if any(each["peers"].get(name, {}).get("linear") for each in figures)]
    yield "set", "before", "now", "our best linear", *peers
    for each in figures:
        name, verdicts = each["linear"], each["verdicts"]
        yield (
            each["set"],
            _error(_then(before, each, name)),
            _marked(_error(each["ours"][name]), verdicts["linear_close"]),
            _error(each["best_linear"]),
            *(_marked(_error(each["peers"].get(peer)), verdicts["no_worse"].get(peer)) for peer in peers),
        )


def machines(figures: Sequence[Figures], before: Mapping[str, Figures]) -> Iterable[Cells]:
    """Yield the kernel machines beside SVC."""
    yield "set", "before", "now", SUPPORT_VECTORS
    for each in figures:
        verdict = each["verdicts"]["no_worse_than_svc"]
        if verdict is not None:
            name = each["recommended"]
            then = _then(before, each, name)
            yield (
                each["set"],
                _error(then),
                _error(each["ours"][name]),
                _marked(_error(each["peers"][SUPPORT_VECTORS]), verdict),
            )


def everyone(kind: str, figures: Sequence[Figures]) -> Iterable[Cells]:
    """Yield all learners as they come on the sets of a kind."""
    chosen = [each for each in figures if each["kind"] == kind]
    yield "learner", *(each["set"] for each in chosen)
    for name in _names(each["ours"] for each in chosen):
        yield f"`{name}`", *(_error(each["ours"].get(name)) for each in chosen)


def probabilities(figures: Sequence[Figures]) -> Iterable[Cells]:
    """Yield log-loss and calibration of the recommended learners, and of peers that have probabilities."""
    peers = [
        name
        for name in _names(each["peers"] for each in figures)
        if any(each["peers"].get(name, {}).get("log_loss") is not None for each in figures)
    ]
    yield "set", "recommended", "linear", *peers
    for each in figures:
        mine = [each["ours"].get(each[role] or "") for role in ("recommended", "linear")]
        yield (
            each["set"],
            *(_likely(found) for found in [*mine, *(each["peers"].get(name) for name in peers)]),
        )


def all_probabilities(kind: str, figures: Sequence[Figures]) -> Iterable[Cells]:
    """Yield log-loss and calibration of all our learners as they come on the sets of a kind."""
    chosen = [each for each in figures if each["kind"] == kind]
    yield "learner", *(each["set"] for each in chosen)
    for name in _names(each["ours"] for each in chosen):
        yield f"`{name}`", *(_likely(each["ours"].get(name)) for each in chosen)


def _likely(found: Figures | None) -> str:
    if not found or found.get("log_loss") is None:
        return "-"
    return f"{found['log_loss']:.3f} ({100 * found['calibration']:.1f})"


def passes(figures: Sequence[Figures]) -> Iterable[Cells]:
    """Yield error and log-loss by the number of passes."""
    yield "set", *(f"{count} pass{'es' if count > 1 else ''}" for count in PASSES), "never worse"
    for each in figures:
        found = [each["passes"][str(count)] for count in PASSES]
        shown = [f"{100 * one['error']:.1f} / {one['log_loss']:.3f}" for one in found]
        yield each["set"], *shown, "yes" if each["verdicts"]["passes_harmless"] else "no"


def seconds(figures: Sequence[Figures]) -> Iterable[Cells]:
    """Yield the time to learn."""
    peers = _names(each["peers"] for each in figures)
    yield "set", "recommended", "linear", *peers
    for each in figures:
        mine = [each["ours"].get(each[role] or "") for role in ("recommended", "linear")]
        yield each["set"], *(_time(found) for found in [*mine, *(each["peers"].get(peer) for peer in peers)])


def _time(found: Figures | None) -> str:
    return f"{found['seconds']:.2f}" if found and "seconds" in found else "-"


def _then(before: Mapping[str, Figures], each: Figures, name: str) -> Figures | None:
    """Return the figures before of a learner, or of the one that was recommended in its place."""
    ours = before.get(each["set"], {}).get("ours", {})
    found: Figures | None = ours.get(name, ours.get(FORMERLY.get(name, "")))
    return found


def _error(found: Figures | None) -> str:
    if not found:
        return "-"
    if "error" not in found:
        return found["without"] if len(found["without"]) < 20 else "-"
    return f"{100 * found['error']:.1f} ± {100 * found['standard_error']:.1f}"


def _marked(text: str, is_fine: bool | None) -> str:
    """Return a figure in bold where ours is not good enough beside it."""
    return f"**{text}**" if is_fine is False else text


def _names(some: Iterable[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for each in some for name in each))
