"""Modules that take the places of torch.nn's, with the same parameters under the same names."""

# First: it says what is missing where there is no PyTorch.
from .torch import (
    block_scaled_linear,
    group_quantized_linear,
    linear,
    mixture_of_experts,
    quantize_groups,
    quantize_squares,
    quantize_weight,
    quantized_linear,
    sparse_linear,
    swiglu,
)

import torch  # isort: skip

from . import sparse
from .torch.functions import check


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


class Experts(torch.nn.Module):
    """A gated MLP for each of EXPERTS experts: the sum over a token's experts of what they make of it, each with a weight.
    See sectile.torch.mixture_of_experts; who chooses the experts is a module of its own."""

    def __init__(self, experts, features, hidden, device=None, dtype=None):
        super().__init__()

        def matrices(height, width):  # as torch.nn.Linear begins
            made = torch.empty(experts, height, width, device=device, dtype=dtype)
            return torch.nn.Parameter(made.uniform_(-(width**-0.5), width**-0.5))

        self.gate, self.value, self.down = matrices(hidden, features), matrices(hidden, features), matrices(features, hidden)

    def forward(self, x, indices, weights):
        """x [.., features], INDICES and WEIGHTS, which are made float32, [.., experts of each]."""
        x, gate, value, down = as_autocast_says(x, self.gate, self.value, self.down)
        return mixture_of_experts(x, indices, weights.float(), gate, value, down)

    def extra_repr(self):
        experts, features, hidden = self.down.shape
        return f"experts={experts}, features={features}, hidden={hidden}"


class SparseLinear(torch.nn.Module):
    """A linear layer whose weight is 2:4 sparse: of every four neighbours along a row two are stored, so it takes about
    half the memory and half the products. It holds bfloat16. Parameters are the stored `values` and the `bias`; which elements they are is
    in the buffer `metadata` and never learns. Gradients: of the input, of the values and of the bias."""

    def __init__(self, in_features, out_features, bias=True, device=None):
        super().__init__()
        made = torch.nn.Linear(in_features, out_features, bias, device=device, dtype=torch.bfloat16)
        self.take(made.weight, made.bias, True)

    def take(self, weight, bias, prune):
        check(weight=weight)
        weight = weight.detach()
        values, metadata = sparse.compress(sparse.prune(weight) if prune else weight)
        self.values, self.bias = torch.nn.Parameter(values), bias
        self.register_buffer("metadata", metadata)
        self.out_features, self.in_features = weight.shape

    @classmethod
    def of(cls, other: torch.nn.Linear, prune=False) -> "SparseLinear":
        """One that computes what OTHER does, if its weight is 2:4 sparse; PRUNE: what it does when made so. The bias is
        the same parameter, the values are new ones."""
        made = cls.__new__(cls)
        torch.nn.Module.__init__(made)
        made.take(other.weight, other.bias, prune)
        return made.train(other.training)

    def weight(self):
        """The whole matrix, with zeros, as a new tensor."""
        return sparse.decompress(self.values.detach().to(torch.bfloat16), self.metadata)

    def forward(self, x):
        x, values, bias = as_autocast_says(x, self.values, self.bias)
        return sparse_linear(x, values, self.metadata, bias)

    def extra_repr(self):
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}, 2:4 sparse"


class _ScaledLinear(torch.nn.Module):
    """What layers for inference share whose weight is stored as numbers of a KIND of few bits, scales, and zero points
    where it has such. A bias stays bfloat16, and so do inputs as they come. Who derives says how a weight is stored, and
    multiplied."""

    def __init__(self, in_features, out_features, bias, kind, device):
        super().__init__()
        self.take(torch.nn.Linear(in_features, out_features, bias, device=device, dtype=torch.bfloat16), kind)

    def take(self, other, kind):
        self.in_features, self.out_features, self.kind = other.in_features, other.out_features, kind
        for name, stored in zip(("weight", "scales", "zeros"), self.stored(other.weight.detach())):
            self.register_buffer(name, stored)
        self.register_buffer("bias", None if other.bias is None else other.bias.detach().to(torch.bfloat16))

    @classmethod
    def made_of(cls, other, kind):
        made = cls.__new__(cls)
        torch.nn.Module.__init__(made)
        made.take(other, kind)
        return made.train(other.training)

    def forward(self, x):
        (x,) = as_autocast_says(x)
        made = self.multiplied(x)
        return made if self.bias is None else made + self.bias

    def extra_repr(self):
        sizes = f"in_features={self.in_features}, out_features={self.out_features}"
        return f"{sizes}, bias={self.bias is not None}, {self.kind}"


class BlockScaledLinear(_ScaledLinear):
    """A linear layer for inference whose weight has 8 bits and a scale for each square of 128 x 128; its inputs, of
    bfloat16, become 8 bits as well, with a scale for each row of 128. A bias stays bfloat16. There are no gradients."""

    def __init__(self, in_features, out_features, bias=True, device=None):
        super().__init__(in_features, out_features, bias, "e4m3", device)

    @classmethod
    def of(cls, other: torch.nn.Linear) -> "BlockScaledLinear":
        """One that computes what OTHER does, as near as 8 bits come. It has copies of the parameters."""
        return cls.made_of(other, "e4m3")

    def stored(self, weight):
        return quantize_squares(weight)

    def multiplied(self, x):
        return block_scaled_linear(x, self.weight, self.scales)


class QuantizedLinear(_ScaledLinear):
    """A linear layer for inference whose weight has 4 or 8 bits, KIND int4, int8 or e4m3, and a scale for each output.
    Inputs and bias are bfloat16. There are no gradients."""

    def __init__(self, in_features, out_features, bias=True, kind="int4", device=None):
        super().__init__(in_features, out_features, bias, kind, device)

    @classmethod
    def of(cls, other: torch.nn.Linear, kind="int4") -> "QuantizedLinear":
        """One that computes what OTHER does, as near as KIND comes. It has copies of the parameters."""
        return cls.made_of(other, kind)

    def stored(self, weight):
        return quantize_weight(weight, self.kind)

    def multiplied(self, x):
        return quantized_linear(x, self.weight, self.scales, self.kind)


class GroupQuantizedLinear(_ScaledLinear):
    """A linear layer for inference whose weight has 4 bits, and a scale for each 128 inputs of an output; of the KIND
    uint4 also a zero point. Inputs and bias are bfloat16. There are no gradients."""

    def __init__(self, in_features, out_features, bias=True, kind="int4", device=None):
        super().__init__(in_features, out_features, bias, kind, device)

    @classmethod
    def of(cls, other: torch.nn.Linear, kind="int4") -> "GroupQuantizedLinear":
        """One that computes what OTHER does, as near as KIND comes. It has copies of the parameters."""
        return cls.made_of(other, kind)

    def stored(self, weight):
        return quantize_groups(weight, self.kind)

    def multiplied(self, x):
        return group_quantized_linear(x, self.weight, self.scales, *([self.zeros] if self.kind == "uint4" else []))


def replace_linears(module: torch.nn.Module, which=lambda name, linear: True, by=Linear.of) -> list[str]:
    """Puts BY(linear), a Linear unless said otherwise, in the place of every torch.nn.Linear inside MODULE that
    WHICH(name, linear) wants, and returns their names. Subclasses stay as they are, because what they do besides is not
    known here."""
    named = [(name, child) for name, child in module.named_modules() if type(child) is torch.nn.Linear and name]
    chosen = [(name, child) for name, child in named if which(name, child)]
    for name, child in chosen:
        parent, _, last = name.rpartition(".")
        setattr(module.get_submodule(parent), last, by(child))
    return [name for name, _ in chosen]
