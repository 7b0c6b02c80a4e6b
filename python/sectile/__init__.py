"""Sectile's kernels as functions of tensors, and what is known of them."""

import importlib

from .calls import Operand, Operator, OperatorSet, load
from .errors import Error
from .multiprocessors import multiprocessors
from .tool import explain, figure, tutorial

__all__ = [
    "Error", "Operand", "Operator", "OperatorSet", "explain", "figure", "layouts", "load", "multiprocessors", "operators",
    "sparse", "tutorial",
]  # fmt: skip


def __getattr__(name):
    """What is loaded when it is asked for."""
    if name == "operators":
        value = importlib.import_module(".shipped", __name__).operators
    elif name in ("distributed", "layouts", "nn", "sparse", "torch"):
        return importlib.import_module(f".{name}", __name__)
    else:
        raise AttributeError(f"module 'sectile' has no attribute '{name}'")
    globals()[name] = value
    return value
