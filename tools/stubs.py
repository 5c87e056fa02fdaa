"""Write the stubs that type checkers and editors read where the code itself is made from a catalogue.

    python -m tools.stubs

The estimators are made from the methods, and kernels are found by their names when they are first used: no
checker could know of them. `tests/whole/test_exports.py` fails where a stub is not what this prints.
"""

from collections.abc import Iterable
from dataclasses import Field, fields
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from typing import Any

from kerneltron.estimators.making import type_text
from kerneltron.kernels.catalogue import KERNELS
from kerneltron.learning.methods import METHODS, method
from kerneltron.maps.catalogue import MAPS

# Their lists are no part of the stubs, which would be read instead of the modules themselves.
PACKAGE: Any = import_module("kerneltron")
KERNEL_PACKAGE: Any = import_module("kerneltron.kernels")
ROOT = Path(PACKAGE.__file__).parent
WARNING = "# Written by `python -m tools.stubs` from {}: change that, not this.\n"
LITERALS = (bool, int, float, str, type(None))
# What the annotations of parameters name.
IMPORTS = """
from collections.abc import Callable
from typing import Any

from numpy.random import RandomState
"""


def main() -> None:
    """Write all stubs."""
    for folder, text in stubs().items():
        (ROOT / folder / "__init__.pyi").write_text(text)


def stubs() -> dict[str, str]:
    """Return the text of each stub, by the folder of its package."""
    return {".": of_package(), "kernels": of_kernels(), "maps": of_maps()}


def of_package() -> str:
    """Return the stub of `kerneltron`: its packages and functions, and a class for each method."""
    homes = {
        **dict.fromkeys(PACKAGE._PACKAGES, ""),
        "__version__": "_version",
        **{name: home for home, names in PACKAGE._NAMES.items() for name in names},
    }
    used = {
        "Approximation": "maps.approximation",
        "Classifier": "estimators.classifier",
        "Kernel": "kernels.kernel",
        "StandsForMap": "maps.approximation",
        "PassReport": "learning.pass_report",
    }
    imports = _imports({**homes, **used}, public=homes)
    own = sorted(entry.estimator for entry in METHODS.values() if entry.module.startswith("kerneltron."))
    names = [*(name for name in homes if name != "__version__"), *own]
    parts = [
        WARNING.format("the catalogue of methods") + IMPORTS + "\n" + imports,
        _all(names),
        *map(_class, own),
    ]
    return "\n".join(parts)


def of_kernels() -> str:
    """Return the stub of `kerneltron.kernels`: those of the catalogue, and what stands beside them."""
    own = {name: home.removeprefix(".") for name, home in KERNELS.items() if home.startswith(".")}
    homes = {**own, **{name: home for home, names in KERNEL_PACKAGE._OTHERS.items() for name in names}}
    return "\n".join([WARNING.format("the catalogue of kernels"), _imports(homes, public=homes), _all(homes)])


def of_maps() -> str:
    """Return the stub of `kerneltron.maps`: the approximations of the catalogue."""
    homes = {name: home.removeprefix(".") for name, home in MAPS.items()}
    return "\n".join([WARNING.format("the catalogue of maps"), _imports(homes, public=homes), _all(homes)])


def _imports(homes: dict[str, str], public: Iterable[str]) -> str:
    """Return the imports of names from their homes; those that are public stand alone, under their names."""
    public, lines = set(public), []
    for home in sorted({*homes.values()}):
        names = sorted(name for name in homes if homes[name] == home)
        own = [name for name in names if name not in public]
        lines += [f"from .{home} import {name} as {name}\n" for name in names if name in public]
        lines += [f"from .{home} import {', '.join(own)}\n"] if own else []
    return "".join(lines)


def _all(names: Iterable[str]) -> str:
    return "".join(["__all__ = [\n", *(f'    "{name}",\n' for name in sorted(names)), "]\n"])


def _class(name: str) -> str:
    kind = method(name)
    about = cleandoc(kind.__doc__ or "").partition("\n")[0]
    lines = [f"class {name}(Classifier):", f'    """{about}"""', ""]
    lines += [f"    {each.name}: {type_text(each.type)}" for each in fields(kind)]
    lines += ["", "    def __init__(", "        self,", "        *,"]
    lines += [f"        {each.name}: {type_text(each.type)} = {_default(each)}," for each in fields(kind)]
    lines += ["    ) -> None: ..."]
    return "\n".join(lines) + "\n"


def _default(each: Field[Any]) -> str:
    """Return a default as a literal, where there is one: not for infinity."""
    text = repr(each.default)
    is_literal = isinstance(each.default, LITERALS) and text not in ("inf", "-inf", "nan")
    return text.replace("'", '"') if is_literal else "..."


if __name__ == "__main__":
    main()
