import pathlib
import sys
import tempfile
import types
import unittest.mock

import kit
from peers import command_line, power
from peers.contestant import Absent


def without(*modules):
    """As if they were not installed."""
    return unittest.mock.patch.dict(sys.modules, dict.fromkeys(modules))


class Contestants(kit.unittest.TestCase):
    def setUp(self):
        kit.pretend_torch()
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def found(self, *keys):
        options = types.SimpleNamespace(peers=list(keys), libraries=self.folder, kinds=[])
        return command_line.find_peers(options, self.fail)

    def test_who_is_not_there_is_a_sentence_each(self):
        with without("triton", "cuda"):
            found, left_out = self.found("cublaslt", "cusparselt", "cutlass", "triton", "cuda_tile")
        self.assertEqual(found, [])
        self.assertEqual(len(left_out), 5)
        for sentence, title in zip(left_out, ("cuBLASLt", "cuSPARSELt", "CUTLASS", "Triton", "CUDA Tile")):
            self.assertRegex(sentence, f"^{title} is left out: .*(there is no|cannot be imported)")
            self.assertNotIn("\n", sentence)

    def test_a_file_that_is_no_library(self):
        (self.folder / "libpeer_cublaslt.so").write_text("no library")
        _, left_out = self.found("cublaslt")
        self.assertRegex(left_out[0], "cuBLASLt is left out: libpeer_cublaslt.so cannot be loaded")

    def test_a_compiler_that_makes_nothing_right_is_absent(self):
        from peers import triton_peer

        triton = types.SimpleNamespace(__version__="0")
        kernel = types.SimpleNamespace(CONFIGS=())
        with unittest.mock.patch.dict(sys.modules, {"triton": triton, "peers.triton_kernel": kernel}):
            with unittest.mock.patch("peers.triton_kernel", kernel, create=True):
                with self.assertRaisesRegex(Absent, "none of its kernels compiled and was right"):
                    triton_peer.Triton([types.SimpleNamespace(name="bf16")], self.fail)

    def test_a_trial_that_fails_says_why(self):
        from peers import triton_peer

        def future(done=True, error=None, result=None):
            return types.SimpleNamespace(done=lambda: done, exception=lambda: error, result=lambda: result)

        self.assertIsNone(triton_peer.trial_outcome(future()))
        self.assertEqual(triton_peer.trial_outcome(future(result="relative error")), "relative error")
        self.assertEqual(triton_peer.trial_outcome(future(error=MemoryError())), "MemoryError")
        self.assertRegex(triton_peer.trial_outcome(future(done=False)), "not done after")

    def test_no_gauge_reads_nothing_and_says_why(self):
        with unittest.mock.patch("ctypes.CDLL", side_effect=OSError):
            gauge = power.Gauge("0000:00:00.0")
        self.assertEqual(gauge.why_not, "there is no libnvidia-ml.so.1")
        self.assertEqual(gauge.read(), (None, None))
        self.assertIsNone(gauge.watts_allowed())
        self.assertIsNone(gauge.driver())


if __name__ == "__main__":
    kit.unittest.main()
