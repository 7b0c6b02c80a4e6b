"""What the tests of the generator share: the package itself, a repository of a few files, and a `sectile` that says what
it is told to."""

import pathlib
import stat
import sys
import tempfile
import textwrap
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(REPOSITORY / "docs"))

from generator import book, directives, tool  # noqa: E402
from generator.problem import Problem  # noqa: E402, F401

FACTS = """{"name": "toy", "title": "toy", "summary": "a toy", "refused": null,
 "operands": [{"name": "A", "tile_bytes": 16384}, {"name": "B", "tile_bytes": 32768}],
 "shared": {"bytes": 229440}, "figures": {"A.memory": {"svg": %s, "title": "A in memory", "alt": "Where A is."}}}"""

PICTURE = ('<svg class=\\"sectile-figure\\" role=\\"img\\"><title>T</title><desc>D</desc>'
           '<style>.sectile-figure .g0 { fill: #fff; } @media (prefers-color-scheme: dark) { .sectile-figure .g0 '
           '{ fill: #000; } }</style><path class=\\"g0\\" d=\\"M0 0\\"/></svg>')

PROGRAM = '''#!{python}
import sys
words = sys.argv[1:]
with open({log!r}, "a") as log:
    log.write(" ".join(words) + "\\n")
if words[0] == "tutorial" and words[1] == "toy":
    print({facts!r})
elif words[0] == "evaluate" and words[1] == "size((4,8):(8,1))":
    print("32")
elif words[0] == "evaluate" and words[1] == "grid":
    print("a b\\nc d")
elif words[0] == "evaluate":
    print("sectile: that is no layout", file=sys.stderr)
    sys.exit(2)
elif words == ["figure", "--page-style"]:
    print(".sectile-figure {{ fill: none; }}")
elif words[0] == "figure":
    print({picture!r}.replace("T<", words[-1] + "<"))
elif words[0] == "say":
    print("reading  [###---]  50 %", file=sys.stderr)
    print("one\\ntwo\\n\\nBarriers\\n  three\\n  four\\n\\nfive")
elif words[0] == "list":
    print("toy    a toy of one line\\ntoy_2  another")
else:
    print("sectile: there is no kernel", file=sys.stderr)
    sys.exit(2)
'''


class Case(unittest.TestCase):
    """A repository in a scratch folder, and directives on a page of it."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        self.write("docs/source/course/index.md.j2", "# The course\n")
        self.log = self.root / "log"
        self.log.write_text("")
        program = self.root / "sectile"
        picture = PICTURE.replace('\\"', '"')
        program.write_text(PROGRAM.format(python=sys.executable, log=str(self.log), picture=picture,
                                          facts=FACTS % ('"' + PICTURE + '"')))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        self.library = directives.Library(book.Book(self.root), tool.Tool(program, self.root))

    def write(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text), encoding="utf-8")
        return file

    def calls(self):
        return self.log.read_text().split("\n")[:-1]

    def page(self, text, name="howto/01-page"):
        """The Markdown that a source becomes, without the line that says where it comes from."""
        self.write(f"docs/source/{name}.md.j2", text)
        return directives.render_source(self.library, name).split("\n\n", 1)[1]

    def refused(self, text, *parts):
        """That a source is refused with a sentence that has these parts in it."""
        with self.assertRaises(Problem) as caught:
            self.page(text)
        for part in parts:
            self.assertIn(part, str(caught.exception))
        return str(caught.exception)
