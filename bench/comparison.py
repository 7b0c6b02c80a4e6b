#!/usr/bin/env python3
"""One GEMM and one attention forward in several systems, in turns on one GPU, for the chapter that compares them:
Sectile, PyTorch's (cuBLAS and cuDNN), CUTLASS, CuTe, ThunderKittens, Triton and CUDA Tile C++.

    python3 bench/comparison.py --tile-nvcc NVCC

Each system comes with the fastest of its configurations, found by a trial and a race of the best few; then all run in
turns on the same standard-normal data, which is not in L2, and a time is the median of the rounds (peers/race.py).
Results are compared with float64 on some rows. Of CUDA Tile C++, every tile of its GEMM is raced with cuBLAS as well,
with the local memory that it needs. Who is not there is left out, with a sentence; the exit code is 1 if a result is
wrong. CUTLASS, CuTe and ThunderKittens take part in libraries that the build makes of your copies of them
(peers/peers.cmake). Kernels of CUDA Tile C++ are compiled once, into --tiles, so that the GPU may be on a machine
without that compiler, which PyPI has as well: nvidia-cuda-nvcc, nvidia-cuda-tileiras, nvidia-cuda-crt,
nvidia-cuda-runtime, nvidia-cuda-cccl, nvidia-nvvm.
bench/comparison_compile.py says how long each compiles.
"""

import argparse
import dataclasses
import datetime
import json
import math
import pathlib
import sys

from comparison_compile import triton_version
from peers import cuda_tile_cpp
from peers.attentions import Attentions
from peers.contestant import Absent, Candidate
from peers.library import Library

HERE = pathlib.Path(__file__).resolve().parent
GEMM = (4096, 4096, 4096)
ATTENTIONS = ((4, 16, 4096, 128), (2, 16, 8192, 128))
FEW, ROUNDS_OF_FEW = 4, 5  # configurations of a system that race each other, and how long; a tile with cuBLAS as well
LARGE_TRITON_TILES = 5  # the first of its configurations of a GEMM; the others are for few rows
TITLES = {"sectile": "Sectile", "torch": "PyTorch", "cutlass": "CUTLASS", "cute": "CuTe", "kittens": "ThunderKittens",
          "triton": "Triton", "tile": "CUDA Tile C++"}  # fmt: skip
LOG2_E = 1.4426950408889634


def say(text):
    print(text, flush=True)


@dataclasses.dataclass
class System:
    """Its ways to compute one problem. queue(i, stream) of a candidate returns the tensor that holds the result."""

    key: str
    candidates: list


@dataclasses.dataclass
class Notes:
    """Sentences: who is left out, which candidates failed; and what took part, with versions."""

    left_out: list = dataclasses.field(default_factory=list)
    remarks: list = dataclasses.field(default_factory=list)
    software: list = dataclasses.field(default_factory=list)


def gemms(options, problem, sets, tiles, notes):
    import torch

    def product(candidate):  # of a library, which returns nothing
        def queue(i, on):
            candidate.queue(i, on)
            return sets[i].c

        return Candidate(candidate.name, queue)

    def of_library(key):  # one system, or none
        try:
            library = Library(key, options.libraries / f"libpeer_{key}.so")
            system = System(key, [product(c) for c in library.candidates(problem, sets)])
        except (Absent, RuntimeError) as why:  # a RuntimeError of a size that it does not take
            notes.left_out.append(f"{TITLES[key]}'s GEMM is left out: {why}")
            return
        notes.software.append(library.title)
        yield system

    yield from of_library("sectile")
    yield System("torch", [Candidate("cuBLAS", lambda i, _: torch.mm(sets[i].a, sets[i].b.T, out=sets[i].c))])
    for key in ("cutlass", "cute", "kittens"):
        yield from of_library(key)
    try:
        from peers import triton_kernel

        shape, programs = (problem.m, problem.n, problem.k), multiprocessors()

        def by(config):
            views = [triton_kernel.descriptors(config, s.a, s.b, s.c) for s in sets]

            def queue(i, _):
                triton_kernel.launch(config, views[i], shape, programs * config.per_sm, False)
                return sets[i].c

            return Candidate(config.name(), queue)

        yield System("triton", [by(config) for config in triton_kernel.CONFIGS[:LARGE_TRITON_TILES]])
    except ImportError as error:
        notes.left_out.append(f"Triton's GEMM is left out: {error}")
    if tiles:
        yield System("tile", [product(c) for c in tile_gemms(tiles, sets)])


def tile_gemms(tiles, sets):
    def by(config):
        return lambda i, stream: tiles.gemm(config, sets[i], multiprocessors(), stream)

    return [Candidate(config.name(), by(config)) for config in cuda_tile_cpp.GEMMS]


def attentions(options, shape, causal, sets, tiles, notes):
    """`sets` are of (q, k, v, o)."""
    import torch

    import attention

    scale = LOG2_E / math.sqrt(shape[-1])
    try:
        forward = attention.load(options.libraries / "libsectile_attention.so")

        def ours(i, _):
            forward(*sets[i], causal)
            return sets[i][3]

        yield System("sectile", [Candidate("attention", ours)])
    except (OSError, AttributeError) as error:
        notes.left_out.append(f"Sectile's attention is left out: {error}")
    yield System("torch", [Candidate("cuDNN", lambda i, _: attention.cudnn(*sets[i][:3], causal))])
    sums = torch.empty(shape[:3], device="cuda")  # for kernels that write those as well
    for key in ("cutlass", "kittens"):
        try:
            library = Attentions(options.libraries / f"libattentions_{key}.so")
        except Absent as why:
            notes.left_out.append(f"{TITLES[key]}'s attention is left out: {why}")
            continue
        notes.software.append(library.title)
        yield System(key, library.candidates(causal, sets, sums))
    try:
        from peers import triton_attention

        def by(config):
            views = [triton_attention.descriptors(config, *one) for one in sets]

            def queue(i, _):
                triton_attention.launch(config, views[i], shape, causal, scale)
                return sets[i][3]

            return Candidate(config.name(), queue)

        yield System("triton", [by(config) for config in triton_attention.CONFIGS])
    except ImportError as error:
        notes.left_out.append(f"Triton's attention is left out: {error}")
    if tiles:

        def tile(config):
            def queue(i, stream):
                tiles.attention(config, *sets[i], scale, stream)
                return sets[i][3]

            return Candidate(config.name(), queue)

        yield System("tile", [tile(config) for config in cuda_tile_cpp.attentions(causal)])


def multiprocessors():
    import torch

    return torch.cuda.get_device_properties(0).multi_processor_count


def right_ones(system, error_of, poison, bar, stream, remarks):
    """Candidates that run and are right, with their errors."""
    import torch

    right = []
    for candidate in system.candidates:
        try:
            poison()
            result = candidate.queue(0, stream.cuda_stream)
            torch.cuda.synchronize()
        except Exception as error:  # a compiler's, a launch's, a library's
            why = (str(error).strip() or type(error).__name__).split("\n")[0][:160]
            remarks.append(f"{TITLES[system.key]}, {candidate.name}: {why}")
            continue
        error = error_of(result)
        if error <= bar:
            right.append((candidate, error))
        else:
            remarks.append(f"{TITLES[system.key]}, {candidate.name}: WRONG, relative error {error:.1e}")
    return right


def fastest(candidates, sets, stream):
    """A trial is short and finds the chip cool, so those that it thinks the best race each other."""
    from peers import race

    few = race.contenders(candidates, sets, stream)[:FEW]
    if len(few) == 1:
        return few[0]
    times = race.race(few, sets, stream, ROUNDS_OF_FEW, None)
    return min(zip(few, times), key=lambda one: one[1].median)[0]


def raced(name, title, flops, systems, sets, checks, stream, options, gauge, remarks):
    """Rows of one problem: each system's fastest, in turns."""
    from peers import race

    chosen = []
    for system in systems:
        right = right_ones(system, *checks, stream, remarks)
        if right:
            best = fastest([candidate for candidate, _ in right], sets, stream)
            chosen.append((system.key, best, len(right), dict((c.name, e) for c, e in right)[best.name]))
    times = race.race([candidate for _, candidate, *_ in chosen], sets, stream, options.rounds, gauge)
    first = times[0].median
    rows = []
    for (key, candidate, count, error), t in zip(chosen, times):
        rows.append({
            "name": f"{name} {key}", "title": TITLES[key], "problem": name, "problem_title": title, "system": key,
            "us": round(t.median * 1e3, 2), "tflops": round(flops / t.median * 1e-9, 1), "choice": candidate.name,
            "ratio": round(t.median / first, 4) if chosen[0][0] == "sectile" else None, "candidates": count,
            "spread_percent": round((t.slowest / t.fastest - 1) * 100, 2), "error": float(f"{error:.3g}"),
            "mhz": t.mhz, "watts": t.watts,
        })  # fmt: skip
        say(f"{title:30} {TITLES[key]:14} {rows[-1]['us']:9.1f} us {rows[-1]['tflops']:7.1f} TFLOP/s "
            f"{error:8.1e}  {candidate.name}")  # fmt: skip
    return rows


def race_gemm(options, tiles, stream, gauge, notes):
    from peers import operands
    from peers.problems import KINDS, Problem

    problem = Problem(KINDS["bf16"], *GEMM)
    sets = operands.make_sets(problem)
    exact = operands.Exact(problem, sets)
    checks = (lambda c: exact.error(0, dataclasses.replace(sets[0], c=c)), lambda: operands.poison(sets[:1]),
              problem.kind.bar)  # fmt: skip
    systems = list(gemms(options, problem, sets, tiles, notes))
    rows = raced("gemm", "GEMM, " + " x ".join(map(str, GEMM)), problem.flops, systems, sets, checks, stream, options,
                 gauge, notes.remarks)  # fmt: skip
    return rows + (every_tile(systems, tiles, sets, stream) if tiles else [])


def every_tile(systems, tiles, sets, stream):
    """CUDA Tile C++'s GEMM in every tile, each in turns with cuBLAS alone: after slow ones, which leave the chip cool,
    or after a race, which leaves it hot, one of the two would look faster than it is."""
    from peers import race

    cublas = next(candidate for system in systems if system.key == "torch" for candidate in system.candidates)
    rows = []
    for config, candidate in zip(cuda_tile_cpp.GEMMS, tile_gemms(tiles, sets)):
        theirs, its = race.race([cublas, candidate], sets, stream, ROUNDS_OF_FEW, None)
        kernel = tiles.kernel(config)
        rows.append({"name": f"tile {config.name()}", "title": config.name(), "problem": "tiles",
                     "warps": config.warps, "us": round(its.median * 1e3, 1),
                     "of_torch": round(theirs.median / its.median, 3), "registers": kernel.registers,
                     "local_bytes": kernel.local_bytes})  # fmt: skip
        say(f"  {config.name():34} {rows[-1]['of_torch']:6.3f} of cuBLAS's speed, {kernel.registers} registers, "
            f"{kernel.local_bytes} bytes of local memory")  # fmt: skip
    return rows


def race_attention(options, shape, causal, tiles, stream, gauge, notes):
    import torch

    import attention
    from peers import operands

    generator = torch.Generator(device="cuda").manual_seed(1)
    count = 1 + int(operands.ENOUGH_BYTES / (4 * math.prod(shape) * 2))

    def drawn():
        return torch.randn(shape, device="cuda", generator=generator).to(torch.bfloat16)

    sets = [(drawn(), drawn(), drawn(), drawn()) for _ in range(count)]
    sampled = torch.Generator().manual_seed(1).get_state()

    def error_of(out):  # always on the same rows
        rows = torch.Generator()
        rows.set_state(sampled)
        return attention.sampled_error(out, *sets[0][:3], causal, rows)

    checks = (error_of, lambda: sets[0][3].fill_(float("nan")), attention.ERROR_BAR)
    kind = "causal" if causal else "full"
    batch, heads, length, dimension = shape
    flops = 4 * batch * heads * length * length * dimension / (2 if causal else 1)
    return raced(f"attention {'x'.join(map(str, shape))} {kind}", f"attention, {', '.join(map(str, shape))}, {kind}",
                 flops, attentions(options, shape, causal, sets, tiles, notes), sets, checks, stream, options, gauge,
                 notes.remarks)  # fmt: skip


def measure(options):
    import torch

    from peers.command_line import bus_of
    from peers.power import Gauge

    notes, rows = Notes(), []
    properties = torch.cuda.get_device_properties(0)
    gauge = Gauge(bus_of(properties))
    stream = torch.cuda.Stream()
    torch.zeros(1, device="cuda")  # a context, which the driver's functions need
    try:
        tiles = cuda_tile_cpp.Kernels(options.tiles)
    except Absent as why:
        tiles = None
        notes.left_out.append(f"CUDA Tile C++ is left out: {why}")
    with torch.cuda.stream(stream):
        rows += race_gemm(options, tiles, stream, gauge, notes)
        for shape in ATTENTIONS:
            for causal in (False, True):
                rows += race_attention(options, shape, causal, tiles, stream, gauge, notes)
    sentences = list(dict.fromkeys(notes.left_out + notes.remarks))
    for sentence in sentences:
        say(sentence)
    software = [f"PyTorch {torch.__version__}", f"cuDNN {torch.backends.cudnn.version()}"]
    software += [name for name in dict.fromkeys(notes.software) if name != TITLES["sectile"]] + list(triton_version())
    software += [tiles.title] if tiles else []
    software += [f"driver {gauge.driver()}"] if gauge.driver() else []
    document = {
        "title": "One GEMM and one attention in several systems, in turns",
        "device": f"{properties.name}, {properties.multi_processor_count} SMs",
        "software": ", ".join(software),
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "command": "python3 bench/comparison.py",
        "rounds": options.rounds,
        "columns": [{"key": "tflops", "title": "TFLOP/s", "digits": 0},
                    {"key": "ratio", "title": "ratio", "digits": 2}],
        "rows": rows,
        "remarks": sentences,
    }  # fmt: skip
    return document, any("WRONG" in remark for remark in notes.remarks)


def read_options(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tile-nvcc", default="nvcc", help="of CUDA 13.3 or newer, which compiles CUDA Tile C++")
    parser.add_argument("--tiles", type=pathlib.Path, default=HERE.parent / "build/bench/tiles", metavar="FOLDER",
                        help="for what that compiled (default: build/bench/tiles)")  # fmt: skip
    parser.add_argument("--libraries", type=pathlib.Path, default=HERE.parent / "build/bench", metavar="FOLDER",
                        help="of libsectile_attention.so, libpeer_*.so, libattentions_*.so (default: build/bench)")  # fmt: skip
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    return parser.parse_args(words)


def main(words=None):
    from peers.command_line import gpu_or_sentence

    options = read_options(words)
    try:
        why_not = cuda_tile_cpp.why_no_compiler(options.tile_nvcc)
        if why_not is None:
            cuda_tile_cpp.build(options.tile_nvcc, options.tiles)
        else:
            say(f"CUDA Tile C++ is not compiled: {why_not}")
        if no_gpu := gpu_or_sentence():
            raise Absent(no_gpu)
        document, wrong = measure(options)
    except Absent as why:
        print(f"bench/comparison.py: {why}", file=sys.stderr)
        return 2
    if options.json:
        options.json.write_text(json.dumps(document, indent=1) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
