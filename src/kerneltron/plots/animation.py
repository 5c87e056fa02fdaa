"""Pictures that follow each other, as a GIF or as one HTML page that needs nothing else."""

import os
from base64 import b64encode
from collections.abc import Sequence
from html import escape
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kerneltron.files.atomic import replacing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 1rem auto; padding: 0 1rem; }}
img {{ max-width: 100%; height: auto; }}
input {{ width: 100%; }}
button {{ font: inherit; min-width: 6rem; }}
</style>
</head>
<body>
<h1>{title}</h1>
<p><button id="play">Play</button> <button id="back">Back</button> <button id="next">Next</button></p>
<input id="place" type="range" min="0" max="{last}" value="0" aria-label="frame">
<p id="caption" aria-live="polite"></p>
<div>
{images}
</div>
<script>
const images = document.querySelectorAll("img"), place = document.getElementById("place");
let timer = null;
function show(k) {{
  place.value = (k + images.length) % images.length;
  images.forEach((image, number) => image.hidden = number != place.value);
  document.getElementById("caption").textContent = images[place.value].alt;
}}
function move(by) {{ show(Number(place.value) + by); }}
place.oninput = () => move(0);
document.getElementById("back").onclick = () => move(-1);
document.getElementById("next").onclick = () => move(1);
document.getElementById("play").onclick = event => {{
  if (timer) {{ clearInterval(timer); timer = null; }} else timer = setInterval(() => move(1), {wait});
  event.target.textContent = timer ? "Pause" : "Play";
}};
show(0);
</script>
</body>
</html>
"""


class Frame(NamedTuple):
    """A picture as a PNG, and what it shows in words."""

    image: bytes
    caption: str


def frame_of(figure: "Figure", caption: str) -> Frame:
    """Return a figure as a frame."""
    file = BytesIO()
    figure.savefig(file, format="png")
    return Frame(file.getvalue(), caption)


def save_frames(frames: Sequence[Frame], path: str | os.PathLike[str], *, title: str, seconds: float) -> None:
    """Save frames as a file that shows each for some seconds: a GIF or an HTML page, by its suffix."""
    suffix = Path(path).suffix.lower()
    if suffix not in (".gif", ".html"):
        raise ValueError(
            f"{os.fspath(path)} ends with neither .gif nor .html: an animation is saved as one of these. For "
            "a single picture, call `plot(frame=...)` and then `figure_.savefig(path)`."
        )
    if not frames:
        raise ValueError("There are no frames to save.")
    written = as_gif(frames, seconds) if suffix == ".gif" else as_page(frames, title, seconds).encode()
    with replacing(path) as file:
        file.write(written)


def as_gif(frames: Sequence[Frame], seconds: float) -> bytes:
    """Return the frames as a GIF that begins again at its end."""
    from PIL import Image

    first, *others = (Image.open(BytesIO(frame.image)).convert("RGB") for frame in frames)
    file = BytesIO()
    first.save(
        file, format="gif", save_all=True, append_images=others, duration=round(1000 * seconds), loop=0
    )
    return file.getvalue()


def as_page(frames: Sequence[Frame], title: str, seconds: float) -> str:
    """Return the frames as a page to go through by hand, or to let run."""
    images = "\n".join(
        f'<img hidden alt="{escape(caption)}" src="data:image/png;base64,{b64encode(image).decode()}">'
        for image, caption in frames
    )
    return PAGE.format(title=escape(title), last=len(frames) - 1, images=images, wait=round(1000 * seconds))
