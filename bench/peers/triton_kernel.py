"""A matrix product in Triton as it is written for Hopper: persistent programs, tiles through TMA descriptors, products
by wgmma, tiles of C in groups that share operands in L2. For few rows the product is turned around."""

import dataclasses

import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

try:
    from triton.language.extra.cuda import gdc_launch_dependents, gdc_wait

    OVERLAPS = True  # a kernel is set up while the one before it ends, as Sectile's are
except ImportError:  # an older Triton
    OVERLAPS = False

    @triton.jit
    def gdc_wait():
        pass

    @triton.jit
    def gdc_launch_dependents():
        pass


@dataclasses.dataclass(frozen=True)
class Config:
    """Tiles of m x n, and of `spans` times 128 bytes along K."""

    m: int
    n: int
    spans: int
    stages: int
    warps: int
    per_sm: int = 1
    halves: int = 1  # in which C's tile is stored
    specialized: bool = False
    swapped: bool = False
    group: int = 8

    def name(self):
        words = f"{self.m} x {self.n} x {self.spans}, {self.stages} stages, {self.warps} warps"
        marks = [(self.specialized, "specialized"), (self.swapped, "swapped"), (self.per_sm > 1, "two per SM")]
        return ", ".join([words, *(text for there, text in marks if there)])


# Triton 3.6 makes specialized programs of tiles of 128 rows, too, but they never end.
CONFIGS = (
    Config(128, 256, 1, 3, 8, halves=2),
    Config(128, 256, 1, 4, 8, halves=2),
    Config(256, 128, 1, 3, 8, halves=2),
    Config(128, 128, 1, 4, 8),
    Config(128, 128, 1, 3, 4, per_sm=2, halves=2),
    Config(64, 256, 1, 4, 4, halves=2),
    Config(64, 128, 1, 4, 4, per_sm=2),
    Config(64, 128, 1, 4, 4, specialized=True),
    Config(64, 64, 2, 4, 4, per_sm=2),
    Config(16, 64, 2, 6, 4, per_sm=2, swapped=True),
    Config(16, 128, 2, 5, 4, swapped=True),
    Config(64, 64, 2, 5, 4, swapped=True),
    Config(64, 128, 2, 4, 8, swapped=True),
)


@triton.jit(do_not_specialize=["m", "n", "k"])
def multiply(
    a, b, c, raw_c, m, n, k,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, PROGRAMS: tl.constexpr,
    SUM: tl.constexpr, OUT: tl.constexpr, HALVES: tl.constexpr, SPECIALIZED: tl.constexpr, SWAPPED: tl.constexpr,
    OVERLAP: tl.constexpr,
):  # fmt: skip
    rows = tl.cdiv(m, BM)
    cols = tl.cdiv(n, BN)
    if OVERLAP:
        gdc_wait()
        gdc_launch_dependents()
    tiles = rows * cols
    for tile in tl.range(tl.program_id(0), tiles, PROGRAMS, flatten=not SPECIALIZED, warp_specialize=SPECIALIZED):
        first = tile // (GROUP * cols) * GROUP
        high = min(rows - first, GROUP)
        row = (first + tile % (GROUP * cols) % high) * BM
        col = tile % (GROUP * cols) // high * BN
        if SWAPPED:
            sums = tl.zeros((BN, BM), SUM)
            for step in range(tl.cdiv(k, BK)):
                left = a.load([row, step * BK])
                right = b.load([col, step * BK])
                sums = tl.dot(right, left.T, sums, out_dtype=SUM)
            c.store([row, col], sums.T.to(OUT))
        else:
            sums = tl.zeros((BM, BN), SUM)
            for step in range(tl.cdiv(k, BK)):
                left = a.load([row, step * BK])
                right = b.load([col, step * BK])
                sums = tl.dot(left, right.T, sums, out_dtype=SUM)
            if SPECIALIZED:  # Triton 3.6 divides the tile among warpgroups then, but not the descriptor's block
                at_row = row + tl.arange(0, BM)[:, None]
                at_col = col + tl.arange(0, BN)[None, :]
                tl.store(raw_c + at_row.to(tl.int64) * n + at_col, sums.to(OUT), mask=(at_row < m) & (at_col < n))
            elif HALVES == 2:
                one, other = sums.reshape(BM, 2, BN // 2).permute(0, 2, 1).split()
                c.store([row, col], one.to(OUT))
                c.store([row, col + BN // 2], other.to(OUT))
            else:
                c.store([row, col], sums.to(OUT))


def descriptors(config, a, b, c):
    k = config.spans * 128 // a.element_size()
    width = config.n // config.halves
    blocks = ((a, [config.m, k]), (b, [config.n, k]), (c, [config.m, width]))
    return [TensorDescriptor.from_tensor(tensor, block) for tensor, block in blocks]


def launch(config, views, shape, programs, is_integer):
    """Queues C = A B^T on PyTorch's current stream."""
    m, n, k = shape
    a = views[0].base
    extra = {"launch_pdl": True} if OVERLAPS else {}
    tiles = triton.cdiv(m, config.m) * triton.cdiv(n, config.n)
    multiply[(min(programs, tiles),)](
        *views, views[2].base, m, n, k,
        BM=config.m, BN=config.n, BK=config.spans * 128 // a.element_size(), GROUP=config.group, PROGRAMS=programs,
        SUM=tl.int32 if is_integer else tl.float32, OUT=tl.int32 if is_integer else tl.bfloat16,
        HALVES=config.halves, SPECIALIZED=config.specialized, SWAPPED=config.swapped, OVERLAP=OVERLAPS,
        num_stages=config.stages, num_warps=config.warps, **extra,
    )  # fmt: skip
