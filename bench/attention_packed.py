#!/usr/bin/env python3
"""Attention of packed sequences in bf16, forward and its gradients: sectile's kernels against FlashAttention-2's
(PyTorch's operator that takes cu_seqlens), and where all lengths are equal against sectile's plain kernels.

All run in this process, on the same standard-normal data, in turns, each call behind a flush of L2; times are from CUDA
events, medians over rounds. Of one head of a sequence O, dQ, dK and dV are compared with float64, and in full with
FlashAttention-2's. (cuDNN is left out: PyTorch 2.11's operator makes a plan in every call, which takes the host 50 ms, and
stops at an illegal address in a case of log8192.) The exit code is 1 if one is wrong. --repeats measures everything so
many times; --json writes docs/measured/attention_packed.json.

A case is LENGTHSxHxD. LENGTHS are 8*2048, so many of so many rows; or uniform2048, from 1 to 2048, and log8192, from 16 to
8192 with a logarithm that is uniform: drawn until they are 32768 rows, the last one cut.
"""

import argparse
import json
import math
import random
import statistics
import sys

import torch
from attention import document, each_of, exit_code, measure_all, read_options, relative
from attention_gradients import FUNCTIONS as PLAIN_FUNCTIONS
from attention_gradients import load, race, right_gradients

CASES = "8*4096x16x128,32*1024x16x128,uniform2048x16x128,log8192x16x128,32*1024x32x64,log8192x32x64"
ROWS = 32768
FUNCTIONS = {"sectile_packed_attention": 6, "sectile_packed_backward": 12}
ERROR_BAR = 1e-2
FLUSHED_BYTES = 1 << 30


def lengths_of(text):
    """The lengths that a case names: the same in every run."""
    if "*" in text:
        count, length = (int(n) for n in text.split("*"))
        return [length] * count
    draw = random.Random(17)
    kind, most = text.rstrip("0123456789"), int(text.lstrip("abcdefghijklmnopqrstuvwxyz"))
    lengths = []
    while sum(lengths) < ROWS:
        if kind == "uniform":
            length = draw.randint(1, most)
        elif kind == "log":
            length = round(math.exp(draw.uniform(math.log(16), math.log(most))))
        else:
            raise argparse.ArgumentTypeError(f"{text}: lengths are as 8*2048, uniform2048 or log8192")
        lengths.append(min(length, ROWS - sum(lengths)))
    return lengths


def read_cases(text):
    cases = []
    for item in text.split(","):
        lengths, heads, dimension = item.rsplit("x", 2)
        lengths_of(lengths)
        cases.append((lengths, int(heads), int(dimension)))
    return cases


def flash(q, k, v, seqlens, longest, causal):
    return torch.ops.aten._flash_attention_forward(q, k, v, seqlens, seqlens, longest, longest, 0.0, causal, False)[0]


def flash_calls(parts, dout, seqlens, longest, causal):
    """Two calls: O, and dQ, dK and dV."""
    given = [x.detach().requires_grad_() for x in parts]
    out = flash(*given, seqlens, longest, causal)

    def forward():
        with torch.no_grad():
            return flash(*parts, seqlens, longest, causal)

    return forward, lambda: torch.autograd.grad(out, given, dout, retain_graph=True)


def plain_calls(library, parts, dout, lengths, causal):
    """The same by sectile's plain kernels, where all lengths are equal: of B x H x S x D tensors."""
    if len(set(lengths)) > 1:
        return None
    forward, backward, _ = library
    q, k, v, of_out = (x.view(len(lengths), lengths[0], *x.shape[1:]).transpose(1, 2).contiguous() for x in (*parts, dout))
    out, *made = (torch.empty_like(q) for _ in range(4))
    sums, delta, offset = (torch.empty(q.shape[:3], device="cuda") for _ in range(3))
    return (
        lambda: forward(q, k, v, out, sums, causal=causal),
        lambda: backward(q, k, v, out, sums, of_out, delta, offset, *made, causal=causal),
    )


def measure(case, causal, library, plain, rounds, flushed):
    text, heads, dimension = case
    forward, backward = library
    lengths = lengths_of(text)
    rows, longest = sum(lengths), max(lengths)
    torch.manual_seed(1)
    shape = rows, heads, dimension
    *parts, dout = (torch.randn(shape, device="cuda", dtype=torch.bfloat16) for _ in range(4))
    seqlens = torch.tensor([0, *lengths], device="cuda").cumsum(0).to(torch.int32)
    ends = seqlens[1:]
    out, *found = (torch.full(shape, float("nan"), device="cuda", dtype=torch.bfloat16) for _ in range(4))
    sums, delta, offset = (torch.empty(heads, rows, device="cuda") for _ in range(3))
    calls = {
        "ours": (
            lambda: forward(*parts, out, sums, ends, causal=causal),
            lambda: backward(*parts, out, sums, dout, delta, offset, *found, ends, causal=causal),
        )
    }
    for call in calls["ours"]:
        call()
    result = {"shape": case, "causal": causal, "sequences": len(lengths), "longest": longest}
    calls["flash"] = flash_calls(parts, dout, seqlens, longest, causal)
    if made := plain_calls(plain, parts, dout, lengths, causal):
        calls["plain"] = made
        made[0]()  # what the way back takes

    which, head = random.Random(5).randrange(len(lengths)), heads - 1
    begin = sum(lengths[:which])
    here = [x[begin : begin + lengths[which], head] for x in (*parts, dout)]
    right = [right_rows(*here[:3], causal), *right_gradients(*here, causal)]

    def error(made):
        return max(relative(x[begin : begin + lengths[which], head], y) for x, y in zip(made, right, strict=True))

    theirs = calls["flash"][0](), *calls["flash"][1]()
    result["error"], result["flash_error"] = error((out, *found)), error(theirs)
    result["difference"] = max(relative(x, y) for x, y in zip((out, *found), theirs, strict=True))
    del theirs, right
    result["right"] = result["error"] <= ERROR_BAR and result["difference"] <= ERROR_BAR

    squares = sum(n * n for n in lengths) * heads * dimension / (2 if causal else 1)
    for turn, (way, products) in enumerate((("forward", 4), ("backward", 10))):
        for name, times in zip(calls, race([both[turn] for both in calls.values()], rounds, flushed), strict=True):
            ms = statistics.median(times)
            result[name, way] = {"ms": ms, "tflops": products * squares / ms * 1e-9}
    return result


def right_rows(q, k, v, causal):
    """O of one head in float64."""
    q, k, v = (x.double() for x in (q, k, v))
    scores = q @ k.T / q.shape[-1] ** 0.5
    if causal:
        scores.masked_fill_(torch.ones_like(scores, dtype=torch.bool).triu_(1), float("-inf"))
    return scores.softmax(-1) @ v


def ratio(r, name, way):
    """The other's time over ours; None where it was not measured."""
    return r[name, way]["ms"] / r["ours", way]["ms"] if (name, way) in r else None


def print_head():
    print(
        f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, cuDNN {torch.backends.cudnn.version()}\n"
        "Attention of packed sequences, bf16; medians. TFLOP/s count two products forward and five backward, of the\n"
        "sequences' own rows and keys, half of each where causal. Ratios: the other's time over ours; plain: sectile's\n"
        "kernels for equal lengths\n\n"
        f"{'lengths':>12} {'H':>3} {'D':>4} {'':6} {'':8} | {'ours ms':>8} {'TFLOP/s':>7} | {'FA2':>6} {'plain':>6} "
        f"| {'error':>8} {'FA2':>8} {'between':>8}"
    )


def print_row(r):
    lengths, heads, dimension = r["shape"]
    for way in ("forward", "backward"):
        ratios = " ".join(f"{x:6.3f}" if (x := ratio(r, name, way)) else "     -" for name in ("flash", "plain"))
        print(
            f"{lengths:>12} {heads:3} {dimension:4} {'causal' if r['causal'] else '':6} {way:8} "
            f"| {r['ours', way]['ms']:8.3f} {r['ours', way]['tflops']:7.1f} | {ratios} "
            f"| {r['error']:8.2e} {r['flash_error']:8.2e} {r['difference']:8.2e}{'' if r['right'] else '  WRONG'}",
            flush=True,
        )


def measured_row(repeats):
    """The row of one case."""
    first = repeats[0]
    lengths, heads, dimension = first["shape"]
    kind = "causal" if first["causal"] else "full"
    said = f"{lengths.replace('*', ' x ')}, {heads}, {dimension}"
    row = {
        "name": f"{lengths}x{heads}x{dimension} {kind}",
        "title": f"{said}, {kind}",
        "shape": said,
        "kind": kind,
        "sequences": first["sequences"],
        "longest": first["longest"],
    }
    for way in ("forward", "backward"):
        row[f"{way}_tflops"] = each_of(repeats, lambda r: r["ours", way]["tflops"])
        for name in ("flash", "plain"):
            if (name, way) in first:
                row[f"{way}_{name}_ratio"] = each_of(repeats, lambda r: ratio(r, name, way))
    for key in ("error", "flash_error"):
        row[key] = each_of(repeats, lambda r: r[key])
    return row


def main():
    options = read_options(__doc__, CASES, 15, read_cases, "LENGTHSxHxD,...")
    library = load(options.library, FUNCTIONS, lambda given: (given[-1].numel(), *given[0].shape))
    plain = load(options.library, PLAIN_FUNCTIONS)
    flushed = torch.empty(FLUSHED_BYTES, device="cuda", dtype=torch.uint8)
    print_head()
    results = measure_all(
        options, lambda case, causal: measure(case, causal, library, plain, options.rounds, flushed), print_row
    )
    if options.json:
        title = "Attention of packed sequences against FlashAttention-2 and equal lengths"
        rows = document(title, results, options.rounds, measured_row)
        rows["columns"] = [
            {"key": f"{way}_{key}", "title": f"{way}, {said}", "digits": digits}
            for way in ("forward", "backward")
            for key, said, digits in (("tflops", "TFLOP/s", 0), ("flash_ratio", "of FlashAttention-2", 2))
        ]
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return exit_code(results, ERROR_BAR)


if __name__ == "__main__":
    sys.exit(main())
