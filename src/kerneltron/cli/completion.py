"""What the shell offers when Tab is pressed."""

from pathlib import Path


def learners(incomplete: str) -> list[str]:
    """Return the learners that begin so."""
    from kerneltron.learning.methods import METHODS

    return [name for name in METHODS if name.startswith(incomplete)]


def formats(incomplete: str) -> list[str]:
    """Return the formats that begin so."""
    from kerneltron.stream.formats import FORMATS

    return [name for name in sorted(FORMATS) if name.startswith(incomplete)]


def experiments(incomplete: str) -> list[str]:
    """Return the experiments that begin so."""
    from kerneltron.experiments.catalogue import EXPERIMENTS

    return [name for name in EXPERIMENTS if name.startswith(incomplete)]


def models(incomplete: str) -> list[str]:
    """Return the files that begin so, model files first, and folders to look into."""
    folder = Path(incomplete).parent if not incomplete.endswith("/") else Path(incomplete)
    found = [path for path in folder.glob("*") if str(path).startswith(incomplete.removeprefix("./"))]
    files = sorted(str(path) for path in found if path.is_file())
    named = [name for name in files if name.endswith(".model")]
    return [*(named or files), *sorted(f"{path}/" for path in found if path.is_dir())]
