"""What is multiplied: C = A B^T, all row-major and packed, A of M x K, B of N x K."""

import dataclasses
import math
import random

SQUARES = (1024, 2048, 4096, 8192)
LAYER_ROWS = (16, 256, 4096)
LAYERS = ((14336, 4096), (4096, 14336))  # N and K: up and down in a language model
RANDOM_SHAPES, RANDOM_SEED = 6, 14


class Unasked(ValueError):
    """An argument that makes no sense, in a sentence."""


@dataclasses.dataclass(frozen=True)
class Kind:
    """Types of a product, in the order of product_type (product.hpp)."""

    name: str
    number: int
    operand_bytes: int
    out_bytes: int
    bar: float  # the largest relative error that is right: 0 of integers, else what rounding the sums leaves
    sparse: bool = False

    def multiples(self):
        """What M, N and K are multiples of, so that packed rows begin at 16 bytes and metadata are whole."""
        return (32, 32, 128) if self.sparse else (1, 16, 16)


KINDS = {
    kind.name: kind
    for kind in (
        Kind("bf16", 0, 2, 2, 3e-3),
        Kind("e4m3", 1, 1, 2, 2e-2),  # 13 bits of each addend reach a sum
        Kind("s8", 2, 1, 4, 0.0),
        Kind("sparse bf16", 3, 2, 2, 3e-3, sparse=True),
    )
}


@dataclasses.dataclass(frozen=True)
class Problem:
    kind: Kind
    m: int
    n: int
    k: int
    family: str = "asked for"  # of shapes

    @property
    def shape(self):
        return f"{self.m}x{self.n}x{self.k}"

    @property
    def name(self):
        return f"{self.kind.name} {self.shape}"

    @property
    def flops(self):
        """Of a sparse product those of the dense one."""
        return 2.0 * self.m * self.n * self.k

    @property
    def bytes(self):
        """What must be read and written at least; of a sparse A half the values and two bits for each."""
        a = self.m * self.k * self.kind.operand_bytes
        if self.kind.sparse:
            a = a / 2 + self.m * self.k / 8
        return a + self.n * self.k * self.kind.operand_bytes + self.m * self.n * self.kind.out_bytes


def rounded_up(x, multiple):
    return -(-x // multiple) * multiple


def random_shapes(count=RANDOM_SHAPES, seed=RANDOM_SEED):
    """M log-uniform, N and K uniform, the same for everybody."""
    draw = random.Random(seed).random
    shapes = []
    for _ in range(count):
        m = round(math.exp(math.log(64) + draw() * math.log(8192 / 64)))
        n, k = (rounded_up(256 + int(draw() * 12000), 16) for _ in range(2))
        shapes.append((m, n, k))
    return shapes


def usual_shapes():
    """(family, M, N, K)"""
    squares = [("square", n, n, n) for n in SQUARES]
    layers = [("layer", m, n, k) for n, k in LAYERS for m in LAYER_ROWS]
    return squares + layers + [("random", *shape) for shape in random_shapes()]


def usual_problems(kinds):
    """Random shapes of a sparse A are rounded up to what it takes."""
    return [
        Problem(kind, *(rounded_up(x, step) for x, step in zip(shape, kind.multiples())), family)
        for kind in kinds
        for family, *shape in usual_shapes()
    ]


def read_kinds(text):
    kinds = []
    for name in text.split(","):
        if name.strip() not in KINDS:
            raise Unasked(f"'{name.strip()}' is no type of products here; there are {', '.join(KINDS)}")
        kinds.append(KINDS[name.strip()])
    return kinds


def read_shapes(text):
    """(M, N, K) from "MxNxK,..."."""
    shapes = []
    for item in text.split(","):
        try:
            shape = tuple(int(x) for x in item.split("x"))
        except ValueError:
            shape = ()
        if len(shape) != 3 or min(shape) < 1:
            raise Unasked(f"'{item}' is not a shape; write MxNxK, as in 4096x4096x1024")
        shapes.append(shape)
    return shapes


def problems_of(kinds, shapes):
    """Those shapes in each type. Throws where one cannot be packed."""
    for kind in kinds:
        for shape in shapes:
            if any(x % step for x, step in zip(shape, kind.multiples())):
                steps = ", ".join(map(str, kind.multiples()))
                raise Unasked(f"{'x'.join(map(str, shape))}: M, N and K of {kind.name} are multiples of {steps}")
    return [Problem(kind, *shape) for kind in kinds for shape in shapes]
