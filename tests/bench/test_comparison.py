"""What bench/comparison.py and comparison_compile.py say where a compiler, a library, a cubin or a GPU is not there,
and what they ask a compiler for."""

import contextlib
import io
import json
import os
import pathlib
import re
import shutil
import stat
import sys
import tempfile
import types
import unittest.mock

import kit
from peers import cuda_tile_cpp, problems
from peers.contestant import Absent

import comparison
import comparison_compile

MACROS = ("TILE_M", "TILE_N", "TILE_K", "WARPS", "PER_SM", "CAUSAL")
VERSION = 'case $1 in --version) echo "Cuda compilation tools, release 13.5, V13.5.37";;'
WRITES = 'while [ "$1" != -o ]; do shift; done; echo > $2'
DRIVEN = {"cutlass": "CUTLASS", "cute": "CuTe", "kittens": "ThunderKittens"}


class Comparison(kit.unittest.TestCase):
    def setUp(self):
        kit.pretend_torch()
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def compiler(self, text):
        """A program that is called as nvcc is."""
        path = self.folder / "nvcc"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def test_a_compiler_without_tiles_is_a_sentence(self):
        self.assertEqual(cuda_tile_cpp.why_no_compiler("/none"), "there is no /none")
        old = self.compiler("echo --extended-lambda")
        self.assertRegex(cuda_tile_cpp.why_no_compiler(old), "has no --enable-tile; CUDA 13.3 is the first that has$")
        self.assertIsNone(cuda_tile_cpp.why_no_compiler(self.compiler("echo --enable-tile")))

    def test_a_kernel_that_does_not_compile_says_what_the_compiler_said(self):
        broken = self.compiler(f"{VERSION} *) echo no such type; exit 1;; esac")
        with self.assertRaisesRegex(Absent, r"gemm\S+cubin does not compile: no such type"):
            cuda_tile_cpp.build(broken, self.folder / "tiles")

    def test_what_a_compiler_warns_of_is_shown(self):
        nvcc = self.compiler(f'{VERSION} *) echo "warning[]: High register usage"; {WRITES};; esac')
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            cuda_tile_cpp.build(nvcc, self.folder / "tiles")
        warned = "CUDA Tile C++, gemm, 128 x 256 x 64, 8 warps: the compiler warns: High register usage\n"
        self.assertIn(warned, said.getvalue())
        self.assertEqual((self.folder / "tiles" / cuda_tile_cpp.VERSION).read_text(), "nvcc 13.5.37\n")

    def test_without_cubins_or_a_driver_it_is_absent(self):
        with self.assertRaisesRegex(Absent, "there is no .*gemm.*cubin; --tile-nvcc makes it"):
            cuda_tile_cpp.Kernels(self.folder)
        (self.folder / cuda_tile_cpp.GEMMS[0].file()).write_bytes(b"")
        (self.folder / cuda_tile_cpp.VERSION).write_text("nvcc 13.5.37\n")
        with unittest.mock.patch("ctypes.CDLL", side_effect=OSError("libcuda.so.1: no such file")):
            with self.assertRaisesRegex(Absent, "the driver does not take gemm.*: libcuda.so.1: no such file"):
                cuda_tile_cpp.Kernels(self.folder)

    def test_configurations_have_files_and_names_of_their_own(self):
        every = (*cuda_tile_cpp.GEMMS, *cuda_tile_cpp.attentions(False), *cuda_tile_cpp.attentions(True))
        self.assertEqual(len({config.file() for config in every}), len(every))
        for one_kernel in (cuda_tile_cpp.GEMMS, cuda_tile_cpp.attentions(True)):
            self.assertEqual(len({config.name() for config in one_kernel}), len(one_kernel))

    def test_a_source_asks_for_no_macro_that_it_is_not_given(self):
        for config in (cuda_tile_cpp.GEMMS[0], cuda_tile_cpp.attentions(True)[0]):
            command = config.command("nvcc", config.source(), self.folder / "a.cubin")
            given = {word[2:].split("=")[0] for word in command if word.startswith("-D")}
            text = config.source().read_text(encoding="utf-8")
            self.assertEqual({macro for macro in MACROS if macro in text}, given)
            self.assertIn("-tilecubin", command)
            self.assertIn("-c", config.command("nvcc", config.source(), self.folder / "a.o"))

    def test_every_tile_is_raced_with_cublas_alone(self):
        from peers import race

        names = [config.name() for config in cuda_tile_cpp.GEMMS]
        kernel = types.SimpleNamespace(registers=168, local_bytes=0)
        tiles = types.SimpleNamespace(kernel=lambda config: kernel)
        systems = [comparison.System("torch", [types.SimpleNamespace(name="cuBLAS")])]
        raced = []

        def times(candidates, sets, stream, rounds, gauge):  # a tile takes four times as long as cuBLAS
            raced.append([candidate.name for candidate in candidates])
            return [types.SimpleNamespace(median=len(raced) * factor) for factor in (1.0, 4.0)]

        with contextlib.redirect_stdout(io.StringIO()), unittest.mock.patch.object(race, "race", times):
            rows = comparison.every_tile(systems, tiles, [], None)
        self.assertEqual(raced, [["cuBLAS", name] for name in names])
        self.assertEqual([row["title"] for row in rows], names)
        self.assertEqual({row["of_torch"] for row in rows}, {0.25})
        self.assertEqual(rows[1]["us"], 8000.0)
        self.assertEqual([row["warps"] for row in rows], [config.warps for config in cuda_tile_cpp.GEMMS])
        self.assertEqual(rows[0]["registers"], 168)

    def test_who_is_fastest_in_a_trial_has_to_win_a_race(self):
        from peers import race

        raced = []

        def times(candidates, sets, stream, rounds, gauge):
            raced.extend(candidates)
            return [types.SimpleNamespace(median={"b": 1.0}.get(name, 2.0)) for name in candidates]

        with unittest.mock.patch.multiple(race, contenders=lambda candidates, sets, stream: candidates, race=times):
            self.assertEqual(comparison.fastest(list("abcdefg"), [], None), "b")
            self.assertEqual(raced, list("abcdefg")[:comparison.FEW])
            self.assertEqual(comparison.fastest(["a"], [], None), "a")
        self.assertEqual(len(raced), comparison.FEW)

    def test_a_candidate_that_is_wrong_or_fails_takes_no_part(self):
        def fails(i, stream):
            raise RuntimeError("no such kernel\nat all")

        results = {"right": 1e-4, "wrong": 0.5}
        candidates = [types.SimpleNamespace(name=name, queue=lambda i, stream, name=name: name) for name in results]
        system = comparison.System("tile", [*candidates, types.SimpleNamespace(name="fails", queue=fails)])
        sys.modules["torch"].cuda.synchronize = lambda: None
        poisoned, remarks = [], []
        right = comparison.right_ones(system, results.get, lambda: poisoned.append(1), 1e-2,
                                      types.SimpleNamespace(cuda_stream=0), remarks)  # fmt: skip
        self.assertEqual([(candidate.name, error) for candidate, error in right], [("right", 1e-4)])
        self.assertEqual(len(poisoned), 3)
        self.assertEqual(remarks, ["CUDA Tile C++, wrong: WRONG, relative error 5.0e-01",
                                   "CUDA Tile C++, fails: no such kernel"])  # fmt: skip

    def systems_of(self, generator):
        """Where Triton is not there, and attention.py is a few functions."""
        forward = types.SimpleNamespace(load=unittest.mock.Mock(side_effect=OSError("no libsectile_attention.so")))
        sys.modules["torch"].empty = lambda *shape, device: None
        with unittest.mock.patch.dict(sys.modules, {"triton": None, "attention": forward}):
            return list(generator)

    def gemms(self, m, notes):
        problem = problems.Problem(problems.KINDS["bf16"], m, 64, 128)
        one = types.SimpleNamespace(**{name: types.SimpleNamespace(data_ptr=lambda: 0) for name in "abc"})
        options = types.SimpleNamespace(libraries=self.folder)
        return one, self.systems_of(comparison.gemms(options, problem, [one], None, notes))

    def test_systems_whose_libraries_are_not_there_are_a_sentence_each(self):
        notes = comparison.Notes()
        _, systems = self.gemms(64, notes)
        self.assertEqual([system.key for system in systems], ["torch"])
        options = types.SimpleNamespace(libraries=self.folder)
        systems = self.systems_of(comparison.attentions(options, (1, 1, 64, 128), True, [], None, notes))
        self.assertEqual([system.key for system in systems], ["torch"])
        for key, title in DRIVEN.items():
            self.assertIn(f"{title}'s GEMM is left out: there is no {self.folder}/libpeer_{key}.so", notes.left_out)
            if key != "cute":
                library = self.folder / f"libattentions_{key}.so"
                self.assertIn(f"{title}'s attention is left out: there is no {library}", notes.left_out)
        self.assertEqual(notes.software, [])

    def test_a_library_that_is_there_takes_part_and_is_named(self):
        shutil.copy(os.environ["PEER"], self.folder / "libpeer_kittens.so")
        shutil.copy(os.environ["ATTENTIONS"], self.folder / "libattentions_kittens.so")
        notes = comparison.Notes()
        _, systems = self.gemms(64, notes)
        options = types.SimpleNamespace(libraries=self.folder)
        systems += self.systems_of(comparison.attentions(options, (1, 1, 64, 128), False, [], None, notes))
        named = [(system.key, [c.name for c in system.candidates]) for system in systems if system.key != "torch"]
        self.assertEqual(named, [("kittens", ["way 0", "way 1", "way 2"]), ("kittens", ["way 1", "way 2"])])
        self.assertEqual(notes.software, ["Notes 1.0", "Notes 2.0"])

    def test_a_library_without_a_kernel_of_that_size_is_left_out(self):
        shutil.copy(os.environ["PEER"], self.folder / "libpeer_cute.so")
        notes = comparison.Notes()
        self.gemms(2000, notes)
        self.assertIn("CuTe's GEMM is left out: 2000x64x128 is too large", notes.left_out)

    def test_without_a_gpu_it_says_so(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            with unittest.mock.patch("importlib.util.find_spec", return_value=object()):
                code = comparison.main(["--tile-nvcc", "/none", "--tiles", str(self.folder)])
        self.assertEqual(code, 2)
        self.assertEqual(said.getvalue(), "bench/comparison.py: PyTorch finds no GPU\n")

    def test_who_does_not_compile_is_left_out(self):
        options = comparison_compile.read_options(["--rounds", "1", "--nvcc", "/none", "--tile-nvcc", "/none"])
        said = io.StringIO()
        with contextlib.redirect_stdout(said), unittest.mock.patch("sys.executable", "/none"):
            document = comparison_compile.measure(options)
        self.assertEqual(document["rows"], [])
        for title in ("Sectile, proofs and a launch included", "CUDA Tile C++, a launch included", "Triton"):
            self.assertRegex(said.getvalue(), f"(?m)^{title.replace('+', '.')} is left out: .*/none")
        for title, option in (("CUTLASS", "cutlass"), ("CuTe", "cutlass"), ("ThunderKittens", "kittens")):
            self.assertIn(f"{title}, a launch included is left out: --{option} says where it is\n", said.getvalue())

    def test_who_has_a_copy_is_compiled_from_it(self):
        asked = self.folder / "asked.txt"
        nvcc = self.compiler(f'{VERSION} *) echo "$@" >> {asked}; {WRITES};; esac')
        (self.folder / "include/cutlass").mkdir(parents=True)
        numbers = "".join(f"#define CUTLASS_{part} {n}\n" for n, part in enumerate(("MAJOR", "MINOR", "PATCH"), 4))
        (self.folder / "include/cutlass/version.h").write_text(numbers)
        words = ["--rounds", "1", "--nvcc", nvcc, "--tile-nvcc", "/none", "--cutlass", str(self.folder),
                 "--kittens", str(self.folder)]  # fmt: skip
        with contextlib.redirect_stdout(io.StringIO()), unittest.mock.patch("sys.executable", "/none"):
            document = comparison_compile.measure(comparison_compile.read_options(words))
        compiled = {row["name"] for row in document["rows"]}
        self.assertEqual(compiled, {"empty", "sectile gemm", "sectile attention", *comparison_compile.PEER_LAUNCHES})
        self.assertIn("CUTLASS 4.5.6", document["software"])
        self.assertNotIn("ThunderKittens", document["software"])  # of a folder that is no repository
        of_peers = [line for line in asked.read_text().split("\n") if "peer.cu" in line]
        self.assertEqual(len(of_peers), len(comparison_compile.PEER_LAUNCHES))
        self.assertIn(f"-DKITTENS_HOPPER --use_fast_math --expt-extended-lambda -I{kit.REPOSITORY} "
                      f"-I{self.folder}/include -I{self.folder}/prototype", of_peers[-1])  # fmt: skip

    def test_what_is_compiled_is_what_is_raced(self):
        build = (kit.REPOSITORY / "bench/peers/peers.cmake").read_text(encoding="utf-8")
        for system, flags in comparison_compile.PEER_FLAGS.items():
            for flag in flags:
                self.assertIn(flag.removeprefix("-D"), build)
            for folder in comparison_compile.PEER_INCLUDES[system]:
                if folder not in ("include", "tools/util/include") or system == "kittens":  # those that CMake looks for
                    self.assertIn(f'"${{SECTILE_{system.upper()}_ROOT}}/{folder}"', build)
        for text in comparison_compile.PEER_LAUNCHES.values():
            header = re.match('#include "(.*)"', text)[1]
            raced = (kit.REPOSITORY / header).with_suffix(".cu")
            if not raced.is_file():  # a header that another one includes, for lists of kernels
                raced = kit.REPOSITORY / "bench/peers/cutlass.hpp"
            self.assertIn(f'#include "{header}"', raced.read_text(encoding="utf-8"))

    def test_lines_are_as_many_as_the_page_says(self):
        between = {
            "triton_kernel.py": ("@triton.jit(do_not", "def descriptors"),
            "triton_attention.py": ("@triton.jit", "def descriptors"),
            "cuda_tile_gemm.cu": ("[[using cutile", "}  // extern"),
            "cuda_tile_attention.cu": ("constexpr int D", "}  // extern"),
        }
        document = json.loads((kit.REPOSITORY / "docs/measured/comparison.json").read_text(encoding="utf-8"))
        raced = {pathlib.Path(row["file"]).name: row["lines"] for row in document["rows"] if row["kind"] == "raced"}
        self.assertEqual(set(raced), set(between))
        for name, (first, behind) in between.items():
            text = (kit.REPOSITORY / "bench/peers" / name).read_text(encoding="utf-8")
            text = text[text.index(first):]
            text = text[:text.index(behind)].replace('extern "C" {\n', "")
            for comment in (r'(?s)""".*?"""', r"(?m)//.*$", r"(?m)(^|\s)#.*$"):
                text = re.sub(comment, "", text)
            self.assertEqual(sum(bool(line.strip()) for line in text.split("\n")), raced[name], name)


if __name__ == "__main__":
    kit.unittest.main()
