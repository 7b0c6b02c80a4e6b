#!/usr/bin/env python3
"""Generates random programs, compiles them, and holds the verdicts and the runs against the oracle: a batch at a time.

    campaign.py [--level plan|proofs|model] [--programs N] [--seed S] [--runs N] [--compiler c++] [--flags "..."]
                --work DIR --include DIR... [--link FILE...]

`plan`: planner and all proofs but the protocol, at run time, legal and illegal programs (50 ms of compiler each).
`proofs`: all proofs, in constant evaluation. `model`: legal programs only, proven and run on the model, some 2 s each.
Prints every disagreement and ends with a sum. Exit code 1 if there was any.
"""
import argparse
import pathlib
import re
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
LEVEL = {"plan": 0, "proofs": 1, "model": 2}


def compile_command(how, source, to):
    # Sparse programs crash g++ 12 without optimisation.
    optimise = "-O0" if how.level == "plan" else "-O1"
    steps = ["-fconstexpr-steps=2000000000"] if "clang" in how.compiler else ["-fconstexpr-ops-limit=2000000000"]
    return [how.compiler, "-std=c++20", optimise, "-w", *steps, f"-DSECTILE_FUZZ_LEVEL={LEVEL[how.level]}",
            *(f"-I{d}" for d in [*how.include, here.parents[2]]), *how.flags.split(), "-c", str(source), "-o", str(to)]


def run(command, **more):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)


def batch(how, seed, count):
    """Lines of output of a batch of programs."""
    folder = how.work / f"{how.level}_{seed}"
    small = ["--small"] if how.level != "plan" else []
    legal = ["--legal-only"] if how.level == "model" else []
    per_file = {"plan": 100, "proofs": 20, "model": 10}[how.level]
    generated = run([sys.executable, "-B", str(here / "generate.py"), "--seed", str(seed), "--count", str(count), "--out",
                     str(folder), "--per-file", str(per_file), *small, *legal])
    if generated.returncode:
        return [generated.stdout, "FAILED generate.py"]
    lines = []
    for source in sorted(folder.glob("programs_*.cpp")):
        compiled = run(compile_command(how, source, folder / "programs.o"))
        if compiled.returncode:
            error = next((l for l in compiled.stdout.splitlines() if "error" in l), "no message")
            lines.append(f"FAILED {source} does not compile: {error}")
            continue
        linked = run([how.compiler, str(how.work / f"main_{how.level}.o"), str(folder / "programs.o"),
                      *map(str, how.link), "-o", str(folder / "programs")])
        if linked.returncode:
            return lines + [linked.stdout, "FAILED link"]
        result = run([str(folder / "programs"), "--runs", str(how.runs)], timeout=1800)
        lines += result.stdout.splitlines()
        if result.returncode:  # it has found something, or came to no verdict at all
            lines.append(f"FAILED {source} ended with {result.returncode}")
    return lines


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--level", choices=LEVEL, default="plan")
    words.add_argument("--programs", type=int, default=1000)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--runs", type=int, default=4)
    words.add_argument("--compiler", default="g++")
    words.add_argument("--flags", default="")
    words.add_argument("--include", nargs="*", default=[])
    words.add_argument("--link", nargs="*", default=[])
    words.add_argument("--work", type=pathlib.Path, required=True)
    how = words.parse_args()
    how.work.mkdir(parents=True, exist_ok=True)
    main_object = how.work / f"main_{how.level}.o"
    compiled = run(compile_command(how, here / "programs.cpp", main_object))
    if compiled.returncode:
        sys.exit(compiled.stdout)
    sums, bad, done, seed = {}, 0, 0, how.seed
    while done < how.programs:
        count = min(1000 if how.level == "plan" else 60, how.programs - done)
        for line in batch(how, seed, count):
            if re.match(r"\d+ (programs|runs)", line):
                for number, what in re.findall(r"(\d+) ([^,;\d]+)", line):
                    sums[what.strip()] = sums.get(what.strip(), 0) + int(number)
            else:
                bad += line.startswith(("ACCEPTED", "REFUSED", "WRONG", "FAILED"))
                print(line, flush=True)
        done += count
        seed += 1
        print(f"... {done} programs", flush=True)
    print("; ".join(f"{number} {what}" for what, number in sums.items()))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
