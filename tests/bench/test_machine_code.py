"""bench/machine_code.py: what it reads in the words of ptxas and cuobjdump, the file that it keeps, and one kernel that
is compiled again, where there are nvcc and cuobjdump."""

import contextlib
import io
import json
import os
import pathlib
import shutil
import tempfile
import types

import kit
from kit import unittest

import machine_code

FILE = kit.REPOSITORY / "docs/measured/machine_code.json"

PTXAS = """ptxas info    : 0 bytes gmem
ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized in function '_Z1a'
ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized in function '_Z1a'
ptxas info    : (C7519) warpgroup.arrive is injected in around line 480 by compiler in function '_Z1b'
ptxas info    : Compiling entry function '_Z1a' for 'sm_90a'
ptxas info    : Function properties for _Z1a
    16 bytes stack frame, 24 bytes spill stores, 32 bytes spill loads
ptxas info    : Used 168 registers, used 16 barriers, 16 bytes cumulative stack size
ptxas info    : Compiling entry function '_Z1b' for 'sm_90a'
ptxas info    : Function properties for _Z1b
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 59 registers, used 1 barriers
"""
RESOURCES = """Resource usage:
 Common:
  GLOBAL:0
 Function _Z1a:
  REG:168 STACK:16 SHARED:1280 LOCAL:0 CONSTANT[0]:536 TEXTURE:0 SURFACE:0 SAMPLER:0
 Function _Z1b:
  REG:59 STACK:0 SHARED:0 LOCAL:0 CONSTANT[0]:536 TEXTURE:0 SURFACE:0 SAMPLER:0
"""
SASS = """\t\tFunction : _Z1a
\t.headerflags\t@"EF_CUDA_SM90"
        /*0000*/                   LDC R1, c[0x0][0x28] ;                  /* 0x00000a00ff017b82 */
        /*0010*/                   STL.64 [R1+0x8], R24 ;                  /* 0x01 */
                                                                           /* 0x000fe20000000800 */
        /*0b10*/                   HGMMA.64x128x16.F32.BF16 R24, gdesc[UR16], RZ, !UPT ;  /* 0x01e0 */
        /*0b20*/              @P0  QGMMA.64x128x32.F32.E4M3.E4M3 R24, gdesc[UR20], R24 ;  /* 0x01e0 */
        /*0b30*/             @!P1  BGMMA.64x128x256.AND.POPC R24, gdesc[UR20], R24 ;  /* 0x01e0 */
        /*0b34*/                   STL [R1+0x8], R24 ;                     /* 0x01 */
        /*0b38*/              @P0  LDL.LU R24, [R1] ;                      /* 0x01 */
        /*0b40*/                   WARPGROUP.ARRIVE ;                      /* 0x00000000000079c5 */
        /*10b50*/                  IGMMA.64x128x32.S8.S8 R24, gdesc[UR20], R24 ;  /* 0x01e0 */
        /*10b60*/                  LDL R24, [R1] ;                         /* 0x01 */
\t\tFunction : _Z1b
        /*0000*/                   EXIT ;                                  /* 0x00 */
"""

# Of a kernel that wrote half of its tiles nowhere: no coordinate comes into UR9.
GUARDED = """
        /*7b50*/               @P2 BRA 0x7c90 ;
        /*7b60*/                   R2UR UR6, R60 ;
        /*7b80*/                   PLOP3.LUT P0, PT, PT, PT, PT, 0x80, 0x0 ;
        /*7b90*/                   UISETP.GE.AND UP0, UPT, UR6, UR4, UPT ;
        /*7ba0*/              @!P0 R2UR UR9, R60 ;
        /*7c20*/                   PLOP3.LUT P0, PT, P0, P5, PT, 0xa2, 0x0 ;
        /*7c30*/               @P5 R2UR P0, UR8, R21 ;
        /*7c60*/                   UTMASTG.3D [UR8], [UR6] ;
        /*7c70*/               @P5 BRA.U.ANY 0x7c20 ;
"""


class Guards(unittest.TestCase):
    def never(self, code):
        return machine_code.guarded_figures("\t\tFunction : _Z1a\n" + code)["_Z1a"]["never"]

    def test_an_instruction_whose_guard_is_a_constant_is_found(self):
        self.assertEqual(self.never(GUARDED), ["7ba0: R2UR"])
        self.assertEqual(self.never(GUARDED.replace("@!P0 R2UR", "@P0 R2UR")), [])
        for table, guard in (("0x80", "@!P0"), ("0x8", "@P0")):  # and, and its opposite
            self.assertEqual(self.never(GUARDED.replace("0x80", table).replace("@!P0 R2UR", guard + " R2UR")),
                             ["7ba0: R2UR"])

    def test_a_guard_that_may_be_something_else_is_none(self):
        joined = GUARDED.replace("0x7c90", "0x7b90")  # another path leads behind the constant
        written = GUARDED.replace("UISETP.GE.AND UP0, UPT", "ISETP.GE.AND P0, PT")
        second = GUARDED.replace("UISETP.GE.AND UP0, UPT", "ISETP.GE.AND P1, P0")
        of_another = GUARDED.replace("P0, PT, PT, PT, PT, 0x80", "P0, PT, PT, P3, PT, 0x80")
        sometimes = GUARDED.replace("PLOP3.LUT P0, PT, PT", "@P1 PLOP3.LUT P0, PT, PT")
        anywhere = GUARDED + "        /*7c80*/  BRX R2 -0x10 ;"
        for code in (joined, written, second, of_another, sometimes, anywhere):
            self.assertEqual(self.never(code), [], code)


class Words(unittest.TestCase):
    def test_ptxas(self):
        found = machine_code.ptxas_figures(PTXAS)
        self.assertEqual(found["_Z1a"], {"added": 0, "serialised": ["C7510"], "stack": 16, "spill_stores": 24,
                                         "spill_loads": 32, "registers": 168})
        self.assertEqual(found["_Z1b"], {"added": 1, "serialised": [], "stack": 0, "spill_stores": 0, "spill_loads": 0,
                                         "registers": 59})

    def test_shared_memory_is_told_without_that_of_the_system(self):
        self.assertEqual(machine_code.resource_figures(RESOURCES), {"_Z1a": {"shared": 256}, "_Z1b": {"shared": 0}})

    def test_instructions_are_counted_whatever_guards_them(self):
        self.assertEqual(machine_code.sass_figures(SASS), {
            "_Z1a": {"wgmma": 4, "instructions": 10, "local_between": 2},
            "_Z1b": {"wgmma": 0, "instructions": 1, "local_between": 0}})

    def test_complaints(self):
        fine = {"name": "k", "spill_stores": 0, "spill_loads": 0, "stack": 0, "serialised": [], "never": []}
        self.assertEqual(list(machine_code.complaints(fine)), [])
        for change, says in (({"spill_stores": 8, "stack": 8}, "spills registers: 8 bytes of stores"),
                             ({"spill_loads": 4}, "4 of loads"), ({"stack": 16}, "keeps 16 bytes in local memory"),
                             ({"serialised": ["C7510"]}, "wait for the one before (C7510)"),
                             ({"never": ["7ba0: R2UR"]}, "is wrong on a GPU: ptxas guards instructions so that they "
                                                         "never run (7ba0: R2UR)")):
            told = list(machine_code.complaints({**fine, **change}))
            self.assertEqual(len(told), 1, told)
            self.assertIn(says, told[0])


class Families(unittest.TestCase):
    def test_every_family_of_the_tool_has_a_program(self):
        names = machine_code.families()
        self.assertGreater(len(names), 10)
        for path in (kit.REPOSITORY / "tool/kernels").glob("*.cu"):
            self.assertEqual(path.stem in names, not path.stem.startswith("portable_"), path.stem)
        for name in names:
            text = machine_code.program(name)
            self.assertIn(f"::each_of_{name}(sectile::bench::tell_planned{{}});", text)
            self.assertIn('#include "tool/kernels/', text)

    def test_rungs_are_told_as_what_they_are(self):
        text = machine_code.program("ladder")
        self.assertIn("each_of_ladder_by_hand(sectile::bench::tell_by_hand{})", text)
        self.assertIn("each_of_ladder_portable(sectile::bench::tell_portable{})", text)


def pretend_tools(compiled):
    """In place of nvcc: a family's only kernel has the family's name; `compiled` gets what is compiled."""
    def rows_of(family, folder, known):
        if known:
            return known
        compiled.append(family)
        return [{**{key: 0 for key, _ in machine_code.COLUMNS}, "name": f"{family}_kernel", "family": family, "text": "t",
                 "threads": 384, "producer": 24, "consumer": 240, "serialised": [], "never": []}]

    return types.SimpleNamespace(software="release 1.2", rows_of=rows_of)


class File(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.file = pathlib.Path(scratch.name) / "machine_code.json"
        self.compiled = []

    def run_on(self, tools, only=None):
        with contextlib.redirect_stdout(io.StringIO()):
            return machine_code.compile_all(types.SimpleNamespace(json=self.file, only=only), tools)

    def rows(self):
        return [row["name"] for row in json.loads(self.file.read_text())["rows"]]

    def test_a_run_that_broke_off_goes_on(self):
        tools = pretend_tools(self.compiled)
        self.run_on(tools, ["rows", "ladder"])
        self.assertEqual(self.rows(), ["rows_kernel", "ladder_kernel"])
        self.assertEqual(len(self.run_on(tools)), len(machine_code.families()))
        self.assertEqual(sorted(self.compiled), sorted(machine_code.families()), "each is compiled once")
        self.assertEqual(self.rows(), [f"{name}_kernel" for name in machine_code.families()])
        written = self.file.stat().st_mtime_ns
        self.run_on(tools)
        self.assertEqual(self.file.stat().st_mtime_ns, written, "what is the same is not written again")

    def test_kernels_are_asked_for_by_their_names(self):
        tools = pretend_tools(self.compiled)
        self.run_on(tools, ["rows"])
        self.assertEqual([row["name"] for row in self.run_on(tools, ["rows_kernel"])], ["rows_kernel"])
        with self.assertRaisesRegex(machine_code.Trouble, "no family or compiled kernel rosw; families are gemm_bf16, "):
            self.run_on(tools, ["rosw"])

    def test_figures_of_two_compilers_do_not_mix(self):
        self.run_on(pretend_tools(self.compiled), ["rows"])
        newer = pretend_tools(self.compiled)
        newer.software = "release 1.3"
        with self.assertRaisesRegex(machine_code.Trouble, "made by release 1.2, and this is release 1.3: compile every"):
            self.run_on(newer, ["ladder"])
        self.run_on(newer)
        self.assertEqual(json.loads(self.file.read_text())["software"], "release 1.3")
        self.assertEqual(self.compiled.count("rows"), 2)

    def test_no_compiler(self):
        with self.assertRaisesRegex(machine_code.Trouble, "there is no /none/nvcc; nvcc and cuobjdump come with"):
            machine_code.require("/none/nvcc", "cuobjdump")

    def test_rows_of_the_file_that_comes_with_sectile(self):
        values = json.loads(FILE.read_text())
        keys = {key for key, _ in machine_code.COLUMNS} | {"name", "family", "threads", "serialised", "never", "text"}
        for row in values["rows"]:
            self.assertEqual(set(row), keys, row["name"])
            self.assertIn(row["family"], machine_code.families(), f"{row['name']}: {machine_code.COMMAND} --json {FILE}")
            self.assertGreater(row["instructions"], 100)
            self.assertEqual(row["never"], [], row["name"])
            self.assertLessEqual(row["registers"] * row["threads"], 65536)
        self.assertEqual({row["family"] for row in values["rows"]}, set(machine_code.families()))


class Compiled(unittest.TestCase):
    """One kernel, compiled now."""

    def setUp(self):
        self.nvcc = shutil.which(os.environ.get("CUDACXX", "nvcc")) or shutil.which("/usr/local/cuda/bin/nvcc")
        if not self.nvcc:
            self.skipTest("there is no nvcc: no kernel is compiled")
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def compare(self, now, tools):
        """With the row of the file, as far as it is told what it is now."""
        self.assertEqual((now["name"], now["threads"], now["stack"], now["serialised"]), ("gemm_bf16", 384, 0, []))
        values = json.loads(FILE.read_text())
        if values["software"] != tools.software:
            self.skipTest(f"the file is of {values['software']}, and this is {tools.software}")
        (written,) = [row for row in values["rows"] if row["name"] == "gemm_bf16"]
        self.assertEqual(now, {key: written[key] for key in now},
                         f"run {machine_code.COMMAND} --json docs/measured/machine_code.json")

    def test_what_ptxas_says_is_what_is_written_down(self):
        tools = machine_code.Tools(self.nvcc, None)
        source = self.folder / "kernels.cu"
        source.write_text(machine_code.program("gemm_bf16"))
        (now,) = tools.compiled(source, self.folder / "kernels").values()
        self.assertGreater(now["registers"], 0)
        self.compare(now, tools)

    def test_what_the_disassembler_says_is_what_is_written_down(self):
        cuobjdump = shutil.which("cuobjdump") or shutil.which("/usr/local/cuda/bin/cuobjdump")
        if not cuobjdump:
            self.skipTest("there is no cuobjdump: nothing is disassembled")
        tools = machine_code.Tools(self.nvcc, cuobjdump)
        (now,) = tools.rows_of("gemm_bf16", self.folder, [{"name": "gemm_bf16", "text": "another"}])
        before = [{**now, "instructions": 1}]
        self.assertEqual(tools.rows_of("gemm_bf16", self.folder, before), before, "of the same text")
        self.assertGreater(now["wgmma"], 0)
        del now["text"]  # changes with every header's, whatever becomes of it
        self.compare(now, tools)


if __name__ == "__main__":
    unittest.main()
