#!/usr/bin/env python3
"""A whole mixture of experts in bf16: sectile.torch.mixture_of_experts against what is composed of PyTorch's operations,
on one GPU, each as it is and compiled.

PyTorch's come in two compositions. "torch": the tokens' rows sorted by expert (index_select), a grouped_mm for each of the
two matrices, silu and a product, a grouped_mm, weights, index_add. "joined", for which both matrices lie one behind the
other in memory: one grouped_mm for the two, and instead of adding by atomics rows are put back in the order of tokens and
summed up, by bmm; compiled, by a sum into which the compiler merges what comes before.

All run in this process, on the same standard-normal data, in turns, each call behind a flush of L2; times are from CUDA
events, medians over rounds. Who routes is not timed: indices and weights are given, sorting them is part of a call. The
flush takes longer than the host does to queue a call, which is told beside. Sampled tokens are compared with float64, and
all that is made with PyTorch's; the exit code is 1 if one is wrong. --json writes docs/measured/experts.json.

The package takes the kernels gemm_bf16 and experts: -DSECTILE_PYTHON=ON "-DSECTILE_PYTHON_KERNELS=gemm_bf16;experts".
"""

import argparse
import datetime
import json
import pathlib
import random
import statistics
import sys
import time

import torch
from attention import relative

F = torch.nn.functional
ERROR_BAR = 4e-3  # rounded to bf16 three times: what lies between, what an expert makes, and the sum
THEIR_BAR = 3e-2  # of a sum in bf16
SAMPLED_TOKENS = 16
FLUSHED_BYTES = 4 << 30
# Name, experts, experts of a token, width of tokens, hidden width.
LAYERS = [("DeepSeek", 256, 8, 7168, 2048), ("Mixtral", 8, 2, 4096, 14336), ("Qwen", 128, 8, 4096, 1536)]
COLUMNS = {
    "ours": "ours", "ours compiled": "ours, compiled", "torch": "PyTorch", "torch compiled": "PyTorch, compiled",
    "joined": "PyTorch, matrices joined", "joined compiled": "the same, compiled",
}


def product(x, weight, ends):
    return torch._grouped_mm(x, weight.transpose(-2, -1), offs=ends)


def sorted_by_expert(x, indices, experts):
    """The pairs, sorted: where each was, whose it is, its token's row, and where experts' pairs end."""
    of_pairs, pair = torch.sort(indices.reshape(-1).to(torch.int16), stable=True)
    numbers = torch.arange(experts, device=x.device, dtype=torch.int16)
    ends = torch.searchsorted(of_pairs, numbers, right=True, out_int32=True)
    token = pair // indices.shape[1]
    return pair, token, x.index_select(0, token), ends


def by_torch(x, indices, weights, gate, value, down):
    pair, token, rows, ends = sorted_by_expert(x, indices, len(gate))
    hidden = F.silu(product(rows, gate, ends)) * product(rows, value, ends)
    made = product(hidden, down, ends) * weights.reshape(-1)[pair, None].to(x.dtype)
    return torch.zeros_like(x).index_add_(0, token, made)


def rows_of_tokens(x, indices, both, down):
    """[tokens, experts of each, width]: what a token's experts make, where both matrices are [experts, 2 hidden, width]."""
    pair, _, rows, ends = sorted_by_expert(x, indices, len(both))
    gated, value = product(rows, both, ends).chunk(2, -1)
    made = product(F.silu(gated) * value, down, ends)
    place = torch.empty_like(pair).scatter_(0, pair, torch.arange(len(pair), device=x.device))
    return made[place].view(*indices.shape, -1)


def joined(x, indices, weights, both, down):
    return torch.bmm(weights[:, None].to(x.dtype), rows_of_tokens(x, indices, both, down)).squeeze(1)


def joined_to_compile(x, indices, weights, both, down):
    return (rows_of_tokens(x, indices, both, down) * weights[..., None]).sum(1).to(x.dtype)


def exact(x, indices, weights, gate, value, down):
    """Of tokens, in float64."""
    made = torch.zeros(x.shape, device=x.device, dtype=torch.float64)
    for e in indices.unique().tolist():
        t, j = (indices == e).nonzero(as_tuple=True)
        row = x[t].double()
        hidden = F.silu(row @ gate[e].double().T) * (row @ value[e].double().T)
        made.index_add_(0, t, weights[t, j, None].double() * (hidden @ down[e].double().T))
    return made


def race(calls, rounds, flushed):
    """Milliseconds of the GPU and of the host for each call, medians over rounds; the calls take turns, in another order
    each time."""
    times, of_host = {name: [] for name in calls}, {name: [] for name in calls}
    for i in range(-1, rounds):
        for name in random.Random(i).sample(list(calls), len(calls)):
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            flushed.zero_()
            begin.record()
            before = time.perf_counter()
            calls[name]()
            queued = 1e3 * (time.perf_counter() - before)
            end.record()
            end.synchronize()
            if i >= 0:
                times[name].append(begin.elapsed_time(end))
                of_host[name].append(queued)
    return tuple({name: statistics.median(t) for name, t in of.items()} for of in (times, of_host))


class Layer:
    """A layer's matrices, drawn so that what it makes is about as large as what it is given."""

    def __init__(self, problem):
        self.name, self.experts, self.each, self.width, self.hidden = problem
        torch.manual_seed(1)
        self.both = self.draw(2 * self.hidden, self.width)
        self.gate, self.value = self.draw(self.hidden, self.width), self.draw(self.hidden, self.width)
        self.down = self.draw(self.width, self.hidden)
        for e in range(self.experts):
            self.both[e, : self.hidden], self.both[e, self.hidden :] = self.gate[e], self.value[e]

    def draw(self, height, width):
        made = torch.empty(self.experts, height, width, device="cuda", dtype=torch.bfloat16)
        return made.normal_(0, width**-0.5)

    def title(self, tokens):
        return f"{self.name}: {tokens} tokens, {self.each} of {self.experts} experts, {self.width} x {self.hidden}"

    def operations(self, tokens):
        return 6 * tokens * self.each * self.width * self.hidden


def measure(layer, tokens, ours, rounds, flushed, plain_only):
    torch.manual_seed(2)
    torch._dynamo.reset()  # or so many sizes are too many
    x = torch.randn(tokens, layer.width, device="cuda").to(torch.bfloat16)
    likes = torch.randn(tokens, layer.experts, device="cuda")
    weights, indices = likes.softmax(-1).topk(layer.each)
    weights = weights / weights.sum(1, keepdim=True)
    apart, in_one = (x, indices, weights, layer.gate, layer.value, layer.down), (x, indices, weights, layer.both, layer.down)
    compiled = {"ours": ours, "torch": by_torch, "joined": joined_to_compile}
    calls = {}
    for name, plain in {"ours": ours, "torch": by_torch, "joined": joined}.items():
        given = in_one if name == "joined" else apart
        calls[name] = lambda plain=plain, given=given: plain(*given)
        if not plain_only:
            traced = torch.compile(compiled[name], fullgraph=True, dynamic=False)
            calls[name + " compiled"] = lambda traced=traced, given=given: traced(*given)

    sample = torch.randint(tokens, (SAMPLED_TOKENS,), device="cuda")
    sample[0] = tokens - 1
    right = exact(x[sample], indices[sample], *(t if t is not weights else t[sample] for t in apart[2:]))
    errors, whole = {}, None
    with torch.no_grad():
        for name, call in calls.items():
            made = call()
            whole = made if whole is None else whole
            errors[name] = max(relative(made[sample], right), relative(made, whole) / 2)
        milliseconds, of_host = race(calls, rounds, flushed)
    bars = {name: ERROR_BAR if "ours" in name else THEIR_BAR for name in calls}
    return {"ms": milliseconds, "host": of_host, "errors": errors,
            "right": all(errors[name] <= bars[name] for name in calls)}  # and no NaN, of which that is false


def document(results, options):
    """What docs/measured/experts.json holds; the form is that of bench/report.hpp. Figures are TFLOP/s."""
    device = torch.cuda.get_device_properties(0)
    rows, columns = [], {key: title for key, title in COLUMNS.items() if key in results[0][2]["ms"]}
    for layer, tokens, r in results:
        speeds = {name: float(f"{layer.operations(tokens) / r['ms'][name] * 1e-9:.4g}") for name in columns}
        rows.append({"name": layer.title(tokens), "title": layer.title(tokens), **speeds,
                     "ratio": round(ratio(r["ms"]), 3)})
    columns = [{"key": key, "title": title, "digits": 0} for key, title in columns.items()]
    return {
        "title": "A mixture of experts against PyTorch",
        "device": f"{device.name}, {device.multi_processor_count} SMs",
        "software": f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}",
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "command": f"python3 bench/experts.py{' --plain' * options.plain} --rounds {options.rounds}",
        "rounds": options.rounds,
        "columns": [*columns, {"key": "ratio", "title": "the best of PyTorch's times over ours, uncompiled", "digits": 2}],
        "rows": rows,
    }


def ratio(ms):
    return min(t for name, t in ms.items() if "ours" not in name) / ms["ours"]


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=pathlib.Path, default=here.parent / "build/python/sectile/sectile_shipped.so",
                        help="the shipped operators, in their package")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--tokens", type=int, nargs="+", default=[512, 2048, 4096, 16384])
    parser.add_argument("--only", default="", help="layers whose name has this text")
    parser.add_argument("--plain", action="store_true", help="nothing compiled: for that there has to be Triton")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()

    sys.path.insert(0, str(options.library.absolute().parents[1]))
    import sectile.torch

    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}; TFLOP/s, and microseconds of the host\n")
    flushed = torch.empty(FLUSHED_BYTES, device="cuda", dtype=torch.uint8)
    results = []
    for problem in LAYERS:
        if options.only not in problem[0]:
            continue
        layer = Layer(problem)
        for tokens in options.tokens:
            r = measure(layer, tokens, sectile.torch.mixture_of_experts, options.rounds, flushed, options.plain)
            results.append((layer, tokens, r))
            speeds = "  ".join(f"{name} {layer.operations(tokens) / ms * 1e-9:.0f} ({1e3 * r['host'][name]:.0f} us)"
                               for name, ms in r["ms"].items())
            wrong = "" if r["right"] else f"  WRONG: {r['errors']}"
            print(f"{layer.title(tokens)} | {speeds} | {ratio(r['ms']):.2f}{wrong}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(document(results, options), indent=1) + "\n")
    sys.exit(not all(r["right"] for _, _, r in results))


if __name__ == "__main__":
    main()
