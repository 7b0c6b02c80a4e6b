#!/usr/bin/env python3
"""What one GEMM and one attention cost to compile in Sectile, CUTLASS, CuTe, ThunderKittens, CUDA Tile C++ and Triton,
in CPU seconds; no GPU needed. Each is compiled alone, in turns with an empty kernel, and with a launch where that is
part of the language. Who is not there is left out, with a sentence. bench/comparison.py races them.

    python3 bench/comparison_compile.py --tile-nvcc NVCC --cutlass FOLDER --kittens FOLDER
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
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

# One kernel of each, with what launches it, from the headers that bench/comparison.py's libraries are made of.
PEER_LAUNCHES = {
    "cutlass gemm": """#include "bench/peers/cutlass_kernel.hpp"
constexpr sectile::bench::cutlass_tile tile{128, 256, 2, 1};
using made = sectile::bench::cutlass_kernel<cutlass::bfloat16_t, cutlass::bfloat16_t, float, tile>::gemm;
auto go(const made::Arguments& all, void* workspace, cudaStream_t on) { return made().run(all, workspace, on); }
""",
    "cutlass attention": """#include "bench/peers/cutlass_attention.hpp"
using made = sectile::bench::cutlass_attention<cutlass::gemm::KernelTmaWarpSpecializedPingpong, false>;
auto go(const void* q, const void* k, const void* v, void* o, float* sums, int b, int h, int s, cudaStream_t on) {
  return made::run(q, k, v, o, sums, b, h, s, on);
}
""",
    "cute gemm": """#include "bench/peers/cute_gemm.hpp"
using element = cute::bfloat16_t;
auto go(const element* a, const element* b, sectile::bench::rounded_bf16* c, int m, int n, int k, cudaStream_t on) {
  return sectile::bench::cute_gemm(a, b, c, m, n, k, on);
}
""",
    "kittens gemm": """#include "bench/peers/kittens_gemm.hpp"
auto go(const void* a, const void* b, void* c, int m, int n, int k, cudaStream_t on) {
  return sectile::bench::kittens_gemm<8>(a, b, c, m, n, k, on);
}
""",
    "kittens attention": """#include "bench/peers/kittens_attention.hpp"
auto go(const void* q, const void* k, const void* v, void* o, float* sums, int b, int h, int s, cudaStream_t on) {
  return sectile::bench::kittens_attention<false>(q, k, v, o, sums, b, h, s, on);
}
""",
}
# As peers.cmake has them.
PEER_FLAGS = {
    "cutlass": ["-DNDEBUG"],
    "kittens": ["-DNDEBUG", "-DKITTENS_HOPPER", "--use_fast_math", "--expt-extended-lambda"],
}
PEER_INCLUDES = {
    "cutlass": ["include", "tools/util/include", "examples", "examples/88_hopper_fmha"],
    "kittens": ["include", "prototype", "kernels"],
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

    def peer(what, system, root):
        def once():
            if root is None:
                raise Absent(f"--{system} says where it is")
            source = folder / "peer.cu"
            source.write_text(PEER_LAUNCHES[what])
            includes = [f"-I{HERE.parent}", *(f"-I{root / each}" for each in PEER_INCLUDES[system])]
            flags = [*compile_time.NVCC_FLAGS, *PEER_FLAGS[system], *includes]
            return cpu_seconds([options.nvcc, *flags, "-c", str(source), "-o", str(folder / "peer.o")], {})

        return once

    def triton(what):
        def once():
            with tempfile.TemporaryDirectory() as cache:  # where nothing was compiled before
                command = [sys.executable, "-B", str(HERE / "peers" / "triton_compile.py"), what]
                return cpu_seconds(command, {"TRITON_CACHE_DIR": cache})

        return once

    yield "empty", "an empty kernel", ours("empty"), None
    yield "sectile gemm", "Sectile, proofs and a launch included", ours("gemm_bf16"), None
    yield "sectile attention", "Sectile, proofs and a launch included", ours("attention<128, none>"), None
    for what in ("gemm", "attention"):
        yield f"cutlass {what}", "CUTLASS, a launch included", peer(f"cutlass {what}", "cutlass", options.cutlass), None
    yield "cute gemm", "CuTe, a launch included", peer("cute gemm", "cutlass", options.cutlass), None
    for what in ("gemm", "attention"):
        title = "ThunderKittens, a launch included"
        yield f"kittens {what}", title, peer(f"kittens {what}", "kittens", options.kittens), None
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
    if version := options.cutlass and cutlass_version(options.cutlass):
        yield version
    if commit := options.kittens and commit_of(options.kittens):
        yield f"ThunderKittens {commit}"
    yield from triton_version()


def cutlass_version(root):
    header = root / "include/cutlass/version.h"
    numbers = re.findall(r"#define CUTLASS_(?:MAJOR|MINOR|PATCH) (\d+)", header.read_text() if header.is_file() else "")
    return f"CUTLASS {'.'.join(numbers)}" if numbers else None


def commit_of(root):
    run = subprocess.run(["git", "-C", str(root), "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True)
    return run.stdout.strip() or None


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
    for system, title in (("cutlass", "CUTLASS"), ("kittens", "ThunderKittens")):
        parser.add_argument(f"--{system}", type=pathlib.Path, metavar="FOLDER", help=f"a copy of {title}'s repository")
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
