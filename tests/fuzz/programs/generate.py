#!/usr/bin/env python3
"""Random programs as C++ source, each with what the oracle says about it.

    generate.py --seed S --count N --out DIR [--per-file 100] [--small] [--legal-only]

About a third of all programs contain one deliberate mistake. `--small` takes tiles that run fast on the model, and says
whose stages a program has too few of.
"""
import argparse
import pathlib

import stages
from compose import make
from cpp_text import cpp


def quoted(text):
    return f'"{text}"' if text else "nullptr"


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--count", type=int, default=100)
    words.add_argument("--per-file", type=int, default=100)
    words.add_argument("--out", type=pathlib.Path, required=True)
    words.add_argument("--small", action="store_true")
    words.add_argument("--legal-only", action="store_true")
    how = words.parse_args()
    how.out.mkdir(parents=True, exist_ok=True)
    made, number, files = [], 0, 0
    while len(made) < how.count:
        number += 1
        result = make(how.seed * 1_000_003 + number, how.small, 0 if how.legal_only else 0.33)
        if result is None or (how.legal_only and result[1]):
            continue
        made.append((f"p{how.seed}_{number}", *result))
    for first in range(0, len(made), how.per_file):
        part = made[first:first + how.per_file]
        text = ['#include "tests/fuzz/programs/programs.hpp"', "", "namespace {", "using namespace sectile;", ""]
        text += [cpp(p, name) + "\n" for name, p, _ in part]
        text.append("const bool announced = sectile::naive::announce([](sectile::naive::program_list& list) {")
        for name, p, why in part:
            blocks = stages.may_block(p) if how.small and why is None else None
            text.append(f'  list.add<{name}>("{name}", {quoted(why)}, {quoted(blocks)});')
        text += ["});", "", "}  // namespace", ""]
        (how.out / f"programs_{files}.cpp").write_text("\n".join(text))
        files += 1
    legal = sum(why is None for _, _, why in made)
    print(f"{len(made)} programs, {legal} legal, in {files} files")


if __name__ == "__main__":
    main()
