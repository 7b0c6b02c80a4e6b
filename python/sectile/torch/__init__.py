"""Sectile's operators in PyTorch: torch.ops.sectile.NAME for every one, and layers with gradients.

Importing this registers the shipped operators; register(operator) does so with one of your own. On CPU tensors they
run on the model of the machine, which computes the bits of the GPU.

Deterministic: every call gives the same bits, whatever torch.use_deterministic_algorithms says. Batch-invariant: a row
of a product has the same bits alone and in every batch; it is no mode, as there is no other
(docs/howto/batch-invariance.md).
"""

from ._need import need_torch

need_torch()

import sectile  # noqa: E402

from .block_scales import (  # noqa: E402
    block_scaled_linear,
    grouped_block_scaled_linear,
    quantize_rows,
    quantize_squares,
)
from .convolution import conv2d  # noqa: E402
from .experts import grouped_linear, grouped_swiglu  # noqa: E402
from .functions import attention, attention_has_gradients, linear, sparse_linear, swiglu  # noqa: E402
from .mixture import Routes, gathered_swiglu, mixture_of_experts, routes, summed_rows  # noqa: E402
from .quantized import (  # noqa: E402
    group_quantized_linear,
    quantize_groups,
    quantize_weight,
    quantized_linear,
)
from .register import register  # noqa: E402
from .varlen import varlen_attention  # noqa: E402

for _shipped in sectile.operators:
    register(_shipped)

__all__ = [
    "Routes", "attention", "attention_has_gradients", "block_scaled_linear", "conv2d", "gathered_swiglu",
    "group_quantized_linear", "grouped_block_scaled_linear", "grouped_linear", "grouped_swiglu", "linear",
    "mixture_of_experts", "quantize_groups", "quantize_rows", "quantize_squares", "quantize_weight", "quantized_linear",
    "register", "routes", "sparse_linear", "summed_rows", "swiglu", "varlen_attention",
]  # fmt: skip
