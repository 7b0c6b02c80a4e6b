#!/usr/bin/env python3
"""Products of groups of rows: sectile's kernels against PyTorch's grouped_mm and one dense product, on one GPU.

All run in this process, on the same standard-normal data, in turns; times are from CUDA events, medians over rounds.
Operands are larger than L2. The dense product, PyTorch's (cuBLAS) and ours, has the same rows and one matrix for all.
Results are compared with float64 on sampled rows. The exit code is 1 if one is wrong.
"""

import argparse
import ctypes
import pathlib
import statistics
import sys

import torch
from attention import race, relative

PRODUCTS = ("dense", "grouped", "grouped_beside", "grouped_alone", "weights")
ERROR_BAR = 4e-3
SAMPLED_ROWS = 64
# Experts, mean rows of one, columns and length of sums: Mixtral, DeepSeek, Qwen; up and down projections.
PROBLEMS = [
    (8, 4096, 4096, 7168), (8, 4096, 14336, 4096), (8, 1024, 4096, 14336), (8, 512, 14336, 4096),
    (64, 512, 4096, 2048), (64, 512, 2048, 7168), (128, 512, 1536, 4096), (128, 128, 4096, 768),
    (256, 128, 4096, 7168), (256, 32, 7168, 2048),
]


def load(path):
    """The C function of libsectile_groups.so, as a Python function that raises where it returns a message."""
    function = ctypes.CDLL(str(path)).sectile_groups
    pointer = ctypes.c_void_p
    function.argtypes = [ctypes.c_int] + [pointer] * 4 + [ctypes.c_int] * 4 + [pointer]
    function.restype = ctypes.c_char_p

    def call(what, x, w, ends, y, columns, length):
        why = function(
            PRODUCTS.index(what), x.data_ptr(), w.data_ptr(), ends.data_ptr(), y.data_ptr(), x.shape[0], columns,
            length, len(ends), torch.cuda.current_stream().cuda_stream,
        )
        if why is not None:
            raise RuntimeError(why.decode())

    return call


def draw_ends(experts, mean, alike):
    """Where groups end: alike, or of 0 to 2 * mean rows."""
    sizes = torch.full((experts,), mean) if alike else torch.randint(0, 2 * mean + 1, (experts,))
    return sizes.cumsum(0).to(torch.int32).cuda()


def check_rows(x, w, ends, y):
    rows = torch.randint(x.shape[0], (SAMPLED_ROWS,), device="cuda")
    rows[0] = x.shape[0] - 1
    group = torch.searchsorted(ends, rows, right=True)
    exact = torch.stack([w[e].double() @ x[r].double() for r, e in zip(rows, group)])
    return relative(y[rows], exact)


def measure(problem, alike, ours, rounds):
    torch.manual_seed(1)
    experts, mean, columns, length = problem
    ends = draw_ends(experts, mean, alike)
    x = torch.randn((int(ends[-1]), length), device="cuda", dtype=torch.bfloat16)
    w = torch.randn((experts, columns, length), device="cuda", dtype=torch.bfloat16)
    y = torch.full((x.shape[0], columns), float("nan"), device="cuda", dtype=torch.bfloat16)
    dw = torch.full_like(w, float("nan"))
    dy = torch.randn_like(y)
    calls = {name: (lambda name=name: ours(name, x, w, ends, y, columns, length)) for name in PRODUCTS[:-1]}
    result = {"rows": x.shape[0]}
    for name in PRODUCTS[1:-1]:
        y.fill_(float("nan"))
        calls[name]()
        result[name + " error"] = check_rows(x, w, ends, y)
    calls["cublas"] = lambda: torch.matmul(x, w[0].T, out=y)
    calls["torch"] = lambda: torch._grouped_mm(x, w.transpose(-1, -2), offs=ends)
    calls["weights"] = lambda: ours("weights", x, dy, ends, dw, columns, length)
    calls["weights"]()
    last = slice(int(ends[-2]), int(ends[-1]))
    exact = dy[last, :SAMPLED_ROWS].double().T @ x[last].double()
    result["weights error"] = relative(dw[-1, :SAMPLED_ROWS], exact)
    calls["torch weights"] = lambda: torch._grouped_mm(dy.T, x, offs=ends)
    for name, times in zip(calls, race(list(calls.values()), rounds)):
        result[name] = statistics.median(times)
    result["right"] = all(result[name + " error"] <= ERROR_BAR for name in PRODUCTS[1:])
    return result


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=pathlib.Path, default=here.parent / "build/bench/libsectile_groups.so")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()

    ours = load(options.library)
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}; TFLOP/s\n")
    right = True
    for problem in PROBLEMS:
        for alike in (True, False):
            r = measure(problem, alike, ours, options.rounds)
            experts, mean, columns, length = problem
            flops = 2 * r["rows"] * columns * length
            speeds = "  ".join(
                f"{name} {flops / r[name] * 1e-9:.0f}" for name in (*PRODUCTS[:-1], "cublas", "torch", "weights", "torch weights")
            )
            print(
                f"{experts:3} groups of {mean:4} {'alike' if alike else 'mixed'}, {columns:5} x {length:5} | {speeds}"
                f"{'' if r['right'] else '  WRONG'}",
                flush=True,
            )
            right = right and r["right"]
    sys.exit(not right)


if __name__ == "__main__":
    main()
