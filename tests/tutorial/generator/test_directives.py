"""What a page's source can ask for."""

import json
import unittest

from kit import REPOSITORY, Case

from generator import arithmetic, book, directives, facts, page, site


class Facts(Case):
    def test_facts_by_path_and_by_name(self):
        text = '# T\n\n{% set k = kernel("toy") %}{{ k.shared.bytes|grouped }}, {{ k.operands.B.tile_bytes }}\n'
        self.assertEqual(self.page(text), "# T\n\n229,440, 32768\n")

    def test_a_kernel_is_asked_for_once(self):
        self.page('# T\n\n{{ kernel("toy").name }}{{ kernel("toy").title }}\n')
        self.assertEqual(self.calls(), ["tutorial toy --facts -"])

    def test_a_missing_fact_says_what_there_is(self):
        self.refused('# T\n\n{{ kernel("toy").shared.kilobytes }}\n', "01-page.md.j2:3", "toy.shared has no fact "
                     "'kilobytes'", "it has bytes")
        self.refused('# T\n{{ kernel("toy").operands.C.tile }}\n', "toy.operands has no 'C'; it has A, B")

    def test_an_unknown_kernel_is_refused_in_the_words_of_the_tool(self):
        self.refused('# T\n\n\n{{ kernel("tov") }}\n', "01-page.md.j2:4", "there is no kernel")

    def test_words(self):
        text = "# T\n{{ 2|words }} {{ 11|words }} {{ 229440|grouped }} {{ 3.14159|fixed(2) }} {{ 1|counted('stage') }} " \
               "{{ 4|counted('stage') }} {{ [128, 64]|extents }} {{ ['A', 'B', 'C']|listed }}\n"
        self.assertEqual(self.page(text), "# T\ntwo 11 229,440 3.14 1 stage 4 stages 128 x 64 A, B and C\n")


class Rungs(Case):
    """The course's pages have numbers wherever they are named, and a kernel's page finds its terms in them."""

    def test_a_rung_has_its_number_in_its_title_and_in_links(self):
        self.assertEqual(self.page("# One thread asks\n\nwords\n", "course/07-tma"),
                         "# Rung 7: One thread asks\n\nwords\n")
        self.assertEqual(self.page('# T\n\n{{ page("course/07-tma") }}\n'),
                         "# T\n\n[Rung 7: One thread asks](../course/07-tma.md)\n")
        self.assertEqual([book.rung_of(n) for n in ("course/14-attention", "course/index", "howto/01-x")], [14, 0, 0])

    def around(self):
        self.write("docs/source/course/07-tma.md.j2", "# One thread asks\n")
        self.write("docs/source/course/index.md.j2", """\
            # The course

            | {{ page("course/07-tma") }} | one thread | `toy` |

            | TMA, box | the copy *engine* | {{ page("course/07-tma") }} |
            """)
        return site.Around(book.Book(self.root), "kernels/toy.html")

    def test_a_kernel_page_in_a_site_links_terms_layouts_and_its_rung(self):
        around = self.around()
        made = page.KernelPage(facts.read_facts('{"name": "toy"}', "toy"), around)
        self.assertEqual(made.word("box", "boxes"), '[boxes](../course/07-tma.html "the copy engine")')
        self.assertEqual(made.explore("(4,8):(8,1)"), " ([in the explorer](../explorer/index.html#%284%2C8%29%3A%288%2C1%29))")
        self.assertEqual(made.rung(), "[Rung 7: One thread asks](../course/07-tma.html)")
        with self.assertRaisesRegex(Exception, "list of words has no 'bux'"):
            made.word("bux")

    def test_a_kernel_page_alone_has_words_without_links(self):
        made = page.KernelPage(facts.read_facts('{"name": "toy"}', "toy"))
        self.assertEqual((made.word("box", "boxes"), made.explore("4:1"), made.rung()), ("boxes", "", ""))

    def test_functions_are_explained_once_and_only_those_that_there_are(self):
        told = set()
        self.assertEqual(arithmetic.notes("x = exp2(s - row_max<R>(s));  // exp(x)", told),
                         [arithmetic.MEANS["exp2"], arithmetic.MEANS["row_max"]])
        self.assertEqual(arithmetic.notes("y = exp2(x); maximum(x); sm.max(x)", told), [])
        headers = [*(REPOSITORY / "dsl/program").glob("*.hpp"), *(REPOSITORY / "kernels").glob("*.hpp")]
        declared = "\n".join(header.read_text(encoding="utf-8") for header in headers)
        for name in arithmetic.MEANS:
            with self.subTest(name):
                self.assertRegex(declared, rf"constexpr auto {name}\(")


class Pictures(Case):
    def test_a_figure_has_a_file_a_caption_and_words(self):
        text = self.page('# T\n\n{{ figure("toy", "A.memory") }}\n')
        self.assertEqual(text, "# T\n\n![Where A is.](../figures/toy.A.memory.svg)\n\n*A in memory*\n")
        self.assertIn("<svg", self.library.figures["docs/figures/toy.A.memory.svg"])

    def test_an_unknown_figure_says_which_there_are(self):
        self.refused('# T\n{{ figure("toy", "C.memory") }}\n', "toy has no figure 'C.memory'; it has A.memory")

    def test_drawings_have_names_of_their_own(self):
        self.page('# T\n{{ drawing("sectile figure tile --rows 64") }}{{ drawing("tile --rows 128") }}'
                  '{{ picture("(4,8):(8,1)") }}\n')
        self.assertEqual(len(self.library.figures), 3)
        self.assertIn("figure layout (4,8):(8,1)", self.calls())

    def test_what_a_picture_says_below_it_can_be_quoted(self):
        self.assertEqual(self.page('# T\n\n{{ described("sectile figure toy", "^(.)$") }}\n'), "# T\n\nD\n")
        self.refused('# T\n{{ described("sectile figure toy", "busy (.*)") }}\n', "says nothing like 'busy (.*)', but: D")

    def test_one_name_for_two_pictures_is_refused(self):
        self.refused('# T\n{{ drawing("tile a", name="x") }}{{ drawing("tile b", name="x") }}\n',
                     "two pictures are called x")

    def test_a_block_stands_alone_wherever_it_was_put(self):
        text = self.page('# T\n\nwords {{ figure("toy", "A.memory") }} more\n')
        self.assertIn("words\n\n![Where", text)


class Notebooks(Case):
    def notebook(self, *cells):
        self.write("examples/n.ipynb", json.dumps({"cells": list(cells)}))
        return '# T\n\n{{ notebook("examples/n.ipynb") }}\n'

    def code(self, *outputs):
        return {"cell_type": "code", "source": ["f()\n", "g()"], "outputs": list(outputs)}

    def test_cells_with_what_is_stored_of_them(self):
        drawn = '<svg xmlns="http://www.w3.org/2000/svg"><title>t</title><desc>What is seen.</desc></svg>'
        text = self.page(self.notebook(
            {"cell_type": "markdown", "source": "# A title\n\nWords."},
            self.code({"output_type": "stream", "name": "stdout", "text": ["one\n", "two\n"]}),
            self.code({"output_type": "execute_result", "data": {"text/plain": "L", "image/svg+xml": [drawn]}})))
        fence = "```python\nf()\ng()\n```\n\n"
        self.assertEqual(text, f"# T\n\nWords.\n\n{fence}```text\none\ntwo\n```\n\n{fence}"
                         "![What is seen.](../figures/n-4.svg)\n\n[`examples/n.ipynb`](../../examples/n.ipynb)\n")
        self.assertEqual(self.library.figures["docs/figures/n-4.svg"], drawn)

    def test_one_that_was_never_executed(self):
        self.refused(self.notebook(self.code()), "a cell has no output; execute the notebook")

    def test_what_is_no_notebook(self):
        self.write("examples/n.ipynb", "{")
        self.refused('# T\n\n{{ notebook("examples/n.ipynb") }}\n', "examples/n.ipynb is no notebook")


class Expressions(Case):
    def test_values(self):
        text = self.page('# T\n\n{{ evaluate("size((4,8):(8,1))") }} {{ result("size((4,8):(8,1))") }}\n')
        self.assertEqual(text, "# T\n\n`size((4,8):(8,1))` = `32` 32\n")

    def test_a_block_of_values(self):
        text = self.page('# T\n\n{{ evaluated("size((4,8):(8,1))", "size((4,8):(8,1))") }}\n')
        self.assertEqual(text.count("size((4,8):(8,1)) = 32"), 2)
        self.assertIn("grid\n  = a b\n  c d", self.page('# T\n\n{{ evaluated("grid") }}\n'))

    def test_what_is_refused_is_an_error_unless_that_is_the_point(self):
        self.refused('# T\n{{ evaluate("(4,8") }}\n', "that is no layout")
        self.refused('# T\n{{ evaluated("(4,8") }}\n', "that is no layout")
        self.assertIn("that is no layout", self.page('# T\n{{ refusal("(4,8") }}\n'))
        self.assertIn("```text\n(4,8\nthat is no layout\n```", self.page('# T\n{{ refused("(4,8") }}\n'))
        self.refused('# T\n{{ refusal("size((4,8):(8,1))") }}\n', "has to be refused", "32")

    def test_a_grid_has_no_place_in_a_line(self):
        self.refused('# T\n{{ evaluate("grid") }}\n', "use evaluated()")

    def test_a_link_to_the_explorer(self):
        text = self.page('# T\n\n{{ explorer("(4,8):(8,1)") }}\n')
        self.assertIn("(../explorer/index.html#%284%2C8%29%3A%288%2C1%29)", text)


class Consoles(Case):
    def test_a_command_with_its_output(self):
        text = self.page('# T\n\n{{ console("sectile say") }}\n')
        self.assertIn("```console\n$ sectile say\none\ntwo\n\nBarriers\n  three\n  four\n\nfive\n```", text)

    def test_parts_of_it(self):
        self.assertIn("say\none\n...\nfive\n```", self.page('# T\n{{ console("sectile say", head=1, tail=1) }}\n'))
        self.assertIn("say\n...\nBarriers\n  three\n  four\n...\n```",
                      self.page('# T\n{{ console("sectile say", section="Barriers") }}\n'))
        self.refused('# T\n{{ console("sectile say", section="Registers") }}\n', "no line that begins with 'Registers'")

    def test_the_exit_status_is_what_was_said(self):
        self.refused('# T\n{{ console("sectile nonsense") }}\n', "ended with exit status 2, not 0")
        self.assertIn("there is no kernel", self.page('# T\n{{ console("sectile nonsense", expect=2) }}\n'))
        self.refused('# T\n{{ console("sectile say", expect=2) }}\n', "ended with exit status 0, not 2")

    def test_a_run_says_on_which_machine(self):
        self.refused('# T\n{{ console("sectile run toy") }}\n', "say --on model")

    def test_no_other_program_is_run(self):
        self.refused('# T\n{{ console("rm -rf /") }}\n', "only commands of `sectile`")


class Sources(Case):
    def setUp(self):
        super().setUp()
        self.write("kernels/some.hpp", """\
            // A file.
            namespace a {

            /// About tma.
            template <class T>
            struct tma {
              int brace = '{';  // }
              void run() { return; }
            };

            struct tma_box { int x; };
            constexpr int twice(int x) {
              return 2 * x;
            }
            using alias = int;
            }  // namespace a
            """)

    def test_a_struct_by_its_first_line(self):
        text = self.page('# T\n{{ source("kernels/some.hpp", "struct tma") }}\n')
        self.assertIn("```cpp ignore\ntemplate <class T>\nstruct tma {\n  int brace = '{';  // }\n"
                      "  void run() { return; }\n};\n```\n\n[`kernels/some.hpp`](../../kernels/some.hpp)", text)

    def test_a_function_an_alias_and_a_comment(self):
        self.assertIn("constexpr int twice(int x) {\n  return 2 * x;\n}\n```",
                      self.page('# T\n{{ source("kernels/some.hpp", "constexpr int twice") }}\n'))
        self.assertIn("```cpp ignore\nusing alias = int;\n```",
                      self.page('# T\n{{ source("kernels/some.hpp", "using alias") }}\n'))
        self.assertIn("/// About tma.\ntemplate",
                      self.page('# T\n{{ source("kernels/some.hpp", "struct tma", comment=True) }}\n'))

    def test_what_is_not_there(self):
        self.refused('# T\n{{ source("kernels/some.hpp", "struct none") }}\n', "has no line that begins with 'struct none'")
        self.refused('# T\n{{ source("kernels/none.hpp") }}\n', "kernels/none.hpp cannot be read")
        self.refused('# T\n{{ file("kernels/none.hpp") }}\n', "there is no kernels/none.hpp")

    def test_a_fault(self):
        self.write("tests/faults/table.cmake", "set(repository_cutlass NVIDIA/cutlass)\n")
        self.write("tests/faults/late.cpp", "// fault: a wait that comes late\n// reported: cutlass#12\n// caught: model\n"
                   "// expect: too late by 3\n#include \"fault.hpp\"\n\nint wrong;\n")
        text = self.page('# T\n{{ fault("late") }}\n')
        self.assertIn("**A wait that comes late.** It is found by the CPU model:", text)
        self.assertIn("```cpp ignore\nint wrong;\n```\n\n```text\ntoo late by 3\n```", text)
        self.assertIn("[cutlass#12](https://github.com/NVIDIA/cutlass/issues/12)", text)
        self.refused('# T\n{{ fault("early") }}\n', "no case 'early'")


class Measured(Case):
    def setUp(self):
        super().setUp()
        values = {"title": "G", "device": "H100", "software": "CUDA", "date": "2025-01-02", "command": "bench --json",
                  "columns": [{"key": "tflops", "title": "TFLOP/s", "digits": 1}, {"key": "ms", "digits": 3}],
                  "rows": [{"name": "tma", "title": "07 TMA", "tflops": [610.04, 611.26], "ms": 0.5},
                           {"name": "simt", "tflops": 3.0, "ms": None}]}
        self.write("docs/measured/ladder.json", json.dumps(values))

    def test_figures(self):
        text = self.page('# T\n\n{{ measured("ladder", "tma", "tflops") }}, {{ measured("ladder", "tma", "tflops", '
                         'all=True) }}, {{ measured("ladder", "simt", "ms") }}\n')
        self.assertEqual(text, "# T\n\n610.0 to 611.3, 610.0, 611.3, -\n")

    def test_a_table_says_where_it_comes_from(self):
        text = self.page('# T\n\n{{ measured_table("ladder", rows=["simt", "tma"], columns=["tflops"]) }}\n')
        self.assertEqual(text, "# T\n\n|  | TFLOP/s |\n| --- | ---: |\n| simt | 3.0 |\n| 07 TMA | 610.0 to 611.3 |\n\n"
                               "*Measured on H100, CUDA, 2025-01-02: `bench --json`*\n")

    def test_rows_of_a_table_by_what_they_say(self):
        text = self.page('# T\n\n{{ measured_table("ladder", where={"title": "07 TMA"}, columns=["ms"]) }}\n')
        self.assertTrue(text.startswith("# T\n\n|  | ms |\n| --- | ---: |\n| 07 TMA | 0.500 |\n\n*"))
        self.refused('# T\n{{ measured_table("ladder", where={"name": "none"}) }}\n', "no row with name = none")

    def test_what_was_not_measured(self):
        self.refused('# T\n{{ measured("ladder", "none", "ms") }}\n', "no row 'none'; it has tma, simt")
        self.refused('# T\n{{ measured("ladder", "tma", "watts") }}\n', "no column 'watts'; it has tflops, ms")
        self.refused('# T\n{{ measured("none", "tma", "ms") }}\n', "there is no docs/measured/none.json; there are ladder")


class Pages(Case):
    def test_links(self):
        self.write("docs/source/course/02-next.md.j2", "# The next *page*\n")
        self.write("docs/language.md", "# Language\n")
        text = self.page('# T\n\n{{ page("course/02-next") }} {{ page("02-next", "on") }} {{ page("language", anchor="x") }} '
                         '[there]({{ page("course/02-next") }})\n')
        self.assertEqual(text, "# T\n\n[Rung 2: The next page](../course/02-next.md) [on](../course/02-next.md) [Language](../language.md#x) "
                               "[there](../course/02-next.md)\n")
        self.refused('# T\n{{ page("course/99-none") }}\n', "there is no page 'course/99-none'")

    def test_exercises_are_counted_and_answers_checked(self):
        good = ('# T\n\n{% call exercise("Sizes") %}How large?{% endcall %}\n{% call answer() %}\n'
                '{{ evaluate("size((4,8):(8,1))") }}\n{% endcall %}\n')
        text = self.page(good)
        self.assertIn("### Exercise 1: Sizes\n\nHow large?\n\n<details>\n<summary>Answer</summary>\n\n`size", text)
        self.refused('# T\n{% call exercise("S") %}?{% endcall %}{% call answer() %}Thirty-two.{% endcall %}\n',
                     "exercise 1 has nothing that is checked")
        self.refused('# T\n{% call exercise("S") %}?{% endcall %}\n', "0 of 1 are answered")
        self.assertIn("cpp", self.page('# T\n{% call exercise("S") %}?{% endcall %}\n'
                                       '{% call answer() %}\n```cpp\nstatic_assert(true);\n```\n{% endcall %}\n'))

    def test_braces_of_code_stay(self):
        text = self.page('# T\n\n```cpp\nint a[1][2] = {{1, 2}};\n{{ 1 + 1 }}\n```\n')
        self.assertIn("{{1, 2}};\n2\n", text)

    def test_empty_lines_and_spaces(self):
        self.assertEqual(directives.tidied("# T  \n\n\n\nx\n```text\na \n\n\nb\n```\n\n\n"),
                         "# T\n\nx\n```text\na \n\n\nb\n```\n")

    def test_an_error_of_the_template_names_its_line(self):
        self.refused("# T\n\n{% if %}\n", "docs/source/howto/01-page.md.j2:3")

    def test_a_draft_says_what_is_missing(self):
        self.library.draft = True
        text = self.page('# T\n\n{{ kernel("none").shared.bytes|grouped }} {{ measured("x", "y", "z") }}\n')
        self.assertEqual(text.count("(to come: "), 2)
        self.assertEqual(len(self.library.remarks), 2)

    def test_the_order_of_a_folder_is_that_of_its_index(self):
        for name in ("a", "b", "c"):
            self.write(f"docs/source/howto/{name}.md.j2", f"# {name}\n")
        self.write("docs/source/howto/index.md.j2", '# How\n{{ page("howto/c") }} {{ page("howto/a") }}\n')
        self.library.book = type(self.library.book)(self.root)
        self.assertEqual(self.library.book.sources()[-4:], ["howto/index", "howto/c", "howto/a", "howto/b"])

    def test_chapters_of_the_design_come_as_its_last_table_names_them(self):
        for name in ("design/a", "design/b", "design/c", "layouts"):
            self.write(f"docs/{name}.md", f"# {name}\n")
        self.write("docs/design.md", "# D\n\n[a](design/a.md)\n\n## Chapters\n\n[c](design/c.md#x), [a](design/a.md)\n")
        book_of = self.library.book
        self.assertEqual(book_of.documents(), ["layouts", "design", "design/c", "design/a", "design/b"])
        self.assertEqual([site.group_of(name) for name in ("design", "design/c")], ["reference", "design"])
        self.assertEqual(self.page('# T\n\n{{ page("design/c") }} {{ page("design/b", "it", anchor="y") }}\n'),
                         "# T\n\n[design/c](../design/c.md) [it](../design/b.md#y)\n")


if __name__ == "__main__":
    unittest.main()
