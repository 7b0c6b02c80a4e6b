#!/usr/bin/env python3
"""Convolutions in bf16: sectile's family, as a launch picks of it, against cuDNN's fastest (through PyTorch), on one GPU.

Shapes are those of ResNet-50, of the UNet of a latent diffusion model and of the first UNet, images NHWC, filters KRSC.
What is timed is a CUDA graph of many calls, whose operands are others in each call, as many as it takes that none is in
L2; contestants take turns, in another order each time, and times are medians over rounds. cuDNN's algorithm is the
fastest of all that it has (torch.backends.cudnn.benchmark, without a limit). Results are compared with cuDNN's in full and
with float64 on sampled pixels; the exit code is 1 if one is wrong. --members times every member of the family too, and
writes what it found; --json writes docs/measured/convolutions.json.
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
from attention import relative

ERROR_BAR = 4e-3
SAMPLED_PIXELS = 64
ENOUGH_BYTES = 200e6  # of operands: the L2 cache has 50 MiB
WORKSPACE_BYTES = 256 << 20
PICK = -1

# Side of the images, channels, filters, side of a filter, stride; padded by half a filter.
RESNET = [
    (56, 64, 64, 1, 1), (56, 64, 64, 3, 1), (56, 64, 256, 1, 1), (56, 256, 64, 1, 1), (56, 256, 128, 1, 1),
    (56, 128, 128, 3, 2), (56, 256, 512, 1, 2), (28, 128, 512, 1, 1), (28, 512, 128, 1, 1), (28, 128, 128, 3, 1),
    (28, 512, 256, 1, 1), (28, 256, 256, 3, 2), (28, 512, 1024, 1, 2), (14, 256, 1024, 1, 1), (14, 1024, 256, 1, 1),
    (14, 256, 256, 3, 1), (14, 1024, 512, 1, 1), (14, 512, 512, 3, 2), (14, 1024, 2048, 1, 2), (7, 512, 2048, 1, 1),
    (7, 2048, 512, 1, 1), (7, 512, 512, 3, 1),
]
DIFFUSION = [
    (64, 320, 320, 3, 1), (64, 640, 320, 3, 1), (64, 960, 320, 3, 1), (64, 320, 320, 3, 2), (32, 320, 640, 3, 1),
    (32, 640, 640, 3, 1), (32, 1280, 640, 3, 1), (32, 1920, 640, 3, 1), (32, 640, 640, 3, 2), (16, 640, 1280, 3, 1),
    (16, 1280, 1280, 3, 1), (16, 2560, 1280, 3, 1), (8, 1280, 1280, 3, 1), (8, 2560, 1280, 3, 1), (64, 960, 320, 1, 1),
]
UNET = [  # without padding
    (570, 64, 64), (284, 64, 128), (282, 128, 128), (140, 128, 256), (138, 256, 256), (68, 256, 512), (66, 512, 512),
    (32, 512, 1024), (30, 1024, 1024), (56, 1024, 512), (104, 512, 256), (392, 128, 64),
]


class Problem:
    def __init__(self, network, batch, side, channels, filters, filter_side, stride, padding):
        self.network, self.batch, self.side, self.channels, self.filters = network, batch, side, channels, filters
        self.filter_side, self.stride, self.padding = filter_side, stride, padding
        self.out = (side + 2 * padding - filter_side) // stride + 1
        self.pixels = batch * self.out**2
        self.operations = 2 * self.pixels * filters * filter_side**2 * channels
        self.bytes = 2 * (batch * side**2 * channels + filters * filter_side**2 * channels + self.pixels * filters)

    def title(self):
        of = f"{self.filter_side} x {self.filter_side}" + (f", stride {self.stride}" if self.stride > 1 else "")
        return f"{self.network}: {self.batch} x {self.side} x {self.side} x {self.channels}, {self.filters} of {of}"

    def sizes(self):
        """M, K, T and C, by which a launch picks."""
        return [self.pixels, self.filters, self.filter_side**2, self.channels]


def problems():
    for shape in RESNET:
        yield Problem("ResNet-50", 64, *shape, shape[3] // 2)
    for batch in (2, 8):
        for shape in DIFFUSION:
            yield Problem("diffusion", batch, *shape, shape[3] // 2)
    for shape in UNET:
        yield Problem("UNet", 2, *shape, 3, 1, 0)


def load(path):
    """The C functions of libsectile_convolutions.so: one that raises where it returns a message, and the members."""
    library = ctypes.CDLL(str(path.resolve()))
    pointer = ctypes.c_void_p
    function = library.sectile_convolution
    function.argtypes = [ctypes.c_int] + [pointer] * 3 + [ctypes.c_int] * 10 + [pointer, ctypes.c_longlong, pointer]
    function.restype = ctypes.c_char_p
    room = torch.empty(WORKSPACE_BYTES, dtype=torch.uint8, device="cuda")

    def call(member, p, x, w, y):
        why = function(
            member, x.data_ptr(), w.data_ptr(), y.data_ptr(), p.batch, p.side, p.side, p.channels, p.filters,
            p.filter_side, p.filter_side, p.stride, p.padding, 1, room.data_ptr(), room.numel(),
            torch.cuda.current_stream().cuda_stream,
        )
        if why is not None:
            raise RuntimeError(why.decode())

    return call, library.sectile_convolution_members()


class Operands:
    """As many sets of operands as it takes that a call finds none of its own in L2."""

    def __init__(self, p):
        torch.manual_seed(1)
        self.count = max(1, min(24, math.ceil(ENOUGH_BYTES / p.bytes)))
        each = range(self.count)
        self.x = [self.draw(p.batch, p.channels, p.side, p.side) for _ in each]
        self.w = [self.draw(p.filters, p.channels, p.filter_side, p.filter_side) for _ in each]
        self.y = [self.draw(p.batch, p.filters, p.out, p.out).fill_(float("nan")) for _ in each]

    @staticmethod
    def draw(*shape):
        return torch.randn(shape, device="cuda").to(torch.bfloat16).to(memory_format=torch.channels_last)


def exact_pixels(p, x, w):
    """Sampled pixels of the output in float64, with their places: image, row, column."""
    places = torch.stack([torch.randint(n, (SAMPLED_PIXELS,)) for n in (p.batch, p.out, p.out)])
    places[:, 0] = torch.tensor([p.batch, p.out, p.out]) - 1
    padded = torch.nn.functional.pad(x, [p.padding] * 4)
    patches = torch.stack([
        padded[n, :, i * p.stride:i * p.stride + p.filter_side, j * p.stride:j * p.stride + p.filter_side]
        for n, i, j in places.T.tolist()
    ])
    return places, torch.einsum("mcrs,kcrs->mk", patches.double(), w.double())


class Race:
    """Graphs of calls that take turns."""

    def __init__(self, repetitions):
        self.repetitions, self.graphs, self.stream = repetitions, {}, torch.cuda.Stream()

    def add(self, name, call):
        """call(i) queues call number i and returns what has to stay."""
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=self.stream):
            kept = [call(i) for i in range(self.repetitions)]
        self.graphs[name] = (graph, kept)
        self.microseconds(name)

    def microseconds(self, name):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        self.graphs[name][0].replay()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / self.repetitions * 1e3

    def run(self, rounds):
        times = {name: [] for name in self.graphs}
        for i in range(rounds):
            for name in random.Random(i).sample(list(self.graphs), len(self.graphs)):
                times[name].append(self.microseconds(name))
        return {name: statistics.median(all_of) for name, all_of in times.items()}


def measure(p, ours, members, rounds):
    operands = Operands(p)
    x, w, y = operands.x, operands.w, operands.y
    shortest = max(p.operations / 600e12, p.bytes / 4e12) + 2e-6
    race = Race(max(operands.count, 3, min(60, int(2e-3 / shortest))))

    def cudnn(i):
        return torch.nn.functional.conv2d(x[i % operands.count], w[i % operands.count], stride=p.stride, padding=p.padding)

    def member(number):
        return lambda i: ours(number, p, *(of[i % operands.count] for of in (x, w, y)))

    reference = cudnn(0)
    places, exact = exact_pixels(p, x[0], w[0])
    errors = {}
    for number in members:
        y[0].fill_(float("nan"))
        try:
            member(number)(0)
        except RuntimeError as refused:  # for want of a larger workspace
            if "workspace" not in str(refused):
                raise
            continue
        errors[number] = max(relative(y[0], reference), relative(y[0][places[0], :, places[1], places[2]], exact))
        race.add(number, member(number))
    race.add("cudnn", cudnn)
    return {"us": race.run(rounds), "right": all(error <= ERROR_BAR for error in errors.values())}


def mean_ratio(results):
    return math.exp(statistics.fmean(math.log(r["us"]["cudnn"] / r["us"][PICK]) for _, r in results))


def document(results, options):
    """What docs/measured/convolutions.json holds; the form is that of bench/report.hpp. Figures are TFLOP/s."""
    device = torch.cuda.get_device_properties(0)
    rows = []
    for p, r in results:
        ours, cudnn = (float(f"{p.operations / r['us'][who] * 1e-6:.4g}") for who in (PICK, "cudnn"))
        rows.append({"name": p.title(), "title": p.title(), "ours": ours, "cudnn": cudnn,
                     "ratio": round(r["us"]["cudnn"] / r["us"][PICK], 3)})
    columns = (("ours", "ours", 0), ("cudnn", "cuDNN", 0), ("ratio", "ratio", 2))
    return {
        "title": "Convolutions against cuDNN",
        "device": f"{device.name}, {device.multi_processor_count} SMs",
        "software": f"PyTorch {torch.__version__}, cuDNN {torch.backends.cudnn.version()}, CUDA {torch.version.cuda}",
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "command": f"python3 bench/convolutions.py --rounds {options.rounds}",
        "rounds": options.rounds,
        "columns": [{"key": key, "title": title, "digits": digits} for key, title, digits in columns],
        "rows": rows,
    }


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=pathlib.Path, default=here.parent / "build/bench/libsectile_convolutions.so")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--members", type=pathlib.Path, metavar="FILE", help="times of all members, problem by problem")
    parser.add_argument("--only", default="", help="problems whose title has this text")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    torch.backends.cudnn.benchmark, torch.backends.cudnn.benchmark_limit = True, 0

    ours, count = load(options.library)
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, cuDNN {torch.backends.cudnn.version()}; TFLOP/s\n")
    results = []
    for p in problems():
        if options.only not in p.title():
            continue
        r = measure(p, ours, [PICK, *(range(count) if options.members else [])], options.rounds)
        results.append((p, r))
        picked, cudnn = r["us"][PICK], r["us"]["cudnn"]
        print(f"{p.title()} | ours {p.operations / picked * 1e-6:.0f}  cuDNN {p.operations / cudnn * 1e-6:.0f}  "
              f"ratio {cudnn / picked:.3f}{'' if r['right'] else '  WRONG'}", flush=True)
        if options.members:
            times = [{"sizes": q.sizes(), "us": [of["us"].get(i) for i in range(count)], "cudnn": of["us"]["cudnn"]}
                     for q, of in results]
            options.members.write_text(json.dumps(times) + "\n")
    for network in dict.fromkeys((p.network, p.batch) for p, _ in results):
        some = [one for one in results if (one[0].network, one[0].batch) == network]
        print(f"{network[0]}, {network[1]} images: ratio {mean_ratio(some):.3f} in the geometric mean of {len(some)}, "
              f"{sum(r['us']['cudnn'] >= r['us'][PICK] for _, r in some)} of them 1 or more")
    if options.json:
        options.json.write_text(json.dumps(document(results, options), indent=1) + "\n")
    sys.exit(not all(r["right"] for _, r in results))


if __name__ == "__main__":
    main()
