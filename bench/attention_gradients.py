#!/usr/bin/env python3
"""Attention's gradients in bf16: sectile's three kernels, and those by way of the scores' gradients in memory, against
cuDNN's and FlashAttention-2's (through PyTorch), on one GPU.

All run in this process, on the same standard-normal data, in turns, each call behind a flush of L2; times are from CUDA
events, medians over rounds. Of one head dQ, dK and dV are compared with float64, and in full with cuDNN's. The exit code
is 1 if one is wrong. --repeats measures everything so many times; --json writes docs/measured/attention_gradients.json.
"""

import ctypes
import json
import random
import statistics
import sys

import torch
from attention import document, each_of, exit_code, measure_all, read_options, relative, shape_names
from torch.nn.attention import SDPBackend, sdpa_kernel

SHAPES = "4x16x4096x128,2x16x8192x128,1x16x16384x128,16x16x1024x128,4x32x4096x64,2x32x8192x64"
ERROR_BAR = 1e-2
FLUSHED_BYTES = 1 << 30
FUNCTIONS = {
    "sectile_attention_with_sums": 5,
    "sectile_attention_backward": 11,
    "sectile_attention_backward_by_scores": 12,
}
PEERS = {"cudnn": SDPBackend.CUDNN_ATTENTION, "flash": SDPBackend.FLASH_ATTENTION}


def load(path, functions, sizes_of=lambda given: given[0].shape):
    """C functions of libsectile_attention.so, named with how many tensors each takes, as Python functions that raise where
    they return a message."""
    library = ctypes.CDLL(str(path))

    def function(name, tensors):
        called = getattr(library, name)
        called.argtypes = [ctypes.c_void_p] * tensors + [ctypes.c_int] * 5 + [ctypes.c_void_p]
        called.restype = ctypes.c_char_p

        def call(*given, causal):
            stream = torch.cuda.current_stream().cuda_stream
            why = called(*(x.data_ptr() for x in given), *sizes_of(given), int(causal), stream)
            if why is not None:
                raise RuntimeError(why.decode())

        return call

    return [function(name, tensors) for name, tensors in functions.items()]


def gradients_of(backend, q, k, v, dout, causal):
    """A call that makes dQ, dK and dV by a backend of PyTorch, whose forward pass is done here."""
    given = [x.detach().requires_grad_() for x in (q, k, v)]
    with sdpa_kernel(backend):
        out = torch.nn.functional.scaled_dot_product_attention(*given, is_causal=causal)
    return lambda: torch.autograd.grad(out, given, dout, retain_graph=True)


def right_gradients(q, k, v, dout, causal):
    """dQ, dK and dV of one head in float64."""
    q, k, v, dout = (x.double() for x in (q, k, v, dout))
    scores = q @ k.T / q.shape[-1] ** 0.5
    if causal:
        scores.masked_fill_(torch.ones_like(scores, dtype=torch.bool).triu_(1), float("-inf"))
    p = scores.softmax(-1)
    ds = dout @ v.T
    ds = p * (ds - (p * ds).sum(-1, keepdim=True)) / q.shape[-1] ** 0.5
    return ds @ k, ds.T @ q, p.T @ dout


def race(calls, rounds, flushed):
    """Times of each call in milliseconds, one per round; the calls take turns, in another order each time."""
    times = [[] for _ in calls]
    for i in range(-1, rounds):
        for who in random.Random(i).sample(range(len(calls)), len(calls)):
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            flushed.zero_()  # takes longer than the host does to queue a call
            begin.record()
            calls[who]()
            end.record()
            end.synchronize()
            if i >= 0:
                times[who].append(begin.elapsed_time(end))
    return times


def measure(shape, causal, library, rounds, flushed):
    forward, backward, backward_by_scores = library
    batch, heads, length, dimension = shape
    torch.manual_seed(1)
    q, k, v, dout = (torch.randn(shape, device="cuda", dtype=torch.bfloat16) for _ in range(4))
    out, *found = (torch.full_like(q, float("nan")) for _ in range(4))
    lse, delta, offset = (torch.empty(shape[:3], device="cuda") for _ in range(3))
    forward(q, k, v, out, lse, causal=causal)

    def ours():
        backward(q, k, v, out, lse, dout, delta, offset, *found, causal=causal)

    scores = torch.full((*shape[:3], length), float("nan"), device="cuda", dtype=torch.bfloat16)

    def by_scores():
        backward_by_scores(q, k, v, out, lse, dout, delta, offset, *found, scores, causal=causal)

    by_scores()
    found_by_scores = [x.clone() for x in found]
    for x in found:
        x.fill_(float("nan"))
    ours()
    peers = {name: gradients_of(backend, q, k, v, dout, causal) for name, backend in PEERS.items()}
    head = (torch.randint(batch, ()).item(), torch.randint(heads, ()).item())
    right = right_gradients(*(x[head] for x in (q, k, v, dout)), causal)

    def error(gradients):
        return max(relative(x[head], y) for x, y in zip(gradients, right, strict=True))

    expected = peers["cudnn"]()
    result = {
        "shape": shape,
        "causal": causal,
        "error": max(error(found), error(found_by_scores)),
        "cudnn_error": error(expected),
        "flash_error": error(peers["flash"]()),
        "difference": max(
            relative(x, y) for x, y in zip(found + found_by_scores, expected + expected, strict=True)
        ),
    }
    del right, expected, found_by_scores
    result["right"] = result["error"] <= ERROR_BAR and result["difference"] <= ERROR_BAR

    times = race([ours, by_scores, *peers.values()], rounds, flushed)
    # Of the five products that gradients take at least; what a kernel makes twice is not counted.
    flops = 10 * batch * heads * length * length * dimension / (2 if causal else 1)
    for name, of_name in zip(["ours", "by_scores", *peers], times, strict=True):
        ms = statistics.median(of_name)
        result[name] = {"ms": ms, "tflops": flops / ms * 1e-9}
    result["ratio"] = result["cudnn"]["ms"] / result["ours"]["ms"]
    result["scores_ratio"] = result["cudnn"]["ms"] / result["by_scores"]["ms"]
    result["flash_ratio"] = result["flash"]["ms"] / result["ours"]["ms"]
    return result


def print_head():
    print(
        f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, cuDNN {torch.backends.cudnn.version()}\n"
        "Attention's gradients, bf16; medians. TFLOP/s count five products, half of each where causal. Ratios: the\n"
        "other's time over ours\n\n"
        f"{'B':>3} {'H':>3} {'S':>6} {'D':>4} {'':6} | {'ours ms':>8} {'TFLOP/s':>7} | {'by dS':>8} {'TFLOP/s':>7} "
        f"{'ratio':>6} | {'cuDNN':>7} {'ratio':>6} "
        f"| {'FA2':>7} {'ratio':>6} | {'error':>8} {'cuDNN':>8} {'FA2':>8} {'between':>8}"
    )


def print_row(r):
    batch, heads, length, dimension = r["shape"]
    print(
        f"{batch:3} {heads:3} {length:6} {dimension:4} {'causal' if r['causal'] else '':6} "
        f"| {r['ours']['ms']:8.3f} {r['ours']['tflops']:7.1f} "
        f"| {r['by_scores']['ms']:8.3f} {r['by_scores']['tflops']:7.1f} {r['scores_ratio']:6.3f} "
        f"| {r['cudnn']['tflops']:7.1f} {r['ratio']:6.3f} "
        f"| {r['flash']['tflops']:7.1f} {r['flash_ratio']:6.3f} | {r['error']:8.2e} {r['cudnn_error']:8.2e} "
        f"{r['flash_error']:8.2e} {r['difference']:8.2e}{'' if r['right'] else '  WRONG'}",
        flush=True,
    )


def measured_row(repeats):
    """The row of one shape."""

    def each(value):
        return each_of(repeats, value)

    return {
        **shape_names(repeats[0]),
        "tflops": each(lambda r: r["ours"]["tflops"]),
        "ratio": each(lambda r: r["ratio"]),
        "scores_tflops": each(lambda r: r["by_scores"]["tflops"]),
        "scores_ratio": each(lambda r: r["scores_ratio"]),
        "flash_ratio": each(lambda r: r["flash_ratio"]),
        "cudnn_tflops": each(lambda r: r["cudnn"]["tflops"]),
        "flash_tflops": each(lambda r: r["flash"]["tflops"]),
        "error": each(lambda r: r["error"]),
        "cudnn_error": each(lambda r: r["cudnn_error"]),
        "flash_error": each(lambda r: r["flash_error"]),
    }


def main():
    options = read_options(__doc__, SHAPES, 15)
    library = load(options.library, FUNCTIONS)
    flushed = torch.empty(FLUSHED_BYTES, device="cuda", dtype=torch.uint8)
    print_head()
    results = measure_all(
        options, lambda shape, causal: measure(shape, causal, library, options.rounds, flushed), print_row
    )
    if options.json:
        rows = document("Attention's gradients against cuDNN and FlashAttention-2", results, options.rounds, measured_row)
        rows["columns"].append({"key": "scores_ratio", "title": "by way of dS", "digits": 3})
        rows["columns"].append({"key": "flash_ratio", "title": "of FlashAttention-2", "digits": 2})
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return exit_code(results, ERROR_BAR)


if __name__ == "__main__":
    sys.exit(main())
