#!/usr/bin/env python3
"""Products of groups of rows: sectile's kernels against PyTorch's grouped_mm and one dense product, on one GPU; with
--scaled in 8-bit floats with scales for every 128 of K, against PyTorch's _scaled_grouped_mm, which has one for a row.

All run in this process, on the same standard-normal data, in turns; times are from CUDA events, medians over rounds.
Operands are larger than L2. The dense product, PyTorch's (cuBLAS) and ours, has the same rows and one matrix for all.
Results are compared with float64 on sampled rows. The exit code is 1 if one is wrong. --json writes
docs/measured/groups.json, or scaled_groups.json.
"""

import argparse
import ctypes
import datetime
import json
import pathlib
import statistics
import sys

import torch
from attention import race, relative

PRODUCTS = ("dense", "grouped", "grouped_beside", "grouped_alone", "inputs", "weights", "gated", "scaled_dense", "scaled")
OF_ROWS = PRODUCTS[:4]  # y = x w, in bf16
BLOCK = 128  # numbers of K with one scale
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
    function.argtypes = [ctypes.c_int] + [pointer] * 6 + [ctypes.c_int] * 4 + [pointer]
    function.restype = ctypes.c_char_p

    def call(what, x, w, ends, y, columns, length, scales=(None, None)):
        why = function(
            PRODUCTS.index(what), x.data_ptr(), w.data_ptr(), *(s if s is None else s.data_ptr() for s in scales),
            ends.data_ptr(), y.data_ptr(), x.shape[0], columns, length, len(ends),
            torch.cuda.current_stream().cuda_stream,
        )
        if why is not None:
            raise RuntimeError(why.decode())

    return call


def draw_ends(experts, mean, alike):
    """Where groups end: alike, or of 0 to 2 * mean rows."""
    sizes = torch.full((experts,), mean) if alike else torch.randint(0, 2 * mean + 1, (experts,))
    return sizes.cumsum(0).to(torch.int32).cuda()


def check_rows(ends, y, exact_row):
    """How far sampled rows of y are from exact_row(row, its group), in float64."""
    rows = torch.randint(y.shape[0], (SAMPLED_ROWS,), device="cuda")
    rows[0] = y.shape[0] - 1
    group = torch.searchsorted(ends, rows, right=True)
    exact = torch.stack([exact_row(r, e) for r, e in zip(rows, group)])
    return relative(y[rows], exact)


def measure_scaled(problem, alike, ours, rounds):
    """As measure(), in 8 bits with scales of blocks; PyTorch's product is given those of the first block for all."""
    torch.manual_seed(1)
    experts, mean, columns, length = problem
    ends = draw_ends(experts, mean, alike)
    count, blocks, squares = int(ends[-1]), -(-length // BLOCK), -(-columns // BLOCK)
    x = torch.randn((count, length), device="cuda").to(torch.float8_e4m3fn)
    w = torch.randn((experts, columns, length), device="cuda", dtype=torch.bfloat16).to(torch.float8_e4m3fn)
    of_x = torch.rand((blocks, -(-count // 4) * 4), device="cuda") + 0.5
    of_w = torch.rand((experts, squares, blocks), device="cuda") + 0.5
    y = torch.full((count, columns), float("nan"), device="cuda", dtype=torch.bfloat16)

    def product(name):
        return lambda: ours(name, x, w, ends, y, columns, length, (of_x, of_w))

    product("scaled")()

    def exact_row(row, e):
        left = x[row].double() * of_x[:, row].double().repeat_interleave(BLOCK)[:length]
        scales = of_w[e].double().repeat_interleave(BLOCK, 0)[:columns].repeat_interleave(BLOCK, 1)[:, :length]
        return (w[e].double() * scales) @ left

    result = {"rows": count, "error": check_rows(ends, y, exact_row)}
    of_rows = of_x[0, :count].contiguous()
    of_columns = of_w[:, :, 0].repeat_interleave(BLOCK, 1)[:, :columns].contiguous()
    calls = {
        "scaled": product("scaled"), "scaled_dense": product("scaled_dense"),
        "torch": lambda: torch._scaled_grouped_mm(
            x, w.transpose(-1, -2), of_rows, of_columns, offs=ends, out_dtype=torch.bfloat16, use_fast_accum=True,
        ),
    }
    for name, times in zip(calls, race(list(calls.values()), rounds)):
        result[name] = statistics.median(times)
    result["right"] = result["error"] <= ERROR_BAR
    return result


def measure(problem, alike, ours, rounds):
    torch.manual_seed(1)
    experts, mean, columns, length = problem
    ends = draw_ends(experts, mean, alike)
    x = torch.randn((int(ends[-1]), length), device="cuda", dtype=torch.bfloat16)
    both = torch.randn((2, experts, columns, length), device="cuda", dtype=torch.bfloat16)
    w, v = both
    y = torch.full((x.shape[0], columns), float("nan"), device="cuda", dtype=torch.bfloat16)
    h, dx, dw = (torch.full_like(like, float("nan")) for like in (y, x, w))
    dy = torch.randn_like(y)
    calls = {name: (lambda name=name: ours(name, x, w, ends, y, columns, length)) for name in OF_ROWS}
    result = {"rows": x.shape[0]}
    for name in OF_ROWS[1:]:
        y.fill_(float("nan"))
        calls[name]()
        result[name + " error"] = check_rows(ends, y, lambda row, e: w[e].double() @ x[row].double())
    calls["cublas"] = lambda: torch.matmul(x, w[0].T, out=y)
    calls["torch"] = lambda: torch._grouped_mm(x, w.transpose(-1, -2), offs=ends)
    calls["weights"] = lambda: ours("weights", x, dy, ends, dw, columns, length)
    calls["weights"]()
    last = slice(int(ends[-2]), int(ends[-1]))
    exact = dy[last, :SAMPLED_ROWS].double().T @ x[last].double()
    result["weights error"] = relative(dw[-1, :SAMPLED_ROWS], exact)
    calls["inputs"] = lambda: ours("inputs", dy, w, ends, dx, columns, length)
    calls["inputs"]()
    result["inputs error"] = check_rows(ends, dx, lambda row, e: dy[row].double() @ w[e].double())
    calls["torch inputs"] = lambda: torch._grouped_mm(dy, w, offs=ends)
    calls["gated"] = lambda: ours("gated", x, both, ends, h, columns, length)
    calls["gated"]()
    result["gated error"] = check_rows(ends, h, lambda row, e: torch.nn.functional.silu(
        w[e].double() @ x[row].double()) * (v[e].double() @ x[row].double()))
    calls["torch gated"] = lambda: torch.nn.functional.silu(
        torch._grouped_mm(x, w.transpose(-1, -2), offs=ends)) * torch._grouped_mm(x, v.transpose(-1, -2), offs=ends)
    calls["torch weights"] = lambda: torch._grouped_mm(dy.T, x, offs=ends)
    for name, times in zip(calls, race(list(calls.values()), rounds)):
        result[name] = statistics.median(times)
    result["right"] = all(result[name + " error"] <= ERROR_BAR for name in (*OF_ROWS[1:], "inputs", "weights", "gated"))
    return result


COLUMNS = {
    "grouped_beside": "ours", "grouped": "ours, pairs above each other", "torch": "grouped_mm", "dense": "one product, ours",
    "cublas": "one product, cuBLAS", "inputs": "rows' gradients, ours", "torch inputs": "rows' gradients, grouped_mm",
    "weights": "gradients, ours", "torch weights": "gradients, grouped_mm",
    "gated": "two products and SwiGLU, ours", "torch gated": "the same in PyTorch",
}


def operations(name, problem, rows):
    """Of what it is to compute, whoever does: an activation counts for nothing."""
    return 2 * rows * problem[2] * problem[3] * (2 if "gated" in name else 1)


SCALED_COLUMNS = {
    "scaled": "ours", "torch": "_scaled_grouped_mm", "scaled_dense": "one product, ours",
}


def title_of(problem, alike):
    experts, mean, columns, length = problem
    rows = mean if alike else f"0 to {2 * mean}"
    return f"{experts} groups of {rows}, {columns} x {length}"


def document(results, columns, options):
    """What docs/measured/groups.json holds; the form is that of bench/report.hpp. Figures are TFLOP/s."""
    device = torch.cuda.get_device_properties(0)
    rows = []
    for problem, alike, r in results:
        speeds = {name: float(f"{operations(name, problem, r['rows']) / r[name] * 1e-9:.4g}") for name in columns}
        title = title_of(problem, alike)
        rows.append({"name": title, "title": title, **speeds})
    return {
        "title": f"Groups of rows against PyTorch{', in 8 bits' * options.scaled}",
        "device": f"{device.name}, {device.multi_processor_count} SMs",
        "software": f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}",
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "command": f"python3 bench/groups.py{' --scaled' * options.scaled} --rounds {options.rounds}",
        "rounds": options.rounds,
        "columns": [{"key": key, "title": title, "digits": 0} for key, title in columns.items()],
        "rows": rows,
    }


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=pathlib.Path, default=here.parent / "build/bench/libsectile_groups.so")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--scaled", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()

    ours = load(options.library)
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}; TFLOP/s\n")
    columns, measured = (SCALED_COLUMNS, measure_scaled) if options.scaled else (COLUMNS, measure)
    results = []
    for problem in PROBLEMS:
        for alike in (True, False):
            r = measured(problem, alike, ours, options.rounds)
            results.append((problem, alike, r))
            done = [n for n in r if n in (*PRODUCTS, *columns)]
            speeds = "  ".join(f"{n} {operations(n, problem, r['rows']) / r[n] * 1e-9:.0f}" for n in done)
            print(f"{title_of(problem, alike)} | {speeds}{'' if r['right'] else '  WRONG'}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(document(results, columns, options), indent=1) + "\n")
    sys.exit(not all(r["right"] for _, _, r in results))


if __name__ == "__main__":
    main()
