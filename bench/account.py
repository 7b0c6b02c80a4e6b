#!/usr/bin/env python3
"""What limits each family of products: `python3 bench/account.py --json FILE`, on a machine with a GPU and ncu.

It asks bench_account twice (configure with -DSECTILE_BENCH=ON and -DSECTILE_TOOL_FAMILIES, which says what families the
tool is built with; one that is missing is left out, with a sentence). The first time each product runs without a
pause, by the member that a launch picks and by the peer's fastest, which gives microseconds, clock and power; beside
them stands what the cost model predicted. The second time ncu looks at one call of each: how busy tensor cores, shared
memory, L2, memory and the issue slots are. docs/measured/account.json is what the pages read.
"""

import argparse
import csv
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
COMMAND = "python3 bench/account.py"
SHARE = "avg.pct_of_peak_sustained_elapsed"
# A key of the rows, and the counter. Units are ncu's base ones: nanoseconds, bytes.
METRICS = {
    "ns": "gpu__time_duration.sum",
    "cycles": "gpc__cycles_elapsed.max",
    "working_cycles": "sm__cycles_active.avg",
    "longest_cycles": "sm__cycles_active.max",
    "tensor": f"sm__pipe_tensor_cycles_active.{SHARE}",
    "issue": f"sm__issue_active.{SHARE}",
    "shared": f"l1tex__data_pipe_lsu_wavefronts.{SHARE}",
    "shared_writes": f"l1tex__data_bank_writes.{SHARE}",
    "l2": f"lts__throughput.{SHARE}",
    "l2_hit": "lts__t_sector_hit_rate.pct",
    "received_bytes": "l1tex__m_xbar2l1tex_read_bytes.sum",
    "memory": f"dram__throughput.{SHARE}",
    "read_bytes": "dram__bytes_read.sum",
    "written_bytes": "dram__bytes_write.sum",
}
SUMS = ("ns", "cycles", "working_cycles", "longest_cycles", "received_bytes", "read_bytes", "written_bytes")
COLUMNS = [
    ("us", "us", 1),
    ("ratio", "ratio", 3),
    ("mhz", "MHz", 0),
    ("watts", "W", 0),
    ("tensor", "tensor cores busy, %", 1),
    ("shared", "shared memory, %", 1),
    ("l2", "L2, %", 1),
    ("memory", "memory, %", 1),
    ("issue", "issue slots, %", 1),
    ("at_work", "SMs at work, %", 1),
    ("l2_hit", "L2 hits, %", 1),
    ("memory_mb", "MB from and to memory", 0),
    ("received_mb", "MB read by SMs", 0),
    ("profiled_us", "us in the profiler", 1),
    ("profiled_mhz", "MHz there", 0),
    ("predicted_us", "predicted us", 1),
    ("measured_to_predicted", "measured over predicted", 2),
    ("bound", "what it stands at", 0),
]
ROUNDS = 3
BUSY = 75  # percent from which on a unit is what a kernel stands at
IDLE = 80  # percent of the longest SM's time for which the SMs have work: below, too few tiles are the reason
SLOWED = 0.97  # of the highest clock
UNITS = {"tensor": "tensor cores", "shared": "shared memory", "l2": "L2"}


class Trouble(Exception):
    """Why there are no figures, in a sentence."""


# ---- what ncu says

def read_report(text):
    """The kernels of `ncu --csv --page raw`, in the order of their launches: their names, and the METRICS."""
    for line in text.splitlines():
        if line.startswith("==ERROR=="):
            raise Trouble(why_no_counters(line))
    table = list(csv.reader(line for line in text.splitlines() if line.startswith('"')))
    if not table:
        raise Trouble("ncu saw no kernel")
    head, kernels = table[0], []
    missing = [counter for counter in METRICS.values() if counter not in head]
    if missing:
        raise Trouble(f"this ncu, or this GPU, has no counter {', '.join(missing)}")
    for cells in table[2:]:  # the second line has the units
        cell = dict(zip(head, cells))
        kernels.append({"kernel": cell["Kernel Name"], **{key: number(cell, c) for key, c in METRICS.items()}})
    return kernels


def number(cell, counter):
    try:
        return float(cell[counter].replace(",", ""))
    except ValueError:
        raise Trouble(f"ncu says '{cell[counter]}' of {counter} in {cell['Kernel Name']}") from None


def why_no_counters(line):
    if "ERR_NVGPUCTRPERM" in line:
        return ("the driver lets nobody but root read the GPU's counters here (ERR_NVGPUCTRPERM): run it as root, or "
                "load the driver with NVreg_RestrictProfilingToAdminUsers=0")
    said = line.removeprefix("==ERROR==").strip()
    return said if said.startswith("The application") else "ncu reads no counters here: " + said


def together(kernels):
    """A call's figures, from those of its kernels: shares are weighted by time."""
    ns = sum(k["ns"] for k in kernels)
    call = {key: sum(k[key] for k in kernels) for key in SUMS}
    for key in METRICS:
        if key not in SUMS:
            call[key] = sum(k[key] * k["ns"] for k in kernels) / ns
    call["kernel"] = max(kernels, key=lambda k: k["ns"])["kernel"]
    return call


def figures(call):
    """What a row has of a call."""

    def round_to(x):
        return float(f"{x:.5g}")

    row = {key: round_to(call[key]) for key in ("tensor", "issue", "shared", "shared_writes", "l2", "l2_hit", "memory")}
    # (of the cycles of another pass it would be a ratio of two launches)
    row["at_work"] = round_to(100 * call["working_cycles"] / call["longest_cycles"])
    row["memory_mb"] = round_to((call["read_bytes"] + call["written_bytes"]) / 1e6)
    row["received_mb"] = round_to(call["received_bytes"] / 1e6)
    row["cycles"] = int(call["cycles"])
    row["profiled_us"] = round_to(call["ns"] / 1e3)
    row["profiled_mhz"] = round_to(call["cycles"] / call["ns"] * 1e3)
    if "sectile::" not in call["kernel"]:  # ours are called by their types, and the row says which member
        row["kernel"] = call["kernel"]
    return row


# ---- rows

def bound(row, highest_mhz):
    """What a kernel stands at, by a rule: memory, if it is busy for BUSY % of the time (what it sends passes L2, which
    is busy as well then); else the busiest unit, if that one is; else SMs that have no tile; else nothing is busy, and
    all wait for each other. Tensor cores are as fast as their clock, which power may hold."""
    if row["memory"] >= BUSY:
        return "memory"
    busiest = max(UNITS, key=lambda key: row[key])
    if row[busiest] >= BUSY:
        held = busiest == "tensor" and row["mhz"] and highest_mhz and row["mhz"] < SLOWED * highest_mhz
        return UNITS[busiest] + (" and clock" if held else "")
    return "too few tiles" if row["at_work"] < IDLE else "waiting"


def merge(document, kernels, command=COMMAND):
    """The rows of bench_account with what ncu saw, in the same order."""
    rows = [row for row in document["rows"] if row["name"] != "limits"]
    limits = next(row for row in document["rows"] if row["name"] == "limits")
    expected = sum(row["kernels"] for row in rows)
    if expected != len(kernels):
        raise Trouble(f"ncu saw {len(kernels)} kernels, and the calls have {expected}")
    left = iter(kernels)
    for row in rows:
        row.update(figures(together([next(left) for _ in range(row["kernels"])])))
        row["bound"] = bound(row, limits["mhz"])
        if "predicted_us" in row:
            row["measured_to_predicted"] = float(f"{row['us'] / row['predicted_us']:.5g}")
    return {
        **{key: document[key] for key in ("title", "device", "software", "date")},
        "command": command,
        "rounds": document["rounds"],
        "mhz_highest": limits["mhz"],
        "mhz_of_model": limits["model_mhz"],
        "watts_allowed": limits["watts"],
        "busy_from": BUSY,
        "at_work_from": IDLE,
        "metrics": METRICS,
        "columns": [{"key": key, "title": title, "digits": digits} for key, title, digits in COLUMNS],
        "rows": rows,
    }


# ---- asking

def output_of(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def require(options):
    if not options.program.is_file():
        raise Trouble(f"there is no {options.program}: configure with -DSECTILE_BENCH=ON where there are nvcc and "
                      f"cuBLASLt, or say --program")
    if not shutil.which(options.ncu):
        raise Trouble(f"there is no {options.ncu}: Nsight Compute comes with the CUDA toolkit, and --ncu says where it "
                      f"is")


def which(options):
    """The words that both runs have."""
    words = ["--shapes", options.shapes] if options.shapes else []
    return words + (["--only", options.only] if options.only else [])


def command_of(options):
    """As it was typed, without where files are."""
    rounds = ["--rounds", str(options.rounds)] if options.rounds != ROUNDS else []
    return " ".join([COMMAND, *map(shlex.quote, which(options) + rounds)])


def steady(options, folder):
    """What bench_account measures."""
    file = folder / "steady.json"
    code, said, wrong = output_of([options.program, *which(options), "--rounds", options.rounds, "--json", file])
    print(said, end="", flush=True)
    if code == 1:
        raise Trouble("a result is wrong: see above")
    if code != 0:
        raise Trouble(wrong.strip().removeprefix("bench_account: ") or f"bench_account ends with {code}")
    return json.loads(file.read_text())


def profiled(options, folder, document):
    """ncu's report of one call of each."""
    report = folder / "report.csv"
    choices = [row["choice"] for row in document["rows"] if row.get("who", "sectile") != "sectile"]
    code, said, wrong = output_of([
        options.ncu, "--clock-control", "none", "--profile-from-start", "off", "--metrics", ",".join(METRICS.values()),
        "--csv", "--page", "raw", "--print-units", "base", "--log-file", report,
        options.program, *which(options), "--once", ",".join(choices),
    ])  # fmt: skip
    text = report.read_text() if report.is_file() else ""
    if code != 0:
        print(said, end="", flush=True)  # how far it came
        if "==ERROR==" not in text:
            raise Trouble(f"ncu ends with {code}: {wrong.strip()[-500:]}")
    return read_report(text), text


def version_of(ncu):
    found = re.search(r"Version (\d+\.\d+\.\d+)", output_of([ncu, "--version"])[1])
    return f"Nsight Compute {found[1]}" if found else "Nsight Compute"


def print_rows(document):
    for row in document["rows"]:
        print(f"{row['name']:42} {row['us']:9.2f} us {row['mhz'] or 0:5.0f} MHz {row['watts'] or 0:4.0f} W | tensor "
              f"{row['tensor']:5.1f} shared {row['shared']:5.1f} L2 {row['l2']:5.1f} memory {row['memory']:5.1f} issue "
              f"{row['issue']:5.1f} at work {row['at_work']:5.1f} | {row['bound']}")


def read_arguments(words):
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/bench/bench_account",
                        help="default: build/bench/bench_account")  # fmt: skip
    parser.add_argument("--ncu", default=os.environ.get("NCU", "ncu"))
    parser.add_argument("--shapes", help="MxNxK,...; what a sparse A takes is rounded up")
    parser.add_argument("--only", help="types whose name begins so")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--report", type=pathlib.Path, metavar="FILE", help="keep ncu's report, too")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    return parser.parse_args(words)


def main(words=None):
    options = read_arguments(words)
    try:
        require(options)
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            document = steady(options, folder)
            kernels, report = profiled(options, folder, document)
        if options.report:
            options.report.write_text(report)
        document["software"] += f", {version_of(options.ncu)}"
        document = merge(document, kernels, command_of(options))
    except Trouble as trouble:
        print(f"account.py: {trouble}", file=sys.stderr)
        return 2
    print_rows(document)
    if options.json:
        options.json.write_text(json.dumps(document, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
