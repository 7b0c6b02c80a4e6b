"""What each operation promises, checked by brute force on the values of layouts. A law is a function of the arguments and
the result that returns what is wrong, or None. What `exists` has for an operation says whether a refused result exists."""

from existence import fewest_modes, passes_through, refined, swizzled_refined, tiling
from notation import Layout, compatible, leaves, product


def same(found, expected, what="values"):
    if list(found) != list(expected):
        first = next((i for i, (x, y) in enumerate(zip(found, expected)) if x != y), min(len(found), len(expected)))
        return f"{what} differ at {first}"
    return None


def first_of(*complaints):
    return next((c for c in complaints if c), None)


def flat(r):
    return isinstance(r.shape, int) or all(isinstance(s, int) for s in r.shape)


def leaf_pairs(r):
    return list(zip(r.extents, r.steps))


# ---- one layout


def coalesce(r, a):
    modes = fewest_modes(a.table) if a.plain else fewest_modes(Layout(a.shape, a.stride).table)
    return first_of(same(r.table, a.table), not flat(r) and "not flat",
                    leaf_pairs(r) != (modes or [(1, 0)]) and f"fewest modes are {modes}")


def coalesce_by_mode(r, a):
    if r.rank != a.rank:
        return "another rank"
    return first_of(*(coalesce(x, y) for x, y in zip(r.modes(), a.modes())))


def filter_(r, a):
    return first_of(set(r.table) != set(a.table) and "another set of offsets",
                    any(d == 0 and s > 1 for s, d in leaf_pairs(r)) and "a stride 0 is left")


def filter_zeros(r, a):
    return None if leaf_pairs(r) == [(1 if d == 0 else s, d) for s, d in leaf_pairs(a)] else "other leaves"


def flatten(r, a):
    return first_of(same(r.table, a.table), not flat(r) and "not flat", leaf_pairs(r) != leaf_pairs(a) and "leaves")


def whole(r, expected):
    """The very shape and values."""
    return first_of(r.shape != expected.shape and "another shape", same(r.table, expected.table))


def right_inverse(r, a):
    wrong = next((i for i in range(r.size) if not 0 <= r.at(i) < a.size or a.at(r.at(i)) != i), None)
    if wrong is not None:
        return f"A(R({wrong})) is not {wrong}"
    if not a.plain or len(set(a.table)) != a.size or min(a.steps) < 0:
        return None
    index = {offset: i for i, offset in enumerate(a.table)}
    values = []
    while len(values) in index:
        values.append(index[len(values)])
    longer = next((n for n in range(len(values), r.size, -1) if fewest_modes(values[:n]) is not None), None)
    return longer and f"there is one of {longer} elements"


def left_inverse(r, a):
    if len(set(a.table)) == a.size:
        wrong = next((i for i in range(a.size) if r.at(a.at(i)) != i), None)
        return wrong is not None and f"R(A({wrong})) is not {wrong}" or None
    wrong = next((i for i in range(a.size) if a.at(r.at(a.at(i))) != a.at(i)), None)
    return wrong is not None and f"A(R(A({wrong}))) is not A({wrong})" or None


def strides_divide(a):
    """Each stride, from the smallest on, is a multiple of what the modes before it span; else gaps remain."""
    span = 1
    for step, extent in sorted((d, s) for s, d in leaf_pairs(a) if d != 0 and s > 1):
        if step % span:
            return False
        span = step * extent
    return True


def complement(r, a, target):
    image = set(a.table)
    reached = set()
    for place in r.table:
        copy = {place + x for x in image}
        if copy & reached:
            return f"the copy at {place} overlaps"
        reached |= copy
    if r.table != sorted(r.table):
        return "not increasing"
    places = tiling(a.table, target)
    if places is None or not strides_divide(a):
        return None
    # Copies that begin behind the target are there where A's own gaps go on behind it.
    needed = [place for place in r.table if place < target]
    last = r.size // r.extents[-1] * (r.extents[-1] - 1)
    too_many = max(a.table) < target and r.size > 1 and set(places) <= set(r.table[:last])
    return first_of(same(needed, places, "places"), too_many and "a repetition too many")


def nullspace(r, a):
    zeros = product([s for s, d in leaf_pairs(a) if d == 0])
    return first_of(any(a.at(i) for i in r.table) and "not to 0", r.size != zeros and "another size",
                    len(set(r.table)) != r.size and "an index twice")


def upcast(r, a, n):
    return None if set(r.table) == {abs(x) // n * (1 if x > 0 else -1) for x in a.table} else "other units"


def downcast(r, a, n):
    """The parts go on from the one contiguous mode, or from one of extent 1, of which there may be both signs."""
    signs = {d for s, d in leaf_pairs(a) if abs(d) == 1 and s > 1} or {d for d in a.steps if abs(d) == 1}
    expected = [{n * x + sign * j for x in a.table for j in range(n)} for sign in signs]
    return None if set(r.table) in expected else "other parts"


def make_layout_like(r, a):
    moving = [(d, s, e) for (s, d), e in zip(leaf_pairs(a), r.steps) if d != 0 and s > 1]
    order = [(abs(d), k) for k, (d, _, _) in enumerate(moving)]
    expected, step = [0] * len(moving), 1
    for _, k in sorted(order):
        expected[k] = step
        step *= moving[k][1]
    return first_of(r.shape != a.shape and "another shape", [e for _, _, e in moving] != expected and "order")


def modes_of(r, a, i):
    return same(r.table, a.modes()[i].table)


def sliced(r, a, coordinate):
    """Everything that the coordinate leaves open, in order. What stands behind a swizzle or an offset, be it one that does
    nothing, begins where it began; a layout that never had one begins at 0. How a value is written does not tell which."""
    fixed, open_values = 0, [0]
    for mode, at in zip(a.modes(), coordinate):
        if at is None:
            open_values = [x + y for y in mode.table for x in open_values]
        else:
            fixed += mode.at(at)
    there = [Layout(1, 0, a.swizzle, a.offset + fixed + v).at(0) for v in open_values]
    return None if r.table == there or a.plain and r.table == open_values else "other values"


# ---- two layouts


def composition(r, a, b):
    return first_of(not compatible(b.shape, r.shape) and "another shape", same(r.table, [a.at(x) for x in b.table]))


def behind_swizzle(r, a, moved):
    return first_of(r.shape != a.shape and "another shape", same(r.table, [a.at(i) for i in moved.table]))


def divided_mode(a, tile):
    """(inside, among) -> offset of a divided by a tile, as a list of lists by `among`; None if no tiling tells."""
    places = tiling(tile.table, a.size)
    if places is None or not strides_divide(tile):
        return None
    return [[a.at(x + place) for x in tile.table] for place in places]


def logical_divide(r, a, tile):
    if r.rank != 2:
        return "not two modes"
    inside, among = r.modes()
    expected = divided_mode(a, tile)
    if not a.plain:
        return None
    return first_of(same(inside.table, [a.at(x) for x in tile.table], "values of the tile"),
                    not compatible(tile.shape, inside.shape) and "another shape of the tile",
                    not set(a.table) <= set(r.table) and "elements are left out",
                    expected and divided_alike(r, [x for part in expected for x in part], tile, a))


def divided_alike(r, expected, tile, a):
    """The tiles that begin in A, in order. Where they do not come out even, tiles that begin behind A may follow."""
    beyond = max(tile.table) >= a.size or len(expected) != a.size
    return same(r.table[:len(expected)] if beyond else r.table, expected)


def divided_by_modes(r, a, tiles, gather):
    """tiles: extents by mode, which cut each mode into runs. R is gathered by `gather`."""
    inside, among = [0], [0]
    for mode, extent in zip(a.modes(), tiles):
        inside = [x + mode.at(i) for i in range(extent) for x in inside]
        among = [x + mode.at(j * extent) for j in range(-(-mode.size // extent)) for x in among]
    for mode in a.modes()[len(tiles):]:
        among = [x + y for y in mode.table for x in among]
    ranks = {"zipped": 2, "tiled": 1 + a.rank, "flat": a.rank + len(tiles)}
    return first_of(r.rank != ranks[gather] and "another rank", same(r.table, [x + y for y in among for x in inside]))


def places_of_product(a, b):
    """complement(A) o B by the only tiling, or None."""
    if not b.table or min(b.table) < 0:
        return None
    limit = (max(b.table) + 1) * max(1, len(set(a.table))) * 8
    if limit > 20000:
        return None
    places = tiling(a.table, limit) if strides_divide(a) else None
    if places is None or len(places) <= max(b.table):
        return None
    return [places[x] for x in b.table]


def logical_product(r, a, b):
    if r.rank != 2:
        return "not two modes"
    block, times = r.modes()
    places = places_of_product(a, b)
    return first_of(same(block.table, a.table, "values of the block"),
                    not compatible(b.shape, times.shape) and "another shape of the repetitions",
                    overlaps(a, times, b), places and same(times.table, places, "places"))


def overlaps(a, times, b):
    """Copies at different places share no offset."""
    reached = {}
    for place in set(times.table):
        for x in set(a.table):
            if x + place in reached:
                return f"copies at {place} and {reached[x + place]} overlap"
            reached[x + place] = place
    return None


def product_over_grid(r, a, b, block_first):
    rank = max(a.rank, b.rank)
    if r.rank != rank:
        return "another rank"
    blocks, grids = a.modes(), b.modes()
    blocks += [Layout(1, 0)] * (rank - len(blocks))
    grids += [Layout(1, 0)] * (rank - len(grids))
    block_values, place_values = [0], [0]
    for mode, block, grid in zip(r.modes(), blocks, grids):
        parts = mode.modes()
        if len(parts) != 2:
            return "a mode is not a pair"
        of_block, of_grid = parts if block_first else parts[::-1]
        if of_block.size != block.size or of_grid.size != grid.size:
            return "another size of a mode"
        block_values = [x + y for y in of_block.table for x in block_values]
        place_values = [x + y for y in of_grid.table for x in place_values]
    places = places_of_product(a, b)
    return first_of(same(block_values, a.table, "values of the block"), places and same(place_values, places, "places"))


def max_common_layout(r, a, b):
    return next((f"not {i} in both" for i, x in enumerate(r.table)
                 if not (x < a.size and x < b.size) or a.at(x) != i or b.at(x) != i), None)


def max_common_vector(n, a, b):
    contiguous = 0
    for x in (a, b):
        if len(set(x.table)) != x.size or min(x.steps) < 0:
            return None
    where_a, where_b = ({o: i for i, o in enumerate(x.table)} for x in (a, b))
    while contiguous in where_a and where_a[contiguous] == where_b.get(contiguous):
        contiguous += 1
    values = [where_a[i] for i in range(contiguous)]
    longest = next((n for n in range(contiguous, 0, -1) if fewest_modes(values[:n]) is not None), 1)
    return None if n == longest else f"{contiguous} are common, the first {longest} are a layout"


def local_tile(r, a, tiles, coordinate):
    values = [0]
    for mode, extent, at in zip(a.modes(), tiles, coordinate):
        values = [x + mode.at(at * extent + i) for i in range(extent) for x in values]
    whole = [Layout(1, 0, a.swizzle, a.offset + v).at(0) for v in values]
    return same(r.table, whole)


def local_partition(r, a, extents, place):
    values = [0]
    for mode, extent, at in zip(a.modes(), extents, place):
        values = [x + mode.at(at + j * extent) for j in range(mode.size // extent) for x in values]
    return same(r.table, [Layout(1, 0, a.swizzle, a.offset + v).at(0) for v in values])


# ---- questions


def is_injective(answer, a):
    return answer != (len(set(a.table)) == a.size) and "wrong" or None


def is_surjective(answer, a):
    return answer != (sorted(set(a.table)) == list(range(max(a.table) + 1))) and "wrong" or None


def is_bijective(answer, a):
    return answer != (sorted(a.table) == list(range(a.size))) and "wrong" or None


def same_function(answer, a, b):
    return answer != (a.table == b.table) and "wrong" or None


def first_difference(answer, a, b):
    expected = next((i for i, (x, y) in enumerate(zip(a.table, b.table)) if x != y), a.size)
    return answer != expected and f"it is {expected}" or None


def cosize(answer, a):
    reach = max(a.table) + 1 if not a.plain else max(a.table) - min(a.table) + 1
    return answer != reach and f"it is {reach}" or None


def compatible_(answer, a, b):
    return answer != compatible(a.shape, b.shape) and "wrong" or None


def max_alignment(answer, a):
    if len(set(a.table)) != a.size or min(a.steps) < 0:
        return None
    image = set(a.table)
    whole = [n for n in range(1, a.size + 1)
             if a.size % n == 0 and all(x // n * n + j in image for x in image for j in range(n))]
    return answer != max(whole) and f"it is {max(whole)}" or None


# ---- whether what is refused exists. None: not judged.


def composition_exists(a, b):
    """Behind its last index a layout goes on, but not for a B with a swizzle or an offset."""
    if not b.plain and max(b.table) >= a.size:
        return False
    return (refined if a.plain and b.plain else swizzled_refined)(leaves(b.shape), [a.at(x) for x in b.table])


def behind_swizzle_exists(a, moved):
    return swizzled_refined(leaves(a.shape), [a.at(i) for i in moved.table])


def moves_once(a):
    """Different coordinates of the modes that move have different offsets; without it no copies are all apart."""
    return len(set(a.table)) == product([s for s, d in leaf_pairs(a) if d != 0])


def complement_exists(a, target):
    if target < 1 or not moves_once(a) or min(a.steps) < 0:
        return False
    places = tiling(a.table, target)
    return places is not None and fewest_modes(places) is not None


def left_inverse_exists(a):
    """Of an A whose offsets differ: what R is at these is given, what it is between them is free."""
    if not a.plain or min(a.steps) < 0 or len(set(a.table)) != a.size:
        return None
    return passes_through({offset: i for i, offset in enumerate(a.table)})


def upcast_exists(a, n):
    """Judged where A's offsets are whole units of n, each once: then the units have to come in the order of a layout."""
    if not a.plain or min(a.steps) < 0 or len(set(a.table)) != a.size:
        return None
    image = set(a.table)
    if any(x // n * n + j not in image for x in image for j in range(n)):
        return None
    return fewest_modes(list(dict.fromkeys(x // n for x in a.table))) is not None


def logical_divide_exists(a, tile):
    parts = divided_mode(a, tile) if a.plain and moves_once(tile) else None
    if parts is None:
        return None
    return (refined(leaves(tile.shape), parts[0]) and
            refined(leaves(tile.shape) + [len(parts)], [x for part in parts for x in part]))


def divided_by_modes_exists(a, tiles, _):
    """Mode by mode as (inside, among); where tiles do not come out even, the last goes on behind A."""
    return all(refined([extent, -(-mode.size // extent)], [mode.at(i) for i in range(-(-mode.size // extent) * extent)])
               for mode, extent in zip(a.modes(), tiles))


def logical_product_exists(a, b):
    if not moves_once(a) or min(a.steps) < 0:
        return False  # as of a complement
    places = places_of_product(a, b)
    return None if places is None else refined(leaves(b.shape), places)


def product_over_grid_exists(a, b, _):
    return logical_product_exists(a, b)


def downcast_exists(a, n):
    """The parts go on from the one contiguous mode, which there has to be."""
    contiguous = [s for s, d in leaf_pairs(a) if abs(d) == 1]
    return None if contiguous and sum(s > 1 for s in contiguous) <= 1 else False


def local_tile_exists(a, tiles, coordinate):
    """Of its own: a tile of something that no layout divides may be a layout."""
    if a.swizzle is not None:
        return None
    return all(refined([extent], [mode.at(at * extent + i) - mode.at(at * extent) for i in range(extent)])
               for mode, extent, at in zip(a.modes(), tiles, coordinate))


def local_partition_exists(a, extents, place):
    if a.swizzle is not None:
        return None
    return all(refined([mode.size // extent], [mode.at(at + j * extent) - mode.at(at)
                                               for j in range(mode.size // extent)])
               for mode, extent, at in zip(a.modes(), extents, place))
