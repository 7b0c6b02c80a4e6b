"""Sectile's kernels as functions of tensors, and what is known of them."""

from .errors import Error
from .calls import Operand, Operator, OperatorSet, load

__all__ = ["Error", "Operand", "Operator", "OperatorSet", "load", "operators"]


def __getattr__(name):
    if name == "operators":
        from .shipped import operators

        globals()["operators"] = operators
        return operators
    raise AttributeError(f"module 'sectile' has no attribute '{name}'")
