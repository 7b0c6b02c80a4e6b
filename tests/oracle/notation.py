"""Layouts as their definition has them: a shape, strides of the same parentheses, and the offset of every index, by
multiplying and adding. Nothing here knows a law of the algebra."""

import re
from functools import cached_property

TOKEN = re.compile(r"\s*([(),:_]|-?\d+|Sw<-?\d+,-?\d+,-?\d+>|o)")


def leaves(tree):
    """The numbers of a tree, from left to right."""
    if isinstance(tree, int):
        return [tree]
    return [number for part in tree for number in leaves(part)]


def congruent(a, b):
    if isinstance(a, int) or isinstance(b, int):
        return isinstance(a, int) and isinstance(b, int)
    return len(a) == len(b) and all(congruent(x, y) for x, y in zip(a, b))


def product(tree):
    result = 1
    for number in leaves(tree):
        result *= number
    return result


def compatible(a, b):
    """Every coordinate of shape a is one of shape b: wherever a has a number, b's part there has that many elements."""
    if isinstance(a, int):
        return a == product(b)
    return not isinstance(b, int) and len(a) == len(b) and all(compatible(x, y) for x, y in zip(a, b))


def text_of(tree):
    return str(tree) if isinstance(tree, int) else "(" + ",".join(map(text_of, tree)) + ")"


def swizzled(bits, base, shift, x):
    """The field of `bits` bits at the upper place, XORed into the one at the lower place, or the other way round."""
    mask = (1 << bits) - 1
    if shift >= 0:
        return x ^ ((x >> (base + shift) & mask) << base)
    return x ^ ((x >> base & mask) << (base - shift))


class Layout:
    def __init__(self, shape, stride, swizzle=None, offset=0):
        if swizzle is not None and swizzle[0] == 0:
            swizzle = None
        self.shape, self.stride, self.swizzle, self.offset = shape, stride, swizzle, offset
        self.extents, self.steps = leaves(shape), leaves(stride)
        self.size = product(shape)

    @property
    def plain(self):
        return self.swizzle is None and self.offset == 0

    @property
    def rank(self):
        return 1 if isinstance(self.shape, int) else len(self.shape)

    def modes(self):
        """The modes as layouts, without the swizzle."""
        if isinstance(self.shape, int):
            return [Layout(self.shape, self.stride)]
        return [Layout(s, d) for s, d in zip(self.shape, self.stride)]

    def at(self, index):
        """The offset of an index; beyond the end the last leaf goes on, and a negative index is the mirror of its
        opposite."""
        if index < 0:
            return -self.at(-index)
        offset = self.offset
        for extent, step in zip(self.extents[:-1], self.steps[:-1]):
            offset += index % extent * step
            index //= extent
        if self.steps:
            offset += index * self.steps[-1]
        return offset if self.swizzle is None else swizzled(*self.swizzle, offset)

    @cached_property
    def table(self):
        return [self.at(i) for i in range(self.size)]

    def text(self):
        inner = text_of(self.shape) + ":" + text_of(self.stride)
        if self.plain:
            return inner
        return "Sw<%d,%d,%d> o %d o %s" % (*(self.swizzle or (0, 4, 3)), self.offset, inner)


def parse(text):
    """A layout as it is printed; None if the text is something else."""
    tokens, position = [], 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if not match:
            return None
        tokens.append(match[1])
        position = match.end()

    def tree():
        if tokens[0] != "(":
            return int(tokens.pop(0))
        tokens.pop(0)
        parts = []
        while tokens[0] != ")":
            parts.append(tree())
            if tokens[0] == ",":
                tokens.pop(0)
        tokens.pop(0)
        return tuple(parts)

    swizzle, offset = None, 0
    if tokens[0].startswith("Sw"):
        swizzle = tuple(map(int, re.findall(r"-?\d+", tokens.pop(0))))
        tokens.pop(0)
        if len(tokens) > 1 and tokens[1] == "o":
            offset = int(tokens.pop(0))
            tokens.pop(0)
    try:
        shape = tree()
        if tokens.pop(0) != ":":
            return None
        stride = tree()
    except (IndexError, ValueError):
        return None
    if tokens or not congruent(shape, stride):
        return None
    return Layout(shape, stride, swizzle, offset)
