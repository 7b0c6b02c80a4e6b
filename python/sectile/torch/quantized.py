"""Weights of 8 and 4 bits with a scale for each output, times inputs of bfloat16. What bounds such a layer where it has
few inputs is its weight, which takes a half or a quarter of bfloat16's room and becomes wide on its way to the tensor
cores. There are no gradients."""

import functools

import torch

from .functions import check, operator_of_group, rows

LARGEST = {"int4": 7, "int8": 127, "e4m3": 448}


@functools.cache
def columns(bits):
    """Places in memory hold these columns of as many neighbours: the order of <sectile/layouts/shuffled_layout.hpp>."""
    pairs = range(16 // bits)
    of_word = [(p, i) for p in pairs for i in (0, 1)] if bits == 8 else [(p, i) for i in (0, 1) for p in pairs]
    return [8 * (len(pairs) * word + p) + 2 * lane + i for word in (0, 1) for lane in range(4) for p, i in of_word]


def shuffle(numbers, bits):
    """The bytes of a matrix [out, in] of numbers of 8 bits, or of integers that 4 bits hold, two to a byte, its columns
    in the order in which lanes take them."""
    order = torch.tensor(columns(bits), device=numbers.device)
    placed = numbers.view(torch.uint8).unflatten(-1, (-1, len(order)))[..., order].flatten(-2)
    if bits == 8:
        return placed.contiguous()
    return placed[..., 0::2] & 15 | placed[..., 1::2] << 4


def quantize_weight(weight, kind="int4"):
    """A weight [out, in] of any type as (bytes, scales [out]) for quantized_linear(): KIND is int4, int8 or e4m3."""
    if kind not in LARGEST:
        raise ValueError(f"weights are quantized to {', '.join(LARGEST)}, not {kind}")
    bits = 4 if kind == "int4" else 8
    group = len(columns(bits))
    if weight.shape[1] % group:
        raise ValueError(f"a weight of {kind} has a multiple of {group} inputs, not {weight.shape[1]}: "
                         "pad it, and what it is multiplied by, with zeros")
    whole = weight.detach().float()
    scales = (whole.abs().amax(1) / LARGEST[kind]).clamp(min=2.0**-126)
    numbers = whole / scales[:, None]
    numbers = numbers.to(torch.float8_e4m3fn) if kind == "e4m3" else numbers.round().to(torch.int8)
    return shuffle(numbers, bits), scales


def quantized_linear(x, weight, scales, kind="int4"):
    """x W^T of bfloat16, where quantize_weight() made W of that KIND: [.., in] becomes [.., out]."""
    check(x=x)
    made = operator_of_group(f"quantized_linear_{kind}", "quantized")(weight, rows(x), scales)
    return made.t().reshape(*x.shape[:-1], len(scales))
