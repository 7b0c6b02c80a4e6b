"""Attention of sequences of any length, which are packed: the rows of all of them follow each other.

`query_ends` and `key_ends` are where the sequences' rows end, int32, on the device of the rows, and nobody reads them on
the host: a CUDA graph may hold a call for any lengths. Of cu_seqlens, which begins with 0, they are cu_seqlens[1:]."""

import functools

import torch

import sectile

from .functions import attention_scale, check, operator_of_group
from .register import define, gradient_wanted, untraced


@functools.cache
def kernel(depth, is_causal):
    return operator_of_group(f"attention_d{depth}{'_causal' if is_causal else ''}_varlen", "attention_varlen")


def varlen_attention(query, key, value, query_ends, key_ends, is_causal=False):
    """softmax(Q K^T / sqrt(D)) V for each sequence, of bfloat16: query [rows, heads, D], key and value [keys, key_heads,
    D] with D = 64 or 128, where heads is a multiple of key_heads. Causal rows see the keys up to their own, and the last
    row's own key is the last. A sequence without keys has rows of zeros; rows behind the last end are not written.
    Without gradients: one that is wanted is refused."""
    check(query=query, key=key, value=value)
    depth = query.shape[-1]
    if query.dim() != 3 or key.dim() != 3 or depth not in (64, 128):
        raise sectile.Error(f"varlen_attention: the query is {tuple(query.shape)} and the keys {tuple(key.shape)}; the "
                            "kernels take [rows, heads, D] with D = 64 or 128")
    if query.shape[1] % key.shape[1]:
        raise sectile.Error(f"varlen_attention: {query.shape[1]} heads of queries cannot share {key.shape[1]} of keys: "
                            "each of these has as many")
    if gradient_wanted(query, key, value):
        raise sectile.Error("varlen_attention: a tensor requires a gradient, which packed sequences do not have; call it "
                            "under torch.no_grad(), or pass detached tensors")
    plain = untraced(query, key, value, query_ends, key_ends)
    call = packed_attention if plain else torch.ops.sectile.varlen_attention
    return call(query, key, value, query_ends, key_ends, is_causal)


def packed_attention(query, key, value, query_ends, key_ends, is_causal):
    made = like_query(query)
    heads = [x.transpose(0, 1) for x in (query, key, value)]
    depth = query.shape[-1]
    kernel(depth, is_causal)(*heads, attention_scale(depth), query_ends, key_ends, out=made.transpose(0, 1))
    return made


def like_query(query, *_):
    return query.new_empty(query.shape)


define("varlen_attention", "(Tensor query, Tensor key, Tensor value, Tensor query_ends, Tensor key_ends, bool is_causal)"
       " -> Tensor", packed_attention, like_query)
