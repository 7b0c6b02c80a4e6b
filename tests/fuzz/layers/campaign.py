#!/usr/bin/env python3
"""Random layers, compiled one by one and run on the model, or by nvcc on a GPU: each is right, or refused in one sentence.

    campaign.py [--mistakes] [--layers N] [--seed S] [--jobs N] [--compiler g++] --work DIR --include DIR... [--link "FILE..."]

Prints every layer that is wrong, that the model reports or that fails to compile for no reason of ours, and the seeds of
those that were refused. Exit code 1 if any was wrong. With --mistakes each layer has one. What then is refused, by a
compiler in no more than MOST_LINES lines for each sentence, by a launch or by the model, is as it should be; what runs and
has another result than the layer without the mistake is a mistake that nobody noticed.
"""
import argparse
import collections
import concurrent.futures
import pathlib
import re
import subprocess
import sys

from layer import layer
from mistakes import mistaken

FLAGS = {"": ["-O0"], "nvcc": ["--expt-relaxed-constexpr", "-gencode", "arch=compute_90a,code=sm_90a"]}
MOST_LINES = 16
here = pathlib.Path(__file__).resolve().parent


def try_one(how, seed):
    """What became of a layer: a class, and words."""
    source, program = how.work / f"layer_{seed}.{'cu' if how.compiler == 'nvcc' else 'cpp'}", how.work / f"layer_{seed}"
    text, mistake = (layer(seed).text(), "") if not how.mistakes else mistaken(seed) or ("", "")
    if not text:
        return "left out", "there is no place for the mistake"
    if how.compiler == "nvcc" and "sparse_input" in text:
        return "left out", "its matrix is compressed on the host"
    source.write_text(text)
    command = [how.compiler, *FLAGS["nvcc" if how.compiler == "nvcc" else ""], "-std=c++20", "-w", f"-I{here}",
               *(f"-I{d}" for d in how.include), str(source), *how.link.split(), "-o", str(program)]
    compiled = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if compiled.returncode:
        said = re.search(r'sentence\{"((?:[^"\\]|\\.)*)"|refused_because<sectile::(rule::[^>]*)>', compiled.stdout)
        count = len(compiled.stdout.splitlines())
        error = next((line for line in compiled.stdout.splitlines() if "error" in line), "no message")
        if count <= MOST_LINES * max(1, compiled.stdout.count("sectile::refused_because<")) and (said or how.mistakes):
            return "refused", said[1] or said[2] if said else error
        return "does not compile", f"{mistake}, {count} lines: {error[-300:]}"
    try:
        ran = subprocess.run([str(program)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    except subprocess.TimeoutExpired:
        return "hangs", "after ten minutes"
    program.unlink()
    if how.mistakes and ran.returncode == 1 and ran.stdout.startswith("FAILED"):
        return "reported", ran.stdout.strip()
    if ran.returncode:
        return "is wrong", f"{mistake} {ran.stdout.strip()}"
    source.unlink()
    return "is right", ran.stdout.strip()


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--mistakes", action="store_true")
    words.add_argument("--layers", type=int, default=20)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--jobs", type=int, default=1)
    words.add_argument("--compiler", default="g++")
    words.add_argument("--include", nargs="*", default=[])
    words.add_argument("--link", default="", help="what a program is linked with, in one word")
    words.add_argument("--work", type=pathlib.Path, required=True)
    how = words.parse_args()
    how.work.mkdir(parents=True, exist_ok=True)
    seeds = range(how.seed, how.seed + how.layers)
    counts, refused = collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(how.jobs) as pool:
        for seed, (kind, said) in zip(seeds, pool.map(lambda s: try_one(how, s), seeds)):
            counts[kind] += 1
            if kind not in ("is right", "left out") and not (how.mistakes and kind in ("refused", "reported")):
                print(f"layer {seed} {kind}: {said}", flush=True)
            if kind == "refused":
                refused[re.sub(r"\d+", "#", said)[:70]] += 1
    for said, count in refused.most_common():
        print(f"{count} refused: {said} ..")
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    return 1 if counts.keys() - {"is right", "refused", "reported", "left out"} else 0


if __name__ == "__main__":
    sys.exit(main())
