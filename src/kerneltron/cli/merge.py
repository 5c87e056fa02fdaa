"""`kerneltron merge`: one model from several."""

from typing import Annotated

from typer import Argument, Option

from kerneltron.cli.completion import models as model_files

EXAMPLES = (
    "kerneltron merge monday.model tuesday.model -o week.model",
    "kerneltron merge general.model mine.model --weights 0.7,0.3 -o mixed.model",
    "kerneltron merge monday.model tuesday.model --base sunday.model -o sunday.model",
)


def merge(
    models: Annotated[
        list[str], Argument(metavar="MODEL...", help="The model files.", autocompletion=model_files)
    ],
    output: Annotated[
        str, Option("-o", "--output", metavar="MODEL", help="The file to write.", autocompletion=model_files)
    ],
    weights: Annotated[
        str | None,
        Option(
            help="What each model counts, in proportion, as 0.7,0.3.",
            show_default="the examples that it has learned from",
        ),
    ] = None,
    base: Annotated[
        str | None,
        Option(
            metavar="MODEL",
            help="The model that all of them went on from: what it had learned counts once.",
            autocompletion=model_files,
        ),
    ] = None,
    squares: Annotated[
        str | None,
        Option(
            help="With --base: what models keep for each weight, as AdaGrad's sums, averaged or added.",
            show_default="averaged",
        ),
    ] = None,
    prediction_only: Annotated[
        bool, Option("--prediction-only", help="Write a smaller file that cannot go on learning.")
    ] = False,
    json: Annotated[bool, Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Mix models: of those that were trained apart, the scores of the mix are the weighted mean of theirs.

    They must share hash settings, learner and parameters; classes and names are united. `train --from` goes
    on learning from the mix, unless one of them was saved for prediction only.
    """
    from kerneltron.cli.printing import amount, listed, print_facts, print_json
    from kerneltron.jobs.merging import merge as merged
    from kerneltron.jobs.merging import shares
    from kerneltron.learning.stream_model import StreamModel

    parts = [StreamModel.load(name) for name in models]
    given = None if weights is None else _numbers(weights)
    start = None if base is None else StreamModel.load(base)
    if squares is not None and base is None:
        raise ValueError("--squares is about what came since a base: give --base.")
    if squares not in (None, "averaged", "added"):
        raise ValueError(f"squares={squares!r} is not known. Choose averaged or added.")
    mixed = merged(parts, given, start, squares or "averaged")
    is_resumable = mixed.is_resumable and not prediction_only
    mixed.save(output, resumable=is_resumable)
    counted = shares(parts, given, start).tolist()
    result = {
        "model": output,
        "merged": [{"model": name, "share": share} for name, share in zip(models, counted, strict=True)],
        "examples": mixed.examples,
        "classes": mixed.learner.known,
        "resumable": is_resumable,
    }
    if json:
        print_json(result)
        return
    print_facts(
        {
            "model": f"{output} ({'resumable' if is_resumable else 'prediction only'})",
            "merged": " + ".join(f"{share:.4g} {name}" for name, share in zip(models, counted, strict=True)),
            "examples": amount(mixed.examples),
            "classes": listed(mixed.learner.known),
        }
    )


def _numbers(text: str) -> list[float]:
    """Read numbers with commas between them."""
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        raise ValueError(f"--weights: {text!r} is not a list of numbers such as 0.7,0.3.") from None
