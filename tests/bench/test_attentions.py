import ctypes
import os
import pathlib

import kit
from peers.attentions import Attentions
from peers.contestant import Absent


class Memory:
    """A number where a tensor would be."""

    def __init__(self, value=0, shape=(), of=ctypes.c_int):
        self.number, self.shape = of(value), shape

    def data_ptr(self):
        return ctypes.addressof(self.number)


class AsLibrary(kit.unittest.TestCase):
    def setUp(self):
        self.library = Attentions(pathlib.Path(os.environ["ATTENTIONS"]))
        self.sums = Memory(of=ctypes.c_float)
        self.sets = [(Memory(q, (4, 5, 6, 128)), Memory(q + 1), Memory(q + 2), Memory()) for q in (1, 7)]

    def candidates(self, causal):
        return self.library.candidates(causal, self.sets, self.sums)

    def test_each_candidate_runs_on_the_set_it_is_asked_for(self):
        plain = self.candidates(False)
        self.assertEqual([c.name for c in plain], ["way 1", "way 2"])
        self.assertIs(plain[1].queue(1, 0), self.sets[1][3])
        self.assertEqual([one[3].number.value for one in self.sets], [0, 789456])
        self.assertEqual(self.sums.number.value, 2.0)

    def test_a_mask_has_candidates_of_its_own(self):
        (masked,) = self.candidates(True)
        masked.queue(0, 0)
        self.assertEqual((masked.name, self.sets[0][3].number.value, self.sums.number.value), ("way 3", 123456, 3.0))

    def test_what_goes_wrong_is_said_in_the_librarys_words(self):
        with self.assertRaisesRegex(RuntimeError, "a stream where there is no GPU"):
            self.candidates(False)[0].queue(0, 1)

    def test_it_has_a_name_or_is_absent(self):
        self.assertEqual(self.library.title, "Notes 2.0")
        with self.assertRaisesRegex(Absent, "there is no none.so"):
            Attentions(pathlib.Path("none.so"))


if __name__ == "__main__":
    kit.unittest.main()
