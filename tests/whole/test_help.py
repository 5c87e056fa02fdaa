"""The help of every public class and function describes exactly the parameters that it takes."""

import re
from inspect import Parameter, getdoc, isclass, signature

import pytest

import kerneltron
from kerneltron import datasets, features, kernels, plots, theory

PACKAGES = (kerneltron, datasets, features, kernels, plots, theory)
VARIADIC = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def public(package):
    """Return all that users call, by name; results that functions return are described by their fields."""
    things = {name: getattr(package, name) for name in package.__all__}
    return {
        name: thing
        for name, thing in things.items()
        if callable(thing) and not (isclass(thing) and issubclass(thing, tuple))
    }


def documented(text):
    """Return the names in the section "Parameters" of a help."""
    section = re.search(
        r"^Parameters\n-{10}\n(.*?)(?=\n\n\w[\w ]*\n-{4,}|\Z)", text, re.MULTILINE | re.DOTALL
    )
    entries = re.findall(r"^(\S.*)$", section[1], re.MULTILINE) if section else []
    return [name.strip() for entry in entries for name in entry.partition(" : ")[0].split(",")]


def taken(thing):
    """Return the names of the parameters that a class or function takes."""
    if thing in (kernels.Kernel, kernels.KernelSyntaxError, kernels.Pack):
        return []  # which users do not build themselves
    found = signature(thing).parameters.values()
    return [parameter.name for parameter in found if parameter.kind not in VARIADIC]


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_the_help_describes_every_parameter_and_no_other(package):
    found = {name: sorted(documented(getdoc(thing))) for name, thing in public(package).items()}
    assert found == {name: sorted(taken(thing)) for name, thing in public(package).items()}
