"""8-bit products with scales for blocks of 128: of a row's numbers in inputs, of squares in weights. The tensor cores sum
a block, scales and sums of blocks are float32.

A weight is made once; the inputs' scales are made by a kernel before each product. There are no gradients."""

import torch

import sectile

from ..libraries import torch_maker
from .functions import check, operator_of_group, rows

BLOCK = 128
KIND = torch.float8_e4m3fn
LARGEST = torch.finfo(KIND).max
LARGE_GROUP = 1024  # rows, from which on tall tiles are the faster ones


def kernel(name):
    return operator_of_group(name, "block_scales")


def quantize_rows(x):
    """x [rows, in] of bfloat16 as (e4m3 numbers, scales [blocks of in, rows]): each number times its scale is x's."""
    check(x=x)
    made = kernel("quantized_blocks_bf16_e4m3")
    numbers, scales = (torch_maker(o) for o in made.operands[1:])
    height, width = x.shape
    return made(x, out=(numbers(x, (height, width)), scales(x, (-(-width // BLOCK), height))))


def quantize_squares(weight):
    """A weight [.., out, in] of any type as (e4m3 numbers, scales [.., blocks of out, blocks of in])."""
    high, wide = (-(-size // BLOCK) for size in weight.shape[-2:])
    whole = weight.new_zeros(*weight.shape[:-2], high * BLOCK, wide * BLOCK, dtype=torch.float32)
    whole[..., : weight.shape[-2], : weight.shape[-1]] = weight
    squares = whole.unflatten(-1, (wide, BLOCK)).unflatten(-3, (high, BLOCK))  # [.., high, row, wide, column]
    scales = (squares.abs().amax((-3, -1)) / LARGEST).clamp(min=2.0**-126)
    numbers = (squares / scales[..., :, None, :, None]).clamp(-LARGEST, LARGEST).flatten(-2).flatten(-3, -2)
    height, width = weight.shape[-2:]
    lines = numbers[..., :height, : -(-width // 16) * 16].to(KIND).contiguous()  # rows begin at multiples of 16 bytes
    return lines[..., :width], scales


def block_scaled_linear(x, weight, scales):
    """x W^T of bfloat16, where W is what quantize_squares() made, [out, in]; x becomes 8 bits on its way."""
    numbers, of_rows = quantize_rows(rows(x))
    family = "block_scaled_gemm_e4m3_family"  # of which the sizes choose a member
    product = kernel(family if hasattr(sectile.operators, family) else "block_scaled_gemm_e4m3")
    made = product(numbers, weight, of_rows, scales)
    return made.reshape(*x.shape[:-1], weight.shape[0])


def grouped_block_scaled_linear(x, weight, scales, ends):
    """The same for groups of rows that end where `ends` says (see grouped_linear); W is [experts, out, in]."""
    numbers, of_rows = quantize_rows(x)
    tall = len(x) >= LARGE_GROUP * len(ends)  # on the average: where they end, no host reads
    name = "tall_grouped_block_scaled_gemm_e4m3" if tall else "grouped_block_scaled_gemm_e4m3"
    return kernel(name)(numbers, weight, of_rows, scales, ends)
