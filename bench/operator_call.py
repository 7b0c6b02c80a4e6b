"""What a call of an operator, or of a layer, costs the host, beside PyTorch's own: python bench/operator_call.py
[--json FILE]

Calls are queued in batches that the GPU's queue has room for, and the GPU catches up between them; what is said is the
median of a call in each. Rows take turns, so that a host that slows down slows all of them. --json writes
docs/measured/operator_call.json.
"""

import argparse
import datetime
import json
import statistics
import sys
import time

import torch

import sectile
import sectile.torch

SIZE, BATCH, BATCHES = 128, 100, 60


def matrix(learns=False):
    return torch.randn(SIZE, SIZE, device="cuda").bfloat16().requires_grad_(learns)


def both_ways(layer, x, weight, dy):
    """A layer's forward pass and its gradients, as torch.autograd.grad makes them."""
    return lambda: torch.autograd.grad(layer(x, weight), (x, weight), dy)


def calls():
    """(key, title, call) of each row."""
    gemm = sectile.operators.gemm_bf16
    dispatched = sectile.torch.register(gemm)
    a, b, c, dy = (matrix() for _ in range(4))
    x, weight = (matrix(learns=True) for _ in range(2))
    bt, arguments, stream = b.t(), (a, b, c), torch.cuda.current_stream().cuda_stream
    ours, theirs = sectile.torch.linear, torch.nn.functional.linear
    through = torch.ops.sectile.linear
    return (
        ("run", "`run()` with a stream", lambda: gemm.run(arguments, stream)),
        ("out", "the operator with `out=`", lambda: gemm(a, b, out=c)),
        ("makes", "the operator, which makes its output", lambda: gemm(a, b)),
        ("dispatched out", "by the dispatcher, with `out=`", lambda: dispatched.out(a, b, C=c)),
        ("dispatched", "by the dispatcher", lambda: dispatched(a, b)),
        ("mm out", "`torch.mm` with `out=`", lambda: torch.mm(a, bt, out=c)),
        ("mm", "`torch.mm`, which makes it too", lambda: torch.mm(a, bt)),
        ("empty", "`torch.empty` alone", lambda: torch.empty(SIZE, SIZE, dtype=torch.bfloat16, device="cuda")),
        ("layer", "`sectile.torch.linear`", lambda: ours(a, b)),
        ("torch layer", "`torch.nn.functional.linear`", lambda: theirs(a, b)),
        ("learns", "`sectile.torch.linear`, a gradient wanted", lambda: ours(x, weight)),
        ("dispatched learns", "the same, by the dispatcher", lambda: through(x, weight, None)),
        ("torch learns", "PyTorch's, a gradient wanted", lambda: theirs(x, weight)),
        ("both", "`sectile.torch.linear`, forward and backward", both_ways(ours, x, weight, dy)),
        ("dispatched both", "the same, by the dispatcher",
         both_ways(lambda x, w: through(x, w, None), x, weight, dy)),
        ("torch both", "PyTorch's, forward and backward", both_ways(theirs, x, weight, dy)),
    )


def batch_of(call):
    """Microseconds of the host for a call, in a batch."""
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(BATCH):
        call()
    return 1e6 * (time.perf_counter() - begin) / BATCH


def measured(rows):
    costs = {key: [] for key, _, _ in rows}
    for round_ in range(BATCHES + 1):
        for key, _, call in rows:
            cost = batch_of(call)
            if round_ > 0:  # the first one warms up
                costs[key].append(cost)
    return {key: statistics.median(c) for key, c in costs.items()}


def report(rows, found):
    """What docs/measured/operator_call.json holds; the form is that of bench/report.hpp."""
    return {
        "title": "What a call of an operator costs the host",
        "device": torch.cuda.get_device_name(),
        "date": datetime.date.today().isoformat(),
        "command": "python bench/operator_call.py",
        "rounds": BATCHES,
        "columns": [{"key": "us", "title": "microseconds of the host", "digits": 1}],
        "rows": [{"name": key, "title": title, "us": round(found[key], 2)} for key, title, _ in rows],
    }


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    options.add_argument("--json", metavar="FILE")
    asked = options.parse_args()
    if not torch.cuda.is_available():
        raise SystemExit("operator_call: no GPU is visible: what a launch costs the host is measured with one")
    rows = calls()
    found = measured(rows)
    for key, title, _ in rows:
        print(f"{title:50s} {found[key]:6.2f} us")
    if asked.json:
        with open(asked.json, "w") as file:
            json.dump(report(rows, found), file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    sys.exit(main())
