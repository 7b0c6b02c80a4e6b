import ctypes
import os
import pathlib
import types

import kit

kit.pretend_torch()
from peers import problems  # noqa: E402
from peers.library import Library  # noqa: E402


class Memory:
    """Three integers where a tensor would be."""

    def __init__(self, *values):
        self.values = (ctypes.c_int * 3)(*values)

    def data_ptr(self):
        return ctypes.addressof(self.values)


def set_of(a, b):
    return types.SimpleNamespace(a=Memory(0, a, 0), b=Memory(b, 0, 0), c=Memory(0, 0, 0))


def problem(kind="bf16", m=64):
    return problems.Problem(problems.KINDS[kind], m, 64, 128)


class AsLibrary(kit.unittest.TestCase):
    def setUp(self):
        self.library = Library("notes", pathlib.Path(os.environ["PEER"]))
        self.addCleanup(self.library.close)

    def test_each_candidate_runs_on_the_set_it_is_asked_for(self):
        sets = [set_of(5, 6), set_of(7, 8)]
        candidates = self.library.candidates(problem(), sets)
        self.assertEqual([c.name for c in candidates], ["way 0", "way 1", "way 2"])
        candidates[2].queue(1, 0)
        self.assertEqual(list(sets[1].c.values), [2, 7, 8])
        self.assertEqual(list(sets[0].c.values), [0, 0, 0])
        candidates[1].queue(0, 0)
        self.assertEqual(list(sets[0].c.values), [1, 5, 6])

    def test_types_without_a_kernel_have_no_candidates(self):
        self.assertEqual(self.library.candidates(problem("sparse bf16"), [set_of(1, 2)]), [])

    def test_what_goes_wrong_is_said_in_the_librarys_words(self):
        with self.assertRaisesRegex(RuntimeError, "2000x64x128 is too large"):
            self.library.candidates(problem(m=2000), [set_of(1, 2)])
        with self.assertRaisesRegex(RuntimeError, "a stream where there is no GPU"):
            self.library.candidates(problem(), [set_of(1, 2)])[0].queue(0, 1)

    def test_it_has_a_name(self):
        self.assertEqual(self.library.title, "Notes 1.0")


if __name__ == "__main__":
    kit.unittest.main()
