"""Attention of sequences of any length, which are packed: the rows of all of them follow each other.

`query_ends` and `key_ends` are where the sequences' rows end, int32, on the device of the rows, and nobody reads them on
the host: a CUDA graph may hold a call for any lengths. Of cu_seqlens, which begins with 0, they are cu_seqlens[1:]."""

import functools

import torch

import sectile

from .functions import (
    attention_kernels,
    attention_name,
    attention_scale,
    check,
    keep_attention,
    operator_of_group,
    readable,
)
from .register import Layer, define, gradient_wanted, untraced


@functools.cache
def kernel(depth, is_causal):
    return operator_of_group(f"{attention_name(depth, is_causal)}_varlen", "attention_varlen")


def varlen_attention(query, key, value, query_ends, key_ends, is_causal=False):
    """softmax(Q K^T / sqrt(D)) V for each sequence, of bfloat16: query [rows, heads, D], key and value [keys, key_heads,
    D] with D = 64 or 128, where heads is a multiple of key_heads. Causal rows see the keys up to their own, and the last
    row's own key is the last. A sequence without keys has rows of zeros; rows behind the last end are not written, nor
    are their gradients. With gradients, the same bits in every run, where the package was built with the kernels
    attention_varlen_gradients; else one that is wanted is refused."""
    check(query=query, key=key, value=value)
    depth = query.shape[-1]
    if query.dim() != 3 or key.dim() != 3 or depth not in (64, 128):
        raise sectile.Error(f"varlen_attention: the query is {tuple(query.shape)} and the keys {tuple(key.shape)}; the "
                            "kernels take [rows, heads, D] with D = 64 or 128")
    if query.shape[1] % key.shape[1]:
        raise sectile.Error(f"varlen_attention: {query.shape[1]} heads of queries cannot share {key.shape[1]} of keys: "
                            "each of these has as many")
    given = query, key, value, query_ends, key_ends, is_causal
    if gradient_wanted(*given):
        return layer(*given)[0]
    return (packed_attention if untraced(*given) else torch.ops.sectile.varlen_attention)(*given)


def heads_first(*tensors):
    """Views [heads, rows, D], as the kernels have them."""
    return [x.transpose(0, 1) for x in tensors]


def packed_attention(query, key, value, query_ends, key_ends, is_causal):
    made = like_query(query)
    depth = query.shape[-1]
    out, = heads_first(made)
    kernel(depth, is_causal)(*heads_first(query, key, value), attention_scale(depth), query_ends, key_ends, out=out)
    return made


def like_query(query, *_):
    return query.new_empty(query.shape)


def packed_attention_with_sums(query, key, value, query_ends, key_ends, is_causal):
    depth = query.shape[-1]
    made, sums = packed_rows_and_sums(query)
    out, = heads_first(made)
    attention_kernels(depth, is_causal, packed=True).forward(
        *heads_first(query, key, value), attention_scale(depth), query_ends, key_ends, out=(out, sums))
    return made, sums


def packed_rows_and_sums(query):
    rows, heads, _ = query.shape
    return like_query(query), query.new_empty(heads, rows, dtype=torch.float32)


def like_packed_attention(query, key, value, query_ends, key_ends, is_causal):
    attention_kernels(int(query.shape[-1]), is_causal, packed=True)  # or it says how they are built
    torch._check(key.shape == value.shape, lambda: f"the keys are {tuple(key.shape)}, the values {tuple(value.shape)}")
    return packed_rows_and_sums(query)


def backward(ctx, dout, _):
    query, key, value, query_ends, key_ends, out, sums = ctx.saved_tensors
    call = packed_attention_gradients if untraced(dout) else torch.ops.sectile.varlen_attention_gradients
    made = call(query, key, value, query_ends, key_ends, out, sums, dout, *ctx.how)
    return *made, None, None, None


def packed_attention_gradients(query, key, value, query_ends, key_ends, out, sums, dout, is_causal):
    depth = query.shape[-1]
    kernels = attention_kernels(depth, is_causal, packed=True)
    made = like_inputs(query, key, value)
    query, key, value, out, dout, dq, dk, dv = heads_first(query, key, value, out, readable(dout), *made)
    # A row's delta knows of no other row: here all are those of one batch.
    delta, offset = (x.squeeze(0) for x in kernels.delta(out.unsqueeze(0), dout.unsqueeze(0), sums.unsqueeze(0)))
    given = query, key, value, dout, offset, delta, attention_scale(depth), query_ends, key_ends
    kernels.by_keys(*given, out=(dk, dv))
    kernels.by_queries(*given, out=dq)
    return made


def like_inputs(query, key, value, *_):
    return like_query(query), like_query(key), like_query(value)


OF_SEQUENCES = "Tensor query, Tensor key, Tensor value, Tensor query_ends, Tensor key_ends"
define("varlen_attention", f"({OF_SEQUENCES}, bool is_causal) -> Tensor", packed_attention, like_query)
layer = Layer("varlen_attention_with_sums", f"({OF_SEQUENCES}, bool is_causal) -> (Tensor, Tensor)",
              packed_attention_with_sums, like_packed_attention, backward, keep_attention)
define("varlen_attention_gradients", f"({OF_SEQUENCES}, Tensor out, Tensor sums, Tensor dout, bool is_causal)"
       " -> (Tensor, Tensor, Tensor)", packed_attention_gradients, like_inputs)
