"""The products of bench/groups.py are those of bench/groups.cu, by number; it needs PyTorch, so it is read, not imported."""

import ast
import pathlib
import re
import unittest

BENCH = pathlib.Path(__file__).resolve().parent.parent.parent / "bench"


def constants(path, *names):
    """What a module's assignments to these names give, in their order."""
    known = {}
    for line in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(line, ast.Assign) and line.targets[0].id in names:
            known[line.targets[0].id] = eval(compile(ast.Expression(line.value), path.name, "eval"), {}, known)
    return [known[name] for name in names]


class Products(unittest.TestCase):
    def setUp(self):
        self.products, self.of_rows = constants(BENCH / "groups.py", "PRODUCTS", "OF_ROWS")

    def test_names_and_numbers(self):
        listed = re.search(r"enum class product : int \{(.*?)\}", (BENCH / "groups.cu").read_text(encoding="utf-8"), re.S)
        self.assertEqual(list(self.products), re.findall(r"\w+", listed[1]))

    def test_those_of_rows_alone_have_the_operands_of_a_product(self):
        self.assertEqual([name for name in self.products if name not in self.of_rows],
                         ["inputs", "weights", "gated", "scaled_dense", "scaled"])


if __name__ == "__main__":
    unittest.main()
