"""The sectile command, which explains, draws and evaluates: one implementation, called from here."""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .errors import Error

OWN = Path(__file__).with_name("bin") / "sectile"  # the package's


def find_tool():
    """The program: SECTILE_TOOL says where, else the package's own, else the first on the PATH."""
    said = os.environ.get("SECTILE_TOOL")
    found = said or (str(OWN) if OWN.exists() else shutil.which("sectile"))
    if not found:
        raise Error(
            "the sectile command is not here: this build of the package had not what it takes (Debian: libfmt-dev, "
            "libcli11-dev, nlohmann-json3-dev); install that and build it again, or set SECTILE_TOOL to where it is "
            "(./run.sh makes build/sectile)"
        )
    return found


def environment():
    """The command makes pages with a Python: with this one, if it has what they take."""
    has = all(importlib.util.find_spec(name) for name in ("jinja2", "markdown_it", "pygments"))
    return {"SECTILE_PYTHON": sys.executable, **os.environ} if has else None


def ask(*words, text=None):
    """What the command prints for these words; raises Error with what it refuses them with."""
    try:
        done = subprocess.run(
            [find_tool(), *map(str, words)], input=text, capture_output=True, text=True, check=False, env=environment()
        )
    except OSError as e:
        raise Error(f"the sectile command cannot be started: {e}") from None
    if done.returncode != 0:
        raise Error(done.stderr.strip().removeprefix("sectile: ") or done.stdout.strip())
    return done.stdout


class Picture:
    """An SVG, which a notebook shows."""

    def __init__(self, svg):
        self.svg = svg

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        Path(path).write_text(self.svg)


def drawn(*words):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "picture.svg"
        ask(*words, file)
        return Picture(file.read_text())


def explain(name, *options):
    """What follows from a kernel's source: tiles, memory, waits, registers. `options` as of `sectile explain`."""
    return ask("explain", name, *options)


def figure(subject, *words):
    """A picture: figure("gemm_bf16", "A.memory"), figure("tile", "--type", "f16"); as `sectile figure`."""
    return drawn("figure", subject, *words, "--out")


def tutorial(name, out="."):
    """Writes the page of a kernel: out/NAME.html and .md."""
    ask("tutorial", name, "--out", out)
    return Path(out) / f"{name}.html"
