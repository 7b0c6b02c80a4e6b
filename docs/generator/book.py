"""The pages and where they are: a source docs/source/X.md.j2 becomes docs/X.md, and both it and the hand-written
docs/*.md become build/site/X.html."""

import os
import pathlib
import posixpath
import re

from .markdown import title_of
from .problem import Problem

# Hand-written, in the order of the contents; those that are not there are left out.
REFERENCE = ("language", "layouts", "debugging", "faults", "design", "protocol", "conformance", "hopper-numerics",
             "performance")
GALLERY = "docs/gallery.md"
EXPLORER = "docs/explorer/index.html"
SHOWN = ("layouts", "dsl", "kernels", "examples", "tool", "tests", "bench", "cmake", "python", "docs", "run.sh",
         "test.sh", "CMakeLists.txt", "pyproject.toml", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md",
         ".clang-format")


class Book:
    def __init__(self, repository):
        self.folder = pathlib.Path(repository).resolve()
        self.sources_folder = self.folder / "docs/source"
        self._indices = {}  # folder: the pages that its index links to, in order
        self._words = None

    def sources(self) -> list:
        """Names of all sources, "course/07-tma", in reading order."""
        found = (p.relative_to(self.sources_folder).as_posix().removesuffix(".md.j2")
                 for p in self.sources_folder.rglob("*.md.j2"))
        names = [n for n in found if not posixpath.basename(n).startswith("_")]
        return sorted(names, key=lambda name: reading_order(name, self._order_in_index(name)))

    def _order_in_index(self, name: str) -> int:
        """Where the index of the page's folder first links to it; behind all others, if it does not."""
        folder = posixpath.dirname(name)
        index = self.source_file(f"{folder}/index")
        if folder not in self._indices:
            text = index.read_text(encoding="utf-8") if folder and index.is_file() else ""
            self._indices[folder] = re.findall(r"""\b(?:page|chapter)\(\s*["']([^"']+)["']""", text)
        links = self._indices[folder]
        return links.index(name) if name in links else len(links)

    def documents(self) -> list:
        """Names of the hand-written pages below docs/."""
        generated = set(self.sources())
        there = sorted(p.stem for p in (self.folder / "docs").glob("*.md") if p.stem not in generated)
        return [n for n in REFERENCE if n in there] + [n for n in there if n not in REFERENCE] + self._chapters_of_design()

    def _chapters_of_design(self) -> list:
        """Those that are there, in the order in which the design's last table names them."""
        there = {f"design/{p.stem}" for p in (self.folder / "docs/design").glob("*.md")}
        design = self.folder / "docs/design.md"
        text = design.read_text(encoding="utf-8") if there and design.is_file() else ""
        named = dict.fromkeys(re.findall(r"\((design/[\w-]+)\.md[#)]", text[text.rfind("\n## "):]))
        return [n for n in named if n in there] + sorted(there - named.keys())

    def source_file(self, name: str) -> pathlib.Path:
        return self.sources_folder / f"{name}.md.j2"

    def source_text(self, name: str) -> str:
        return self.source_file(name).read_text(encoding="utf-8")

    def resolve(self, name: str) -> str:
        """The repository's path of a page by its source name; "07-tma" will do for "course/07-tma"."""
        if name in ("README", "index"):
            return "README.md"
        sources = self.sources()
        matching = [n for n in sources if n == name or n.endswith("/" + name)]
        if name in matching or len(matching) == 1:
            return f"docs/{name if name in matching else matching[0]}.md"
        if (self.folder / f"docs/{name}.md").is_file():
            return f"docs/{name}.md"
        raise Problem(f"there is no page '{name}'")

    def title(self, path: str) -> str:
        """The title of the page at a repository's path."""
        name = path.removeprefix("docs/").removesuffix(".md")
        file = self.source_file(name)
        if not file.is_file():
            file = self.folder / path
        title = title_of(re.sub(r"\{#.*?#\}", "", file.read_text(encoding="utf-8"), flags=re.S))
        if not title:
            raise Problem(f"{file.relative_to(self.folder)}: a page begins with its title, '# ...'")
        number = rung_of(name)
        return f"Rung {number}: {title}" if number else title

    def words(self) -> dict:
        """{term: (its meaning, the page that introduces it)}, from the list of words of the course's index."""
        if self._words is None:
            rows = re.findall(r"""^\| (.+?) \| (.+?) \| \{\{ page\("(.+?)"\) \}\} \|$""",
                              self.source_text("course/index"), re.M)
            self._words = {term.strip("` "): (meaning, page) for terms, meaning, page in rows
                           for term in terms.split(",")}
        return self._words

    def rungs(self) -> dict:
        """{kernel: the page of the course that is about it}, from the course's index."""
        rows = re.findall(r"""^\| \{\{ page\("(.+?)"\) \}\} \| .+? \| `(\w+)`""", self.source_text("course/index"), re.M)
        return {kernel: page for page, kernel in rows}

    def site_path(self, path: str):
        """Where something of the repository is in the site, or None if it is not shown there."""
        if path in ("README.md", "docs"):
            return "index.html"
        if path.startswith("docs/explorer"):
            return "explorer/index.html"
        if path.startswith("docs/") and not path.startswith(("docs/source", "docs/generator", "docs/measured")):
            inside = path.removeprefix("docs/")
            return inside.removesuffix(".md") + ".html" if path.endswith(".md") else inside
        if path.split("/")[0] in SHOWN:
            return f"source/{path}.html" if not (self.folder / path).is_dir() else f"source/{path}/index.html"
        return None


def rung_of(name: str) -> int:
    """The number of a rung of the course, "course/07-tma"; 0 of any other page."""
    found = re.fullmatch(r"course/(\d+)-[^/]+", name)
    return int(found[1]) if found else 0


def reading_order(name: str, place=0):
    """Folder by folder, in each the index first, then by place and name."""
    folder, page = posixpath.split(name)
    order = ("", "course", "chapters", "howto", "reference")
    return (order.index(folder) if folder in order else len(order), folder, page != "index", place, page)


def relative(target: str, origin: str) -> str:
    """The way from the file `origin` to the file `target`, both from the same root."""
    path, mark, anchor = target.partition("#")
    return posixpath.relpath(path, posixpath.dirname(origin) or ".") + mark + anchor


def joined(origin: str, target: str) -> str:
    """Where a link in the file `origin` leads, from the same root; without an anchor."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(origin), target))


def jobs() -> int:
    return max(2, min(8, os.cpu_count() or 2))
