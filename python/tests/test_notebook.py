"""The notebook of the examples: executed, and what is stored in it, which the site shows, is what it gives."""

import pathlib
import sys

import pytest

import needs

sectile = pytest.importorskip("sectile", reason="the package is not there: pip install .")
nbformat = pytest.importorskip("nbformat", reason="nbclient is not there: pip install nbclient ipykernel")
for part in ("nbclient", "ipykernel"):
    pytest.importorskip(part, reason=f"{part} is not there: pip install nbclient ipykernel")

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "examples" / "notebook"))
import execute  # noqa: E402


def test_what_is_printed_in_pieces_is_one():
    pieces = [nbformat.v4.new_output("stream", name=name, text=text) for name, text in
              (("stdout", "a"), ("stdout", "b"), ("stderr", "c"))]
    whole = execute.in_one_piece(pieces)
    assert [(output.name, output.text) for output in whole] == [("stdout", "ab"), ("stderr", "c")]


def test_it_gives_what_is_stored_in_it(monkeypatch):
    try:
        sectile.tool.find_tool()
        assert sectile.operators["gemm_f16"]
    except sectile.Error as e:
        pytest.skip(str(e))
    monkeypatch.setenv("PYTHONPATH", needs.environment(sectile)["PYTHONPATH"])
    stored = nbformat.read(execute.NOTEBOOK, as_version=4)
    made = execute.executed()
    for before, now in zip(stored.cells, made.cells):
        assert execute.shown(before) == execute.shown(now), before.source
    assert sum(len(execute.shown(cell)) for cell in made.cells) == sum(cell.cell_type == "code" for cell in made.cells)
