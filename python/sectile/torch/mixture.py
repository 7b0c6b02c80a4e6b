"""A mixture of experts: each token goes to some experts, and what they make of it is added up, each with a weight.

A pair is a token and one of its experts. routes() sorts the pairs by expert, on the device that has them: the host reads
nothing, so that a CUDA graph may hold a layer of any routing. A kernel picks the tokens' rows as it multiplies, and
another adds up those of each token, in the order of its experts, so that bits hang on nothing else. Gradients are the
same bits in every run, too; those of a gathered layer's matrices are made of rows that were picked before
(torch.index_select), since the kernels of these products take rows as they lie."""

from typing import NamedTuple

import torch

from ..errors import Error
from .experts import grouped_linear, keep, kernels, swiglu_gradients
from .functions import check, multiplied, room, rows, settled
from .register import Layer


class Routes(NamedTuple):
    """Where pairs go that are sorted by expert: int32, but for `pair`."""

    ends: torch.Tensor  # [experts]: where each expert's pairs end
    token: torch.Tensor  # [pairs]: whose row each pair has
    slot: torch.Tensor  # [experts of a token, tokens]: where a token's pairs are; -1: it has none
    pair: torch.Tensor  # [pairs], int64: where each was before, token by token


def routes(indices, experts):
    """The Routes of tokens to EXPERTS many experts: INDICES [tokens, experts of each], int64 or int32, as torch.topk gives
    them. A number that no expert has, such as -1, is a pair that nobody makes: it adds nothing."""
    if indices.dtype not in (torch.int64, torch.int32):
        raise Error(f"indices is {named(indices)}, and experts are counted by int64 or int32, as torch.topk does")
    if indices.dim() != 2:
        raise Error(f"indices is {tuple(indices.shape)}; it has two modes, [tokens, experts of each]")
    if experts < 1:
        raise Error(f"there are {experts} experts; a token has to have one to go to")
    each = indices.shape[1]
    # What no expert has becomes EXPERTS, which is sorted behind all. A sort of few bits takes few passes.
    kind = torch.int16 if experts < 2**15 else torch.int32
    numbers = indices.reshape(-1).clamp(-1, experts).remainder(experts + 1).to(kind)
    of_pairs, pair = torch.sort(numbers, stable=True)
    ends = torch.searchsorted(of_pairs, torch.arange(experts, device=pair.device, dtype=kind), right=True, out_int32=True)
    places = torch.arange(len(pair), device=pair.device, dtype=torch.int32)
    there = places.masked_fill(places >= ends[-1], -1)
    slot = torch.empty_like(there).scatter_(0, pair, there).view(-1, each).t().contiguous()
    return Routes(ends, (pair // each).to(torch.int32), slot, pair)


def named(tensor):
    return str(tensor.dtype).removeprefix("torch.")


def gathered_swiglu(x, gate, value, routes):
    """silu(x_e gate_e^T) * (x_e value_e^T) in one kernel, with gradients, where the rows x_e are those that an expert's
    pairs pick from x [tokens, in]; gate and value [experts, out, in], of bfloat16. Makes [pairs, out], sorted by expert;
    behind the last end, where pairs are that nobody makes, nothing is written."""
    check(x=x, gate=gate, value=value)
    return gathered_layer(x, gate, value, routes.ends, routes.token, routes.slot)


def summed_rows(made, routes):
    """[tokens, out]: the sum of each token's rows of MADE [pairs, out], of bfloat16, in the order of its experts, in
    float32, with gradients. To weight them, make them so: see OF_ROWS of grouped_linear."""
    check(made=made)
    return summed_layer(made, routes.slot, routes.token)


def mixture_of_experts(x, indices, weights, gate, value, down):
    """What experts make of tokens: the sum over a token's experts e of weight * ((silu(x gate_e^T) * (x value_e^T))
    down_e^T), with gradients of all but INDICES. x [.., in] of bfloat16; INDICES (see routes) and WEIGHTS, of float32,
    [.., experts of each]; gate and value [experts, hidden, in], down [experts, out, hidden], of bfloat16."""
    check(x=x, gate=gate, value=value, down=down)
    check_weights(x, indices, weights)
    if gate.dim() != 3 or gate.shape != value.shape or down.dim() != 3 or down.shape[::2] != gate.shape[:2]:
        raise Error("gate and value are [experts, hidden, in] and down is [experts, out, hidden], not "
                    f"{', '.join(str(tuple(w.shape)) for w in (gate, value, down))}")
    experts, each = gate.shape[0], indices.shape[-1]
    indices, weights = indices.reshape(-1, each), weights.reshape(-1, each)
    to = routes(indices, experts)
    of_pairs = weights.reshape(-1).index_select(0, to.pair)
    hidden = gathered_swiglu(rows(x), gate, value, to)
    made = summed_rows(grouped_linear(hidden, down, to.ends, of_pairs), to)
    return made if x.dim() == 2 else made.reshape(*x.shape[:-1], made.shape[1])


def check_weights(x, indices, weights):
    if weights.dtype != torch.float32:
        raise Error(f"weights is {named(weights)}, and rows are weighted in float32: weights.float()")
    if x.dim() < 2 or indices.shape != weights.shape or indices.shape[:-1] != x.shape[:-1] or not indices.shape[-1]:
        raise Error("x is [.., in], indices and weights are [.., experts of each], one or more, not "
                    f"{', '.join(str(tuple(t.shape)) for t in (x, indices, weights))}")


def gathered_rows(x, gate, value, ends, token, slot):
    return kernels().gathered(x, token, gate, value, ends)


def like_gathered_rows(x, gate, value, ends, token, slot):
    torch._check(x.dim() == 2 and gate.dim() == 3 and gate.shape == value.shape,
                 lambda: "x is [tokens, in], gate and value are [experts, out, in], not "
                         f"{', '.join(str(tuple(t.shape)) for t in (x, gate, value))}")
    torch._check(x.shape[1] == gate.shape[2],
                 lambda: f"x has {x.shape[1]} columns, gate and value {gate.shape[2]}: they are summed over together")
    return room(x, token.shape[0], gate.shape[1])


def gathered_backward(ctx, dy):
    x, gate, value, ends, token, slot = ctx.saved_tensors
    picked = settled(x.index_select(0, token))
    dx, dgate, dvalue = swiglu_gradients(dy, picked, gate, value, ends, ctx.needs_input_grad)
    if dx is not None:
        dx = multiplied(kernels().summed, settled(dx), slot)
    return dx, dgate, dvalue, None, None, None


def sums(made, slot, token):
    return kernels().summed(made, slot)


def like_sums(made, slot, token):
    torch._check(made.dim() == 2 and slot.dim() == 2,
                 lambda: f"rows are [pairs, out] and slots [experts of a token, tokens], not {tuple(made.shape)} and "
                         f"{tuple(slot.shape)}")
    return room(made, slot.shape[1], made.shape[1])


def keep_token(ctx, inputs, output):
    ctx.save_for_backward(inputs[2])


def sums_backward(ctx, dy):
    """A row has the gradient of its token's sum."""
    return settled(dy.index_select(0, ctx.saved_tensors[0])), None, None


gathered_layer = Layer("gathered_swiglu", "(Tensor x, Tensor gate, Tensor value, Tensor ends, Tensor token, Tensor slot)"
                       " -> Tensor", gathered_rows, like_gathered_rows, gathered_backward, keep)
summed_layer = Layer("summed_rows", "(Tensor made, Tensor slot, Tensor token) -> Tensor", sums, like_sums, sums_backward,
                     keep_token)
