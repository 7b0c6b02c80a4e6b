"""Weights of 8 and 4 bits, times inputs of bfloat16: with a scale for each output, or of 4 bits with a scale, and a
zero point, for each 128 inputs of an output. What bounds such a layer where it has few inputs is its weight, which
takes a half or a quarter of bfloat16's room and becomes wide on its way to the tensor cores. There are no gradients."""

import functools

import torch

from .functions import check, product_of_group, rows

LARGEST = {"int4": 7, "int8": 127, "e4m3": 448}
GROUP = 128
LEAST = 2.0**-126


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


def in_whole_columns(weight, bits, kind):
    """A weight as float32, if its columns can be shuffled."""
    if weight.dim() != 2:
        raise ValueError(f"a weight has two modes, [out, in], not {weight.dim()}")
    order = len(columns(bits))
    if weight.shape[1] % order:
        raise ValueError(f"a weight of {kind} has a multiple of {order} inputs, not {weight.shape[1]}: "
                         "pad it, and what it is multiplied by, with zeros")
    return weight.detach().float()


def quantize_weight(weight, kind="int4"):
    """A weight [out, in] of any type as (bytes, scales [out]) for quantized_linear(): KIND is int4, int8 or e4m3."""
    if kind not in LARGEST:
        raise ValueError(f"weights are quantized to {', '.join(LARGEST)}, not {kind}")
    bits = 4 if kind == "int4" else 8
    whole = in_whole_columns(weight, bits, kind)
    scales = (whole.abs().amax(1) / LARGEST[kind]).clamp(min=LEAST)
    numbers = whole / scales[:, None]
    numbers = numbers.to(torch.float8_e4m3fn) if kind == "e4m3" else numbers.round().to(torch.int8)
    return shuffle(numbers, bits), scales


def quantized_linear(x, weight, scales, kind="int4"):
    """x W^T of bfloat16, where quantize_weight() made W of that KIND: [.., in] becomes [.., out]."""
    check(x=x)
    made = product_of_group(f"quantized_linear_{kind}", "quantized", weight, rows(x), scales)
    return made.t().reshape(*x.shape[:-1], len(scales))


def quantize_groups(weight, kind="int4"):
    """A weight [out, in] of any type as group_quantized_linear() takes it: (bytes, scales) of int4, which is -7 to 7
    times a scale, or (bytes, scales, zeros) of uint4, whose 16 numbers reach from the least to the largest of a group,
    a zero point among them. Scales and zeros are bfloat16, [groups of 128 inputs, out]; a group is rounded to multiples
    of its scale as that is stored: by half of one, or a little more where the scale was rounded down."""
    if kind not in ("int4", "uint4"):
        raise ValueError(f"groups are quantized to int4 or uint4, not {kind}")
    whole = in_whole_columns(weight, 4, kind)
    width = whole.shape[1]
    padded = torch.nn.functional.pad(whole, (0, -width % GROUP)).unflatten(1, (-1, GROUP))
    low, high = padded.amin(2).clamp(max=0), padded.amax(2).clamp(min=0)
    spread = torch.maximum(high, -low) / 7 if kind == "int4" else (high - low) / 15
    scales = spread.clamp(min=LEAST).to(torch.bfloat16)
    steps = scales.float()
    zeros = (-low / steps).round().clamp(max=15) if kind == "uint4" else None
    numbers = (padded / steps[:, :, None]).round()
    numbers = numbers.clamp(-7, 7) if zeros is None else (numbers + zeros[:, :, None]).clamp(0, 15)
    stored = shuffle(numbers.to(torch.int8).flatten(1)[:, :width], 4)
    by_groups = [t.t().contiguous() for t in (scales, zeros) if t is not None]
    return stored, *(t.to(torch.bfloat16) for t in by_groups)


def group_quantized_linear(x, weight, scales, zeros=None):
    """x W^T of bfloat16, where quantize_groups() made W: [.., in] becomes [.., out]."""
    check(x=x, scales=scales, zeros=zeros)
    kind = "int4" if zeros is None else "uint4"
    given = (weight, rows(x), scales) if zeros is None else (weight, rows(x), scales, zeros)
    made = product_of_group(f"group_quantized_linear_{kind}", "quantized", *given)
    return made.t().reshape(*x.shape[:-1], weight.shape[0])
