"""Operations that exist by a theorem, and must not be refused. Layouts are *tractable* if each stride that is not 0 is a
multiple of what the mode of the next smaller stride spans: the morphisms of a category (Carlisle, Shah, VanKoughnett and
Stern, "Categorical Foundations for CuTe Layouts", arXiv 2601.05972), in which

  - B in front of A composes if the extents of A and the modes of B, gaps included, have a mutual refinement: if where
    either has a boundary is a chain in which each number divides the next. A need not be tractable;
  - a tractable layout that is injective has a complement, and so a quotient and products; and a left inverse.

    python3 tests/oracle/tractable.py --tool build/sectile [--expressions 12000] [--seed 1]

Chains are drawn, and layouts whose boundaries lie on them. What is not refused is judged by the laws of the oracle."""

import argparse
import random
import sys

import oracle
from expressions import Expression, LARGEST, like, random_tree
from laws import complement, composition, left_inverse, logical_divide, logical_product
from notation import Layout


def is_tractable(layout):
    """By the definition, of the layout's leaves."""
    span = 1
    for step, extent in sorted((d, s) for s, d in zip(layout.extents, layout.steps) if s > 1 and d != 0):
        if step < 0 or step % span:
            return False
        span = step * extent
    return True


def chain(chance, longest):
    numbers = [1]
    while len(numbers) < 6:
        following = numbers[-1] * chance.choice((2, 2, 2, 3, 3, 4, 5))
        if following > longest:
            break
        numbers.append(following)
    return numbers


def shaped(chance, modes):
    """The (extent, stride) in random parentheses."""
    shape = random_tree(chance, [extent for extent, _ in modes], 2)
    return Layout(shape, like(shape, [step for _, step in modes]))


def intervals(chance, numbers):
    """Parts of a chain that do not overlap, and gaps between them, each a mode; in any order."""
    cuts = sorted(chance.sample(range(len(numbers)), chance.randint(2, len(numbers))))
    modes = [(numbers[end] // numbers[begin], numbers[begin]) for begin, end in zip(cuts, cuts[1:])]
    kept = [mode for mode in modes if chance.random() < 0.7] or modes[:1]
    chance.shuffle(kept)
    return kept


def injective(chance, numbers):
    return shaped(chance, intervals(chance, numbers))


def tractable(chance, numbers):
    """The same, with modes of stride 0 and of extent 1 among them."""
    modes = intervals(chance, numbers)
    for _ in range(chance.choice((0, 0, 1, 2))):
        modes.insert(chance.randint(0, len(modes)), (chance.choice((1, 2, 3)), 0))
    return shaped(chance, modes)


def cut(chance, numbers):
    """All of a chain: extents whose boundaries lie on it, behind which any strides stand."""
    cuts = [0, *sorted(chance.sample(range(1, len(numbers) - 1), chance.randint(0, max(0, len(numbers) - 2)))),
            len(numbers) - 1]
    return shaped(chance, [(numbers[end] // numbers[begin], chance.choice((-6, -1, 0, 1, 2, 3, 5, 8, 24)))
                           for begin, end in zip(cuts, cuts[1:])])


def places_chain(block, longest):
    """The chain of the places between copies of a block: what its complement's modes span."""
    numbers, span = [1], 1
    for step, extent in sorted((d, s) for s, d in zip(block.extents, block.steps) if s > 1):
        if step > span:
            numbers.append(numbers[-1] * (step // span))
        span = step * extent
    while numbers[-1] * 2 <= longest or len(numbers) < 2:
        numbers.append(numbers[-1] * 2)
    return numbers


def new(chance):
    numbers = []
    while len(numbers) < 2:
        numbers = chain(chance, LARGEST)
    a, b, block = cut(chance, numbers), tractable(chance, numbers), injective(chance, numbers)
    way = chance.randrange(5)
    if way == 0:
        return (b,), Expression(f"composition({a.text()}, {b.text()})", "composition", composition, (a, b))
    if way == 1:
        return (block,), Expression(f"logical_divide({a.text()}, {block.text()})", "logical_divide", logical_divide,
                                    (a, block))
    if way == 2:
        target = chance.choice((1, numbers[-1], chance.randint(1, 64)))
        return (block,), Expression(f"complement({block.text()}, {target})", "complement", complement, (block, target))
    if way == 3:
        return (block,), Expression(f"left_inverse({block.text()})", "left_inverse", left_inverse, (block,))
    times = tractable(chance, places_chain(block, 24))
    return (block, times), Expression(f"logical_product({block.text()}, {times.text()})", "logical_product",
                                      logical_product, (block, times))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--tool", required=True)
    options.add_argument("--expressions", type=int, default=12_000)
    options.add_argument("--seed", default="1")
    chosen = options.parse_args()
    chance, wrong, judged = random.Random(f"tractable:{chosen.seed}"), [], {}
    for begin in range(0, chosen.expressions, 6000):
        drawn = [new(chance) for _ in range(min(6000, chosen.expressions - begin))]
        answers = oracle.evaluated([chosen.tool], [expression.text for _, expression in drawn])
        for (layouts, expression), answer in zip(drawn, answers):
            judged[expression.name] = judged.get(expression.name, 0) + 1
            if not all(map(is_tractable, layouts)):
                wrong.append(f"{expression.text}: not tractable, the test is wrong")
            elif answer.startswith("no: "):
                wrong.append(f"{expression.text} exists and is refused: {answer[4:]}")
            elif complaint := expression.judged(oracle.value_of("layout", answer)):
                wrong.append(f"{expression.text} = {answer}: {complaint}")
    for name, count in sorted(judged.items()):
        print(f"  {name:20} {count:8} judged")
    print(f"{sum(judged.values())} operations that exist, {len(wrong)} refused or wrong")
    for line in wrong[:20]:
        print(line)
    return 1 if wrong or len(judged) < 5 else 0


if __name__ == "__main__":
    sys.exit(main())
