"""Tensor parallelism on torch.distributed: collectives that travel, in chunks, while the products are made.

Ranks of a group share a layer. Activations between layers are cut by rows, weights by outputs (gather_linear) or by
inputs (linear_scatter). A collective is asynchronous: NCCL has a stream of its own for it, and the GEMMs' stream waits
for one chunk at a time. A gradient is the other function with the weight read the other way.

Both need SMs, and a persistent kernel has all of them until it ends. So new_group() makes a group whose collectives
take a few, and products beside them do without those; large products hardly miss them, as power limits them.
"""

import contextlib
import itertools
import weakref

import torch
import torch.distributed as dist

from .multiprocessors import multiprocessors
from .nn import as_autocast_says
from .torch.functions import (
    attention,
    attention_has_gradients,
    check,
    products,
    products_of_parts,
    rows,
    settled,
)

few = weakref.WeakKeyDictionary()  # groups, and how many SMs their collectives take at most


def new_group(ctas: int, ranks=None):
    """A group of these ranks, or of all, whose collectives take `ctas` SMs at most, while products on it leave as many
    free. All ranks call it, as torch.distributed.new_group. (Of backends, NCCL takes SMs.)"""
    if ctas < 1:
        raise ValueError(f"a collective that takes {ctas} SMs does not travel; it takes 1 or more")
    options = None
    if dist.get_backend() == "nccl":
        options = dist.ProcessGroupNCCL.Options(is_high_priority_stream=True)
        options.config.max_ctas = ctas
    group = dist.new_group(ranks, pg_options=options)
    few[group] = ctas
    return group


def beside_collectives(group, tensor):
    """The context of products that run while a collective of the group travels."""
    ctas = few.get(group, 0) if group is not None else 0
    if not ctas or tensor.device.type != "cuda":
        return contextlib.nullcontext()
    every = torch.cuda.get_device_properties(tensor.device).multi_processor_count
    return multiprocessors(max(every - ctas, every // 2))


def cut(length: int, chunks, what: str) -> list[slice]:
    """The rows of each chunk. CHUNKS: how many that are alike, or how large they are beside each other."""
    shares = (1,) * chunks if isinstance(chunks, int) else tuple(chunks)
    if not shares or min(shares) < 1:
        raise ValueError(f"chunks={chunks!r}: a number of chunks, or a share of the rows for each, from 1 on")
    unit, left_over = divmod(length, sum(shares))
    if left_over:
        raise ValueError(f"{what} has {length} rows, which {sum(shares)} chunks do not share evenly; pad them, or take a "
                         f"number of chunks that divides {length}")
    ends = list(itertools.accumulate(share * unit for share in shares))
    return [slice(begin, end) for begin, end in zip([0, *ends], ends)]


def gather_multiply(multiply, shard, right, group, chunks):
    """multiply(rows of all ranks, right), and these rows. SHARD is this rank's part of them."""
    shard, me, ranks = shard.contiguous(), dist.get_rank(group), dist.get_world_size(group)
    pieces = cut(shard.shape[0], chunks, "the shard")
    arrived = [shard.new_empty((ranks, p.stop - p.start, shard.shape[1])) for p in pieces]
    travelling = [dist.all_gather_into_tensor(to.view(-1, shard.shape[1]), shard[p], group=group, async_op=True)
                  for to, p in zip(arrived, pieces)]
    made = shard.new_empty((ranks, shard.shape[0], right.shape[0]))
    with beside_collectives(group, shard):
        multiply(shard, right, out=made[me])  # what this rank has needs nobody
    for to, p, work in zip(arrived, pieces, travelling):
        work.wait()
        with beside_collectives(group, shard) if p is not pieces[-1] else contextlib.nullcontext():
            for other in range(1, ranks):
                rank = (me + other) % ranks
                multiply(to[rank], right, out=made[rank, p])
    return made.view(-1, right.shape[0]), in_ranks_order(arrived)


def in_ranks_order(arrived):
    """All rows of the first rank, then all of the second, and so on."""
    return rows(arrived[0] if len(arrived) == 1 else torch.cat(arrived, 1))


def multiply_scatter(multiply, left, right, group, chunks):
    """This rank's rows of the sum over all ranks of multiply(left, right). MULTIPLY takes a left side in parts."""
    ranks = dist.get_world_size(group)
    if left.shape[0] % ranks:
        raise ValueError(f"{left.shape[0]} rows are not to be cut among {ranks} ranks; pad them to a multiple")
    kept = left.shape[0] // ranks
    parts = left.view(ranks, kept, -1)
    made = left.new_empty((kept, right.shape[0]))
    travelling = []
    for p in cut(kept, chunks, "a rank's part"):
        partial = left.new_empty((ranks, p.stop - p.start, right.shape[0]))
        with beside_collectives(group, left) if travelling else contextlib.nullcontext():
            multiply(parts[:, p], right, out=partial)
        travelling.append(dist.reduce_scatter_tensor(made[p], rows(partial), group=group, async_op=True))
    for work in travelling:
        work.wait()
    return made


class GatherLinear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, shard, weight, group, chunks):
        made, gathered = gather_multiply(products().forward, shard, weight, group, chunks)
        ctx.save_for_backward(gathered, weight)
        ctx.how = group, chunks
        return made

    @staticmethod
    def backward(ctx, dy):
        gathered, weight = ctx.saved_tensors
        dy = settled(dy)
        wanted_x, wanted_w = ctx.needs_input_grad[:2]
        dx = multiply_scatter(products_of_parts().by_input, dy, weight.t(), *ctx.how) if wanted_x else None
        dw = products().by_weight(dy.t(), gathered.t()) if wanted_w else None
        return dx, dw, None, None


class LinearScatter(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, group, chunks):
        ctx.save_for_backward(x, weight)
        ctx.how = group, chunks
        return multiply_scatter(products_of_parts().forward, x, weight, group, chunks)

    @staticmethod
    def backward(ctx, dy):
        x, weight = ctx.saved_tensors
        dx, whole = gather_multiply(products().by_input, settled(dy), weight.t(), *ctx.how)
        return dx, products().by_weight(whole.t(), x.t()) if ctx.needs_input_grad[1] else None, None, None


def gather_linear(shard, weight, group=None, chunks=1):
    """(rows of all ranks) W^T, where WEIGHT has this rank's outputs: all-gather and GEMM. While the rows of the others
    are on their way, this rank's are multiplied; of many ranks, in several chunks, what has arrived is as well."""
    check(shard=shard, weight=weight)
    return GatherLinear.apply(shard, weight, group, chunks)


def linear_scatter(x, weight, group=None, chunks=2):
    """This rank's rows of x W^T, where x and WEIGHT have this rank's part of what is summed over: GEMM and
    reduce-scatter. While a chunk is summed over the ranks, the next is multiplied; nothing hides the sum of the last
    one, so chunks=(2, 1, 1) makes that small. The sum over ranks is the collective's, in bfloat16."""
    check(x=x, weight=weight)
    return LinearScatter.apply(x, weight, group, chunks)


class TensorParallelMLP(torch.nn.Module):
    """down(activation(up(x))) of which each rank has a part of the hidden width; x and the result are cut by rows."""

    def __init__(self, width, hidden, group=None, chunks=2, activation=torch.nn.functional.gelu, **kind):
        super().__init__()
        ranks = dist.get_world_size(group)
        if hidden % ranks:
            raise ValueError(f"a hidden width of {hidden} is not to be cut among {ranks} ranks; take a multiple")
        self.group, self.chunks, self.activation = group, chunks, activation
        self.up = torch.nn.Parameter(torch.nn.Linear(width, hidden // ranks, bias=False, **kind).weight.detach())
        self.down = torch.nn.Parameter(torch.nn.Linear(hidden // ranks, width, bias=False, **kind).weight.detach())

    def load_whole(self, up, down):
        """Takes this rank's parts of the weights of the whole layer."""
        part, rank = self.up.shape[0], dist.get_rank(self.group)
        mine = slice(rank * part, (rank + 1) * part)
        with torch.no_grad():
            self.up.copy_(up[mine])
            self.down.copy_(down[:, mine])

    def forward(self, x):
        x, up, down = as_autocast_says(x, self.up, self.down)
        h = self.activation(gather_linear(x, up, self.group, self.chunks))
        return linear_scatter(h, down, self.group, self.chunks)


class TensorParallelAttention(torch.nn.Module):
    """Multi-head attention of which each rank has some of the heads; x and the result are cut by rows, which are those of
    [batch, row] in order. Attention is Sectile's, of heads of 64 or 128, and the two products are; where a gradient is
    wanted and the package was built without attention_gradients, it is PyTorch's."""

    def __init__(self, width, heads, group=None, chunks=2, is_causal=False, **kind):
        super().__init__()
        ranks = dist.get_world_size(group)
        if heads % ranks or width % heads:
            raise ValueError(f"a width of {width} in {heads} heads is not to be cut among {ranks} ranks; take a number of "
                             f"heads that is a multiple of {ranks} and divides the width")
        self.group, self.chunks, self.is_causal, self.heads = group, chunks, is_causal, heads // ranks
        part = width // ranks
        self.qkv = torch.nn.Parameter(torch.nn.Linear(width, 3 * part, bias=False, **kind).weight.detach())
        self.mix = torch.nn.Parameter(torch.nn.Linear(part, width, bias=False, **kind).weight.detach())

    def load_whole(self, qkv, mix):
        """Takes this rank's parts of the weights of the whole layer; rows of QKV are those of Q, then of K, then of V."""
        part, rank = self.mix.shape[1], dist.get_rank(self.group)
        mine = slice(rank * part, (rank + 1) * part)
        with torch.no_grad():
            self.qkv.copy_(qkv.view(3, -1, qkv.shape[1])[:, mine].reshape(3 * part, -1))
            self.mix.copy_(mix[:, mine])

    def forward(self, x, batch=1):
        x, qkv, mix = as_autocast_says(x, self.qkv, self.mix)
        made = gather_linear(x, qkv, self.group, self.chunks)
        parts = made.view(batch, -1, 3, self.heads, mix.shape[1] // self.heads).permute(2, 0, 3, 1, 4)
        learns = attention_has_gradients(parts.shape[-1], self.is_causal) or not made.requires_grad
        attend = attention if learns else torch.nn.functional.scaled_dot_product_attention
        heads = attend(*parts, is_causal=self.is_causal)
        return linear_scatter(heads.transpose(1, 2).reshape(made.shape[0], -1), mix, self.group, self.chunks)
