import contextlib
import io
import sys
import unittest.mock

import kit
from peers import command_line


def called(*words):
    """The exit code, and what went to stderr."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        try:
            code = command_line.main(list(words))
        except SystemExit as end:
            code = end.code
    return code, said.getvalue()


class CommandLine(kit.unittest.TestCase):
    def assert_sentence(self, words, expected):
        code, said = called(*words)
        self.assertEqual(code, 2)
        self.assertEqual(said.count("\n"), 1, said)
        self.assertIn(expected, said)

    def test_arguments_that_make_no_sense_are_one_sentence(self):
        self.assert_sentence(["--types", "f64"], "'f64' is no type of products here")
        self.assert_sentence(["--peers", "cublaslt,nobody"], "'nobody' is no peer here; there are cublaslt")
        self.assert_sentence(["--shapes", "4096"], "'4096' is not a shape")
        self.assert_sentence(["--rounds", "0"], "--rounds must be at least 1")

    def test_no_pytorch_is_one_sentence(self):
        with unittest.mock.patch("importlib.util.find_spec", return_value=None):
            self.assert_sentence([], "PyTorch is not there")

    def test_no_gpu_is_one_sentence(self):
        with unittest.mock.patch("importlib.util.find_spec", return_value=object()):
            with unittest.mock.patch.dict(sys.modules):
                kit.pretend_torch()
                self.assert_sentence([], "PyTorch finds no GPU")

    def test_what_is_raced_by_default(self):
        options = command_line.read_arguments([])
        self.assertEqual({p.kind.name for p in options.problems}, {"bf16", "e4m3", "s8", "sparse bf16"})
        options = command_line.read_arguments(["--types", "s8", "--shapes", "1x16x16,2x16x16", "--peers", ""])
        self.assertEqual([p.name for p in options.problems], ["s8 1x16x16", "s8 2x16x16"])
        self.assertEqual(options.peers, [])

    def test_the_command_of_a_report_does_not_say_where_files_are(self):
        words = ["--json", "here.json", "--rounds", "5", "--csv=x.csv", "--libraries", "/there", "--types", "s8"]
        self.assertEqual(command_line.command_of(words), "python3 bench/peers --rounds 5 --types s8")


if __name__ == "__main__":
    kit.unittest.main()
