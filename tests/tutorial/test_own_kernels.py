"""Pages of a user's own kernels, as sectile_add_tutorial() made them in the folder $PAGES; $PROGRAM writes one of them."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import pages

FOLDER = pathlib.Path(os.environ["PAGES"])


class WithoutReference(unittest.TestCase):
    """Of a page that only the exhaustive tests make."""

    def test_without_one(self):
        _, source = pages.check(self, FOLDER, "unknown")
        self.assertIn("no reference was given, so the numbers were not compared", source.lower())
        self.assertNotIn("This is not what it should be", source)
        self.assertIn("| a CTA takes | tiles of 128 x 128 elements of `X` |", source)
        self.assertIn("No matrix is stored: vectors are written element by element.", source)
        self.assertIn("all 256 elements of the result were written and are finite", source)


class OwnKernels(unittest.TestCase):
    def says(self, text, pattern):
        """assertRegex without the whole page in the message."""
        self.assertTrue(re.search(pattern, text), f"the page does not say {pattern}")

    def test_with_a_reference(self):
        _, source = pages.check(self, FOLDER, "scaled")
        self.assertIn("# scaled\n\n**C = alpha A B^T, in f16.**", source)
        self.assertIn("A 200 x 136, B 264 x 136, C 200 x 264 and alpha = 0.5. The operands are random, from seed 3.", source)
        self.assertIn("the reference that was given with the kernel", source)
        self.says(source, r"\*\*relative L2 \S+ \(at most \S+ is tolerated\)")
        self.assertIn("of `kernels/scaled.hpp`", source.replace("tutorial/", ""))
        self.says(source, r"- \*\*\d+\*\* Store f\d to C")
        self.assertIn("figures/scaled.timeline.svg", source)
        self.says(source, r"\| CTAs per SM \| \d, because of [a-z ]+: \d+ of 64 warps")
        self.assertIn("What bounds it depends on its sizes, which the page does not know.", source)

    def test_a_refused_kernel(self):
        _, source = pages.check(self, FOLDER, "too_many_stages")
        self.assertIn("# too_many_stages: refused", source.replace("\\", ""))
        self.assertIn("6 stages of 49152 bytes", source)
        self.assertIn("4 stages fit", source)
        self.assertIn("struct too_many_stages", source)

    def test_the_program_refuses_what_it_cannot_do(self):
        program = os.environ["PROGRAM"]
        with tempfile.TemporaryDirectory() as folder:
            for words, says in (([], "say where the page goes"), (["--out", folder, "--sizes", "Q=3"], "no operand has a mode"),
                                (["--out", folder, "--scalars", "beta=3"], "there is no scalar 'beta'"),
                                (["--out", folder, "--scalars", "alpha=x"], "'x' is not a number"),
                                (["--out", __file__], "is a file; a page goes into a folder")):
                done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 2)
                self.assertIn(says, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)
            self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    unittest.main()
