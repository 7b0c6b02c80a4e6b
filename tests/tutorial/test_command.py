"""`sectile tutorial`, as a user calls it. The program is in $SECTILE."""

import hashlib
import json
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

import pages

PROGRAM = os.environ["SECTILE"]


def sectile(*words, **environment):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False,
                          env={**os.environ, "SECTILE_PYTHON": sys.executable, "SECTILE_NO_PROGRESS": "1", **environment})


def machine_code():
    """The rows of docs/measured/machine_code.json by kernel."""
    rows = json.loads((pathlib.Path(__file__).parents[2] / "docs/measured/machine_code.json").read_text())["rows"]
    return {row["name"]: row for row in rows}


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def content(self):
        """Everything in the folder, with what it holds."""
        return {p.relative_to(self.folder).as_posix(): p.read_bytes() if p.is_file() else None
                for p in sorted(self.folder.rglob("*"))}


EXHAUSTIVE = "SECTILE_EXHAUSTIVE" in os.environ  # then there is a page of every kernel, which a build by default has not


class Pages(Case):
    def page_of(self, kernel):
        facts = json.loads(sectile("tutorial", kernel, "--facts", "-").stdout)
        made = sectile("tutorial", kernel, "--out", self.folder)
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        self.assertEqual(made.stdout, f"{self.folder}/{kernel}.html\n{self.folder}/{kernel}.md\n")
        page, source = pages.check(self, self.folder, kernel)
        for name in facts["figures"]:
            self.assertTrue((self.folder / f"figures/{kernel}.{name}.svg").is_file(), f"{name} is not on the page")
        self.assertIn(facts["run"]["error"], source.replace("\\", ""))
        return facts, page, source

    def test_a_product(self):
        facts, page, source = self.page_of("gemm_bf16")
        for operand in facts["operands"][:2]:
            self.assertIn(operand["descriptor"]["hex"], page)
            self.assertIn(f"{operand['tile_bytes']:,} bytes", source)
            self.assertIn(operand["copy"], page)
        self.assertIn(f"{facts['shared']['bytes']:,} of the {facts['shared']['limit']:,} bytes", source)
        self.assertIn(facts["products"][0]["ptx"].split(" ")[0], page)
        for proof in facts["proofs"]:
            self.assertIn(proof["covered"].replace("<", "&lt;"), page.replace("&amp;", "&"))
        for line in facts["source"]["lines"]:
            self.assertIn(f'<span class="number">{line["n"]}</span>', page)
        self.assertIn(f"| CTAs per SM | {facts['occupancy']['ctas']}, because of {facts['occupancy']['limits']}:", source)
        self.assertIn("| bound | the tensor cores, with M = 4096", source)
        told = sectile("roofline", "gemm_bf16", "--shape", "M=4096,N=4096,K=1024", "--predict").stdout
        self.assertIn(f"{facts['bound']['intensity']:.1f} for each byte", told)
        self.assertIn(f"{facts['bound']['predicted']['of_bound']:.2f} of the bound", told)
        self.assertIn(f"{facts['bound']['predicted']['of_bound']:.2f} of that bound is reached", source)
        made = machine_code()["gemm_bf16"]
        self.assertIn(f"| machine code | ptxas gives a thread {made['registers']} registers, until `setmaxnreg` leaves "
                      f"{made['producer']} to a producer's and gives {made['consumer']} to a consumer's; nothing spills. "
                      f"{made['instructions']:,} instructions, {made['wgmma']} of them wgmma (", source)
        self.assertEqual(source.count("<details>\n<summary>B on its way"), 1)  # as A's
        refused = [v for v in facts["variations"] if not v["holds"]]
        self.assertTrue(refused)
        for variation in refused:
            self.assertIn(variation["says"], source.replace("\\", ""))

    def test_attention(self):
        facts, page, source = self.page_of("attention_d128_causal")
        self.assertIn("take turns", source)
        self.assertIn("`row_max`: the largest number of each row", source)
        self.assertIn("<summary>K on its way", source)
        self.assertNotIn("<summary>V on its way", source)  # it lies the other way
        self.assertIn("## K: from global memory", source)
        self.assertEqual(len(facts["figures"]), source.count("](figures/"))

    def test_a_sparse_product_and_one_from_registers(self):
        self.assertIn("### The metadata", self.page_of("sparse_gemm_f16")[2])
        self.assertIn("### Into registers", self.page_of("gemm_e4m3_rs")[2])

    def test_a_kernel_that_is_written_by_hand(self):
        facts, page, source = self.page_of("ladder_tma")
        self.assertIn("struct tma", source)
        self.assertIn("written by hand", source)
        self.assertIn("| the cost model | says nothing: the cost model knows planned kernels only |", source)
        made = machine_code()["ladder_tma"]
        self.assertIn(f"| machine code | ptxas gives a thread {made['registers']} registers; nothing spills. "
                      f"{made['instructions']:,} instructions, {made['wgmma']} of them wgmma (Cuda compilation tools", source)
        self.assertEqual(facts["compiled"]["registers"], made["registers"])
        self.assertIn(f"registers: {facts['occupancy']['by_registers']}, threads: ", source)
        self.assertIn("An SM runs 3 CTAs of it at a time, and registers set that limit.", source)  # as CUDA says, too

    def test_a_page_of_each_family(self):
        """With SECTILE_EXHAUSTIVE, of each kernel."""
        kernels = [line.split()[0] for line in sectile("list").stdout.rstrip("\n").split("\n")]
        self.assertGreater(len(kernels), 30)
        if not EXHAUSTIVE:
            kernels = ["linear_amax_e4m3", "ladder_wmma"]  # the target `site` makes the page of every one
        for kernel in kernels:
            with self.subTest(kernel):
                made = sectile("tutorial", kernel, "--out", self.folder)
                self.assertEqual((made.returncode, made.stderr), (0, ""))
                pages.check(self, self.folder, kernel)

    def test_pages_are_the_same_every_time(self):
        digests = set()
        for _ in range(2):
            sectile("tutorial", "gemm_e4m3", "--out", self.folder)
            digests.add(hashlib.sha256(repr(self.content()).encode()).hexdigest())
        self.assertEqual(len(digests), 1)

    def test_the_run_is_the_one_that_was_asked_for(self):
        sectile("tutorial", "gemm_bf16", "--out", self.folder, "--shape", "72x40x136", "--seed", "5", "--on", "model")
        source = (self.folder / "gemm_bf16.md").read_text()
        self.assertIn("M = 72, N = 40, K = 136", source)
        self.assertIn("sectile run gemm_bf16 --shape 72x40x136 --seed 5 --on model", source)

    def test_facts_alone_need_no_python(self):
        file = self.folder / "facts.json"
        made = sectile("tutorial", "gemm_bf16", "--facts", file, SECTILE_PYTHON="/nonexistent")
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        self.assertEqual(json.loads(file.read_text())["name"], "gemm_bf16")


class Refusals(Case):
    def refused(self, *words, says, **environment):
        before = self.content()
        made = sectile(*words, **environment)
        self.assertEqual(made.returncode, 2, made.stderr)
        self.assertTrue(made.stderr.startswith("sectile: "), made.stderr)
        self.assertEqual(made.stderr.count("\n"), 1, made.stderr)
        self.assertIn(says, made.stderr)
        self.assertEqual(self.content(), before, "something was left behind")

    def test_an_unknown_kernel(self):
        self.refused("tutorial", "gemm_bf61", "--out", self.folder, says="did you mean gemm_bf16?")

    def test_a_kernel_without_a_record(self):
        made = sectile("tutorial", "softmax_bf16", "--facts", "-")
        says = ("sectile: this sectile was built without the page of softmax_bf16 (`cmake -DSECTILE_TOOL_RECORDS=all build && "
                "cmake --build build` adds all)\n")
        self.assertIn((made.returncode, made.stderr), [(0, ""), (2, says)])

    def test_no_folder(self):
        self.refused("tutorial", "gemm_bf16", says="--out FOLDER")
        self.refused("tutorial", "gemm_bf16", "--out", "", says="--out: it is empty")

    def test_a_file_for_a_folder(self):
        file = self.folder / "file"
        file.write_text("x")
        self.refused("tutorial", "gemm_bf16", "--out", file, says=f"{file} is a file; a page goes into a folder")
        self.refused("tutorial", "gemm_bf16", "--out", file / "below", says=f"{file} is a file; a page goes into a folder")

    def test_a_folder_that_cannot_be_written(self):
        self.refused("tutorial", "gemm_bf16", "--out", "/proc/pages", says="/proc/pages")
        if os.geteuid() != 0:
            self.folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
            self.refused("tutorial", "gemm_bf16", "--out", self.folder, says="cannot be written to")
            self.folder.chmod(stat.S_IRWXU)

    def test_something_in_the_way(self):
        (self.folder / "gemm_bf16.html").mkdir()
        self.refused("tutorial", "gemm_bf16", "--out", self.folder, says="gemm_bf16.html is a folder")
        (self.folder / "gemm_bf16.html").rmdir()
        (self.folder / "figures").write_text("x")
        self.refused("tutorial", "gemm_bf16", "--out", self.folder, says="figures is a file")

    def test_a_full_disk(self):
        room = self.folder / "small"
        room.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(room)], capture_output=True,
                          check=False).returncode != 0:
            self.skipTest("no small disk can be mounted here")
        try:
            (room / "gemm_bf16.md").write_text("old")
            self.refused("tutorial", "gemm_bf16", "--out", room, says="no space is left on the device")
        finally:
            subprocess.run(["umount", str(room)], check=False)

    def test_no_python(self):
        self.refused("tutorial", "gemm_bf16", "--out", self.folder, SECTILE_PYTHON="/nonexistent/python",
                     says="there is no /nonexistent/python; on Debian: apt-get install python3")

    def test_a_python_without_modules(self):
        bare = self.folder / "bare"
        bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
        bare.chmod(0o755)
        self.refused("tutorial", "gemm_bf16", "--out", self.folder / "pages", SECTILE_PYTHON=str(bare),
                     says="on Debian: apt-get install python3-jinja2")

    def test_a_python_that_breaks_off(self):
        broken = self.folder / "broken"
        broken.write_text("#!/bin/sh\necho some trace >&2\necho 'ValueError: no' >&2\nexit 1\n")
        broken.chmod(0o755)
        self.refused("tutorial", "gemm_bf16", "--out", self.folder / "pages", SECTILE_PYTHON=str(broken),
                     says="the generator of pages broke off: ValueError: no")

    def test_a_run_that_cannot_be(self):
        self.refused("tutorial", "gemm_bf16", "--out", self.folder, "--shape", "12x", says="12x")
        self.refused("tutorial", "gemm_bf16", "--out", self.folder, "--seed", "-1", says="-1")
        if not os.path.exists("/dev/nvidia0"):
            self.refused("tutorial", "gemm_bf16", "--out", self.folder, "--on", "gpu", says="--on gpu: ")

    def test_facts_where_no_file_can_be(self):
        self.refused("tutorial", "gemm_bf16", "--facts", self.folder / "none/facts.json", says="none/facts.json")


if __name__ == "__main__":
    unittest.main()
