"""Attention forward in Triton as it is written for Hopper: tiles through TMA descriptors, products by wgmma, a program
for each tile of rows of a head, keys in a loop that Triton pipelines."""

import dataclasses

import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@dataclasses.dataclass(frozen=True)
class Config:
    """Tiles of m queries and n keys; m is a multiple of n."""

    m: int
    n: int
    stages: int
    warps: int

    def name(self):
        return f"{self.m} x {self.n}, {self.stages} stages, {self.warps} warps"


CONFIGS = (
    Config(128, 128, 2, 8),
    Config(128, 128, 3, 8),
    Config(128, 64, 2, 8),
    Config(128, 64, 3, 8),
    Config(128, 64, 4, 8),
    Config(128, 32, 4, 8),
    Config(64, 64, 2, 4),
    Config(64, 64, 3, 4),
    Config(64, 32, 3, 4),
    Config(128, 64, 3, 4),
)


@triton.jit
def meet(
    queries, k, v, top, row, at, highest, total, sums, scale,
    BM: tl.constexpr, BN: tl.constexpr, MASKED: tl.constexpr,
):  # fmt: skip
    """A tile of queries meets a tile of keys and their values."""
    scores = tl.dot(queries, k.load([top + at, 0]).T)
    if MASKED:
        query = row + tl.arange(0, BM)[:, None]
        key = at + tl.arange(0, BN)[None, :]
        scores = tl.where(key <= query, scores, float("-inf"))
    now = tl.maximum(highest, tl.max(scores, 1) * scale)
    weights = tl.exp2(scores * scale - now[:, None])
    shrink = tl.exp2(highest - now)
    total = total * shrink + tl.sum(weights, 1)
    sums = tl.dot(weights.to(tl.bfloat16), v.load([top + at, 0]), sums * shrink[:, None])
    return now, total, sums


@triton.jit
def attend(
    q, k, v, o, length, scale,
    BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr,
):  # fmt: skip
    tile = tl.program_id(0)
    if CAUSAL:
        tile = tl.num_programs(0) - 1 - tile  # long rows first
    top = tl.program_id(1) * length
    row = tile * BM
    queries = q.load([top + row, 0])
    highest = tl.full([BM], float("-inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    sums = tl.zeros([BM, D], tl.float32)
    whole = row if CAUSAL else length  # of the keys before it nothing is hidden
    for at in tl.range(0, whole, BN):
        highest, total, sums = meet(queries, k, v, top, row, at, highest, total, sums, scale, BM, BN, False)
    if CAUSAL:
        for at in tl.range(row, row + BM, BN):
            highest, total, sums = meet(queries, k, v, top, row, at, highest, total, sums, scale, BM, BN, True)
    o.store([top + row, 0], (sums / total[:, None]).to(tl.bfloat16))


def descriptors(config, q, k, v, o):
    """Of tensors of batch x heads x length x D, as matrices."""
    blocks = ((q, config.m), (k, config.n), (v, config.n), (o, config.m))
    return [TensorDescriptor.from_tensor(t.view(-1, t.shape[-1]), [rows, t.shape[-1]]) for t, rows in blocks]


def launch(config, views, shape, causal, scale):
    """Queues O = softmax(Q K^T) V on PyTorch's current stream. `scale` holds the logarithm of e to base 2."""
    batch, heads, length, dimension = shape
    attend[(length // config.m, batch * heads)](
        *views, length, scale, BM=config.m, BN=config.n, D=dimension, CAUSAL=causal,
        num_stages=config.stages, num_warps=config.warps,
    )  # fmt: skip
