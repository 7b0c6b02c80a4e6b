"""Numbers that were typed by hand are found, and names are not taken for numbers."""

import subprocess
import sys
import unittest

from kit import REPOSITORY, Case

from generator import lint


def found(text):
    return [what for _, what in lint.digits_in(text)]


class Digits(unittest.TestCase):
    def test_typed_numbers(self):
        self.assertEqual(found("A stage has 49,152 bytes.\n"), ["49,152"])
        self.assertEqual(found("It is 0.5 of that, or 50%.\n"), ["0.5", "50%"])
        self.assertEqual(found("rows: `64`, mask `0x40`\n"), ["64", "0x40"])
        self.assertEqual(found("| rows | 64 |\n"), ["64"])
        self.assertEqual(found("# 4 stages\n"), ["4"])
        self.assertEqual(lint.digits_in("one\n\ntwo 3\n"), [(3, "3")])

    def test_names(self):
        for name in ("bf16", "e4m3", "tf32", "H100", "sm_90a", "C++20", "2D", "m64n256k16", "2:4", "16-bit", "b1",
                     "float64", "PTX ISA 8.5", "IEEE 754", "cutlass#2365", "fp8", "int8"):
            self.assertEqual(found(f"The {name} of it, ({name}), {name}.\n"), [], name)
        self.assertEqual(found("x86_64 and UTF-8.\n"), [])

    def test_constants_of_the_hardware(self):
        for words in ("8 rows of 16 bytes", "32 banks of 4 bytes", "128-byte", "a multiple of 16", "*core matrices*: 8 rows",
                      "32 *bytes*", "64 rows", "255 registers", "spans of 32, 64 or 128 bytes"):
            expected = ["128-byte"] if words == "128-byte" else []
            self.assertEqual(found(f"It has {words}, as said.\n"), expected, words)
        self.assertEqual(found("4 stages of 49,152 bytes, 1.16 bytes, 216 bytes, 16 bytesize\n"),
                         ["4", "49,152", "1.16", "216", "16"])
        self.assertEqual(found("Pieces of 16\nbytes.\n"), [])

    def test_every_constant_has_a_source(self):
        import json
        known = json.loads((REPOSITORY / "docs/generator/hardware.json").read_text())["constants"]
        self.assertGreater(len(known), 10)
        for constant in known:
            self.assertTrue(constant["what"] and constant["source"] and constant["said"], constant)
            for phrase in constant["said"]:
                self.assertRegex(phrase, r"\d")

    def test_numbers_in_words(self):
        def words(text):
            return [what for _, what in lint.spelled(text)]
        self.assertEqual(words("a row of sixty-four elements, eight bytes, one hundred and twenty-eight threads\n"),
                         ["sixty-four", "eight", "one hundred", "twenty-eight"])
        self.assertEqual(words("in thirteen *banks*, four bits\n"), ["thirteen", "four"])
        self.assertEqual(words("Two warpgroups, one thread, four steps, the eighth rung, a thousand threads\n"), [])
        self.assertEqual(words("```cpp\n// sixteen\n```\n`sixteen`\n"), [])

    def test_what_is_no_prose(self):
        text = ("1. first\n2. second\n\n`(4,8):(8,1)` and `x + 64`\n\n```cpp\nint x = 64;\n```\n\n{{ evaluate(\"64\") }}\n"
                "{% set n = 37 %}\n{# 12 #}\n<a id=\"x1\"></a>[a](page-12.md#s3) https://x.org/1\n<!-- 7 -->\n")
        self.assertEqual(found(text), [])

    def test_lines_stay_numbered(self):
        self.assertEqual(lint.digits_in("```cpp\n1\n2\n```\n{{ a\n}}\n7\n"), [(7, "7")])

    def test_years_of_references(self):
        self.assertEqual(found("## Reading\n\n- A. Author, \"Title\", 2024\n\n## Next\n\n- In 2024 it was.\n"), ["2024"])


class Comparisons(unittest.TestCase):
    def test_numbers_that_only_a_kernel_knows(self):
        self.assertEqual(lint.compared("{% if k.swizzle.span_bytes == 128 %}a{% endif %}\n{{ x if y > 64 }}"),
                         [(1, "== 128"), (2, "> 64")])
        self.assertEqual(lint.compared("{% if k.stages > 1 and k.consumers == 2 and x != \"Sw<3>\" %}{{ \"b\" }}{% endif %} a == 128"), [])


class Output(unittest.TestCase):
    def test_output_that_nothing_checks(self):
        self.assertEqual(lint.typed_results("```text\n32\n```\n"), [(1, "text")])
        self.assertEqual(lint.typed_results("```\n32\n```\n"), [(1, "no language")])
        self.assertEqual(lint.typed_results("```text\nC = A B^T\n```\n"), [])

    def test_output_that_is_checked(self):
        self.assertEqual(lint.typed_results("```cpp run\nint main() {}\n```\n\n```text output\n32\n```\n"), [])
        self.assertEqual(lint.typed_results("```cpp refused\nint x = y;\n```\n\n```text\n6 stages\n```\n"), [])
        self.assertEqual(lint.typed_results("```cpp\nint x;\n```\n\n```text\n6 stages\n```\n"), [(5, "text")])


class Paragraphs(unittest.TestCase):
    LONG = "word " * 181  # 904 characters, without the last space

    def test_what_nobody_reads_to_its_end(self):
        self.assertEqual(lint.endless(f"# T\n\nShort.\n\n{self.LONG}\n"), [(5, 904)])
        self.assertEqual(lint.endless(f"- one\n- {self.LONG}\n- three\n"), [(2, 906)])
        self.assertEqual(lint.endless("one line\n" * 101), [(1, 908)])
        self.assertEqual(lint.endless(f"> {self.LONG}\n"), [(1, 904)])
        self.assertEqual(lint.endless("1. " + "word " * 100 + "\n\n   " + self.LONG + "\n"), [(3, 904)])
        self.assertEqual(lint.endless("a" * 900 + "\n"), [])

    def test_what_ends_a_paragraph(self):
        half = "word " * 100
        for between in ("\n\n", "\n- ", "\n2. ", "\n## T\n", "\n| a |\n", "\n>\n> ", "\n```\nx\n```\n"):
            self.assertEqual(lint.endless(half + between + half), [], between)
        self.assertEqual(len(lint.endless(half + "\n" + half)), 1)

    def test_what_is_no_text(self):
        self.assertEqual(lint.endless(f"```text\n{self.LONG}\n```\n| {self.LONG} |\n<!-- {self.LONG} -->\n"), [])
        self.assertEqual(lint.endless("see [it](" + "x" * 900 + ") and {{ page('" + "x" * 900 + "') }}.\n"), [])


class Files(Case):
    def test_documents_that_people_write_are_looked_at(self):
        names = ("README.md", "CONTRIBUTING.md", "docs/language.md", "docs/design/fragments.md")
        for name in names:
            self.write(name, "# T\n\n" + "word " * 200 + "\n\nIn sixteen banks.\n")
        self.write("docs/faults.md", "<!-- Generated from x -->\n\n# T\n\n" + "word " * 200 + "\n")
        self.write("docs/source/howto/01-x.md.j2", "# T\n\n" + "word " * 200 + "\n")
        said = lint.check(self.root)
        for name in (*names, "docs/source/howto/01-x.md.j2"):
            self.assertIn(f"{name}:3: a paragraph of 999 characters, 900 are the most; split it where another thought "
                          "begins, or make it a list or a table", said)
        for name in names:
            self.assertIn(f"{name}:5: 'sixteen' is a number in words; write digits", said)
        self.assertEqual(len(said), 9)

    def test_a_complaint_names_file_and_line(self):
        file = self.write("docs/source/howto/01-x.md.j2", "# T\n\nIt has 4 stages.\n")
        self.assertEqual(len(lint.complaints(self.root, file)), 1)
        self.assertTrue(lint.complaints(self.root, file)[0].startswith("docs/source/howto/01-x.md.j2:3: '4' is a number"))

    def test_a_rung_ends_in_three_lines(self):
        ending = ("# T\n\n## In three lines\n\n- **What this page added:** a.\n- **What bounds the kernel now:** b.\n"
                  "- **What comes next:** c.\n\n## Read on\n")
        for text, whole in ((ending, True), (ending.replace("What bounds the kernel now", "Bound"), False),
                            (ending.replace("- **What comes next:** c.\n", ""), False), ("# T\n", False)):
            said = lint.complaints(self.root, self.write("docs/source/course/01-x.md.j2", text))
            self.assertEqual(["a rung ends with '## In three lines'" in line for line in said], [] if whole else [True])
        self.assertEqual(lint.complaints(self.root, self.write("docs/source/course/index.md.j2", "# T\n")), [])

    def test_a_source_has_a_link(self):
        said = lint.unlinked("# T\n\n- no source\n\n## Read on\n\n- PTX ISA, `fma`.\n- [CUDA](https://x), banks.\n- {{ page('x') }}\n")
        self.assertEqual(said, [(7, "a source without a link")])

    def test_a_folder_without_sources_is_refused(self):
        elsewhere = self.root / "elsewhere"
        for command in ("lint", "site"):
            done = subprocess.run([sys.executable, "-B", REPOSITORY / "docs/generator", command, "--repository", elsewhere],
                                  capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr, f"{elsewhere}: it has no folder docs/source, so it is not Sectile's repository\n")

    def test_the_sources_and_the_templates_hold_none(self):
        files = lint.files(REPOSITORY)
        self.assertGreater(len(files), 30)
        self.assertEqual(lint.check(REPOSITORY), [])


if __name__ == "__main__":
    unittest.main()
