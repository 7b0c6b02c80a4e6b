"""Layers of experts: rows fall into groups, and each group has a matrix of its own. Gradients are products of groups as
well, and of the same bits in every run.

`ends` is where groups end, as torch.nn.functional.grouped_mm counts them: int32, on the device of the rows, and nobody
reads it on the host. The last one is the number of rows: of what lies behind it nothing is made, nor set to zero."""

import functools
import types

import torch

from .functions import check, multiplied, operator_of_group, room, settled, through_swiglu
from .register import Layer


@functools.cache
def kernels():
    names = types.SimpleNamespace(forward="grouped_gemm_bf16", by_input="grouped_inputs_bf16",
                                  by_weight="grouped_weights_bf16", gated="gated_experts_bf16",
                                  weighted="weighted_experts_bf16", gathered="gathered_experts_bf16",
                                  summed="summed_experts_bf16")
    return types.SimpleNamespace(**{role: operator_of_group(n, "experts") for role, n in vars(names).items()})


def grouped_linear(x, weight, ends, of_rows=None):
    """x_e weight_e^T for groups e of rows: x [rows, in], weight [experts, out, in], of bfloat16, with gradients; OF_ROWS
    [rows], of float32, is what each row is multiplied by besides, before it is rounded."""
    check(x=x, weight=weight)
    if of_rows is None:
        return linear_layer(x, weight, ends)
    return weighted_layer(x, weight, of_rows, ends)


def grouped_swiglu(x, gate, value, ends):
    """silu(x_e gate_e^T) * (x_e value_e^T) for groups e of rows, in one kernel, with gradients."""
    check(x=x, gate=gate, value=value)
    return swiglu_layer(x, gate, value, ends)


def grouped_rows(x, weight, ends):
    return kernels().forward(x, weight, ends)


def gated_rows(x, gate, value, ends):
    return kernels().gated(x, gate, value, ends)


def weighted_rows(x, weight, of_rows, ends):
    return kernels().weighted(x, weight, of_rows, ends)


def like_rows(x, weight, *_):
    torch._check(x.dim() == 2 and weight.dim() == 3,
                 lambda: f"x is [rows, in] and a weight [experts, out, in], not {tuple(x.shape)} and {tuple(weight.shape)}")
    torch._check(x.shape[-1] == weight.shape[-1],
                 lambda: f"x has {x.shape[-1]} columns, the weight {weight.shape[-1]}: they are summed over together")
    return room(x, x.shape[0], weight.shape[1])


def keep(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def linear_backward(ctx, dy):
    x, weight, ends = ctx.saved_tensors
    dy = settled(dy)
    dx = multiplied(kernels().by_input, dy, weight, ends) if ctx.needs_input_grad[0] else None
    dw = multiplied(kernels().by_weight, dy, x, ends) if ctx.needs_input_grad[1] else None
    return dx, dw, None


def like_weighted_rows(x, weight, of_rows, ends):
    torch._check(of_rows.dim() == 1 and of_rows.shape[0] == x.shape[0],
                 lambda: f"x has {x.shape[0]} rows, and their weights are {tuple(of_rows.shape)}")
    return like_rows(x, weight)


def weighted_backward(ctx, dy):
    """y = w (x W^T), so that dx = w (dy W), dW = dy^T (w x), and dw is the sum of (dy W) x along a row; 0 behind the last
    end, where nothing was made."""
    x, weight, of_rows, ends = ctx.saved_tensors
    dy = settled(dy)
    dx = dw = d_rows = None
    if ctx.needs_input_grad[0] or ctx.needs_input_grad[2]:
        without = multiplied(kernels().by_input, dy, weight, ends)
        dx = scaled(without, of_rows) if ctx.needs_input_grad[0] else None
        if ctx.needs_input_grad[2]:
            behind = torch.arange(x.shape[0], device=x.device) >= ends[-1]
            d_rows = (without.float() * x.float()).sum(1).masked_fill(behind, 0)
    if ctx.needs_input_grad[1]:
        dw = multiplied(kernels().by_weight, dy, settled(scaled(x, of_rows)), ends)
    return dx, dw, d_rows, None


def scaled(x, of_rows):
    return (x.float() * of_rows[:, None]).to(torch.bfloat16)


def swiglu_backward(ctx, dy):
    dx, dgate, dvalue = swiglu_gradients(dy, *ctx.saved_tensors, ctx.needs_input_grad)
    return dx, dgate, dvalue, None


def swiglu_gradients(dy, x, gate, value, ends, wanted):
    """Of x, gate and value, those WANTED. The two products are made again: keeping them would take as much memory as the
    layer saved."""
    dg, dv = through_swiglu(settled(dy), *(multiplied(kernels().forward, x, w, ends) for w in (gate, value)))
    dx = None
    if wanted[0]:
        dx = multiplied(kernels().by_input, dg, gate, ends) + multiplied(kernels().by_input, dv, value, ends)
    of_each = zip(wanted[1:3], (dg, dv))
    return dx, *(multiplied(kernels().by_weight, d, x, ends) if of_it else None for of_it, d in of_each)


linear_layer = Layer("grouped_linear", "(Tensor x, Tensor weight, Tensor ends) -> Tensor", grouped_rows, like_rows,
                     linear_backward, keep)
weighted_layer = Layer("grouped_linear_weighted", "(Tensor x, Tensor weight, Tensor of_rows, Tensor ends) -> Tensor",
                       weighted_rows, like_weighted_rows, weighted_backward, keep)
swiglu_layer = Layer("grouped_swiglu", "(Tensor x, Tensor gate, Tensor value, Tensor ends) -> Tensor", gated_rows,
                     like_rows, swiglu_backward, keep)
