"""Operands in device memory, the same for all contestants, and what their products should be."""

import dataclasses

import torch

ENOUGH_BYTES = 160e6  # of sets together: well over the L2 cache of 50 MiB, so that a call finds it cold
CHECKED_ROWS = 96


@dataclasses.dataclass
class Set:
    a: torch.Tensor
    b: torch.Tensor
    c: torch.Tensor


def drawn(kind, rows, cols, generator):
    """Standard-normal elements; integers are 32 times that."""
    x = torch.randn(rows, cols, device="cuda", generator=generator)
    if kind.name == "s8":
        return (32 * x).round_().clamp_(-128, 127).to(torch.int8)
    return x.to(torch.float8_e4m3fn if kind.name == "e4m3" else torch.bfloat16)


def pruned(x):
    """The two largest of four neighbours, and zeros."""
    groups = x.view(x.shape[0], -1, 4)
    smallest = groups.float().abs().topk(2, dim=-1, largest=False).indices
    return groups.scatter(-1, smallest, 0).view_as(x)


def make_sets(problem):
    generator = torch.Generator(device="cuda").manual_seed(1)
    kind = problem.kind
    sets = []
    for _ in range(1 + int(ENOUGH_BYTES / problem.bytes)):
        a = drawn(kind, problem.m, problem.k, generator)
        b = drawn(kind, problem.n, problem.k, generator)
        c = torch.empty(problem.m, problem.n, device="cuda", dtype=torch.int32 if kind.name == "s8" else torch.bfloat16)
        sets.append(Set(pruned(a) if kind.sparse else a, b, c))
    torch.cuda.synchronize()
    return sets


def poison(sets):
    """What stays unwritten cannot pass for a result: NaN, of integers -1."""
    for one in sets:
        one.c.view(torch.uint8).fill_(0xFF)


def relative(x, reference):
    """|x - reference| / |reference| in Euclidean norms; NaN where x holds one."""
    difference = (x.double() - reference.double()).norm()
    return (difference / reference.double().norm()).item()


def checked_rows(problem):
    """Rows of all parts of C, the last one always."""
    step = max(1, problem.m // CHECKED_ROWS)
    rows = list(range(step // 2, problem.m, step))[:CHECKED_ROWS]
    return torch.tensor(sorted({*rows, problem.m - 1}), device="cuda")


class Exact:
    """Some rows of the first and the last set's products, in float64."""

    def __init__(self, problem, sets):
        self._rows = checked_rows(problem)
        # (8-bit floats cannot be indexed)
        self._products = {i: sets[i].a.double()[self._rows] @ sets[i].b.double().T for i in {0, len(sets) - 1}}

    def error(self, i, one):
        """How far the i-th set's C is from them."""
        return relative(one.c[self._rows], self._products[i])


def difference(x, y):
    """|x - y| / |y|, by parts, as 8192 x 8192 elements are many in float64."""
    squares = [torch.zeros((), dtype=torch.float64, device="cuda") for _ in range(2)]
    for part, reference in zip(x.split(1024), y.split(1024)):
        squares[0] += (part.double() - reference.double()).square().sum()
        squares[1] += reference.double().square().sum()
    return (squares[0] / squares[1]).sqrt().item()
