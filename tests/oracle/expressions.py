"""Random expressions of the layout algebra: layouts, and operations on expressions that went before."""

import laws
from notation import Layout, text_of

LARGEST = 96  # elements of a layout that operations are tried on
LONGEST = 1200  # characters of an expression


class Expression:
    """A text, what it is made of, and how its value is judged: law(value, ...) and exists(...)."""

    def __init__(self, text, name, law, arguments, exists=None, kind="layout"):
        self.text, self.name, self.law, self.arguments = text, name, law, arguments
        self.exists, self.kind = exists, kind

    def judged(self, value):
        return self.law(value, *self.arguments) or None

    def could_be(self):
        return self.exists(*self.arguments) if self.exists else None


def random_tree(random, numbers, levels):
    """The numbers in random parentheses."""
    if len(numbers) == 1 and random.random() < 0.8:
        return numbers[0]
    if levels == 0 or len(numbers) < 3 or random.random() < 0.6:
        return tuple(numbers)
    cut = random.randrange(1, len(numbers))
    return tuple(random_tree(random, part, levels - 1) for part in (numbers[:cut], numbers[cut:]))


def like(tree, numbers):
    """The numbers in the parentheses of a tree."""
    return numbers.pop(0) if isinstance(tree, int) else tuple(like(part, numbers) for part in tree)


def random_extents(random):
    extents, size = [], 1
    for _ in range(random.choice((1, 2, 2, 3, 3, 4))):
        extent = random.choice((1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 8))
        if size * extent > LARGEST:
            extent = 1
        size *= extent
        extents.append(extent)
    return extents


def random_layout(random):
    extents = random_extents(random)
    kind = random.choice(("compact", "compact", "padded", "any", "any", "backward", "zero", "powers"))
    if kind == "powers":
        extents = [1 << random.randrange(3) for _ in extents]
    steps, step = [0] * len(extents), 1
    order = list(range(len(extents)))
    random.shuffle(order)
    for k in order:
        if kind == "padded":
            step = step * random.randint(1, 3) if random.random() < 0.5 else step + random.randint(0, 2)
        steps[k] = step
        step *= extents[k]
    if kind in ("any", "zero"):
        steps = [random.choice((0, 1, 1, 2, 3, 4, 5, 6, 8, 12, 16, 24)) for _ in extents]
    if kind == "zero":
        steps[random.randrange(len(steps))] = 0
    if kind == "backward":
        steps = [random.choice((-8, -4, -3, -2, -1, 0, 1, 2, 4)) for _ in extents]
    shape = random_tree(random, extents, 2)
    return Layout(shape, like(shape, list(steps)))


def random_swizzle(random):
    bits = random.randrange(0, 4)
    shift = max(bits, 1) + random.randrange(2)
    return bits, random.randrange(4), -shift if random.random() < 0.2 else shift


def random_swizzled(random):
    while True:
        inner = random_layout(random)
        offset = random.choice((0, 0, 0, 1, 4, 16))
        if min(inner.table) + offset >= 0:
            return Layout(inner.shape, inner.stride, random_swizzle(random), offset)


def divisor(random, n):
    return random.choice([d for d in range(1, n + 1) if n % d == 0])


def random_tile(random, size):
    """A layout that may pick a part of `size` elements."""
    steps, extents, step = [], [], 1
    for _ in range(random.choice((1, 1, 2))):
        step *= divisor(random, max(1, size // step)) if random.random() < 0.5 else 1
        extents.append(divisor(random, max(1, size // step)))
        steps.append(step)
        step *= extents[-1]
    if random.random() < 0.1:
        extents[0] += 1
    shape = extents[0] if len(extents) == 1 else tuple(extents)
    return Layout(shape, like(shape, list(steps)))


def wrapped(text):
    return f"({text})" if " o " in text else text


class Maker:
    """Makes expressions of those in `pool`, pairs (text, Layout)."""

    def __init__(self, random, pool):
        self.random, self.pool = random, pool
        self.ways = [getattr(self, name) for name in dir(self) if name.startswith("make_")]

    def any(self, accepts=lambda l: True):
        for _ in range(20):
            text, layout = self.random.choice(self.pool)
            if accepts(layout):
                return text, layout
        layout = random_layout(self.random)
        while not accepts(layout):
            layout = random_layout(self.random)
        return layout.text(), layout

    def plain(self):
        return self.any(lambda l: l.plain)

    def new(self):
        while True:
            made = self.random.choice(self.ways)()
            if made is not None and len(made.text) <= LONGEST:
                return made

    def make_coalesce(self):
        text, a = self.any()
        return Expression(f"coalesce({text})", "coalesce", laws.coalesce, (a,))

    def make_coalesce_by_mode(self):
        text, a = self.plain()
        if isinstance(a.shape, int):
            return None
        return Expression(f"coalesce({text}, {text_of((1,) * a.rank)})", "coalesce", laws.coalesce_by_mode, (a,))

    def make_filter(self):
        text, a = self.plain()
        name, law = self.random.choice((("filter", laws.filter_), ("filter_zeros", laws.filter_zeros)))
        return Expression(f"{name}({text})", name, law, (a,))

    def make_flatten(self):
        text, a = self.plain()
        return Expression(f"flatten({text})", "flatten", laws.flatten, (a,))

    def make_inverse(self):
        text, a = self.any()
        if a.plain and self.random.random() < 0.5:
            return Expression(f"left_inverse({text})", "left_inverse", laws.left_inverse, (a,), laws.left_inverse_exists)
        if a.offset:
            return None
        return Expression(f"right_inverse({text})", "right_inverse", laws.right_inverse, (a,))

    def make_complement(self):
        text, a = self.plain()
        target = self.random.choice((max(a.table) + 1, 24, 48, self.random.randint(1, 64)))
        return Expression(f"complement({text}, {target})", "complement", laws.complement, (a, target),
                          laws.complement_exists)

    def make_nullspace(self):
        text, a = self.plain()
        return Expression(f"nullspace({text})", "nullspace", laws.nullspace, (a,))

    def make_cast(self):
        text, a = self.plain()
        n = self.random.choice((2, 2, 3, 4, 8))
        if self.random.random() < 0.5:
            return Expression(f"upcast({text}, {n})", "upcast", laws.upcast, (a, n), laws.upcast_exists)
        return Expression(f"downcast({text}, {n})", "downcast", laws.downcast, (a, n), laws.downcast_exists)

    def make_like(self):
        text, a = self.plain()
        return Expression(f"make_layout_like({text})", "make_layout_like", laws.make_layout_like, (a,))

    def make_mode(self):
        text, a = self.plain()
        i = self.random.randrange(a.rank)
        return Expression(f"mode({text}, {i})", "mode", laws.modes_of, (a, i))

    def make_slice(self):
        text, a = self.any()
        if isinstance(a.shape, int):
            return None
        at = [self.random.choice((None, self.random.randrange(mode.size))) for mode in a.modes()]
        if all(x is None for x in at) or all(x is not None for x in at):
            return None
        coordinate = "(" + ",".join("_" if x is None else str(x) for x in at) + ")"
        return Expression(f"slice({coordinate}, {text})", "slice", laws.sliced, (a, at))

    def make_composition(self):
        text, a = self.any()
        if self.random.random() < 0.4:
            b = random_tile(self.random, a.size)
            other = b.text()
        else:
            other, b = self.any()
        if not a.plain and min(b.table) < 0:
            return None
        spelled = f"composition({text}, {other})" if self.random.random() < 0.5 else f"{wrapped(text)} o {wrapped(other)}"
        return Expression(spelled, "composition", laws.composition, (a, b), laws.composition_exists)

    def make_swizzled(self):
        text, a = self.plain()
        if min(a.table) < 0:
            return None
        swizzle = random_swizzle(self.random)
        whole = Layout(a.shape, a.stride, swizzle)
        return Expression("composition(Sw<%d,%d,%d>, %s)" % (*swizzle, text), "composition",
                          laws.whole, (whole,))

    def make_behind_swizzle(self):
        text, a = self.plain()
        swizzle = random_swizzle(self.random)
        moved = Layout(a.size, 1, swizzle)
        if max(moved.table) >= a.size:
            return None
        return Expression("composition(%s, Sw<%d,%d,%d>)" % (text, *swizzle), "composition",
                          laws.behind_swizzle, (a, moved), laws.behind_swizzle_exists)

    def make_divide(self):
        text, a = self.plain()
        tile = random_tile(self.random, a.size) if self.random.random() < 0.7 else random_layout(self.random)
        return Expression(f"logical_divide({text}, {tile.text()})", "logical_divide", laws.logical_divide, (a, tile),
                          laws.logical_divide_exists)

    def make_divide_by_modes(self):
        text, a = self.plain()
        if isinstance(a.shape, int):
            return None
        tiles = tuple(divisor(self.random, m.size) if self.random.random() < 0.9 else self.random.randint(1, m.size + 1)
                      for m in a.modes()[:self.random.randint(1, a.rank)])
        gather = self.random.choice(("zipped", "tiled", "flat"))
        return Expression(f"{gather}_divide({text}, {text_of(tiles)})", f"{gather}_divide", laws.divided_by_modes,
                          (a, tiles, gather), laws.divided_by_modes_exists)

    def make_product(self):
        text, a = self.plain()
        other, b = self.any(lambda l: l.plain and l.size <= 24)
        if a.size * b.size > 1500:
            return None
        return Expression(f"logical_product({text}, {other})", "logical_product", laws.logical_product, (a, b),
                          laws.logical_product_exists)

    def make_product_over_grid(self):
        text, a = self.plain()
        other, b = self.any(lambda l: l.plain and l.size <= 24)
        if a.size * b.size > 1500:
            return None
        name = self.random.choice(("blocked_product", "raked_product"))
        return Expression(f"{name}({text}, {other})", name, laws.product_over_grid, (a, b, name == "blocked_product"),
                          laws.product_over_grid_exists)

    def make_common(self):
        (text, a), (other, b) = self.plain(), self.plain()
        if self.random.random() < 0.5:
            return Expression(f"max_common_layout({text}, {other})", "max_common_layout", laws.max_common_layout, (a, b))
        return Expression(f"max_common_vector({text}, {other})", "max_common_vector", laws.max_common_vector, (a, b),
                          kind="number")

    def make_local_tile(self):
        text, a = self.any(lambda l: not isinstance(l.shape, int) and min(l.steps) >= 0)
        tiles = tuple(divisor(self.random, m.size) for m in a.modes())
        at = tuple(self.random.randrange(m.size // t) for m, t in zip(a.modes(), tiles))
        return Expression(f"local_tile({text}, {text_of(tiles)}, {text_of(at)})", "local_tile", laws.local_tile,
                          (a, tiles, at), laws.local_tile_exists)

    def make_local_partition(self):
        text, a = self.any(lambda l: not isinstance(l.shape, int) and min(l.steps) >= 0)
        extents = tuple(divisor(self.random, m.size) for m in a.modes())
        order, steps, step = list(range(a.rank)), [0] * a.rank, 1
        self.random.shuffle(order)
        for k in order:
            steps[k] = step
            step *= extents[k]
        place = tuple(self.random.randrange(extent) for extent in extents)
        thread = sum(at * d for at, d in zip(place, steps))
        return Expression(f"local_partition({text}, {text_of(extents)}:{text_of(tuple(steps))}, {thread})",
                          "local_partition", laws.local_partition, (a, extents, place), laws.local_partition_exists)

    def make_tile_to_shape(self):
        text, a = self.any(lambda l: l.plain and l.size <= 24)
        times = tuple(self.random.randint(1, 3) for _ in a.modes())
        steps, step = [], 1
        for n in times:
            steps.append(step)
            step *= n
        target = tuple(n * m.size for n, m in zip(times, a.modes()))
        return Expression(f"tile_to_shape({text}, {text_of(target)})", "tile_to_shape", laws.product_over_grid,
                          (a, Layout(times, tuple(steps)), True), laws.product_over_grid_exists)

    def make_question(self):
        text, a = self.plain()
        name = self.random.choice(("is_injective", "is_surjective", "is_bijective", "max_alignment", "cosize"))
        if name == "cosize" and self.random.random() < 0.5:
            text, a = self.any()
        kind = "number" if name in ("max_alignment", "cosize") else "truth"
        return Expression(f"{name}({text})", name, getattr(laws, name), (a,), kind=kind)

    def make_comparison(self):
        (text, a), (other, b) = self.any(), self.any()
        name = self.random.choice(("same_function", "first_difference", "compatible"))
        if a.size != b.size and name == "first_difference":
            return None
        law = laws.compatible_ if name == "compatible" else getattr(laws, name)
        return Expression(f"{name}({text}, {other})", name, law, (a, b), kind="number" if name == "first_difference" else "truth")
