#!/usr/bin/env python3
"""Attention forward in bf16: sectile's kernel against cuDNN's (through PyTorch), on one GPU.

Both run in this process, on the same standard-normal data, in turns; times are from CUDA events, medians over rounds.
Every result is compared with float64 on sampled rows of sampled heads, and in full with cuDNN's. The exit code is 1 if
one is wrong. --repeats measures everything so many times; --json writes docs/measured/attention.json.
"""

import argparse
import ctypes
import datetime
import json
import math
import pathlib
import random
import statistics
import sys

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

SHAPES = ",".join(
    f"{16384 // length}x{heads}x{length}x{dimension}"
    for dimension, heads in ((128, 16), (64, 32), (256, 8))
    for length in (512, 1024, 2048, 4096, 8192, 16384)
)
ERROR_BAR = 1e-2
SAMPLED_HEADS = 3
SAMPLED_ROWS = 96


def load(path):
    """The C function of libsectile_attention.so, as a Python function that raises where it returns a message."""
    forward = ctypes.CDLL(str(path)).sectile_attention_forward
    forward.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_int] * 5 + [ctypes.c_void_p]
    forward.restype = ctypes.c_char_p

    def call(q, k, v, out, causal):
        stream = torch.cuda.current_stream().cuda_stream
        why = forward(q.data_ptr(), k.data_ptr(), v.data_ptr(), out.data_ptr(), *q.shape, int(causal), stream)
        if why is not None:
            raise RuntimeError(why.decode())

    return call


def cudnn(q, k, v, causal):
    with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)


def relative(x, reference):
    """|x - reference| / |reference| in Euclidean norms, float64. NaN where x holds one."""
    x, reference = x.double(), reference.double()
    return ((x - reference).norm() / reference.norm()).item()


def sampled_error(out, q, k, v, causal, generator):
    """The largest relative error of `out` against float64 over some heads, each on some rows (the last one always)."""
    batch, heads, length, dimension = q.shape
    worst = 0.0
    for _ in range(SAMPLED_HEADS):
        b = torch.randint(batch, (), generator=generator).item()
        h = torch.randint(heads, (), generator=generator).item()
        rows = torch.randint(length, (SAMPLED_ROWS,), generator=generator)
        rows[0] = length - 1
        rows = rows.to(q.device)
        scores = q[b, h, rows].double() @ k[b, h].double().T / dimension**0.5
        if causal:
            hidden = torch.arange(length, device=q.device)[None, :] > rows[:, None]
            scores.masked_fill_(hidden, float("-inf"))
        error = relative(out[b, h, rows], scores.softmax(-1) @ v[b, h].double())
        if math.isnan(error):
            return error
        worst = max(worst, error)
    return worst


def milliseconds(call, repetitions):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    for _ in range(repetitions):
        call()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / repetitions


def race(calls, rounds, turn_ms=25.0):
    """Times of each call in milliseconds, one per round; the calls take turns, in another order each time: how warm and
    how fast the chip is, a call has from the one before."""
    for call in calls:
        milliseconds(call, 3)
    repetitions = max(3, min(500, round(turn_ms / milliseconds(calls[0], 3))))
    times = [[] for _ in calls]
    for i in range(rounds):
        for who in random.Random(i).sample(range(len(calls)), len(calls)):
            times[who].append(milliseconds(calls[who], repetitions))
    return times


def measure(shape, causal, ours, rounds):
    batch, heads, length, dimension = shape
    generator = torch.Generator().manual_seed(1)
    torch.manual_seed(1)
    q, k, v = (torch.randn(shape, device="cuda", dtype=torch.bfloat16) for _ in range(3))
    out = torch.full_like(q, float("nan"))
    ours(q, k, v, out, causal)
    expected = cudnn(q, k, v, causal)
    result = {
        "shape": shape,
        "causal": causal,
        "error": sampled_error(out, q, k, v, causal, generator),
        "cudnn_error": sampled_error(expected, q, k, v, causal, generator),
        "difference": relative(out, expected),
    }
    result["right"] = result["error"] <= ERROR_BAR and result["difference"] <= ERROR_BAR

    our_times, their_times = race([lambda: ours(q, k, v, out, causal), lambda: cudnn(q, k, v, causal)], rounds)
    flops = 4 * batch * heads * length * length * dimension / (2 if causal else 1)
    for name, times in (("ours", our_times), ("cudnn", their_times)):
        ms = statistics.median(times)
        result[name] = {"ms": ms, "tflops": flops / ms * 1e-9, "fastest_ms": min(times), "slowest_ms": max(times)}
    result["ratio"] = result["cudnn"]["ms"] / result["ours"]["ms"]
    return result


def print_head():
    print(
        f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, cuDNN {torch.backends.cudnn.version()}\n"
        "Attention forward, bf16; medians. TFLOP/s count half of the products where causal. ratio: cuDNN's time over ours\n\n"
        f"{'B':>3} {'H':>3} {'S':>6} {'D':>4} {'':6} | {'ours ms':>8} {'TFLOP/s':>7} | {'cuDNN ms':>8} {'TFLOP/s':>7} "
        f"| {'ratio':>6} {'spread':>7} | {'error':>8} {'cuDNN':>8} {'between':>8}"
    )


def print_row(r):
    ours, theirs = r["ours"], r["cudnn"]
    batch, heads, length, dimension = r["shape"]
    spread = ours["slowest_ms"] / ours["fastest_ms"] - 1
    print(
        f"{batch:3} {heads:3} {length:6} {dimension:4} {'causal' if r['causal'] else '':6} "
        f"| {ours['ms']:8.3f} {ours['tflops']:7.1f} | {theirs['ms']:8.3f} {theirs['tflops']:7.1f} "
        f"| {r['ratio']:6.3f} {spread:7.1%} | {r['error']:8.2e} {r['cudnn_error']:8.2e} {r['difference']:8.2e}"
        f"{'' if r['right'] else '  WRONG'}",
        flush=True,
    )


def each_of(repeats, value):
    """What varies from repeat to repeat as a list; of one repeat as a number."""
    values = [float(f"{value(r):.6g}") for r in repeats]
    return values if len(values) > 1 else values[0]


def shape_names(result):
    """What a row says of its shape."""
    shape, kind = result["shape"], "causal" if result["causal"] else "full"
    return {
        "name": "x".join(map(str, shape)) + " " + kind,
        "title": ", ".join(map(str, shape)) + ", " + kind,
        "shape": ", ".join(map(str, shape)),
        "kind": kind,
    }


def measured_row(repeats):
    """The row of one shape."""

    def each(value):
        return each_of(repeats, value)

    return {
        **shape_names(repeats[0]),
        "tflops": each(lambda r: r["ours"]["tflops"]),
        "ratio": each(lambda r: r["ratio"]),
        "cudnn_tflops": each(lambda r: r["cudnn"]["tflops"]),
        "error": each(lambda r: r["error"]),
        "cudnn_error": each(lambda r: r["cudnn_error"]),
    }


def document(title, results, rounds, measured_row):
    """What docs/measured/attention.json holds, attention_gradients.json and attention_packed.json; the form is that of
    bench/report.hpp."""
    by_case = {}
    for r in results:
        by_case.setdefault((r["shape"], r["causal"]), []).append(r)
    device = torch.cuda.get_device_properties(0)
    return {
        "title": title,
        "device": f"{device.name}, {device.multi_processor_count} SMs",
        "software": f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}, cuDNN {torch.backends.cudnn.version()}",
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "command": "python3 " + " ".join([pathlib.Path(sys.argv[0]).name, *sys.argv[1:]]),
        "rounds": rounds,
        "columns": [{"key": "tflops", "title": "TFLOP/s", "digits": 0}, {"key": "ratio", "title": "ratio", "digits": 3}],
        "rows": [measured_row(repeats) for repeats in by_case.values()],
    }


def read_shapes(text):
    shapes = [tuple(int(n) for n in item.split("x")) for item in text.split(",")]
    for shape in shapes:
        if len(shape) != 4 or min(shape) < 1:
            raise argparse.ArgumentTypeError(f"{shape}: a shape is BxHxSxD, as in 4x16x4096x128")
    return shapes


def read_options(about, shapes, rounds, read=read_shapes, form="BxHxSxD,..."):
    """The command line of a bench of attention, whose shapes `read` understands."""
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=pathlib.Path, default=here.parent / "build/bench/libsectile_attention.so")
    parser.add_argument("--shapes", type=read, default=shapes, help=form)
    parser.add_argument("--rounds", type=int, default=rounds)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--json", type=pathlib.Path)
    return parser.parse_args()


def measure_all(options, measure, print_row):
    """measure(shape, causal) of all shapes, as often as was asked for."""
    results = []
    for _ in range(options.repeats):
        for shape in options.shapes:
            for causal in (False, True):
                results.append(measure(shape, causal))
                print_row(results[-1])
    return results


def exit_code(results, bar):
    """1 if a result is wrong, which is said."""
    wrong = sum(not r["right"] for r in results)
    if wrong:
        print(f"WRONG RESULTS in {wrong} rows; the bar is {bar}")
    return 1 if wrong else 0


def main():
    options = read_options(__doc__, SHAPES, 9)
    ours = load(options.library)
    print_head()
    results = measure_all(options, lambda shape, causal: measure(shape, causal, ours, options.rounds), print_row)
    if options.json:
        rows = document("Attention forward against cuDNN", results, options.rounds, measured_row)
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return exit_code(results, ERROR_BAR)


if __name__ == "__main__":
    sys.exit(main())
