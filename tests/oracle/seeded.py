"""Whether the oracle sees mistakes: it is asked again with answers that are wrong in one place, each in a way that an
implementation of the algebra might be, and must say so of every operation, and nearly always.

    python3 tests/oracle/seeded.py --tool build/sectile [--expressions 12000]"""

import argparse
import random
import sys

import oracle
from notation import Layout, parse

LEAST_NOTICED = 0.85


def another_stride(layout, chance):
    k = chance.randrange(len(layout.steps))
    steps = list(layout.steps)
    steps[k] += 1
    return rebuilt(layout, layout.extents, steps)


def another_extent(layout, chance):
    k = chance.randrange(len(layout.extents))
    extents = list(layout.extents)
    extents[k] += 1
    return rebuilt(layout, extents, layout.steps)


def modes_exchanged(layout, _):
    return None if len(layout.steps) < 2 else rebuilt(layout, layout.extents, layout.steps[::-1])


def rebuilt(layout, extents, steps):
    def again(tree, numbers):
        return numbers.pop(0) if isinstance(tree, int) else tuple(again(part, numbers) for part in tree)

    return Layout(again(layout.shape, list(extents)), again(layout.shape, list(steps)), layout.swizzle, layout.offset)


def damage(answer, chance):
    """The answer with one thing wrong, and what; the answer itself where nothing can be."""
    if answer in ("true", "false"):
        return ("false" if answer == "true" else "true"), "truth"
    if answer.lstrip("-").isdigit():
        return str(int(answer) + 1), "number"
    layout = parse(answer)
    change = chance.choice((another_stride, another_extent, modes_exchanged))
    changed = change(layout, chance) if layout else None
    if changed is None or changed.size > 10_000 or changed.table == layout.table and changed.shape == layout.shape:
        return answer, None
    return changed.text(), change.__name__


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--tool", required=True)
    options.add_argument("--expressions", type=int, default=12_000)
    chosen = options.parse_args()
    chance, tally = random.Random(7), oracle.Tally()
    tried, seen = {}, {}

    def take(expression, answer, pool, true_take=tally.take):
        true_take(expression, answer, pool)
        if answer.startswith("no: ") or chance.random() < 0.7:
            return
        wrong, what = damage(answer, chance)
        if what is None:
            return
        value = oracle.value_of(expression.kind, wrong)
        sort = (expression.name, what)
        tried[sort] = tried.get(sort, 0) + 1
        seen[sort] = seen.get(sort, 0) + bool(expression.judged(value))

    tally.take = take
    oracle.group([chosen.tool], "seeded", 0, tally, min(6000, chosen.expressions))
    operations = {name for name, _ in tried}
    missed = [name for name in sorted(operations) if not any(n for (of, _), n in seen.items() if of == name)]
    share = sum(seen.values()) / sum(tried.values())
    print(f"{sum(tried.values())} answers made wrong, {sum(seen.values())} noticed, of {len(tried)} sorts")
    for (name, what), n in sorted(tried.items()):
        print(f"  {name:20} {what:16} {n:5} {seen[name, what]:5}")
    for name in missed:
        print(f"never noticed: {name}")
    # Not all of them are wrong: a longer inverse, say, may keep its law.
    return 1 if missed or share < LEAST_NOTICED or len(operations) < 25 or tally.broken else 0


if __name__ == "__main__":
    sys.exit(main())
