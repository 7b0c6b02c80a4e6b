#!/usr/bin/env python3
"""What nvcc makes of every kernel of `sectile list`: registers, spills, stack, static shared memory, instructions.

Each family of tool/kernels is compiled as a user's file with a launch is, in a program that says which symbol is which
kernel's and what the plan gives its roles (bench/machine_code.hpp). The figures are those of `ptxas -v`, of `cuobjdump
--dump-resource-usage` and of its disassembly. It takes nvcc and cuobjdump, and no GPU. --json FILE keeps the figures:
the file is written after every family, and what was compiled of the same text by the same nvcc is not compiled again,
so a run that was broken off goes on where it was. --check fails where a kernel spills, ptxas serialises wgmma, or an
instruction can never run (bench/dead_guards.py).
docs/measured/machine_code.json is what the kernels' pages show.
"""

import argparse
import collections
import datetime
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import compile_time
import dead_guards

ROOT = compile_time.ROOT
KERNELS = ROOT / "tool/kernels"
COMMAND = "python3 bench/machine_code.py"
FLAGS = [*compile_time.NVCC_FLAGS, "-DSECTILE_PROVEN", f"-I{ROOT}", f"-I{ROOT / 'include'}"]
LINKED = ["-Xlinker", "--wrap=__cudaRegisterFunction"]
ADDED = {"C7517", "C7519"}  # ptxas adds a wait or a fence and says so; its other remarks C75xx are of serialised wgmma
SYSTEM_SHARED = 1024  # bytes of each CTA that uses shared memory at all
COLUMNS = [
    ("registers", "registers of a thread"),
    ("spill_stores", "spilled, bytes written"),
    ("spill_loads", "and read"),
    ("stack", "stack, bytes"),
    ("local_between", "loads and stores of local memory between the first wgmma and the last"),
    ("shared", "static shared memory, bytes"),
    ("producer", "registers of a producer thread"),
    ("consumer", "of a consumer thread"),
    ("wgmma", "wgmma"),
    ("added", "fences and waits that ptxas added"),
    ("instructions", "instructions"),
]


class Trouble(Exception):
    """Why there are no figures, in a sentence."""


# ---- the kernels

def families():
    """Those of `sectile list`, in its order: names in tool/kernels."""
    text = (KERNELS / "families.cmake").read_text()
    listed = re.search(r"set\(SECTILE_KERNEL_FAMILIES ([^)]*?)\s+CACHE", text)[1].split()
    return [name for name in listed if not name.startswith("portable_")]  # other readings of the same kernels


def program(family):
    """The program that tells of a family's kernels: those of the lists that tool/kernels/FAMILY.cu reads."""
    text = (KERNELS / f"{family}.cu").read_text()
    lists = dict.fromkeys(re.findall(r"\beach_of_\w+", text))
    if not lists:
        raise Trouble(f"tool/kernels/{family}.cu names no list of kernels, each_of_...")
    headers = re.findall(r'"(tool/kernels/\w+\.hpp)"', text)
    headers = ["bench/machine_code.hpp", *(name for name in headers if "each_of_" in (ROOT / name).read_text())]
    lines = [f'#include "{name}"' for name in headers] + ["int main() {"]
    for name in lists:
        how = next((way for way in ("by_hand", "portable") if name.endswith("_" + way)), "planned")
        lines.append(f"  sectile::tool::{name}(sectile::bench::tell_{how}{{}});")
    return "\n".join(lines) + "\n}\n"


# ---- what the tools say

def ptxas_figures(messages):
    """By symbol: registers, stack, spills, fences and waits that ptxas added for wgmma, and why it serialised them."""
    found = collections.defaultdict(lambda: {"added": 0, "serialised": []})
    symbol = None
    for line in messages.split("\n"):
        if named := re.search(r"Compiling entry function '(\w+)'|Function properties for (\w+)", line):
            symbol = named[1] or named[2]
        if frame := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", line):
            found[symbol].update(zip(("stack", "spill_stores", "spill_loads"), map(int, frame.groups())))
        if used := re.search(r"Used (\d+) registers", line):
            found[symbol]["registers"] = int(used[1])
        if warned := re.search(r"\((C75\d\d)\).*'(\w+)'", line):
            if warned[1] in ADDED:
                found[warned[2]]["added"] += 1
            elif warned[1] not in found[warned[2]]["serialised"]:
                found[warned[2]]["serialised"].append(warned[1])
    return dict(found)


def resource_figures(listing):
    """By symbol: static shared memory, of `cuobjdump --dump-resource-usage`, without what is the system's."""
    found = re.findall(r"Function (\w+):\s+REG:\d+ STACK:\d+ SHARED:(\d+)", listing)
    return {symbol: {"shared": max(int(size) - SYSTEM_SHARED, 0)} for symbol, size in found}


def sass_figures(listing):
    """By symbol, of `cuobjdump -sass`: instructions, how many are wgmma, and those of local memory between wgmma."""
    found = {}
    since = 0  # the last wgmma: instructions of local memory
    for line in listing.split("\n"):
        if named := re.match(r"\s*Function : (\w+)", line):
            counts = found.setdefault(named[1], {"wgmma": 0, "instructions": 0, "local_between": 0})
            since = 0
        elif code := re.match(r"\s*/\*[0-9a-f]{4,}\*/\s+(?:@\S+\s+)?([A-Z][A-Z0-9_.]*)", line):
            counts["instructions"] += 1
            since += code[1].startswith(("STL", "LDL"))
            if re.match(r"[HQIB]GMMA\b", code[1]):
                counts["local_between"] += since if counts["wgmma"] else 0
                counts["wgmma"] += 1
                since = 0
    return found


def guarded_figures(listing):
    """By symbol, of the same: the instructions that never run."""
    functions = re.split(r"^\s*Function : (\w+)", listing, flags=re.MULTILINE)[1:]
    return {symbol: {"never": dead_guards.never_run(code.split("\n"))}
            for symbol, code in zip(functions[::2], functions[1::2])}


# ---- compiling

def require(*programs):
    for name in programs:
        if not shutil.which(name):
            raise Trouble(f"there is no {name}; nvcc and cuobjdump come with the CUDA toolkit, and --nvcc and "
                          f"--cuobjdump say where they are")


class Tools:
    def __init__(self, nvcc, cuobjdump):
        self.nvcc, self.cuobjdump = nvcc, cuobjdump
        self.software = compile_time.version_of(nvcc)

    def output_of(self, *command):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Trouble(f"`{' '.join(map(str, command[:3]))} ...` fails:\n{done.stderr.strip()[-3000:]}")
        return done.stdout + done.stderr

    def text_of(self, source):
        """A short name for all that the compiler reads for the device, without comments and line breaks."""
        read = self.output_of(self.nvcc, *FLAGS, "-E", "-Xcompiler", "-P", source)
        return hashlib.sha256(" ".join(read.split()).encode()).hexdigest()[:16]

    def compiled(self, source, made):
        """By symbol: a kernel's name, what its plan gives its roles, and what ptxas says of it."""
        figures = ptxas_figures(self.output_of(self.nvcc, *FLAGS, source, *LINKED, "-o", made))
        rows = {}
        for line in self.output_of(made).splitlines():
            symbol, name, *plan = line.split()
            threads, producer, consumer = map(int, plan)
            rows[symbol] = {"name": name, "threads": threads, "producer": producer or None,
                            "consumer": consumer or None, **figures[symbol]}
        return rows

    def rows_of(self, family, folder, known):
        """A row for each kernel of a family. Those of before are right where the compiler reads the same text."""
        source, made = folder / "kernels.cu", folder / "kernels"
        source.write_text(program(family))
        text = self.text_of(source)
        if known and all(row["text"] == text and all(key in row for key in (*dict(COLUMNS), "never")) for row in known):
            return known
        rows = self.compiled(source, made)
        resources = resource_figures(self.output_of(self.cuobjdump, "--dump-resource-usage", made))
        listing = self.output_of(self.cuobjdump, "-sass", made)
        code, guards = sass_figures(listing), guarded_figures(listing)
        return [{"family": family, **row, **resources[symbol], **code[symbol], **guards[symbol], "text": text}
                for symbol, row in rows.items()]


# ---- the file

def read_file(file, software, everything):
    """The rows of a file, none where another compiler made them: then every kernel has to be compiled."""
    if not file or not file.exists():
        return []
    values = json.loads(file.read_text())
    if values["software"] == software:
        return values["rows"]
    if everything:
        return []
    raise Trouble(f"{file} was made by {values['software']}, and this is {software}: compile every kernel (without "
                  f"--only), or name another file")


def write_file(file, rows, software):
    """Its form is that of bench/report.hpp. There is an old file or a new one, never a part of one."""
    document = {
        "title": "What nvcc makes of the kernels",
        "device": "machine code for sm_90a",
        "software": software,
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "command": COMMAND,
        "columns": [{"key": key, "title": title, "digits": 0} for key, title in COLUMNS],
        "rows": rows,
    }
    unfinished = file.with_name(file.name + ".unfinished")
    unfinished.write_text(json.dumps(document, indent=1) + "\n")
    unfinished.replace(file)


def families_asked(only, rows):
    """Families by their names or those of kernels that the file has; all if nothing is asked for."""
    everything = families()
    if not only:
        return everything
    family_of = {row["name"]: row["family"] for row in rows}
    asked = {family_of.get(name, name) for name in only}
    if unknown := sorted(asked - set(everything)):
        raise Trouble(f"there is no family or compiled kernel {', '.join(unknown)}; families are "
                      f"{', '.join(everything)}")
    return [family for family in everything if family in asked]


def complaints(row):
    if row["spill_stores"] or row["spill_loads"]:
        yield (f"{row['name']} spills registers: {row['spill_stores']} bytes of stores to local memory, "
               f"{row['spill_loads']} of loads")
    elif row["stack"]:
        yield f"{row['name']} keeps {row['stack']} bytes in local memory, which should be registers or constants"
    if row["serialised"]:
        yield f"{row['name']}: ptxas makes each wgmma wait for the one before ({', '.join(row['serialised'])})"
    if row["never"]:
        yield (f"{row['name']} is wrong on a GPU: ptxas guards instructions so that they never run "
               f"({', '.join(row['never'])})")


def print_row(row):
    roles = f"{row['producer']} / {row['consumer']}" if row["consumer"] else "-"
    print(f"{row['name']:45} {row['registers']:9} {roles:>9} {row['spill_stores']:7} {row['spill_loads']:6} "
          f"{row['stack']:5} {row['shared']:6} {row['wgmma']:5} {row['instructions']:12}", flush=True)


def compile_all(options, tools):
    """The rows of all kernels that are asked for; the file has them, and the others that it had."""
    known = read_file(options.json, tools.software, not options.only)
    by_family = {family: [row for row in known if row["family"] == family] for family in families()}
    asked = families_asked(options.only, known)
    with tempfile.TemporaryDirectory() as scratch:
        for family in asked:
            rows = tools.rows_of(family, pathlib.Path(scratch), by_family[family])
            for row in rows:
                print_row(row)
            if options.json and rows != by_family[family]:
                by_family[family] = rows
                write_file(options.json, [row for rows in by_family.values() for row in rows], tools.software)
            by_family[family] = rows
    return [row for family in asked for row in by_family[family]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", default=os.environ.get("CUDACXX", "nvcc"))
    parser.add_argument("--cuobjdump", default="cuobjdump")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="families of tool/kernels, or kernels that FILE has")
    parser.add_argument("--check", action="store_true",
                        help="fail where a kernel spills, ptxas serialises wgmma, or an instruction never runs")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    try:
        require(options.nvcc, options.cuobjdump)
        tools = Tools(options.nvcc, options.cuobjdump)
        print(f"{'kernel':45} {'registers':>9} {'of roles':>9} {'spilled':>7} {'& read':>6} {'stack':>5} {'shared':>6} "
              f"{'wgmma':>5} {'instructions':>12}")
        rows = compile_all(options, tools)
    except Trouble as trouble:
        print(f"machine_code.py: {trouble}", file=sys.stderr)
        return 2
    wrong = [sentence for row in rows for sentence in complaints(row)]
    print("\n" + ("\n".join(wrong) or f"{len(rows)} kernels: nothing spills, no wgmma waits for another"))
    return 1 if wrong and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
