"""What the packages export: the same at run time and in the stubs, imported when first used."""

import ast
import subprocess
import sys
import types
from importlib import import_module
from pathlib import Path

import pytest

import kerneltron
from kerneltron.kernels.catalogue import KERNELS
from kerneltron.learning import methods
from kerneltron.learning.methods import METHODS, method
from tools import stubs

PACKAGES = ["", ".datasets", ".features", ".kernels", ".maps", ".plots", ".theory"]
HEAVY = {"sklearn", "numba", "matplotlib", "rich", "scipy", "numpy", "pandas"}
every_package = pytest.mark.parametrize("name", [f"kerneltron{package}" for package in PACKAGES])


def declared(package):
    """Return the names that a stub lists, and those that it defines or imports under their own name."""
    tree = ast.parse(Path(package.__file__).with_suffix(".pyi").read_text())
    listed = next(ast.literal_eval(node.value) for node in tree.body if isinstance(node, ast.Assign))
    defined = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    imported = [
        a.name for node in tree.body if isinstance(node, ast.ImportFrom) for a in node.names if a.asname
    ]
    return listed, {*defined, *imported} - {"__version__"}


def printed(code, **environment):
    return subprocess.check_output([sys.executable, "-c", code], text=True, env=environment or None)


@pytest.mark.parametrize("folder", stubs.stubs())
def test_the_stubs_are_what_the_catalogues_say(folder):
    written = (stubs.ROOT / folder / "__init__.pyi").read_text()
    assert written == stubs.stubs()[folder], "run `make stubs`"


@every_package
def test_the_stub_lists_what_the_package_exports(name):
    package = import_module(name)
    listed, defined = declared(package)
    assert listed == sorted(listed)
    assert set(listed) == defined == set(package.__all__)
    assert set(listed) <= set(dir(package))


@every_package
def test_every_exported_name_is_there(name):
    package = import_module(name)
    for exported in package.__all__:
        assert getattr(package, exported) is not None
    with pytest.raises(AttributeError, match="nothing_of_this_name"):
        package.nothing_of_this_name  # noqa: B018


def test_importing_a_package_imports_nothing_heavy():
    code = "import kerneltron as k, sys; k.kernels, k.datasets, k.plots, k.theory, k.features, dir(k.kernels)"
    assert not HEAVY & set(printed(f"{code}; print(*sys.modules)").split())


@pytest.mark.slow
def test_all_can_be_imported_at_once():
    import os

    printed("import kerneltron.plots, kerneltron.features", **os.environ, EAGER_IMPORT="1")


def test_a_method_from_elsewhere_is_found_by_the_name_of_its_estimator(monkeypatch):
    class CuriousMethod(method("perceptron")):
        """A method that is defined outside of the package."""

    module = types.ModuleType("elsewhere")
    module.CuriousMethod, CuriousMethod.__module__ = CuriousMethod, "elsewhere"
    monkeypatch.setitem(sys.modules, "elsewhere", module)
    monkeypatch.setitem(METHODS, "curious", None)
    methods.register(CuriousMethod)
    assert kerneltron.Curious().method_type is CuriousMethod
    assert "Curious" in dir(kerneltron)
    assert "Curious" not in stubs.of_package()


def test_the_old_name_of_word_pairs_still_works_and_says_the_new_one():
    with pytest.warns(FutureWarning, match=r"kerneltron\.features\.Conjunctions is now WordPairs"):
        from kerneltron.features import Conjunctions
    assert Conjunctions is kerneltron.features.WordPairs


def test_every_kernel_of_the_catalogue_is_exported():
    assert set(KERNELS) <= set(kerneltron.kernels.__all__)
