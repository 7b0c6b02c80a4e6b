#!/usr/bin/env python3
"""Attention forward in e4m3: sectile's kernel against cuDNN's (through cudnn-frontend) and against sectile's in bf16.

All run in this process, on the same standard-normal data, rounded to e4m3 or bf16, in turns, each call behind a flush of
L2; times are from CUDA events, medians over rounds. cuDNN's probabilities are scaled by 256, as ours are, and its result
is e4m3, ours bf16. V lies ready for each: for ours with keys side by side; what the copy takes that brings it there is
a column of its own. Results are compared with float64 on sampled rows of sampled heads. The exit code is 1 if ours is
wrong. Without the package cudnn (`pip install nvidia-cudnn-frontend`) its columns are left out. --json writes
docs/measured/attention_e4m3.json.
"""

import ctypes
import json
import math
import statistics
import sys

import torch
from attention import document, each_of, exit_code, load, measure_all, read_options, sampled_error, shape_names
from attention_gradients import race

SHAPES = ",".join(f"{32768 // length}x16x{length}x{d}" for d in (128, 256) for length in (4096, 8192, 16384))
ERROR_BAR = 4e-2  # probabilities are rounded to e4m3: tool/error_bar.hpp
LOG2_E = 1.4426950408889634
FLUSHED_BYTES = 1 << 30


def load_8bit(path):
    """The C functions of libsectile_attention.so, as Python functions that raise where they return a message."""
    library = ctypes.CDLL(str(path))

    def function(name, tensors, numbers):
        called = getattr(library, name)
        called.argtypes = [ctypes.c_void_p] * tensors + [ctypes.c_int] * numbers + [ctypes.c_void_p]
        called.restype = ctypes.c_char_p

        def call(*given):
            stream = torch.cuda.current_stream().cuda_stream
            why = called(*(x.data_ptr() for x in given[:tensors]), *given[tensors:], stream)
            if why is not None:
                raise RuntimeError(why.decode())

        return call

    return function("sectile_attention_8bit", 6, 5), function("sectile_turned_values", 2, 4)


def cudnn_attention(q, k, v, causal):
    """A call of cuDNN's fp8 attention and its result, or None where there is no way to it, which is said."""
    try:
        import cudnn
    except ImportError:
        return None
    e4m3, f32 = cudnn.data_type.FP8_E4M3, cudnn.data_type.FLOAT
    handle = cudnn.create_handle()
    cudnn.set_stream(handle=handle, stream=torch.cuda.current_stream().cuda_stream)
    graph = cudnn.pygraph(io_data_type=e4m3, intermediate_data_type=f32, compute_data_type=f32, handle=handle)

    def like(x, name):
        return graph.tensor(name=name, dim=list(x.shape), stride=list(x.stride()), data_type=e4m3)

    def number(name):
        return graph.tensor(name=name, dim=[1] * 4, stride=[1] * 4, data_type=f32)

    out = torch.empty_like(q)
    values = {"descale_q": 1, "descale_k": 1, "descale_v": 1, "descale_s": 1 / 256, "scale_s": 256, "scale_o": 1}
    scales = {name: number(name) for name in values}
    inputs = [like(x, name) for x, name in ((q, "q"), (k, "k"), (v, "v"))]
    o, _, *largest = graph.sdpa_fp8(**dict(zip("qkv", inputs)), **scales, is_inference=True, name="attention",
                                    attn_scale=1 / math.sqrt(q.shape[3]), use_causal_mask=causal)  # fmt: skip
    o.set_output(True).set_dim(list(q.shape)).set_stride(list(q.stride())).set_data_type(e4m3)
    for x in largest:
        x.set_output(True).set_dim([1] * 4).set_stride([1] * 4).set_data_type(f32)
    try:
        graph.build([cudnn.heur_mode.A, cudnn.heur_mode.FALLBACK])
    except cudnn.cudnnGraphNotSupportedError as why:
        print(f"cuDNN refuses {tuple(q.shape)}: {str(why).splitlines()[0]}")
        return None
    filled = {scales[name]: torch.full([1] * 4, float(x), device="cuda") for name, x in values.items()}
    filled |= {x: torch.zeros([1] * 4, device="cuda") for x in largest}
    memory = {**dict(zip(inputs, (q, k, v))), o: out, **filled}
    workspace = torch.empty(max(graph.get_workspace_size(), 1), device="cuda", dtype=torch.uint8)
    return lambda: graph.execute(memory, workspace, handle=handle), out


def measure(shape, causal, functions, in_bf16, rounds, flushed):
    ours, turn = functions
    batch, heads, length, dimension = shape
    torch.manual_seed(1)
    wide = [torch.randn(shape, device="cuda", dtype=torch.bfloat16) for _ in range(3)]
    q, k, v = (x.to(torch.float8_e4m3fn) for x in wide)
    turned = torch.empty_like(v)
    scale = torch.full((batch, heads), LOG2_E / math.sqrt(dimension), device="cuda")
    value_scale = torch.ones_like(scale)
    out = torch.full_like(wide[0], float("nan"))
    calls = {
        "ours": lambda: ours(q, k, turned, scale, value_scale, out, *shape, int(causal)),
        "turn": lambda: turn(v, turned, *shape),
    }
    calls["turn"]()
    calls["ours"]()
    exact = v.view(torch.uint8).transpose(2, 3).contiguous()
    right_turn = torch.equal(turned.view(torch.uint8).view(exact.shape), exact)
    exact_inputs = [x.to(torch.bfloat16) for x in (q, k, v)]  # which has them all
    result = {"shape": shape, "causal": causal}
    result["error"] = sampled_error(out, *exact_inputs, causal, torch.Generator().manual_seed(1))
    result["right"] = right_turn and result["error"] <= ERROR_BAR
    theirs = cudnn_attention(q, k, v, causal)
    if theirs:
        calls["cudnn"] = theirs[0]
        theirs[0]()
        found = theirs[1].to(torch.bfloat16)
        result["cudnn_error"] = sampled_error(found, *exact_inputs, causal, torch.Generator().manual_seed(1))
    of_wide = torch.empty_like(out)
    calls["bf16"] = lambda: in_bf16(*wide, of_wide, causal)
    flops = 4 * batch * heads * length * length * dimension / (2 if causal else 1)
    for name, times in zip(calls, race(list(calls.values()), rounds, flushed)):
        ms = statistics.median(times)
        result[name] = {"ms": ms, "tflops": flops / ms * 1e-9, "spread": max(times) / min(times) - 1}
    return result


def print_row(r):
    text = f"{'x'.join(map(str, r['shape'])):16} {'causal' if r['causal'] else 'full':6}"
    for name in ("ours", "cudnn", "bf16"):
        if name in r:
            text += f" | {name} {r[name]['tflops']:7.1f} TFLOP/s, spread {r[name]['spread']:5.1%}"
    text += f" | turned in {r['turn']['ms'] * 1e3:.0f} us | error {r['error']:.2e}, cuDNN {r.get('cudnn_error', 0):.2e}"
    print(text + ("" if r["right"] else "  WRONG"), flush=True)


def measured_row(repeats):
    first = repeats[0]
    row = {**shape_names(first), "tflops": each_of(repeats, lambda r: r["ours"]["tflops"])}
    row["turn_us"] = each_of(repeats, lambda r: r["turn"]["ms"] * 1e3)
    row["error"] = each_of(repeats, lambda r: r["error"])
    for name in ("cudnn", "bf16"):
        if all(name in r for r in repeats):
            row[f"{name}_tflops"] = each_of(repeats, lambda r, name=name: r[name]["tflops"])
            row["ratio" if name == "cudnn" else "over_bf16"] = each_of(
                repeats, lambda r, name=name: r[name]["ms"] / r["ours"]["ms"])  # fmt: skip
    if "cudnn_error" in first:
        row["cudnn_error"] = each_of(repeats, lambda r: r["cudnn_error"])
    return row


def main():
    options = read_options(__doc__, SHAPES, 7)
    library = options.library.resolve()  # which the loader looks for by its name alone elsewhere
    functions, in_bf16 = load_8bit(library), load(library)
    flushed = torch.empty(FLUSHED_BYTES, device="cuda", dtype=torch.uint8)

    def measure_one(shape, causal):
        return measure(shape, causal, functions, in_bf16, options.rounds, flushed)

    results = measure_all(options, measure_one, print_row)
    if options.json:
        rows = document("Attention forward in e4m3 against cuDNN", results, options.rounds, measured_row)
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return exit_code(results, ERROR_BAR)


if __name__ == "__main__":
    sys.exit(main())
