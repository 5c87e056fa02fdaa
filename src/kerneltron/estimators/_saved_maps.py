"""Transformers that approximate a kernel as contents of a file: the map that was found, and the kernel."""

from typing import Any

from kerneltron.files import maps
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.maps.approximation import ApproximateMap
from kerneltron.maps.catalogue import MAPS

NAMES = "feature_names_in_"


def includes(thing: Any) -> bool:
    """Return whether a thing is such a transformer itself, and not of a subclass."""
    from kerneltron import features

    name = type(thing).__name__
    return name in MAPS and type(thing) is getattr(features, name)


def state(transformer: Any) -> Contents:
    """Return what is to be saved of a fitted transformer."""
    contents = maps.state(transformer.map_)
    if hasattr(transformer, NAMES):
        contents.header[NAMES] = [str(name) for name in getattr(transformer, NAMES)]
    return contents


def restore(contents: Contents) -> Any:
    """Return the transformer, fitted."""
    import numpy as np

    from kerneltron import features

    phi: ApproximateMap = maps.restore(contents)
    made = getattr(features, type(phi.asked).__name__)(**phi.asked.get_params(), kernel=phi.kernel)
    made.map_, made.kernel_ = phi, phi.kernel
    if phi.inputs is not None:
        made.n_features_in_ = phi.inputs
    if NAMES in contents.header:
        names = contents.items(NAMES)
        if len(names) != phi.inputs:
            raise ModelFileError(f"{len(names)} names do not fit {phi.inputs} columns")
        setattr(made, NAMES, np.array(names, dtype=object))
    return made
