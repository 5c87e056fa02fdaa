"""Maps that approximate a kernel: what was asked for as text, and what cannot be made anew from that."""

from typing import Any

from kerneltron.files import kernels, packs
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.kernels.pack import Memory, Pack
from kerneltron.maps.approximation import ApproximateMap, Approximation, Saved
from kerneltron.maps.text import parse

LANDMARKS = "landmarks"
LARGEST_SEED = 2**32 - 1


def state_of_asked(asked: Approximation) -> Contents:
    """Return the contents of a description: its text. Landmarks that were given stand in the fitted map."""
    given = asked.get_params().get(LANDMARKS) is not None
    text = repr(asked.replace(**{LANDMARKS: None}) if given else asked)
    return Contents({"map": text, **({"given": True} if given else {})}, {})


def restore_asked(contents: Contents) -> Approximation:
    """Return the description; raise unless its text is read."""
    try:
        return parse(contents.text("map"))
    except (TypeError, ValueError) as error:
        raise ModelFileError(str(error)) from error


def state(phi: ApproximateMap) -> Contents:
    """Return the contents of a fitted map."""
    header, tensors = phi.state()
    header |= {"inputs": phi.inputs, "seed": phi.seed, **state_of_asked(phi.asked).header}
    contents = Contents(header, tensors).with_part("kernel", kernels.state(phi.kernel))
    if phi.landmarks is not None:
        memory = Memory()
        memory.packs = [phi.landmarks]
        contents = contents.with_part(LANDMARKS, packs.state(memory))
    return contents


def restore(contents: Contents, width: int | None = None) -> Any:
    """Return the fitted map; raise unless it fits together, and has this many features, if that is known."""
    asked, kernel = restore_asked(contents), kernels.restore(contents.part("kernel"))
    inputs = None if contents.header.get("inputs") is None else contents.whole("inputs", 0, kernels.WIDEST)
    landmarks: Pack | None = None
    if LANDMARKS in contents.header:
        memory = packs.restore(contents.part(LANDMARKS), kernel)
        memory.join()
        landmarks = memory.packs[0] if memory.packs else None
    if "given" in contents.header:
        asked = asked.replace(**{LANDMARKS: landmarks})
    seed = contents.whole("seed", 0, LARGEST_SEED)
    try:
        phi = asked.restored(Saved(asked, kernel, inputs, seed, contents, landmarks))
    except ModelFileError:
        raise
    except (TypeError, ValueError) as error:
        raise ModelFileError(f"the map {asked} is damaged: {error}") from error
    if width not in (None, phi.width):
        raise ModelFileError(f"the map {asked} has {phi.width} features, and the model weights for {width}")
    return phi
