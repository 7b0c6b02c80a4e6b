"""C = A B^T by Sectile and by everybody else who multiplies on Hopper, on one GPU.

All run in this process, on the same random data, in turns, each from operands that are not in L2; what is timed are
CUDA graphs of many calls, by events, and a time is the median of the rounds. A peer comes with the fastest of its
kernels for each problem: the candidates of cuBLASLt's heuristic, cuSPARSELt's search, a dozen configurations of
CUTLASS, Triton and CUDA Tile. Sectile comes with the member of its family that a launch picks. Ratios are a peer's time
over ours. Results are compared with float64 on some rows, and with each other. Who is not there is left out, with a
sentence. The exit code is 1 if a result is wrong.
"""

import argparse
import importlib.util
import json
import pathlib
import sys

from . import problems, report
from .contestant import Absent

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
FILE_OPTIONS = ("--json", "--csv", "--svg", "--libraries")


def read_arguments(words):
    parser = argparse.ArgumentParser(prog="python3 bench/peers", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("--libraries", type=pathlib.Path, metavar="FOLDER", default=REPOSITORY / "build/bench",
                        help="where the libpeer_*.so are (default: build/bench)")  # fmt: skip
    parser.add_argument("--types", default=",".join(problems.KINDS), help="some of: %(default)s")
    parser.add_argument("--shapes", help="MxNxK,...; default: squares, layers and random ones")
    parser.add_argument("--peers", default=",".join(report.TITLES), help="some of: %(default)s")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--csv", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--svg", type=pathlib.Path, metavar="FOLDER", help="for the pictures")
    options = parser.parse_args(words)
    if options.rounds < 1:
        raise problems.Unasked("--rounds must be at least 1")
    options.kinds = problems.read_kinds(options.types)
    options.peers = options.peers.split(",") if options.peers else []
    for key in options.peers:
        if key not in report.TITLES:
            raise problems.Unasked(f"'{key}' is no peer here; there are {', '.join(report.TITLES)}")
    shapes = problems.read_shapes(options.shapes) if options.shapes else None
    options.problems = problems.problems_of(options.kinds, shapes) if shapes else problems.usual_problems(options.kinds)
    return options


def command_of(words):
    """As it was typed, without where files are."""
    kept, skip = [], False
    for word in words:
        if not skip and word.split("=")[0] not in FILE_OPTIONS:
            kept.append(word)
        skip = not skip and word in FILE_OPTIONS
    return " ".join(["python3 bench/peers", *kept])


def find_peers(options, say):
    """The contestants that are there, and a sentence for each that is not."""
    import torch

    from .cuda_tile_peer import CudaTile
    from .library import Library
    from .triton_peer import Triton

    multiprocessors = torch.cuda.get_device_properties(0).multi_processor_count
    makers = {
        **{key: lambda key=key: Library(key, options.libraries / f"libpeer_{key}.so")
           for key in ("cublaslt", "cusparselt", "cutlass")},
        "triton": lambda: Triton(options.kinds, say),
        "cuda_tile": lambda: CudaTile(multiprocessors),
    }  # fmt: skip
    found, left_out = [], []
    for key in options.peers:
        try:
            found.append(makers[key]())
        except Absent as why:
            left_out.append(f"{report.TITLES[key]} is left out: {why}")
    return found, left_out


def gpu_or_sentence():
    """None where there is a GPU to race on, else why not."""
    if importlib.util.find_spec("torch") is None:
        return "PyTorch is not there; it makes the operands and checks the results"
    import torch

    return None if torch.cuda.is_available() else "PyTorch finds no GPU"


def bus_of(properties):
    return f"{properties.pci_domain_id:04X}:{properties.pci_bus_id:02X}:{properties.pci_device_id:02X}.0"


def run(options, words):
    import torch

    from .library import Library
    from .measure import measure
    from .power import Gauge

    def say(text):
        print(text, flush=True)

    properties = torch.cuda.get_device_properties(0)
    gauge = Gauge(bus_of(properties))
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        ours = Library("sectile", options.libraries / "libpeer_sectile.so")
        peers, left_out = find_peers(options, say)
        for sentence in left_out + ([gauge.why_not] if gauge.why_not else []):
            say(sentence)
        software = [f"CUDA {torch.version.cuda}", f"PyTorch {torch.__version__}", *(peer.title for peer in peers)]
        about = {
            "device": f"{properties.name}, {properties.multi_processor_count} SMs",
            "software": ", ".join(software),
            "command": command_of(words),
            "rounds": options.rounds,
            "watts_allowed": gauge.watts_allowed(),
            "left_out": left_out,
        }
        say(f"{about['device']}, {about['software']}\nratios: a peer's time over ours\n\n{report.head(peers)}")
        outcomes = []
        for problem in options.problems:
            outcomes.append(measure(problem, ours, peers, stream, options.rounds, gauge))
            say(report.line(outcomes[-1], peers))
            write(options, report.document(outcomes, about))  # what there is so far, should the next one break off
    if options.svg:
        draw(options.svg, report.document(outcomes, about))
    say("")
    for mean in report.mean_rows([report.row(o) for o in outcomes]):
        say(report.mean_line(mean, peers))
    for remark in dict.fromkeys(remark for o in outcomes for remark in o.remarks):
        say(remark)
    wrong = sum(not o.is_right() for o in outcomes)
    if wrong:
        say(f"WRONG RESULTS in {wrong} rows")
    return 1 if wrong else 0


def write(options, document):
    if options.json:
        options.json.write_text(json.dumps(document, indent=1) + "\n")
    if options.csv:
        options.csv.write_text(report.as_csv([r for r in document["rows"] if r["family"] != "mean"]))


def draw(folder, document):
    """Two pictures of each type, by the generator of pages."""
    sys.path.insert(0, str(REPOSITORY / "docs"))
    from generator import chart, measured

    ceilings = measured.read(REPOSITORY, "ceilings")
    folder.mkdir(parents=True, exist_ok=True)
    for kind in dict.fromkeys(r["kind"] for r in document["rows"]):
        name = f"peers.{kind.replace(' ', '-')}"
        (folder / f"{name}.ratios.svg").write_text(chart.ratios(document, kind))
        (folder / f"{name}.roofline.svg").write_text(chart.roofline(document, kind, ceilings))


def main(words=None):
    words = sys.argv[1:] if words is None else words
    try:
        options = read_arguments(words)
        why_not = gpu_or_sentence()
        if why_not:
            raise Absent(why_not)
        return run(options, words)
    except (problems.Unasked, Absent) as error:
        print(f"bench/peers: {error}", file=sys.stderr)
        return 2
