#!/usr/bin/env python3
"""What one GEMM and one attention cost to compile in Sectile, in CUDA Tile C++ and in Triton, in CPU seconds; no GPU
needed. Each is compiled alone, in turns with an empty kernel, and with a launch where that is part of the language. Who
is not there is left out, with a sentence. bench/comparison.py races them.

    python3 bench/comparison_compile.py --tile-nvcc NVCC
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

import compile_time
from peers import cuda_tile_cpp
from peers.contestant import Absent

HERE = pathlib.Path(__file__).resolve().parent


def cpu_seconds(command, more_environment):
    """Of a process and all that it starts, user and system."""
    with tempfile.TemporaryFile("w+") as messages:
        process = subprocess.Popen(command, stdout=messages, stderr=messages, env={**os.environ, **more_environment})
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        messages.seek(0)
        if process.returncode != 0:
            raise Absent(f"{' '.join(map(str, command[:1]))} failed: {messages.read().strip()[-600:]}")
    return usage.ru_utime + usage.ru_stime


TILE_LAUNCHES = {
    "gemm": """void go(const element* a, const element* b, element* c, int m, int n, int k) {
  gemm<<<132, 1>>>(a, b, c, m, n, k);
}
""",
    "attention": """void go(const element* q, const element* k, const element* v, element* o, int length, int heads) {
  attention<<<dim3(length / TILE_M, heads), 1>>>(q, k, v, o, length, 0.1f);
}
""",
}


def compilations(options, folder):
    """(name, title, a function that compiles it once and returns CPU seconds, configuration)."""
    sources = {case.name: case for case in compile_time.all_cases() if case.compiler == "nvcc"}

    def ours(case):
        return lambda: compile_time.compile_once(sources[case], options.nvcc, HERE.parent / "include", folder).seconds

    def tile(config):  # with a launch, as ours has one
        source = folder / f"tile_{config.kernel}.cu"
        source.write_text(f'#include "{config.source()}"\n{TILE_LAUNCHES[config.kernel]}')
        return lambda: cpu_seconds(config.command(options.tile_nvcc, source, folder / "tile.o"), {})

    def triton(what):
        def once():
            with tempfile.TemporaryDirectory() as cache:  # where nothing was compiled before
                command = [sys.executable, "-B", str(HERE / "peers" / "triton_compile.py"), what]
                return cpu_seconds(command, {"TRITON_CACHE_DIR": cache})

        return once

    yield "empty", "an empty kernel", ours("empty"), None
    yield "sectile gemm", "Sectile, proofs and a launch included", ours("gemm_bf16"), None
    yield "sectile attention", "Sectile, proofs and a launch included", ours("attention<128, none>"), None
    for name, config in (("tile gemm", cuda_tile_cpp.Config("gemm", 128, 256, 8)),
                         ("tile attention", cuda_tile_cpp.Config("attention", 128, 128, 8))):  # fmt: skip
        yield name, "CUDA Tile C++, a launch included", tile(config), config.name()
    for what in ("gemm", "attention", "import"):
        yield f"triton {what}", "Triton", triton(what), None


def measure(options):
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        cases = list(compilations(options, pathlib.Path(scratch)))
        taken = {name: [] for name, *_ in cases}
        missing = {}
        for _ in range(options.rounds):
            for name, title, once, _ in cases:
                if name in missing:
                    continue
                try:
                    taken[name].append(once())
                except (Absent, OSError, RuntimeError) as error:
                    missing[name] = f"{title} is left out: {error}"
    for sentence in dict.fromkeys(missing.values()):
        print(sentence)
    for name, title, _, choice in cases:
        if taken[name]:
            row = {"name": name, "title": title, "seconds": round(statistics.median(taken[name]), 3)}
            row["ratio"] = round(min(taken[name]) / min(taken["empty"]), 2) if taken["empty"] else None
            rows.append({**row, **({"choice": choice} if choice else {})})
            print(f"{name:20} {row['seconds']:7.2f} s of CPU, {row['ratio']} empty kernels")
    return {
        "title": "What one GEMM and one attention cost to compile in several systems",
        "device": f"one core of {platform.processor() or platform.machine()}",
        "software": "; ".join(versions(options)),
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "command": "python3 bench/comparison_compile.py",
        "rounds": options.rounds,
        "columns": [{"key": "seconds", "title": "CPU seconds", "digits": 1},
                    {"key": "ratio", "title": "empty kernels", "digits": 1}],
        "rows": rows,
    }  # fmt: skip


def versions(options):
    for title, nvcc in (("Sectile by", options.nvcc), ("CUDA Tile C++ by", options.tile_nvcc)):
        try:
            yield f"{title} {cuda_tile_cpp.version_of(nvcc)}"
        except (OSError, TypeError):  # there is none, or it is none
            pass
    yield from triton_version()


def triton_version():
    try:
        import triton
    except ImportError:
        return
    yield f"Triton {triton.__version__}"


def read_options(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", default=os.environ.get("CUDACXX", "nvcc"), help="that of Sectile")
    parser.add_argument("--tile-nvcc", default="nvcc", help="of CUDA 13.3 or newer, which compiles CUDA Tile C++")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    return parser.parse_args(words)


def main(words=None):
    options = read_options(words)
    document = measure(options)
    if options.json:
        options.json.write_text(json.dumps(document, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
