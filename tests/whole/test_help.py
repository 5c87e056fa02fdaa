"""The help of every public class and function describes exactly the parameters that it takes."""

import re
from inspect import Parameter, getdoc, isclass, signature

import pytest

import kerneltron
from kerneltron import datasets, features, kernels, plots, theory

VARIADIC = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def public():
    """Return all that users call, by name; results that functions return are described by their fields."""
    found = {}
    for package in (kerneltron, datasets, features, kernels, plots, theory):
        for name in package.__all__:
            thing = getattr(package, name)
            if callable(thing) and not (isclass(thing) and issubclass(thing, tuple)):
                found[f"{package.__name__}.{name}"] = thing
    return found


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


@pytest.mark.parametrize("name", public())
def test_the_help_describes_every_parameter_and_no_other(name):
    thing = public()[name]
    assert sorted(documented(getdoc(thing))) == sorted(taken(thing))
