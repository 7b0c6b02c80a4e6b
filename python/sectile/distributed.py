"""Tensor parallelism on torch.distributed: collectives that travel, in chunks, while the products are made.

Ranks of a group share a layer. Activations between layers are cut by rows, weights by outputs (gather_linear) or by
inputs (linear_scatter). A collective is asynchronous: NCCL has a stream of its own for it, and the GEMMs' stream waits
for one chunk at a time. A gradient is the other function with the weight read the other way.
"""

import torch
import torch.distributed as dist

from .nn import as_autocast_says
from .torch.functions import attention, check, products, rows, settled


def sizes(group, length: int, chunks: int, what: str) -> tuple[int, int]:
    """How many ranks there are, and how many rows of one a chunk has."""
    ranks = dist.get_world_size(group)
    if length % chunks:
        raise ValueError(f"{what} has {length} rows, which {chunks} chunks do not share evenly; pad them, or take a "
                         f"number of chunks that divides {length}")
    return ranks, length // chunks


def gather_multiply(multiply, shard, right, group, chunks):
    """multiply(rows of all ranks, right), and these rows. SHARD is this rank's part of them."""
    ranks, height = sizes(group, shard.shape[0], chunks, "the shard")
    shard, me = shard.contiguous(), dist.get_rank(group)
    # [chunk, rank, row]: a collective fills one chunk.
    arrived = shard.new_empty((chunks, ranks, height, shard.shape[1]))
    own = shard.view(chunks, height, -1)
    travelling = [dist.all_gather_into_tensor(arrived[c].view(ranks * height, -1), own[c], group=group, async_op=True)
                  for c in range(chunks)]
    made = shard.new_empty((ranks, chunks, height, right.shape[0]))
    for c in range(chunks):  # what this rank has needs nobody
        multiply(own[c], right, out=made[me, c])
    for c in range(chunks):
        travelling[c].wait()
        for other in range(1, ranks):
            rank = (me + other) % ranks
            multiply(arrived[c, rank], right, out=made[rank, c])
    return made.view(-1, right.shape[0]), arrived


def multiply_scatter(multiply, left, right, group, chunks):
    """This rank's rows of the sum over all ranks of multiply(left, right)."""
    ranks = dist.get_world_size(group)
    if left.shape[0] % ranks:
        raise ValueError(f"{left.shape[0]} rows are not to be cut among {ranks} ranks; pad them to a multiple")
    _, height = sizes(group, left.shape[0] // ranks, chunks, "a rank's part")
    parts = left.view(ranks, chunks, height, -1)
    products_of = left.new_empty((chunks, ranks, height, right.shape[0]))
    made = left.new_empty((chunks, height, right.shape[0]))
    travelling = []
    for c in range(chunks):
        for rank in range(ranks):
            multiply(parts[rank, c], right, out=products_of[c, rank])
        travelling.append(dist.reduce_scatter_tensor(made[c], products_of[c].view(ranks * height, -1), group=group,
                                                     async_op=True))
    for work in travelling:
        work.wait()
    return made.view(chunks * height, -1)


class GatherLinear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, shard, weight, group, chunks):
        made, arrived = gather_multiply(products().forward, shard, weight, group, chunks)
        ctx.save_for_backward(arrived, weight)
        ctx.how = group, chunks
        return made

    @staticmethod
    def backward(ctx, dy):
        arrived, weight = ctx.saved_tensors
        group, chunks = ctx.how
        dy = settled(dy)
        dx = multiply_scatter(products().by_input, dy, weight.t(), group, chunks) if ctx.needs_input_grad[0] else None
        dw = None
        if ctx.needs_input_grad[1]:
            x = rows(arrived.transpose(0, 1))  # in the ranks' order, as dy has them
            dw = products().by_weight(dy.t(), x.t())
        return dx, dw, None, None


class LinearScatter(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, group, chunks):
        ctx.save_for_backward(x, weight)
        ctx.how = group, chunks
        return multiply_scatter(products().forward, x, weight, group, chunks)

    @staticmethod
    def backward(ctx, dy):
        x, weight = ctx.saved_tensors
        group, chunks = ctx.how
        dx, arrived = gather_multiply(products().by_input, settled(dy), weight.t(), group, chunks)
        whole = rows(arrived.transpose(0, 1))
        return dx, products().by_weight(whole.t(), x.t()) if ctx.needs_input_grad[1] else None, None, None


def gather_linear(shard, weight, group=None, chunks=2):
    """(rows of all ranks) W^T, where WEIGHT has this rank's outputs: all-gather and GEMM."""
    check(shard=shard, weight=weight)
    return GatherLinear.apply(shard, weight, group, chunks)


def linear_scatter(x, weight, group=None, chunks=2):
    """This rank's rows of x W^T, where x and WEIGHT have this rank's part of what is summed over: GEMM and
    reduce-scatter. The sum over ranks is the collective's, in bfloat16."""
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
    [batch, row] in order. Where no gradient is wanted, attention is Sectile's, of heads of 64 or 128; where one is, it is
    PyTorch's, because Sectile's has no backward pass. The two products are Sectile's in both."""

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
        attend = torch.nn.functional.scaled_dot_product_attention if made.requires_grad else attention
        heads = attend(*parts, is_causal=self.is_causal)
        return linear_scatter(heads.transpose(1, 2).reshape(made.shape[0], -1), mix, self.group, self.chunks)
