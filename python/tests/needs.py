"""What tests need and skip without, with a sentence."""

import os
import pathlib

import pytest


def environment(package) -> dict:
    """What another process finds this package with."""
    return {**os.environ, "PYTHONPATH": str(pathlib.Path(package.__file__).parents[1])}


def shipped():
    """The package with its shipped operators, and PyTorch."""
    torch = pytest.importorskip("torch", reason="PyTorch is not there: pip install torch")
    sectile = pytest.importorskip("sectile", reason="the package is not there: pip install .")
    try:
        sectile.operators
    except sectile.Error:
        pytest.skip("this build of the package has no shipped operators: -DSECTILE_PYTHON=ON", allow_module_level=True)
    return torch, sectile


def on_each_device(torch):
    """A test for each device that there is: the model, and a GPU."""
    here = ["cpu", pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU"))]
    return pytest.mark.parametrize("device", here)
