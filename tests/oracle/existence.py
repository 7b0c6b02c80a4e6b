"""Whether there is a layout for a function that is given by its values, and which: by trying the only one there can be.

A layout of one mode is f(i) = i f(1) until it is not; where it first is not, at i = s, a second mode has to begin, and s
has to divide the length. So the layout with the fewest modes is the only one with as few, and any other is it, split."""

import itertools

from notation import swizzled


def fewest_modes(values):
    """The (extent, stride) of the layout with the fewest modes for the values, or None if there is no layout."""
    if not values or values[0] != 0:
        return None
    modes, rest = [], list(values)
    while len(rest) > 1:
        step, extent = rest[1], 1
        while extent < len(rest) and rest[extent] == extent * step:
            extent += 1
        if len(rest) % extent:
            return None
        heads = rest[::extent]
        if any(rest[i] != heads[i // extent] + i % extent * step for i in range(len(rest))):
            return None
        modes.append((extent, step))
        rest = heads
    return modes


def refined(extents, values):
    """Whether some layout has the values and, under each leaf of so many elements, modes of its own."""
    step = 1
    parts = []
    for extent in extents:
        part = values[0:extent * step:step]
        if fewest_modes(part) is None:
            return False
        parts.append((extent, part))
        step *= extent
    for i, value in enumerate(values):
        total, rest = 0, i
        for extent, part in parts:
            total += part[rest % extent]
            rest //= extent
        if value != total:
            return False
    return True


def swizzled_refined(extents, values):
    """The same, of a layout behind an offset and a swizzle: by trying every swizzle that moves bits which the values have."""
    if min(values) < 0:
        return False
    width = max(values).bit_length()
    tried = [(0, 4, 3)]  # none; and from each place to each other, as far as both have bits
    for low, high in itertools.permutations(range(width), 2):
        tried += [(bits, min(low, high), high - low) for bits in range(1, min(abs(high - low), width - min(low, high)) + 1)]
    for swizzle in tried:
        there = [swizzled(*swizzle, value) for value in values]  # a swizzle is its own inverse
        if refined(extents, [value - there[0] for value in there]):
            return True
    return False


def passes_through(points):
    """Whether a layout has these values, {index: value}, and any at other indices; None if that cannot be told. The first
    mode is tried with every extent; its stride is what two points of one run of it say. Where no run has two, the stride is
    free: then 0 is tried, and what the points themselves suggest."""
    points = {i: v for i, v in points.items() if i}
    if not points:
        return True
    if len({(v, i) for i, v in points.items() if v * max(points) != points[max(points)] * i}) == 0 and all(
            v % i == 0 for i, v in points.items()):
        return True
    points[0], free = 0, False
    for extent in range(2, max(points) + 1):
        runs = {}
        for i, v in points.items():
            runs.setdefault(i // extent, []).append((i % extent, v))
        slopes = {(v - w, i - j) for run in runs.values() for i, v in run for j, w in run if i > j}
        steps = {rise // run for rise, run in slopes if rise % run == 0}
        if any(rise % run for rise, run in slopes) or len(steps) > 1:
            continue
        if not steps and any(run[0][0] for run in runs.values()):
            free = True
            steps = {0} | {v // i for run in runs.values() for i, v in run if i and v % i == 0}
        for step in steps or {0}:
            heads = {q: run[0][1] - step * run[0][0] for q, run in runs.items()}
            if passes_through(heads):
                return True
    return None if free else False


def tiling(image, limit):
    """The only set of places at which copies of `image` fill 0, 1, 2, ... without a gap or an overlap, as far as `limit`;
    None if there is none. Every hole, from the first one on, can only be filled by a copy that begins there."""
    image = sorted(set(image))
    if not image or image[0] != 0:
        return None
    filled, places = set(), []
    for hole in range(limit):
        if hole in filled:
            continue
        copy = {hole + x for x in image}
        if copy & filled:
            return None
        filled |= copy
        places.append(hole)
    return places
