"""Files that are complete or not there, and commands that are run once."""

import errno
import os
import pathlib
import signal
import subprocess
import sys
import unittest
from unittest import mock

from kit import REPOSITORY, Case, Problem

from generator import files, site, tool

NAMES = {"a.html": "<p>", "a.md": "#", "figures/a.svg": "<svg/>"}


class Writing(Case):
    def test_all_or_nothing(self):
        files.write_all(self.root / "new/pages", NAMES)
        there = sorted(p.relative_to(self.root / "new/pages").as_posix() for p in (self.root / "new/pages").rglob("*.*"))
        self.assertEqual(there, ["a.html", "a.md", "figures/a.svg"])

    def disk_full(self, folder):
        """Writes with a disk that is full after the first file."""
        write, count = pathlib.Path.write_bytes, [0]

        def failing(path, data):
            count[0] += 1
            if count[0] > 1:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return write(path, data)

        with mock.patch.object(pathlib.Path, "write_bytes", failing), self.assertRaises(Problem) as caught:
            files.write_all(folder, NAMES)
        return str(caught.exception)

    def test_a_full_disk_leaves_what_was_there(self):
        folder = self.root / "pages"
        folder.mkdir()
        (folder / "a.html").write_text("old")
        self.assertIn("no space is left on the device", self.disk_full(folder))
        self.assertEqual([p.name for p in folder.iterdir()], ["a.html"])
        self.assertEqual((folder / "a.html").read_text(), "old")

    def test_a_full_disk_leaves_no_folder(self):
        self.disk_full(self.root / "one/two")
        self.assertFalse((self.root / "one").exists())

    def test_a_signal_leaves_what_was_there(self):
        folder = self.root / "pages"
        folder.mkdir()
        (folder / "a.html").write_text("old")
        program = ("import pathlib, signal, sys\n"
                   f"sys.path.insert(0, {str(REPOSITORY / 'docs')!r})\n"
                   "from generator import command_line, files\n"
                   "command_line.end_by_signals()\n"
                   "def killed(path, data): signal.raise_signal(int(sys.argv[1]))\n"
                   "pathlib.Path.write_bytes = killed\n"
                   f"files.write_all(pathlib.Path({str(folder)!r}), {NAMES!r})\n")
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            child = subprocess.run([sys.executable, "-B", "-c", program, str(int(number))], capture_output=True, text=True)
            self.assertEqual(child.returncode, 128 + number, child.stderr)
            self.assertEqual(child.stderr, "")
            self.assertEqual([p.name for p in folder.iterdir()], ["a.html"])
            self.assertEqual((folder / "a.html").read_text(), "old")

    def test_what_stands_in_the_way(self):
        self.write("pages/a.html/x", "")
        self.refuses(self.root / "pages", "a.html is a folder; a file has to be written there")
        self.write("others/figures", "")
        self.refuses(self.root / "others", "figures is a file; a folder has to be made there")
        self.assertEqual(sorted(p.name for p in (self.root / "others").iterdir()), ["figures"])
        self.write("file", "")
        self.refuses(self.root / "file/below", "file is a file; the pages go into a folder")

    def refuses(self, folder, words):
        with self.assertRaises(Problem) as caught:
            files.write_all(folder, NAMES)
        self.assertIn(words, str(caught.exception))

    def test_what_is_the_same_stays(self):
        file = self.root / "x/y.txt"
        self.assertTrue(files.write_if_different(file, "a"))
        before = file.stat().st_mtime_ns
        self.assertFalse(files.write_if_different(file, "a"))
        self.assertEqual(file.stat().st_mtime_ns, before)
        self.assertTrue(files.write_if_different(file, "b"))


class Commands(Case):
    def remembering(self):
        return tool.Tool(self.root / "sectile", self.root, self.root / "memory")

    def test_a_command_is_remembered_until_the_program_changes(self):
        self.remembering().ask("evaluate", "size((4,8):(8,1))")
        self.remembering().ask("evaluate", "size((4,8):(8,1))")
        self.assertEqual(len(self.calls()), 1)
        with open(self.root / "sectile", "a") as program:
            program.write("# another\n")
        self.remembering().ask("evaluate", "size((4,8):(8,1))")
        self.assertEqual(len(self.calls()), 2)

    def test_a_command_about_a_file_is_run_again(self):
        self.write("file.txt", "x")
        for _ in range(2):
            self.remembering().run("say", "file.txt")
        self.assertEqual(len(self.calls()), 2)

    def test_a_broken_memory_is_no_error(self):
        self.remembering().ask("say")
        for file in (self.root / "memory").iterdir():
            file.write_text("{")
        self.assertIn("one", self.remembering().ask("say"))

    def test_no_program(self):
        for program in (None, self.root / "none"):
            with self.assertRaises(Problem):
                tool.Tool(program, self.root, None).ask("say")


class Site(Case):
    """The whole of a small site."""

    def setUp(self):
        super().setUp()
        self.write("README.md", "# Small\n\n[The course](docs/course/index.md), [a file](kernels/x.hpp), [all](kernels)\n")
        self.write("docs/source/course/index.md.j2", '# The course\n\n{{ page("course/01-one") }}\n')
        self.write("docs/source/course/01-one.md.j2", '# One\n\n## Part\n\n{{ drawing("tile a") }}\n')
        self.write("docs/hand.md", "# By hand\n\n[part](course/01-one.md#part)\n")
        self.write("kernels/x.hpp", "int x;\n")
        facts = '{"name": "%s", "title": "t", "summary": "s", "refused": "no", "source": {"lines": []}, "figures": {}}'
        program = (self.root / "sectile").read_text()
        (self.root / "sectile").write_text(
            program.replace('if words[0] == "tutorial" and words[1] == "toy":\n    print',
                            f'if words[0] == "tutorial":\n    print({facts!r} % words[1]); sys.exit()\nif False:\n    print'))

    def make(self, **changes):
        options = {"repository": self.root, "sectile": self.root / "sectile", "out": self.root / "site", "markdown": None,
                   "only": [], "draft": False, "check": False, "no_html": False, "no_memory": True, "plain_sources": False,
                   "jobs": 2, **changes}
        with open(os.devnull, "w") as nowhere, mock.patch("sys.stderr", nowhere), mock.patch("sys.stdout", nowhere):
            return site.make(mock.Mock(**options))

    def test_every_page_is_there_and_linked(self):
        self.assertEqual(self.make(), 0)
        pages = {p.relative_to(self.root / "site").as_posix() for p in (self.root / "site").rglob("*.html")}
        self.assertLessEqual({"index.html", "course/index.html", "course/01-one.html", "hand.html", "kernels/toy.html",
                              "source/kernels/x.hpp.html", "source/kernels/index.html"}, pages)
        start = (self.root / "site/index.html").read_text()
        for target in ("course/index.html", "source/kernels/x.hpp.html", "source/kernels/index.html"):
            self.assertIn(f'href="{target}"', start)
        one = (self.root / "site/course/01-one.html").read_text()
        self.assertIn('<svg class="sectile-figure"', one)
        self.assertIn('href="../page.css"', one)
        self.assertIn('rel="prev" href="index.html"', one)
        self.assertIn('href="course/01-one.html#part"', (self.root / "site/hand.html").read_text())

    def test_a_link_that_leads_nowhere_fails(self):
        self.write("docs/hand.md", "# By hand\n\n[x](nowhere.md)\n")
        self.assertEqual(self.make(), 1)
        self.write("docs/hand.md", "# By hand\n\n[x](course/01-one.md#none)\n")
        self.assertEqual(self.make(), 1)

    def test_check_compares_and_writes_nothing(self):
        self.assertEqual(self.make(check=True), 1)
        self.assertFalse((self.root / "docs/course").exists())
        self.make()
        self.assertEqual(self.make(check=True), 0)
        page = self.root / "docs/course/01-one.md"
        page.write_text(page.read_text().replace("Part", "Pert"))
        self.assertEqual(self.make(check=True), 1)
        self.assertIn("Pert", page.read_text())

    def test_what_no_source_makes_goes(self):
        self.make()
        old = self.write("docs/figures/old.svg", "<svg/>")
        page = self.write("docs/course/old.md", "<!-- Generated from ../source/course/old.md.j2; do not edit. -->\n")
        self.assertEqual(self.make(check=True), 1)
        self.make()
        self.assertFalse(old.exists() or page.exists())
        self.assertTrue((self.root / "docs/hand.md").exists())

    def test_pages_of_an_earlier_run_go(self):
        old = self.write("site/course/old.html", "x")
        other = self.write("site/explorer/index.html", "x")
        self.make()
        self.assertFalse(old.exists())
        self.assertTrue(other.exists() and (self.root / "site/page.css").exists())

    def test_a_page_alone(self):
        self.assertEqual(self.make(only=["course/01-one"]), 0)
        self.assertFalse((self.root / "site/index.html").exists())
        self.assertFalse((self.root / "site/kernels").exists())
        self.assertTrue((self.root / "site/course/01-one.html").exists())


if __name__ == "__main__":
    unittest.main()
