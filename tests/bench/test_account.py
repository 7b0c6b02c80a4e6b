"""bench/account.py: what it reads in a report of ncu, what it makes of that, and what it says where there is none.
Programs that pretend to be bench_account and ncu stand for those that need a GPU."""

import contextlib
import csv
import io
import json
import pathlib
import sys
import tempfile
import types

import kit
from kit import unittest

import account

FILE = kit.REPOSITORY / "docs/measured/account.json"
COUNTERS = list(account.METRICS.values())
OURS = {"ns": 200000, "cycles": 300000, "working_cycles": 275500, "longest_cycles": 290000, "tensor": 90,
        "issue": 18, "shared": 60, "shared_writes": 20, "l2": 50, "l2_hit": 75, "received_bytes": 1.6e9, "memory": 20,
        "read_bytes": 1e8, "written_bytes": 4e7}  # fmt: skip
SLEEPY = {**OURS, "ns": 50000, "cycles": 80000, "working_cycles": 20000, "longest_cycles": 79000, "tensor": 10,
          "shared": 5, "shared_writes": 1, "l2": 5, "memory": 8}  # fmt: skip


def report(*kernels, counters=COUNTERS):
    """As ncu writes it: a line of names, one of units, and one for each kernel, between lines of its own."""
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(["ID", "Kernel Name", "Block Size", *counters])
    writer.writerow(["", "", "", *("%" for _ in counters)])
    for i, (name, values) in enumerate(kernels):
        cells = {account.METRICS[key]: f"{value:,.2f}" if value > 999 else str(value) for key, value in values.items()}
        writer.writerow([i, name, "(384, 1, 1)", *(cells[c] for c in counters)])
    return "==PROF== Connected to process 7\n" + text.getvalue() + "==PROF== Disconnected\n"


def steady(rows):
    """As bench_account writes it."""
    limits = {"name": "limits", "title": "what the driver allows", "mhz": 1980, "watts": 700, "model_mhz": 1650}
    return {"title": "What limits each family", "device": "a GPU", "software": "CUDA", "date": "2026-01-01",
            "command": "bench_account", "rounds": 3, "columns": [], "rows": [*rows, limits]}  # fmt: skip


def row(who, kernels=1, **values):
    return {"name": f"bf16 8x8x8 {who}", "who": who, "choice": "2" if who == "cublaslt" else "7 (64x64)",
            "kernels": kernels, "us": 210.0, "mhz": 1500.0, "watts": 690.0, **values}  # fmt: skip


class Report(unittest.TestCase):
    def test_a_report_of_ncu(self):
        """Two kernels of bf16 at 4096 in each mode, on an H200; columns that say what the device is are left out."""
        kernels = account.read_report((pathlib.Path(__file__).parent / "account_report.csv").read_text())
        ours, theirs = (account.figures(account.together([kernel])) for kernel in kernels)
        self.assertEqual(ours, {"tensor": 85.28, "issue": 15.38, "shared": 64.99, "shared_writes": 21.65, "l2": 79.8,
                                "l2_hit": 80.62, "memory": 24.08, "at_work": 94.302, "memory_mb": 224.98,
                                "received_mb": 2147.5, "cycles": 301888, "profiled_us": 194.14,
                                "profiled_mhz": 1555})  # fmt: skip
        self.assertEqual((theirs["kernel"], theirs["tensor"]), ("nvjet_sm90_tst_112x128_64x7_1x2_h_bz_TNN", 94.86))
        # What TMA brings to SMs can be counted: tiles of 128 x 128, each with 4096 / 64 trips of two tiles of 64 deep.
        self.assertAlmostEqual(kernels[0]["received_bytes"], 32 * 32 * (4096 / 64) * 2 * 128 * 64 * 2, delta=1)

    def test_kernels_come_in_order_with_their_counters(self):
        first, second = account.read_report(report(("run<gemm>", OURS), ("nvjet", SLEEPY)))
        self.assertEqual((first["kernel"], second["kernel"]), ("run<gemm>", "nvjet"))
        self.assertEqual({key: first[key] for key in OURS}, OURS, "thousands come with commas")

    def test_what_cannot_be_read_is_said(self):
        some = [c for c in COUNTERS if "tensor" not in c]
        for text, says in (
            ("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission ...\n", "nobody but root"),
            ("==ERROR== Failed to initialize the profiler: LibraryNotLoaded\n", "no counters here: Failed to init"),
            ("==WARNING== No kernels were profiled.\n", "ncu saw no kernel"),
            (report(("k", OURS), counters=some), "no counter sm__pipe_tensor_cycles_active"),
            (report(("k", OURS)).replace('"90"', '"n/a"'), "'n/a' of sm__pipe_tensor_cycles_active"),
        ):
            with self.assertRaisesRegex(account.Trouble, says):
                account.read_report(text)

    def test_a_call_of_several_kernels_is_told_as_one(self):
        both = account.together(account.read_report(report(("short", SLEEPY), ("long", OURS))))
        self.assertEqual((both["kernel"], both["ns"], both["cycles"]), ("long", 250000, 380000))
        self.assertAlmostEqual(both["tensor"], (90 * 200000 + 10 * 50000) / 250000)

    def test_figures_of_a_call(self):
        call = account.figures(account.together(account.read_report(report(("k", OURS)))))
        self.assertEqual((call["tensor"], call["shared"], call["kernel"]), (90, 60, "k"))
        self.assertEqual(call["at_work"], 95)
        self.assertEqual(call["memory_mb"], 140)
        self.assertEqual((call["profiled_us"], call["profiled_mhz"]), (200, 1500))
        ours = account.together(account.read_report(report(("void sectile::run<...>(...)", OURS))))
        self.assertNotIn("kernel", account.figures(ours))


class Bound(unittest.TestCase):
    def test_the_rule(self):
        usual = {"tensor": 40, "shared": 40, "l2": 40, "memory": 40, "at_work": 95, "mhz": 1500}
        for change, says in (
            ({"tensor": 90}, "tensor cores and clock"),
            ({"tensor": 90, "mhz": 1980}, "tensor cores"),
            ({"tensor": 90, "mhz": None}, "tensor cores"),
            ({"tensor": 80, "shared": 92}, "shared memory"),
            ({"l2": 80}, "L2"),
            ({"memory": 76, "l2": 92}, "memory"),
            ({"at_work": 60}, "too few tiles"),
            ({}, "waiting"),
        ):
            self.assertEqual(account.bound({**usual, **change}, 1980), says)


class Rows(unittest.TestCase):
    def test_calls_take_as_many_kernels_as_they_launch(self):
        kernels = account.read_report(report(("ours", OURS), ("part", OURS), ("sum", SLEEPY)))
        made = account.merge(steady([row("sectile", predicted_us=200.0), row("cublaslt", kernels=2)]), kernels)
        self.assertEqual([r["kernel"] for r in made["rows"]], ["ours", "part"])
        self.assertEqual([r["cycles"] for r in made["rows"]], [300000, 380000])
        self.assertEqual(made["rows"][0]["measured_to_predicted"], 1.05)
        self.assertNotIn("measured_to_predicted", made["rows"][1])
        self.assertEqual((made["mhz_highest"], made["watts_allowed"]), (1980, 700))
        with self.assertRaisesRegex(account.Trouble, "ncu saw 3 kernels, and the calls have 2"):
            account.merge(steady([row("sectile"), row("cublaslt")]), kernels)

    def test_the_file_that_comes_with_sectile(self):
        values = json.loads(FILE.read_text())
        self.assertEqual(values["metrics"], account.METRICS)
        self.assertEqual([c["key"] for c in values["columns"]], [key for key, _, _ in account.COLUMNS])
        for r in values["rows"]:
            self.assertEqual(r["bound"], account.bound(r, values["mhz_highest"]), r["name"])
            if "predicted_us" in r:
                self.assertAlmostEqual(r["measured_to_predicted"], r["us"] / r["predicted_us"], 3)


MEASURES = """import pathlib, sys
words = sys.argv[1:]
pathlib.Path(words[words.index("--json") + 1]).write_text({document!r})
"""
PROFILES = """import pathlib, sys
words = sys.argv[1:]
if words == ["--version"]:
    print("Version 2025.3.1.0 (build 1)")
    sys.exit(0)
assert words[words.index("--once") + 1] == "2", words
assert words[words.index("--clock-control") + 1] == "none", words
pathlib.Path(words[words.index("--log-file") + 1]).write_text({text!r})
sys.exit({code})
"""


class Whole(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def program(self, name, text):
        file = self.folder / name
        file.write_text(f"#!{sys.executable}\n{text}")
        file.chmod(0o755)
        return file

    def ask(self, *words):
        said, wrong = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(wrong):
            code = account.main([str(word) for word in words])
        return types.SimpleNamespace(code=code, said=said.getvalue(), wrong=wrong.getvalue())

    def measuring(self):
        return self.program("bench_account", MEASURES.format(
            document=json.dumps(steady([row("sectile", predicted_us=200.0), row("cublaslt")]))))  # fmt: skip

    def test_both_runs_make_a_file(self):
        ncu = self.program("ncu", PROFILES.format(text=report(("ours", OURS), ("theirs", SLEEPY)), code=0))
        file = self.folder / "account.json"
        done = self.ask("--program", self.measuring(), "--ncu", ncu, "--json", file, "--only", "sparse s8",
                        "--rounds", 5)  # fmt: skip
        self.assertEqual((done.code, done.wrong), (0, ""))
        made = json.loads(file.read_text())
        self.assertEqual(made["command"], "python3 bench/account.py --only 'sparse s8' --rounds 5")
        self.assertEqual([r["bound"] for r in made["rows"]],
                         ["tensor cores and clock", "too few tiles"])  # fmt: skip
        self.assertEqual(made["software"], "CUDA, Nsight Compute 2025.3.1")

    def test_no_ncu_no_program_no_counters(self):
        done = self.ask("--program", self.folder / "none")
        self.assertEqual(done.code, 2)
        self.assertIn("configure with -DSECTILE_BENCH=ON", done.wrong)
        done = self.ask("--program", self.measuring(), "--ncu", "/none/ncu")
        self.assertEqual(done.code, 2)
        self.assertIn("there is no /none/ncu: Nsight Compute comes with", done.wrong)
        ncu = self.program("ncu", PROFILES.format(text="==ERROR== ERR_NVGPUCTRPERM - The user ...\n", code=1))
        done = self.ask("--program", self.measuring(), "--ncu", ncu, "--json", self.folder / "account.json")
        self.assertEqual(done.code, 2)
        self.assertIn("ERR_NVGPUCTRPERM", done.wrong)
        self.assertFalse((self.folder / "account.json").exists())

    def test_a_wrong_result_is_no_measurement(self):
        program = self.program("bench_account", "print('bf16: WRONG')\nraise SystemExit(1)\n")
        done = self.ask("--program", program, "--ncu", sys.executable)
        self.assertEqual(done.code, 2)
        self.assertIn("WRONG", done.said)
        self.assertIn("a result is wrong", done.wrong)


if __name__ == "__main__":
    unittest.main()
