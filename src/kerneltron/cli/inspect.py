"""`kerneltron inspect`: what a model file says of itself."""

from typing import Annotated, Any

from typer import Argument, Option

from kerneltron.cli.completion import models
from kerneltron.cli.printing import listed, print_facts, print_json, size

EXAMPLES = (
    "kerneltron inspect mail.model",
    "kerneltron inspect mail.model --json | jq .hashing.bits",
)


def inspect(
    model: Annotated[str, Argument(metavar="MODEL", help="A model file.", autocompletion=models)],
    json: Annotated[bool, Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Say what a model file holds: learner, parameters, classes, features, columns, and its origin."""
    from kerneltron.jobs.description import described

    facts = described(model)
    print_json(facts) if json else _print(facts)


def _print(facts: dict[str, Any]) -> None:
    resumable, names = facts.get("resumable"), facts.get("names")
    classes = [str(label) for label in facts.get("classes", [])]
    closed = ", and no others" if facts.get("closed") else ""
    print_facts(
        {
            "kind": facts["kind"],
            "learner": facts.get("learner"),
            "parameters": _joined(facts.get("parameters")),
            "form": facts.get("form"),
            "kernel": facts.get("kernel"),
            "budget": _budget(facts["budget"]) if "budget" in facts else None,
            "classes": f"{len(classes)}{closed}: {listed(classes)}" if classes else None,
            "hashing": _joined(facts.get("hashing")),
            "input": _joined(facts.get("reading")),
            "examples seen": f"{facts['examples']:,}" if "examples" in facts else None,
            "best pass": facts.get("best_pass"),
            "names kept": f"{names:,}" if names is not None else "no" if "names" in facts else None,
            "purpose": None if resumable is None else "resumable" if resumable else "prediction only",
            "written by": f"kerneltron {facts['library']}, format {facts['format']}",
            "machine code": facts.get("code"),
            "size": size(facts["bytes"]),
        }
    )


def _budget(facts: dict[str, Any]) -> str:
    if facts["most"] is None:
        return f"{facts['remembered']:,} examples, others are projected"
    return f"{facts['remembered']:,} of at most {facts['most']:,} examples; when full: {facts['when_full']}"


def _joined(values: dict[str, Any] | None) -> str | None:
    return None if values is None else ", ".join(f"{name}={value}" for name, value in values.items())
