"""What mutation.py makes of lines, and what it counts. (Trying a mutant takes half a minute, and is no test.)"""

import io
import pathlib
import tempfile
import unittest
from collections import Counter
from contextlib import redirect_stdout

import mutation


def wrongs(line):
    return {(m.operator, m.wrong.strip()) for m in mutation.mutants_of_line("dsl/plan/x.hpp", 1, line)}


class Lines(unittest.TestCase):
    def test_comparisons_and_numbers(self):
        self.assertEqual(wrongs("  if (a < 2) b = true;"),
                         {("<", "if (a <= 2) b = true;"), ("number", "if (a < 3) b = true;"), ("true", "if (a < 2) b = false;")})

    def test_conditions(self):
        self.assertIn(("if", "if constexpr (!(a && b)) {"), wrongs("  if constexpr (a && b) {"))
        self.assertIn(("if", "if (!(a))"), wrongs("  if (a)"))

    def test_statements(self):
        self.assertEqual(wrongs("    this->hw.fence_proxy_async();"), {("statement", ";")})
        self.assertEqual(wrongs("    const int x = f();"), set())

    def test_templates_are_no_comparisons(self):
        self.assertEqual(wrongs("  using_it<A, B>(c);"), {("statement", ";")})

    def test_comments_stay(self):
        self.assertEqual(wrongs("  x = y % z;  // a % b"), {("%", "x = y / z;  // a % b")})

    def test_what_is_no_code(self):
        for line in ("", "// a < b", "#if A < 2", "template <int N>", "static_assert(a < b);", 'refuse(a < 2, "b")', '  say("x", a < b);'):
            self.assertFalse(mutation.is_code(line), line)
        self.assertTrue(mutation.is_code("  return a < b;"))


class Samples(unittest.TestCase):
    def test_every_folder_and_operator_has_its_share(self):
        everything = list(mutation.all_mutants(mutation.ROOT))
        picked = mutation.sample(everything, 60, 1)
        self.assertEqual(picked, mutation.sample(everything, 60, 1))
        self.assertEqual(len(set(picked)), 60)
        self.assertEqual({folder for folder in mutation.FOLDERS for m in picked if m.header.startswith(folder)}, set(mutation.FOLDERS))
        self.assertGreater(len({m.operator for m in picked}), 12)

    def test_what_is_known_still_exists_and_has_a_reason(self):
        there = [m.key() for m in mutation.all_mutants(mutation.ROOT)]
        for pattern, kind, why in mutation.known_survivors(mutation.HERE / "equivalent.txt"):
            self.assertTrue(any(map(pattern.fullmatch, there)), pattern.pattern)
            self.assertIn(kind, mutation.KINDS)
            self.assertGreater(len(why), 10, pattern.pattern)

    def test_reasons_are_read(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "known"
            file.write_text("# a comment\n[choice]\nx [||] a || b -> a && b | because\ny.hpp ...< n...| of a loop | or so\n",
                            encoding="utf-8")
            known = mutation.known_survivors(file)
        self.assertEqual([(kind, why) for _, kind, why in known], [("choice", "because"), ("choice", "or so")])
        self.assertEqual(mutation.kind_of(known, mutation.Mutant("x", 1, "||", "a || b", "a && b")), "choice")
        self.assertEqual(mutation.kind_of(known, mutation.Mutant("x", 1, "||", "a || c", "a && c")), "")


class Trials(unittest.TestCase):
    def test_the_kernels_that_the_model_judges_are_there(self):
        program = (mutation.ROOT / "tests/mutants/program.cpp").read_text(encoding="utf-8")
        kernels = mutation.mutated_kernels().split(",")
        self.assertGreater(len(kernels), 20)
        for kernel in kernels:
            self.assertRegex(program, rf"\b(struct|using) {kernel}\b")

    def test_the_proofs_of_a_test_that_does_not_link_count(self):
        trial = mutation.Trial.__new__(mutation.Trial)
        trial.main = "main.o"
        for said, words in (("collect2: error: ld returned 1 exit status", ""), ("x: error: y", "x_test.cpp: x: error: y")):
            trial.build = lambda *_, said=said: (said, None)
            self.assertEqual(trial.fail_test(pathlib.Path("x_test.cpp"), pathlib.Path()), words)


class Report(unittest.TestCase):
    def test_survivors_are_told(self):
        mutant = mutation.Mutant("dsl/plan/x.hpp", 1, "<", "a < b", "a <= b")
        told = io.StringIO()
        with redirect_stdout(told):
            ends = mutation.report(Counter(compiler=8, model=1, nobody=1, equivalent=2, choice=1), [("nobody", mutant)])
        self.assertEqual(ends, 1)
        self.assertIn("noticed without comparing numbers: 9 of 10, 90.0 %", told.getvalue())
        self.assertIn("nobody: dsl/plan/x.hpp [<] a < b -> a <= b", told.getvalue())


if __name__ == "__main__":
    unittest.main()
