#!/usr/bin/env python3
"""Softmax, RMS norm and layer norm of rows: sectile's kernels against PyTorch's and a copy, on one GPU.

All run in this process, on the same standard-normal data, in turns; times are from CUDA events, medians over rounds.
Matrices are larger than L2. A copy of as many bytes, from one tensor to the other, is what no kernel can beat. Results
are compared with float64 on sampled rows. The exit code is 1 if one is wrong. --json writes docs/measured/rows.json.
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

OPERATIONS = ("softmax", "rms_norm", "layer_norm")
TYPES = {"bf16": torch.bfloat16, "f32": torch.float32}
ERROR_BARS = {"bf16": 4e-3, "f32": 1e-6}
EPSILON = 1e-5
SAMPLED_ROWS = 64


def load(path):
    """The C function of libsectile_rows.so, as a Python function that raises where it returns a message."""
    function = ctypes.CDLL(str(path)).sectile_rows
    pointer = ctypes.c_void_p
    function.argtypes = [ctypes.c_int] * 2 + [pointer] * 4 + [ctypes.c_int] * 2 + [ctypes.c_float, pointer]
    function.restype = ctypes.c_char_p

    def call(operation, x, gamma, beta, out):
        why = function(
            OPERATIONS.index(operation), int(x.dtype == torch.float32), x.data_ptr(), gamma.data_ptr(),
            beta.data_ptr(), out.data_ptr(), *x.shape, EPSILON, torch.cuda.current_stream().cuda_stream,
        )
        if why is not None:
            raise RuntimeError(why.decode())

    return call


def theirs(operation, x, gamma, beta):
    functional = torch.nn.functional
    if operation == "softmax":
        return functional.softmax(x, -1)
    if operation == "rms_norm":
        return functional.rms_norm(x, x.shape[-1:], gamma, EPSILON)
    return functional.layer_norm(x, x.shape[-1:], gamma, beta, EPSILON)


def measure(operation, type_name, shape, ours, rounds, with_compiled):
    torch.manual_seed(1)
    x = torch.randn(shape, device="cuda", dtype=TYPES[type_name])
    gamma, beta = (torch.randn(shape[1], device="cuda", dtype=TYPES[type_name]) for _ in range(2))
    out = torch.full_like(x, float("nan"))
    ours(operation, x, gamma, beta, out)
    rows = torch.randint(shape[0], (SAMPLED_ROWS,), device="cuda")
    rows[0] = shape[0] - 1
    exact = theirs(operation, x[rows].double(), gamma.double(), beta.double())
    result = {
        "operation": operation,
        "type": type_name,
        "shape": shape,
        "error": relative(out[rows], exact),
        "torch_error": relative(theirs(operation, x[rows], gamma, beta), exact),
    }
    result["right"] = result["error"] <= ERROR_BARS[type_name] and not out.isnan().any().item()
    calls = {
        "ours": lambda: ours(operation, x, gamma, beta, out),
        "copy": lambda: out.copy_(x),
        "eager": lambda: theirs(operation, x, gamma, beta),
    }
    if with_compiled:
        torch.compiler.reset()  # a shape of its own each time, or it gives up after a few
        compiled = torch.compile(theirs, dynamic=False)
        calls["compiled"] = lambda: compiled(operation, x, gamma, beta)
    for name, times in zip(calls, race(list(calls.values()), rounds)):
        result[name] = statistics.median(times)
    return result


def print_row(r):
    bytes_moved = 2 * r["shape"][0] * r["shape"][1] * TYPES[r["type"]].itemsize
    peers = "  ".join(f"{name} {r[name] / r['ours']:6.3f}" for name in ("copy", "eager", "compiled") if name in r)
    print(
        f"{r['operation']:10} {r['type']:4} {r['shape'][0]:7} x {r['shape'][1]:6} | {r['ours'] * 1e3:9.1f} us "
        f"{bytes_moved / r['ours'] * 1e-9:6.3f} TB/s | {peers} | {r['error']:8.2e} {r['torch_error']:8.2e}"
        f"{'' if r['right'] else '  WRONG'}",
        flush=True,
    )


def document(results, rounds):
    """What docs/measured/rows.json holds; the form is that of bench/report.hpp."""
    device = torch.cuda.get_device_properties(0)

    def row(r):
        kind = f"{r['operation']}, {r['type']}"
        title = f"{kind}, {r['shape'][0]} x {r['shape'][1]}"
        values = {name: float(f"{r[name] / r['ours']:.6g}") for name in ("copy", "eager", "compiled") if name in r}
        shape = {"kind": kind, "rows": r["shape"][0], "cols": r["shape"][1]}
        us = float(f"{r['ours'] * 1e3:.6g}")
        return {"name": title, "title": title, **shape, "us": us, **values, "error": r["error"]}

    return {
        "title": "Rows against a copy and PyTorch",
        "device": f"{device.name}, {device.multi_processor_count} SMs",
        "software": f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}",
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "command": f"python3 bench/rows.py --rounds {rounds}",
        "rounds": rounds,
        "columns": [{"key": "us", "title": "us", "digits": 0}, {"key": "copy", "title": "of a copy", "digits": 3}],
        "rows": [row(r) for r in results],
    }


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=pathlib.Path, default=here.parent / "build/bench/libsectile_rows.so")
    parser.add_argument("--cols", type=int, nargs="+", default=[1024, 2048, 4096, 8192, 16384, 65536])
    parser.add_argument("--elements", type=int, default=1 << 27, help="of a matrix")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--compiled", action="store_true", help="race torch.compile as well")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()

    ours = load(options.library)
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}; copy, eager, compiled: their time over ours\n")
    results = []
    for type_name in TYPES:
        for operation in OPERATIONS:
            for cols in options.cols:
                shape = (options.elements // cols, cols)
                results.append(measure(operation, type_name, shape, ours, options.rounds, options.compiled))
                print_row(results[-1])
    if options.json:
        options.json.write_text(json.dumps(document(results, options.rounds), indent=1) + "\n")
    wrong = sum(not r["right"] for r in results)
    if wrong:
        print(f"WRONG RESULTS in {wrong} rows")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
