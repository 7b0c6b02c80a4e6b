#!/usr/bin/env python3
"""What it costs to compile the kernels and the layout headers, by nvcc and by the host compiler.

Each case is a small generated file as a user has it, compiled alone several times: a kernel is asserted to be verified,
and for nvcc a function launches it on views. Measured are CPU seconds (user and system, all processes of the compiler,
median), peak memory of its largest process, size of the object file; for kernels the registers and spills that ptxas
reports, and what the proofs cost: the same file is compiled without them (SECTILE_PROVEN). How fast a machine is, and
how busy, does not count in the ratio to a file with an empty kernel: the two are compiled in turns, and the fastest of
each is taken. --check fails where a bar is exceeded, a kernel spills, or ptxas warns about wgmma (C75xx). --json writes
docs/measured/compile_time.json.
"""

import argparse
import dataclasses
import datetime
import json
import os
import pathlib
import platform
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NVCC_FLAGS = ["-std=c++20", "--expt-relaxed-constexpr", "-O3", "-gencode=arch=compute_90a,code=sm_90a", "-Xptxas", "-v"]
HOST_FLAGS = ["-std=c++20", "-O2"]

# What a bar holds against: a case and a compiler.
BARS = {
    ("gemm_bf16", "nvcc"): {"ratio": 3.7, "peak_mb": 600.0, "object_kb": 120.0},
    ("attention<128, none>", "nvcc"): {"ratio": 4.9, "peak_mb": 600.0, "object_kb": 120.0},
    ("gemm_bf16", "g++"): {"seconds": 3.0, "peak_mb": 600.0},
}
WHAT = {"ratio": "empty kernels", "seconds": "s of CPU", "peak_mb": "MB", "object_kb": "kB of object file"}
# Empty kernels that all proofs of a kernel may take under nvcc.
PROOF_BARS = {"gemm_bf16": 1.0}
PROOF_BAR = 2.5


@dataclasses.dataclass
class Case:
    name: str
    compiler: str  # "nvcc" or "g++"
    source: str
    has_kernel: bool = False


@dataclasses.dataclass
class Run:
    seconds: float
    peak_mb: float
    object_kb: float
    messages: str


# A function of a user's file that launches `kernel` on the default stream, by the kernel's header.
LAUNCHES = {
    "gemm.hpp": """using out = sectile::operand_at<kernel, 2>::element_type;
void go(const sectile::bf16* a, const sectile::bf16* b, out* c, int m, int n, int k) {
  sectile::launch<kernel>(sectile::matrix(a, m, k), sectile::matrix(b, n, k), sectile::matrix(c, m, n));
}
""",
    "sparse_gemm.hpp": """void go(const sectile::bf16* a, const std::uint32_t* which, const sectile::bf16* b, sectile::bf16* c, int m, int n, int k) {
  sectile::launch<kernel>(sectile::sparse(a, which, m, k), sectile::matrix(b, n, k), sectile::matrix(c, m, n));
}
""",
    "attention.hpp": """void go(const sectile::bf16* q, const sectile::bf16* k, const sectile::bf16* v, sectile::bf16* o, int b, int h, int s, int d) {
  sectile::launch<kernel>(sectile::tensor(q, b, h, s, d), sectile::tensor(k, b, h, s, d), sectile::tensor(v, b, h, s, d),
                          sectile::tensor(o, b, h, s, d), 0.1f);
}
""",
    "rows.hpp": """void go(const sectile::bf16* x, sectile::bf16* y, int m, int n) {
  sectile::launch<kernel>(sectile::matrix(x, m, n), sectile::matrix(y, m, n));
}
""",
}


def kernel_case(name, header, kernel, compiler):
    """The kernel alone in its file. The host compiler sees what holds for it; nvcc makes its machine code as well, and
    what launches it."""
    lines = [f"#include <sectile/kernels/{header}>"]
    if compiler == "nvcc":
        lines.insert(0, "#include <sectile/dsl/launch/launch.hpp>")
    lines += [f"using kernel = {kernel};", "static_assert(sectile::verified<kernel>);"]
    if compiler == "nvcc":
        lines.append(LAUNCHES[header])
    return Case(name, compiler, "\n".join(lines) + "\n", has_kernel=compiler == "nvcc")


EMPTY = {"nvcc": "__global__ void empty() {}\n", "g++": "void empty() {}\n"}


def all_cases():
    attention = "sectile::kernels::attention<{}, sectile::kernels::attention_mask::{}>"
    kernels = [
        ("gemm_bf16", "gemm.hpp", "sectile::kernels::gemm_bf16"),
        ("gemm_bf16_f32", "gemm.hpp", "sectile::kernels::gemm_bf16_f32"),
        ("sparse_gemm<bf16>", "sparse_gemm.hpp", "sectile::kernels::sparse_gemm<sectile::bf16, sectile::bf16, sectile::bf16>"),
        ("attention<64, none>", "attention.hpp", attention.format(64, "none")),
        ("attention<128, none>", "attention.hpp", attention.format(128, "none")),
        ("attention<128, causal>", "attention.hpp", attention.format(128, "causal")),
        ("softmax<bf16>, in loops", "rows.hpp", "sectile::member<sectile::kernels::softmax<sectile::bf16>, 0>"),
    ]
    for compiler in ("nvcc", "g++"):
        yield Case("empty", compiler, EMPTY[compiler])
        for kernel in kernels:
            yield kernel_case(*kernel, compiler)
        for header in sorted((ROOT / "layouts").glob("*.hpp")):
            yield Case(f"layouts/{header.name}", compiler, f"#include <sectile/layouts/{header.name}>\n")


def compile_once(case, compiler, include, folder, more_flags=()):
    source = folder / ("case.cu" if case.compiler == "nvcc" else "case.cpp")
    target = folder / "case.o"
    source.write_text(case.source)
    flags = NVCC_FLAGS if case.compiler == "nvcc" else HOST_FLAGS
    command = [compiler, *flags, *more_flags, f"-I{include}", "-c", str(source), "-o", str(target)]
    with tempfile.TemporaryFile("w+") as messages:
        process = subprocess.Popen(command, stdout=messages, stderr=messages)
        _, status, usage = os.wait4(process.pid, 0)  # the usage of the compiler and of all it started
        process.returncode = os.waitstatus_to_exitcode(status)
        messages.seek(0)
        text = messages.read()
    if process.returncode != 0:
        raise RuntimeError(f"{case.name} does not compile with {case.compiler}:\n{text}")
    return Run(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, target.stat().st_size / 1024, text)


def ptxas_report(messages):
    """The most registers and bytes of local memory, and all bytes of spills, of the kernels in the file, and ptxas's
    warnings C75xx."""
    registers = [int(n) for n in re.findall(r"Used (\d+) registers", messages)]
    spills = [int(n) for n in re.findall(r"(\d+) bytes spill (?:stores|loads)", messages)]
    warnings = re.findall(r"\(C75\d\d\)[^\n]*", messages)
    stack = [int(n) for n in re.findall(r"(\d+) bytes stack frame", messages)]
    return {"registers": max(registers, default=0), "spill_bytes": sum(spills), "stack_bytes": max(stack, default=0),
            "warnings": warnings}


def measure(case, compiler, include, folder, repeat):
    runs, empty = [], []
    for _ in range(repeat):
        empty.append(compile_once(Case("empty", case.compiler, EMPTY[case.compiler]), compiler, include, folder).seconds)
        runs.append(compile_once(case, compiler, include, folder))
    seconds = [r.seconds for r in runs]
    result = {
        "case": case.name,
        "compiler": case.compiler,
        "seconds": statistics.median(seconds),
        "fastest": min(seconds),
        "slowest": max(seconds),
        "ratio": min(seconds) / min(empty),
        "peak_mb": max(r.peak_mb for r in runs),
        "object_kb": runs[0].object_kb,
    }
    if case.has_kernel:
        result.update(ptxas_report(runs[0].messages))
        unproven = [compile_once(case, compiler, include, folder, ["-DSECTILE_PROVEN"]) for _ in range(repeat)]
        result["proofs"] = min(seconds) - min(r.seconds for r in unproven)
        result["proofs_ratio"] = result["proofs"] / min(empty)
    return result


def complaints(result):
    """Why --check fails for a result: sentences, none if all is well."""
    who = f"{result['case']} with {result['compiler']}"
    for key, bar in BARS.get((result["case"], result["compiler"]), {}).items():
        if result[key] > bar:
            yield f"{who} takes {result[key]:.2f} {WHAT[key]}, the bar is {bar:.1f}"
    if "registers" not in result:
        return
    bar = PROOF_BARS.get(result["case"], PROOF_BAR)
    if result["proofs_ratio"] > bar:
        yield f"the proofs of {who} take {result['proofs_ratio']:.2f} {WHAT['ratio']}, the bar is {bar:.1f}"
    if not result["registers"]:
        yield f"{who}: ptxas reported no kernel"
    if result["spill_bytes"]:
        yield f"{who} spills {result['spill_bytes']} bytes of registers"
    if result["stack_bytes"]:
        yield f"{who} keeps {result['stack_bytes']} bytes in local memory, which should be registers or constants"
    if result["warnings"]:
        yield f"{who}: ptxas warns {'; '.join(result['warnings'])}"


def print_row(result):
    row = (
        f"{result['case']:28} {result['compiler']:5} {result['seconds']:7.2f} "
        f"{result['fastest']:6.2f} - {result['slowest']:5.2f} {result['ratio']:7.2f} {result['peak_mb']:8.0f} "
        f"{result['object_kb']:8.1f}"
    )
    if "registers" in result:
        codes = sorted({warning[1:6] for warning in result["warnings"]})
        row += f" {result['proofs']:6.2f} {result['registers']:9} {result['spill_bytes']:6} {', '.join(codes) or 'none'}"
    print(row, flush=True)


def version_of(compiler):
    """The line of a compiler's --version that names its version."""
    lines = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()
    return next((line for line in lines if "release" in line), lines[0]).strip()


def document(results, compilers, repeat):
    """What docs/measured/compile_time.json holds; the form is that of bench/report.hpp. Where it is written to is no part
    of it."""
    words = sys.argv[1:]
    if "--json" in words:
        del words[words.index("--json"):words.index("--json") + 2]
    used = sorted({result["compiler"] for result in results})
    return {
        "title": "What it costs to compile",
        "device": f"one core of {platform.processor() or platform.machine()}",
        "software": "; ".join(version_of(compilers[name]) for name in used),
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "command": "python3 bench/" + shlex.join([pathlib.Path(sys.argv[0]).name, *words]),
        "rounds": repeat,
        "columns": [
            {"key": "compiler", "title": "compiler", "digits": 0},
            {"key": "seconds", "title": "CPU seconds", "digits": 2},
            {"key": "ratio", "title": "times an empty kernel", "digits": 2},
            {"key": "peak_mb", "title": "peak MB", "digits": 0},
            {"key": "object_kb", "title": "object, kB", "digits": 0},
            {"key": "proofs", "title": "of them proofs, s", "digits": 2},
        ],
        "rows": [
            {"name": f"{result['case']} {result['compiler']}", "title": result["case"], **result} for result in results
        ],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", default=os.environ.get("CUDACXX", "nvcc"))
    parser.add_argument("--cxx", default=os.environ.get("CXX", "g++"), help="compared with the bars for g++")
    parser.add_argument("--only", nargs="+", default=[""], metavar="TEXT", help="cases whose name contains one of these")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--check", action="store_true", help="fail where a bar is exceeded")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    compilers = {"nvcc": options.nvcc, "g++": options.cxx}

    print(f"{'case':28} {'by':5} {'CPU s':>7} {'of all runs':>14} {'/ empty':>7} {'peak MB':>8} {'.o kB':>8} "
          f"{'proofs':>6} {'registers':>9} {'spills':>6} C75xx")
    results = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        include = ROOT / "include"
        for case in all_cases():
            if not any(text in case.name for text in options.only):
                continue
            if not shutil.which(compilers[case.compiler]):
                print(f"{case.name:28} {case.compiler:5} left out: there is no {compilers[case.compiler]}")
                continue
            results.append(measure(case, compilers[case.compiler], include, folder, options.repeat))
            print_row(results[-1])

    if options.json:
        text = json.dumps(document(results, compilers, options.repeat), indent=1)
        options.json.write_text(text + "\n")
    wrong = [sentence for result in results for sentence in complaints(result)]
    kernels = [result for result in results if "registers" in result]
    if kernels and not wrong:
        print(f"\n{len(kernels)} kernels: no spills, no warning C75xx; no bar exceeded")
    for sentence in wrong:
        print(sentence)
    return 1 if wrong and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
