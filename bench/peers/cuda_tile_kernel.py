"""A matrix product in CUDA Tile: persistent blocks, tiles of C in groups that share operands in L2. For few rows the
product is turned around."""

import dataclasses

import cuda.tile as ct

Constant = ct.Constant[int]


@dataclasses.dataclass(frozen=True)
class Config:
    """Tiles of m x n, and of `spans` times 128 bytes along K."""

    m: int
    n: int
    spans: int
    ctas: int = 1
    occupancy: int = 1
    swapped: bool = False
    group: int = 8

    def name(self):
        words = f"{self.m} x {self.n} x {self.spans}"
        marks = [(self.ctas > 1, f"{self.ctas} CTAs"), (self.swapped, "swapped"), (self.occupancy > 1, "two per SM")]
        return ", ".join([words, *(text for there, text in marks if there)])


CONFIGS = (
    Config(128, 256, 1),
    Config(256, 128, 1),
    Config(128, 256, 1, ctas=2),
    Config(256, 256, 1, ctas=2),
    Config(128, 128, 1),
    Config(128, 128, 1, occupancy=2),
    Config(64, 256, 1),
    Config(64, 128, 1, occupancy=2),
    Config(64, 64, 2, occupancy=2),
    Config(16, 64, 2, occupancy=2, swapped=True),
    Config(16, 128, 2, swapped=True),
    Config(64, 64, 2, swapped=True),
)


@ct.kernel
def multiply(a, b, c, tm: Constant, tn: Constant, tk: Constant, group: Constant):
    ct.grid_dependency_control_wait()
    ct.grid_dependency_control_launch_dependents()
    rows = ct.cdiv(c.shape[0], tm)
    cols = ct.cdiv(c.shape[1], tn)
    for tile in range(ct.bid(0), rows * cols, ct.num_blocks(0)):
        first = tile // (group * cols) * group
        high = min(rows - first, group)
        row = first + tile % (group * cols) % high
        col = tile % (group * cols) // high
        sums = ct.zeros((tm, tn), ct.int32 if c.dtype == ct.int32 else ct.float32)
        for step in range(ct.cdiv(a.shape[1], tk)):
            left = ct.load(a, (row, step), (tm, tk), padding_mode=ct.PaddingMode.ZERO)
            right = ct.load(b, (step, col), (tk, tn), order="F", padding_mode=ct.PaddingMode.ZERO)
            sums = ct.mma(left, right, sums, use_fast_acc=a.dtype == ct.float8_e4m3fn)
        ct.store(c, (row, col), sums.astype(c.dtype))


@ct.kernel
def multiply_swapped(a, b, c, tm: Constant, tn: Constant, tk: Constant, group: Constant):
    ct.grid_dependency_control_wait()
    ct.grid_dependency_control_launch_dependents()
    rows = ct.cdiv(c.shape[0], tm)
    cols = ct.cdiv(c.shape[1], tn)
    for tile in range(ct.bid(0), rows * cols, ct.num_blocks(0)):
        row = tile % rows
        col = tile // rows
        sums = ct.zeros((tn, tm), ct.int32 if c.dtype == ct.int32 else ct.float32)
        for step in range(ct.cdiv(a.shape[1], tk)):
            left = ct.load(a, (step, row), (tk, tm), order="F", padding_mode=ct.PaddingMode.ZERO)
            right = ct.load(b, (col, step), (tn, tk), padding_mode=ct.PaddingMode.ZERO)
            sums = ct.mma(right, left, sums, use_fast_acc=a.dtype == ct.float8_e4m3fn)
        ct.store(c, (row, col), ct.transpose(sums.astype(c.dtype)))


def kernel_of(config):
    plain = multiply_swapped if config.swapped else multiply
    return plain.replace_hints(num_ctas=config.ctas, occupancy=config.occupancy)


def launch(config, kernel, one, stream, multiprocessors):
    """Queues C = A B^T. `stream` is PyTorch's."""
    (m, n), size = one.c.shape, one.a.element_size()
    tiles = -(-m // config.m) * -(-n // config.n)
    blocks = min(tiles, multiprocessors // config.ctas * config.occupancy)
    arguments = (one.a, one.b, one.c, config.m, config.n, config.spans * 128 // size, config.group)
    ct.launch(stream, (blocks, 1, 1), kernel, arguments, programmatic_dependent_launch=True)
