"""Modules that take the places of torch.nn's, with the same parameters under the same names."""

from .torch import linear, swiglu  # first: it says what is missing where there is no PyTorch

import torch  # isort: skip


def as_autocast_says(x, *parameters):
    """What torch.nn.functional.linear does under torch.autocast: all of it in autocast's type."""
    if not torch.is_autocast_enabled(x.device.type):
        return (x, *parameters)
    kind = torch.get_autocast_dtype(x.device.type)
    return tuple(None if t is None else t.to(kind) for t in (x, *parameters))


class Linear(torch.nn.Linear):
    """torch.nn.Linear, multiplied by Sectile: of bfloat16, or of any type under torch.autocast to it."""

    def forward(self, x):
        return linear(*as_autocast_says(x, self.weight, self.bias))

    @classmethod
    def of(cls, other: torch.nn.Linear) -> "Linear":
        """One with the parameters of OTHER: the same ones, no copies, so that an optimizer keeps what it holds."""
        made = cls(other.in_features, other.out_features, other.bias is not None, device="meta")
        made.weight, made.bias = other.weight, other.bias
        return made.train(other.training)


class SwiGLU(torch.nn.Module):
    """silu(x gate^T) * (x value^T): the first half of a gated MLP."""

    def __init__(self, in_features, out_features, device=None, dtype=None):
        super().__init__()
        kind = {"device": device, "dtype": dtype}
        self.gate = torch.nn.Parameter(torch.nn.Linear(in_features, out_features, bias=False, **kind).weight.detach())
        self.value = torch.nn.Parameter(torch.nn.Linear(in_features, out_features, bias=False, **kind).weight.detach())

    def forward(self, x):
        return swiglu(*as_autocast_says(x, self.gate, self.value))


def replace_linears(module: torch.nn.Module, which=lambda name, linear: True) -> list[str]:
    """Puts Linear in the place of every torch.nn.Linear inside MODULE that WHICH(name, linear) wants, and returns their
    names. Subclasses stay as they are, because what they do besides is not known here."""
    named = [(name, child) for name, child in module.named_modules() if type(child) is torch.nn.Linear and name]
    chosen = [(name, child) for name, child in named if which(name, child)]
    for name, child in chosen:
        parent, _, last = name.rpartition(".")
        setattr(module.get_submodule(parent), last, Linear.of(child))
    return [name for name, _ in chosen]
