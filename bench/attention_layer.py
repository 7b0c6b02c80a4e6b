#!/usr/bin/env python3
"""Attention as a layer that learns, in bf16, forward and backward through autograd: sectile.torch.attention with memory
for the scores' gradients and without, against PyTorch's by cuDNN and by FlashAttention-2, on one GPU.

All run in this process, on the same standard-normal data, in turns, each call behind a flush of L2; times are from CUDA
events, medians over rounds. Of one head the gradients are compared with float64, and with another memory all of them
must have the same bits. The exit code is 1 if one is wrong. --memory says with how much, in MiB; the ratios are those of
each. It takes the Python package with the kernels attention_gradients.
"""

import argparse
import json
import pathlib
import statistics
import sys

import torch
from attention import document, each_of, exit_code, measure_all, read_shapes, relative, shape_names
from attention_gradients import SHAPES, race, right_gradients
from torch.nn.attention import SDPBackend, sdpa_kernel

import sectile.torch

ERROR_BAR = 1e-2
FLUSHED_BYTES = 4 << 30  # so that the host has queued both ways before they begin
PEERS = {"cudnn": SDPBackend.CUDNN_ATTENTION, "flash": SDPBackend.FLASH_ATTENTION}


def both_ways(layer, q, k, v, dout):
    return lambda: torch.autograd.grad(layer(q, k, v), (q, k, v), dout)


def ours(memory, causal):
    return lambda q, k, v: sectile.torch.attention(q, k, v, causal, memory << 20)


def of_torch(backend, causal):
    def layer(q, k, v):
        with sdpa_kernel(backend):
            return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)

    return layer


def extra_memory(call):
    """MiB that a call takes at most beyond what is there, results included."""
    torch.cuda.synchronize()
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    call()
    torch.cuda.synchronize()
    return (torch.cuda.max_memory_allocated() - before) / 2**20


def measure(shape, causal, memories, rounds, flushed):
    batch, heads, length, dimension = shape
    torch.manual_seed(1)
    # As a projection leaves them: the heads of a row lie together.
    q, k, v, dout = (
        torch.randn(batch, length, heads, dimension, device="cuda", dtype=torch.bfloat16).transpose(1, 2)
        for _ in range(4)
    )
    given = [x.requires_grad_() for x in (q, k, v)]
    calls = {f"memory {m}": both_ways(ours(m, causal), *given, dout) for m in memories}
    calls |= {name: both_ways(of_torch(backend, causal), *given, dout) for name, backend in PEERS.items()}
    extra = {name: extra_memory(call) for name, call in calls.items()}
    found = [calls[f"memory {m}"]() for m in memories]
    same = all(torch.equal(a, b) for other in found[1:] for a, b in zip(found[0], other, strict=True))
    head = (torch.randint(batch, ()).item(), torch.randint(heads, ()).item())
    right = right_gradients(*(x.detach()[head] for x in (q, k, v, dout)), causal)
    result = {
        "shape": shape,
        "causal": causal,
        "same": same,
        "error": max(relative(x[head], y) for x, y in zip(found[0], right, strict=True)),
    }
    del found, right
    result["right"] = same and result["error"] <= ERROR_BAR
    times = race(list(calls.values()), rounds, flushed)
    flops = 14 * batch * heads * length * length * dimension / (2 if causal else 1)
    for name, of_name in zip(calls, times, strict=True):
        ms = statistics.median(of_name)
        result[name] = {"ms": ms, "tflops": flops / ms * 1e-9, "extra": extra[name]}
    return result


def print_head(memories):
    print(
        f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, cuDNN {torch.backends.cudnn.version()}\n"
        "Attention forward and backward through autograd, bf16; medians of ms, and MiB that a call takes. TFLOP/s count\n"
        "seven products, half of each where causal. Ratios: cuDNN's time over ours, FlashAttention-2's over ours\n"
    )
    ours = " ".join(f"| {f'with {m} MiB':>16} {'TFLOP/s':>7} {'ratios':>11}" for m in memories)
    print(f"{'B':>3} {'H':>3} {'S':>6} {'D':>4} {'':6} {ours} | {'cuDNN':>14} | {'FA2':>14} | {'error':>8}")


def print_row(r, memories):
    of_ours = ""
    for m in memories:
        x = r[f"memory {m}"]
        ratios = " ".join(f"{r[name]['ms'] / x['ms']:5.3f}" for name in PEERS)
        of_ours += f" | {x['ms']:8.3f} {x['extra']:7.0f} {x['tflops']:7.1f} {ratios}"
    peers = " | ".join(f"{r[name]['ms']:7.3f} {r[name]['extra']:6.0f}" for name in PEERS)
    batch, heads, length, dimension = r["shape"]
    print(
        f"{batch:3} {heads:3} {length:6} {dimension:4} {'causal' if r['causal'] else '':6}{of_ours} | {peers} "
        f"| {r['error']:8.2e}{'' if r['right'] else '  WRONG' if r['same'] else '  OTHER BITS'}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shapes", type=read_shapes, default=SHAPES, help="BxHxSxD,...")
    parser.add_argument("--memory", type=lambda text: [int(m) for m in text.split(",")], default="1024,0", help="MiB,...")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    flushed = torch.empty(FLUSHED_BYTES, device="cuda", dtype=torch.uint8)
    print_head(options.memory)
    results = measure_all(
        options,
        lambda shape, causal: measure(shape, causal, options.memory, options.rounds, flushed),
        lambda r: print_row(r, options.memory),
    )
    if options.json:

        def measured_row(repeats):
            row = shape_names(repeats[0])
            for m in options.memory:
                ms = f"memory {m}"
                row[f"{m}_tflops"] = each_of(repeats, lambda r: r[ms]["tflops"])
                row[f"{m}_extra"] = each_of(repeats, lambda r: r[ms]["extra"])
                for name in PEERS:
                    row[f"{m}_{name}_ratio"] = each_of(repeats, lambda r: r[name]["ms"] / r[ms]["ms"])
            return row

        rows = document("Attention forward and backward in PyTorch", results, options.rounds, measured_row)
        rows["columns"] = [
            {"key": f"{m}_{key}", "title": f"{m} MiB, {said}", "digits": digits}
            for m in options.memory
            for key, said, digits in (("tflops", "TFLOP/s", 0), ("cudnn_ratio", "ratio", 3), ("flash_ratio", "of FA2", 2))
        ]
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return exit_code(results, ERROR_BAR)


if __name__ == "__main__":
    sys.exit(main())
