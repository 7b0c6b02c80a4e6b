"""Random nested expressions of the layout algebra, evaluated by `sectile evaluate --lines` and judged by the definitions of
the operations, by brute force; nothing is shared with layouts/.

    python3 tests/oracle/oracle.py --tool build/sectile [--expressions 100000] [--seed 1] [--refusals]

Every operation is judged on the values that the expressions inside of it were found to have, and these were judged
before; the text that is evaluated is the whole. Prints what broke a law, what was refused although it exists, and
what was refused of which the definitions do not say whether it exists, by operation; with --refusals examples of each sort.
Ends with 1 if a law was broken, or if more is refused of what exists than --refused-at-most says (in a thousand)."""

import argparse
import collections
import itertools
import random
import re
import subprocess
import sys

from expressions import LARGEST, Maker, random_layout, random_swizzled
from notation import parse

WAVES = 6  # how deep expressions nest


def evaluated(tool, texts):
    done = subprocess.run([*tool, "evaluate", "--lines"], input="\n".join(texts) + "\n", capture_output=True, text=True,
                          check=False)
    answers = done.stdout.split("\n")[:-1]
    if done.returncode != 0 or len(answers) != len(texts):
        sys.exit(f"oracle: {len(texts)} expressions, {len(answers)} answers, status {done.returncode}\n{done.stderr}")
    return answers


def value_of(kind, answer):
    if kind == "number":
        return int(answer)
    return {"true": True, "false": False}[answer] if kind == "truth" else parse(answer)


def sort_of(refusal):
    """A refusal without its layouts and numbers."""
    return re.sub(r"[ ,(]*(Sw<[^>]*>|-?\d[\d(),:-]*)", " #", refusal)[-90:]


class Tally:
    def __init__(self):
        self.judged, self.refused = collections.Counter(), collections.Counter()
        self.existing = collections.defaultdict(list)  # what only the definitions can express: sectile refuses it
        self.untold = collections.defaultdict(list)  # what sectile refuses, and the definitions do not say
        self.broken = []

    def take(self, expression, answer, pool):
        self.judged[expression.name] += 1
        if answer.startswith("no: "):
            self.refused[expression.name] += 1
            exists = expression.could_be()
            if exists is not False:
                of = self.untold if exists is None else self.existing
                of[expression.name, sort_of(answer)].append((expression.text, answer[4:]))
            return
        value = value_of(expression.kind, answer)
        wrong = "it is not read back" if value is None else expression.judged(value)
        if wrong:
            self.broken.append(f"{expression.text}\n  = {answer}\n  {wrong}")
        elif expression.kind == "layout" and 0 < value.size <= LARGEST and len(value.extents) <= 8:
            pool.append((expression.text, value))


def group(tool, seed, number, tally, count):
    """`count` expressions of a pool of their own, in waves: each wave may be made of those before it."""
    chance = random.Random(f"{seed}:{number}")
    pool = [(l.text(), l) for l in (random_layout(chance) for _ in range(60))]
    pool += [(l.text(), l) for l in (random_swizzled(chance) for _ in range(20))]
    for _ in range(WAVES):
        maker = Maker(chance, pool)
        wave = [maker.new() for _ in range(count // WAVES)]
        answers = evaluated(tool, [e.text for e in wave])
        pool = pool[:80]  # the leaves, and what is new: expressions get deeper
        for expression, answer in zip(wave, answers):
            tally.take(expression, answer, pool)


def report(tally, with_refusals):
    total, refused = sum(tally.judged.values()), sum(tally.refused.values())
    exists, untold = sum(map(len, tally.existing.values())), sum(map(len, tally.untold.values()))
    print(f"{total} expressions, {refused} refused: {refused - exists - untold} do not exist, {exists} do, "
          f"of {untold} the definitions do not say; {len(tally.broken)} broke a law")
    for name in sorted(tally.judged):
        print(f"  {name:20} {tally.judged[name]:8} judged {tally.refused[name]:8} refused")
    for sorts, what in ((tally.existing, "sectile refuses what exists"),
                        (tally.untold, "sectile refuses, the definitions do not say")):
        for (name, sort), cases in sorted(sorts.items(), key=lambda item: -len(item[1])):
            print(f"{what}, {len(cases)} times: {name}: ...{sort}")
            for text, answer in cases[:3] if with_refusals else []:
                print(f"    {text}\n      {answer}")
    for broken in tally.broken[:20]:
        print(f"broken: {broken}")
    return exists / max(1, total)


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    options.add_argument("--tool", required=True, help="the sectile program")
    options.add_argument("--expressions", type=int, default=100_000)
    options.add_argument("--seed", default="1")
    options.add_argument("--refusals", action="store_true", help="examples of what is refused although it exists")
    options.add_argument("--refused-at-most", type=float, default=6, help="in a thousand expressions")
    chosen = options.parse_args()
    tally = Tally()
    size = min(chosen.expressions, 6000)
    for number in itertools.count():
        if sum(tally.judged.values()) + size > chosen.expressions:
            break
        group([chosen.tool], chosen.seed, number, tally, size)
    share = report(tally, chosen.refusals)
    return 1 if tally.broken or 1000 * share > chosen.refused_at_most else 0


if __name__ == "__main__":
    sys.exit(main())
