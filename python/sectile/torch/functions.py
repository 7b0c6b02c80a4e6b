"""Layers with gradients. A gradient is a product, too, and is made by the same GEMM with its operands stored the other
way round, so nothing is transposed in memory."""

import functools
import math
import types

import torch

import sectile

from .. import sparse
from ..libraries import torch_maker
from .register import Layer, define, gradient_wanted, register, untraced


@functools.cache
def operator(name):
    """A shipped operator, which the dispatcher knows from then on."""
    found = getattr(sectile.operators, name)
    register(found)
    return found


@functools.cache
def operator_of_group(name, group):
    """One that only packages with the kernels GROUP have."""
    if not hasattr(sectile.operators, name):
        raise sectile.Error(f"this package was built without {name}: "
                            f'pip install . -Ccmake.define.SECTILE_PYTHON_KERNELS="everyday;{group}"')
    return operator(name)


@functools.cache
def products():
    """The three forms of a product that a layer and its gradients take."""
    return types.SimpleNamespace(
        forward=operator("gemm_bf16"),  # X W^T: what is summed over is contiguous in both
        by_input=operator("gemm_bf16_tt"),  # dY W: in W it is not
        by_weight=operator("gemm_bf16_nt"))  # dY^T X: in neither


@functools.cache
def products_of_parts():
    """Two of them where the left matrix is in parts, anywhere in a tensor of three modes."""
    return types.SimpleNamespace(forward=operator("gemm_of_parts_bf16"), by_input=operator("gemm_of_parts_bf16_tt"))


def rows(x):
    """A matrix of all but the last mode: a view."""
    return x.reshape(-1, x.shape[-1])


def settled(gradient):
    """What autograd hands over may be one number, shown at every place, or have rows that begin anywhere; a kernel
    reads memory, and rows that begin at multiples of 16 bytes."""
    step = gradient.stride(0)
    if gradient.stride(1) == 1 and step >= gradient.shape[1] and step % 8 == 0:
        return gradient
    return room(gradient, *gradient.shape).copy_(gradient)


def room(like, height, width):
    """A matrix of bfloat16 as operators make their outputs: with rows that a kernel can write."""
    return torch_maker(operator("gemm_bf16").operands[-1])(like, (height, width))


def refuse(what, tensor):
    raise sectile.Error(f"{what} is {str(tensor.dtype).removeprefix('torch.')}, and sectile.torch multiplies bfloat16: "
                        f"{what}.to(torch.bfloat16), or torch.autocast, which does so by itself")


def check(**tensors):
    for name, tensor in tensors.items():
        if tensor is not None and tensor.dtype != torch.bfloat16:
            refuse(name, tensor)


def multiplied(form, *given):
    """A product of a backward pass: the gradients of gradients are rarely wanted, so it seldom needs the dispatcher."""
    short = untraced(*given) and not gradient_wanted(*given)
    return (form if short else getattr(torch.ops.sectile, form.name))(*given)


def product_of_group(name, group, *given):
    """What an operator makes that only packages with the kernels GROUP have."""
    if torch.compiler.is_compiling():  # which warns where a function is cached
        return getattr(torch.ops.sectile, name)(*given)
    return multiplied(operator_of_group(name, group), *given)


def of_rows(layer, x, columns, *more):
    """A layer that takes a matrix, of the rows of x, which may have more modes in front of its last."""
    if x.dim() == 2:
        return layer(x, *more)
    return layer(rows(x), *more).reshape(*x.shape[:-1], columns)


def linear_of_rows(x, weight, bias):
    return products().forward(x, weight) if bias is None else operator("linear_bf16")(x, weight, bias)


def linear(x, weight, bias=None):
    """x W^T + bias, as torch.nn.functional.linear has it, of bfloat16, with gradients."""
    check(x=x, weight=weight, bias=bias)
    return of_rows(linear_layer, x, weight.shape[0], weight, bias)


def swiglu(x, gate, value):
    """silu(x gate^T) * (x value^T) in one kernel, with gradients."""
    check(x=x, gate=gate, value=value)
    return of_rows(swiglu_layer, x, gate.shape[0], gate, value)


def swiglu_of_rows(x, gate, value):
    return operator("swiglu_bf16")(x, gate, value)


def like_product(x, weight, *_):
    torch._check(x.shape[-1] == weight.shape[-1],
                 lambda: f"x has {x.shape[-1]} columns, the weight {weight.shape[-1]}: they are summed over together")
    return room(x, x.shape[0], weight.shape[0])


def keep(ctx, inputs, output):
    ctx.save_for_backward(*inputs[:3])


def gradients(ctx, dy, x, weight):
    """Of x and of the weight, those that are asked for."""
    dx = multiplied(products().by_input, dy, weight.t()) if ctx.needs_input_grad[0] else None
    dw = multiplied(products().by_weight, dy.t(), x.t()) if ctx.needs_input_grad[1] else None
    return dx, dw


def linear_backward(ctx, dy):
    dy = settled(dy)
    x, weight, _ = ctx.saved_tensors
    dbias = dy.sum(0) if ctx.needs_input_grad[2] else None
    return *gradients(ctx, dy, x, weight), dbias


def through_swiglu(dy, g, v):
    """The gradients of g and v, from that of silu(g) * v."""
    dy, g, v = dy.float(), g.float(), v.float()
    sigmoid = torch.sigmoid(g)
    made = dy * v * sigmoid * (1 + g * (1 - sigmoid)), dy * g * sigmoid
    return [settled(d.to(torch.bfloat16)) for d in made]


def swiglu_backward(ctx, dy):
    """The two products are made again: keeping them would take as much memory as the layer saved."""
    x, gate, value = ctx.saved_tensors
    dg, dv = through_swiglu(settled(dy), *(multiplied(products().forward, x, w) for w in (gate, value)))
    dx = None
    if ctx.needs_input_grad[0]:
        dx = multiplied(products().by_input, dg, gate.t()) + multiplied(products().by_input, dv, value.t())
    wanted = zip(ctx.needs_input_grad[1:3], (dg, dv))
    return dx, *(multiplied(products().by_weight, d.t(), x.t()) if of_it else None for of_it, d in wanted)


def attention(query, key, value, is_causal=False, scores_memory=1 << 30):
    """softmax(Q K^T / sqrt(D)) V, as torch.nn.functional.scaled_dot_product_attention has it: of bfloat16, [batch, head,
    row, D] with D = 64 or 128. With gradients, the same bits in every run, where the package was built with the kernels
    attention_gradients; else one that is wanted is refused. The way back takes up to scores_memory bytes while it runs,
    for the scores' gradients, two bytes for each query and key, of as many heads at once as fit. Where those of one head
    do not, it takes none and makes the scores twice, which is slower: the bits are the same."""
    check(query=query, key=key, value=value)
    depth = query.shape[-1]
    if query.dim() != 4 or depth not in (64, 128):
        raise sectile.Error(f"attention: the query is {tuple(query.shape)}, and the kernels take [batch, head, row, D] "
                            "with D = 64 or 128")
    if gradient_wanted(query, key, value):
        return attention_layer(query, key, value, is_causal, scores_memory)[0]
    form = operator(attention_name(depth, is_causal))
    scale = attention_scale(depth)
    if not untraced(query, key, value):
        return getattr(torch.ops.sectile, form.name)(query, key, value, scale)
    return form(query, key, value, scale, out=heads_of_rows(query))


def attention_name(depth, is_causal):
    return f"attention_d{depth}{'_causal' if is_causal else ''}"


def attention_scale(depth):
    return math.log2(math.e) / math.sqrt(depth)


def attention_kernel_names(depth, is_causal, packed=False):
    """The forward pass that leaves logarithms of sums, and the three kernels of the way back; and those of them that this
    package was built without."""
    name = attention_name(depth, is_causal) + ("_varlen" if packed else "")
    names = types.SimpleNamespace(forward=f"{name}_lse", delta=f"attention_d{depth}_delta",
                                  by_keys=f"{name}_keys_backward", by_queries=f"{name}_queries_backward")
    return names, [n for n in vars(names).values() if not hasattr(sectile.operators, n)]


def attention_has_gradients(depth, is_causal=False):
    """Whether attention() of heads of DEPTH elements has gradients in this package, see there."""
    return not attention_kernel_names(depth, is_causal)[1]


@functools.cache
def attention_kernels(depth, is_causal, packed=False):
    names, missing = attention_kernel_names(depth, is_causal, packed)
    if missing:
        who, group = ("varlen_attention", "attention_varlen_gradients") if packed else ("attention", "attention_gradients")
        raise sectile.Error(f"{who}: a tensor requires a gradient, and this package was built without {missing[0]}: "
                            f'pip install . -Ccmake.define.SECTILE_PYTHON_KERNELS="everyday;{group}", or '
                            "call it under torch.no_grad()")
    return types.SimpleNamespace(**{role: operator(n) for role, n in vars(names).items()})


def heads_of_rows(like):
    """Room for [batch, head, row, D] where the heads of a row lie together in memory, as what reads them next does."""
    batch, heads, length, depth = like.shape
    return like.new_empty(batch, length, heads, depth).transpose(1, 2)


def readable(x):
    """x where rows lie as a kernel reads them, at multiples of 16 bytes; else a copy."""
    fits = x.stride(-1) == 1 and all(step % 8 == 0 and step > 0 for step in x.stride()[:-1]) and x.data_ptr() % 16 == 0
    return x if fits else x.contiguous()


def attention_with_sums(query, key, value, is_causal, scores_memory):
    depth = query.shape[-1]
    sums = query.new_empty(query.shape[:-1], dtype=torch.float32)
    made = heads_of_rows(query)
    attention_kernels(depth, is_causal).forward(query, key, value, attention_scale(depth), out=(made, sums))
    return made, sums


def like_attention(query, key, value, is_causal, scores_memory):
    attention_kernels(int(query.shape[-1]), is_causal)  # or it says how they are built
    torch._check(key.shape == value.shape, lambda: f"the keys are {tuple(key.shape)}, the values {tuple(value.shape)}")
    return heads_of_rows(query), query.new_empty(query.shape[:-1], dtype=torch.float32)


def keep_attention(ctx, inputs, output):
    tensors = [x for x in inputs if isinstance(x, torch.Tensor)]
    ctx.how = inputs[len(tensors):]
    ctx.save_for_backward(*tensors, *output)
    ctx.mark_non_differentiable(output[1])


def attention_backward(ctx, dout, _):
    query, key, value, out, sums = ctx.saved_tensors
    call = attention_gradients if untraced(dout) else torch.ops.sectile.attention_gradients
    return *call(query, key, value, out, sums, dout, *ctx.how), None, None


def attention_gradients(query, key, value, out, sums, dout, is_causal, scores_memory):
    depth = query.shape[-1]
    kernels, scale, dout = attention_kernels(depth, is_causal), attention_scale(depth), readable(dout)
    delta, offset = kernels.delta(out, dout, sums)
    made = heads_of_rows(query), heads_of_rows(key), heads_of_rows(value)
    given = query, key, value, dout, offset, delta
    by_scores = kernels_by_scores(depth, is_causal)
    if by_scores and (several := heads_at_once(query, key, scores_memory)):
        gradients_by_scores(by_scores, given, made, scale, *several)
    else:
        kernels.by_keys(*given, scale, out=made[1:])
        kernels.by_queries(*given, scale, out=made[0])
    return made


@functools.cache
def kernels_by_scores(depth, is_causal):
    """That of keys which leaves the scores' gradients in memory as well, and that of queries which takes them from there;
    None where this package was built without one."""
    names = [f"{attention_name(depth, is_causal)}_{kernel}" for kernel in ("scores_backward", "queries_of_scores")]
    return [operator(n) for n in names] if all(hasattr(sectile.operators, n) for n in names) else None


def pitch(length):
    """Elements from row to row of 16 bits each, at multiples of 16 bytes."""
    return (length + 7) // 8 * 8


def heads_at_once(query, key, memory):
    """Of how many batches and heads the scores' gradients fit into so many bytes, in parts as equal as can be; None where
    one head's do not."""
    batch, heads, queries, _ = query.shape
    most = memory // max(2 * queries * pitch(key.shape[2]), 1)
    return (largest_part(batch, most // max(heads, 1)), largest_part(heads, most)) if most > 0 else None


def largest_part(count, most):
    """How many of COUNT are in a part, of parts as equal as can be with up to MOST in each, or one."""
    return -(-count // -(-count // max(most, 1))) if count else 1


def gradients_by_scores(kernels, given, made, scale, batches, heads):
    """Part by part in the same memory: who is queued behind another one waits for it."""
    of_keys, of_queries = kernels
    queries, keys = given[0].shape[2], given[1].shape[2]
    room = given[0].new_empty(batches, heads, queries, pitch(keys))[..., :keys]
    views = [[part for some in x.split(batches) for part in some.split(heads, 1)] for x in (*given, *made)]
    for *inputs, dq, dk, dv in zip(*views):
        scores = room[:dq.shape[0], :dq.shape[1]]
        of_keys(*inputs, scale, out=(dk, dv, scores.transpose(2, 3)))
        of_queries(scores, inputs[1], scale, out=dq)


def sparse_linear(x, values, metadata, bias=None):
    """x W^T + bias where W is 2:4 sparse, by its values and metadata (sectile.sparse.compress), of bfloat16. Gradients
    of x, of the values and of the bias; there is none of what W does not store, nor of the metadata."""
    check(x=x, values=values, bias=bias)
    return of_rows(sparse_layer, x, values.shape[0], values, metadata, bias)


def sparse_linear_of_rows(x, values, metadata, bias):
    if bias is None:
        bias = x.new_zeros(values.shape[0])
    # A column of C is what the layer makes of a row.
    return operator("sparse_linear_bf16")((values, metadata), x, bias).t()


def like_sparse_product(x, values, metadata, bias):
    torch._check(x.shape[-1] == 2 * values.shape[-1],
                 lambda: f"x has {x.shape[-1]} columns, the weight {2 * values.shape[-1]}: they are summed over together")
    return room(x, x.shape[0], values.shape[0])


def sparse_linear_backward(ctx, dy):
    x, values, metadata = ctx.saved_tensors
    dy = settled(dy)
    dx = dvalues = None
    if ctx.needs_input_grad[0]:
        dx = multiplied(products().by_input, dy, sparse.decompress(values, metadata).t())
    if ctx.needs_input_grad[1]:
        dvalues = sparse.stored_of(multiplied(products().by_weight, dy.t(), x.t()), metadata)
    return dx, dvalues, None, dy.sum(0) if ctx.needs_input_grad[3] else None


sparse_layer = Layer("sparse_linear", "(Tensor x, Tensor values, Tensor metadata, Tensor? bias) -> Tensor",
                     sparse_linear_of_rows, like_sparse_product, sparse_linear_backward, keep)
linear_layer = Layer("linear", "(Tensor x, Tensor weight, Tensor? bias) -> Tensor", linear_of_rows, like_product,
                     linear_backward, keep)
swiglu_layer = Layer("swiglu", "(Tensor x, Tensor gate, Tensor value) -> Tensor", swiglu_of_rows, like_product,
                     swiglu_backward, keep)
attention_layer = Layer("attention_with_sums",
                        "(Tensor query, Tensor key, Tensor value, bool is_causal, int scores_memory)"
                        " -> (Tensor, Tensor)",
                        attention_with_sums, like_attention, attention_backward, keep_attention)

define("attention_gradients", "(Tensor query, Tensor key, Tensor value, Tensor out, Tensor sums, Tensor dout, "
       "bool is_causal, int scores_memory) -> (Tensor, Tensor, Tensor)", attention_gradients,
       lambda *given: tuple(heads_of_rows(x) for x in given[:3]))
