#!/usr/bin/env python3
"""Executes the notebook and writes its outputs into it: python execute.py. The tests execute it and compare."""

import pathlib

import nbformat
from nbclient import NotebookClient

NOTEBOOK = pathlib.Path(__file__).with_name("first_steps.ipynb")


def executed():
    """The notebook with the outputs that it has now. Raises what a cell raises."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, resources={"metadata": {"path": str(NOTEBOOK.parent)}}, record_timing=False).execute()
    notebook.metadata.language_info = {"name": "python"}  # not which version it was
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = in_one_piece(cell.outputs)
    return notebook


def in_one_piece(outputs):
    """What is printed comes in as many pieces as the machine is in the mood for."""
    whole = []
    for output in outputs:
        if whole and output.output_type == "stream" and output.name == whole[-1].get("name"):
            whole[-1].text += output.text
        else:
            whole.append(output)
    return whole


def shown(cell):
    """What a reader sees of a cell's outputs: [(kind, text)], the picture of what has one."""
    seen = []
    for output in cell.get("outputs", []):
        if output.output_type == "stream":
            seen.append((output.name, output.text))
        else:
            kind = "image/svg+xml" if "image/svg+xml" in output.data else "text/plain"
            seen.append((kind, "".join(output.data[kind])))
    return seen


if __name__ == "__main__":
    nbformat.write(executed(), NOTEBOOK)
