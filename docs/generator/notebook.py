"""A notebook as Markdown: its cells, and the outputs that are stored in it. The tests of the Python package execute it
and compare; here nothing is run."""

import json
import pathlib

from .problem import Problem


def cells(folder: pathlib.Path, path: str) -> list:
    """[(kind, text)]: kind is markdown, python, text or svg. The title is left out: a page has its own."""
    try:
        notebook = json.loads((folder / path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Problem(f"{path} is no notebook: {error}") from None
    found = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            found.append(("markdown", without_title(source)))
        elif not cell["outputs"]:
            raise Problem(f"{path}: a cell has no output; execute the notebook: python examples/notebook/execute.py")
        else:
            found += [("python", source), *(shown(output) for output in cell["outputs"])]
    return found


def without_title(source: str) -> str:
    return "\n".join(line for line in source.split("\n") if not line.startswith("# ")).strip()


def shown(output) -> tuple:
    """The picture of what has one, else the text."""
    if output["output_type"] == "stream":
        return "text", "".join(output["text"]).rstrip("\n")
    data = output["data"]
    if "image/svg+xml" in data:
        return "svg", "".join(data["image/svg+xml"])
    return "text", "".join(data["text/plain"])
