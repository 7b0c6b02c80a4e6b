"""The whole site: the course and the chapters as Markdown beside their sources' folder and as HTML, the hand-written
documents, a page for every kernel, and the files of the repository that a page links to."""

import concurrent.futures
import dataclasses
import pathlib
import posixpath
import re
import sys
import time
import urllib.parse

from . import book, directives, files, markdown, page, shell, sourcepage, svg, text
from .problem import Problem
from .tool import Tool

GROUPS = (("", "Start"), ("course", "The course"), ("chapters", "Chapters"), ("howto", "How to"),
          ("reference", "Reference"), ("design", "The design in depth"))
LICENSE = "Sectile is free software under the Apache License."
GENERATED = "Every number, picture and message on this page was produced by Sectile itself when the page was made."
TESTED = "Every block of code on this page is compiled by the tests, and what it prints is compared."


# Where links to the explorer lead while there is none.
LEFT_OUT = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title></head>
<body><main><h1>{what} was left out</h1>
<p>{why} <a href="../index.html">Back</a></p></main></body>
</html>
"""
NO_EXPLORER = LEFT_OUT.format(
    title="No explorer", what="The explorer",
    why="It is layouts/ compiled to WebAssembly, which takes em++ (Debian: emscripten). With it,\n"
        "<code>cmake --build build --target site</code> puts the explorer here.")
NO_PAGE = LEFT_OUT.format(title="No page of this kernel", what="This page",
                          why="With <code>-DSECTILE_TOOL_RECORDS=all</code> it stands here.")


@dataclasses.dataclass
class Document:
    """A page that is made from Markdown."""

    path: str  # in the repository
    source: str
    title: str
    group: str


@dataclasses.dataclass
class Site:
    """What all pages know of each other."""

    book: book.Book
    library: directives.Library
    out: pathlib.Path
    documents: list
    kernels: list
    problems: list = dataclasses.field(default_factory=list)
    left_out: list = dataclasses.field(default_factory=list)  # kernels whose pages this `sectile` cannot make
    anchors: dict = dataclasses.field(default_factory=dict)  # site path: anchors
    wanted: dict = dataclasses.field(default_factory=dict)  # site path and anchor: who links there
    sources: set = dataclasses.field(default_factory=set)  # files of the repository that are shown
    copies: set = dataclasses.field(default_factory=set)  # files that are copied
    made: set = dataclasses.field(default_factory=lambda: {"page.css", "page.js"})  # all that is written, below `out`

    def link_from(self, origin: str):
        """What leads a link of the Markdown at `origin` to its place in the site."""
        here = self.book.site_path(origin)

        def link(target):
            if urllib.parse.urlsplit(target).scheme:
                return target
            path, _, anchor = target.partition("#")
            repository_path = book.joined(origin, urllib.parse.unquote(path)) if path else origin
            goal = self.place_of(repository_path, anchor, origin, target)
            if goal is None:
                return target
            if goal.startswith("kernels/"):
                anchor = ""
            if anchor and not goal.startswith(("source/", "explorer/")):
                self.wanted.setdefault((goal, anchor), origin)
            if not path:
                return target
            return book.relative(goal + ("#" + anchor if anchor else ""), here)

        return link

    def place_of(self, path, anchor, origin, target):
        if path == book.GALLERY and anchor in {k["name"] for k in self.kernels}:
            return f"kernels/{page.book_name(anchor)}.html"
        goal = self.book.site_path(path)
        if path in self.paths or path == "docs" or path.startswith("docs/explorer"):
            return goal
        if goal is None or not (self.book.folder / path).exists():
            self.problems.append(f"{origin}: the link {target} leads nowhere")
            return None
        if path.endswith(".md") and not goal.startswith("source/"):
            goal = f"source/{path}.html"  # Markdown that is no page of the site
        (self.sources if goal.startswith("source/") else self.copies).add(path)
        return goal

    @property
    def paths(self):
        return {d.path for d in self.documents}

    def picture_from(self, origin: str):
        """What finds the pictures of the Markdown at `origin` that are drawn into its page."""

        def picture(target):
            path = book.joined(origin, urllib.parse.unquote(target))
            drawn = self.library.figures.get(path)
            if drawn is None and path.endswith(".svg") and (self.book.folder / path).is_file():
                drawn = (self.book.folder / path).read_text(encoding="utf-8")
            return drawn if drawn is not None and svg.is_shared(drawn) else None

        return picture

    def write(self, place: str, content) -> None:
        """Writes a file of the site."""
        self.made.add(place)
        files.write_if_different(self.out / place, content)

    def navigation(self, here: str):
        """The groups of the contents, with links from the page at `here`."""
        groups = []
        for name, title in GROUPS:
            entries = [{"title": short(re.sub(r"^Rung (\d+): ", r"\1. ", d.title)), "link": book.relative(self.book.site_path(d.path), here),
                        "current": self.book.site_path(d.path) == here} for d in self.documents if d.group == name]
            if name == "":
                entries.append({"title": "The explorer", "link": book.relative("explorer/index.html", here),
                                "current": False})
            if entries:
                groups.append({"title": title, "entries": entries})
        return groups


@dataclasses.dataclass
class Around:
    """What the page of a kernel finds in the site around it."""

    book: book.Book
    here: str

    def word(self, term, words):
        if term not in self.book.words():
            raise Problem(f"the course's list of words has no '{term}'")
        meaning, name = self.book.words()[term]
        meaning = re.sub(r"[`*\"]", "", meaning)
        return f'[{words}]({self._way(name)} "{meaning}")'

    def explore(self, expression):
        target = book.relative("explorer/index.html", self.here)
        return f"[in the explorer]({target}#{urllib.parse.quote(expression, safe='')})"

    def rung(self, kernel):
        name = self.book.rungs().get(kernel)
        return f"[{text.plain(self.book.title(f'docs/{name}.md'))}]({self._way(name)})" if name else ""

    def _way(self, name):
        return book.relative(self.book.site_path(f"docs/{name}.md"), self.here)


def short(title: str) -> str:
    return title if len(title) < 44 else title[:42].rsplit(" ", 1)[0] + " ..."


# ---- the Markdown


def render_all(library, names, jobs) -> dict:
    """{name: Markdown} of the sources of these names; several at a time, as most of the time is the tool's."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        made = list(pool.map(lambda name: directives.render_source(library, name), names))
    return dict(zip(names, made))


def stale(folder: pathlib.Path, pages: book.Book, figures) -> list:
    """Generated files that no source makes any more."""
    old = [p for p in (folder / directives.FIGURES).glob("*.svg") if p.relative_to(folder).as_posix() not in figures]
    known = {f"docs/{name}.md" for name in pages.sources()}
    for path in (folder / "docs").rglob("*.md"):
        name = path.relative_to(folder).as_posix()
        if name.startswith(("docs/source", "docs/generator")) or name in known:
            continue
        first = path.read_text(encoding="utf-8").split("\n", 1)[0]
        if first.startswith("<!-- Generated from ") and ".md.j2" in first:
            old.append(path)
    return old


def differences(folder: pathlib.Path, made: dict, old: list) -> list:
    """How what would be written differs from what is there."""
    found = []
    for name, content in sorted(made.items()):
        file = folder / name
        if not file.is_file():
            found.append(f"{name}: is missing")
            continue
        there = file.read_text(encoding="utf-8")
        if there == content:
            continue
        pairs = enumerate(zip(there.split("\n"), content.split("\n")), 1)
        line, (was, now) = next(((n, p) for n, p in pairs if p[0] != p[1]), (0, ("the end", "another end")))
        found.append(f"{name}:{line}: is '{was[:120]}', would be made as '{now[:120]}'")
    return found + [f"{path.relative_to(folder)}: no source makes it" for path in old]


# ---- the HTML


def write_document(site: Site, document: Document, order: list) -> None:
    here = site.book.site_path(document.path)
    around = markdown.Surroundings(name=document.path, link=site.link_from(document.path),
                                   picture=site.picture_from(document.path))
    made = markdown.to_html(document.source, around)
    site.anchors[here] = made.anchors | {"content"}
    at = order.index(document) if document in order else None
    turn = {}
    if at is not None:
        for name, index in (("previous", at - 1), ("following", at + 1)):
            if 0 <= index < len(order):
                turn[name] = {"title": order[index].title,
                              "link": book.relative(site.book.site_path(order[index].path), here)}
    html = shell.framed(made, footer=footer_of(site, document), assets=folder_of_assets(here),
                        home=book.relative("index.html", here), section=dict(GROUPS)[document.group],
                        navigation=site.navigation(here), **turn)
    site.write(here, html)


def footer_of(site: Site, document: Document) -> str:
    """What may be said of a page's truth."""
    if document.source.startswith("<!-- Generated from "):
        return f"{GENERATED} {LICENSE}"
    tests = site.book.folder / "tests/docs/docs.cmake"
    checked = re.search(r"^foreach\(document IN ITEMS ([^\n]*?)(?: LISTS [^\n]*)?\)$",
                        tests.read_text(encoding="utf-8") if tests.is_file() else "", re.M)
    return f"{TESTED} {LICENSE}" if checked and document.path in checked[1].split() else LICENSE


def folder_of_assets(here: str) -> str:
    return book.relative("x", here)[:-1]


def write_kernel(site: Site, name: str, navigation: list) -> None:
    """The page of one kernel."""
    try:
        kernel = site.library.kernel(name)
        made = page.KernelPage(kernel, Around(site.book, f"kernels/{page.book_name(name)}.html"))
        source = made.markdown()
    except Problem as problem:
        if "was built without the page of" in str(problem):
            site.left_out.append(name)
            site.write(f"kernels/{page.book_name(name)}.html", NO_PAGE)
            return
        site.problems.append(f"kernel {name}: {problem}")
        return
    html = page.html_of(kernel, source, made.drawn, assets="../", home="../index.html", section="Kernels",
                        navigation=navigation)
    site.write(f"kernels/{made.stem}.html", html)


def write_kernels(site: Site, jobs: int) -> None:
    links = [{"title": k["name"], "link": f"{page.book_name(k['name'])}.html", "current": False} for k in site.kernels]
    everywhere = site.navigation("kernels/x.html")

    def write(k):
        mine = [{**entry, "current": entry["title"] == k["name"]} for entry in links]
        write_kernel(site, k["name"], [*everywhere, {"title": "Kernels", "entries": mine}])

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(write, site.kernels))


def write_assets(site: Site) -> None:
    """What all pages share."""
    site.write("page.css", shell.style(site.library.tool.ask("figure", "--page-style")) + "\n")
    site.write("page.js", shell.script() + "\n")


def write_sources(site: Site, jobs: int, plain: bool) -> None:
    """The files that pages link to, and those in folders that they link to."""
    wanted = sourcepage.with_contents(site.book.folder, site.sources)
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        tasks = [(str(site.book.folder), path, str(site.out), plain) for path in wanted]
        list(pool.map(sourcepage.write, tasks, chunksize=16))
    site.made |= {sourcepage.place(site.book, path) for path in wanted}
    for path in site.copies:
        site.write(site.book.site_path(path), (site.book.folder / path).read_bytes())


def remove_others(site: Site) -> None:
    """Pages of an earlier run that this one did not make."""
    for path in sorted(site.out.rglob("*"), reverse=True):
        name = path.relative_to(site.out).as_posix()
        if name == "explorer" or name.startswith("explorer/") or name in site.made:
            continue
        if path.is_file():
            path.unlink()
        elif not any(path.iterdir()):
            path.rmdir()


def check_anchors(site: Site) -> None:
    for (goal, anchor), origin in sorted(site.wanted.items()):
        if goal in site.anchors and urllib.parse.unquote(anchor) not in site.anchors[goal]:
            site.problems.append(f"{origin}: there is no section #{anchor} in {goal}")


# ---- all of it


def documents_of(pages: book.Book, made: dict) -> list:
    """Every page, in the order of the contents."""
    all_of = [("README.md", (pages.folder / "README.md").read_text(encoding="utf-8"), "")]
    all_of += [(f"docs/{name}.md", text, group_of(name)) for name, text in made.items()]
    all_of += [(f"docs/{name}.md", (pages.folder / f"docs/{name}.md").read_text(encoding="utf-8"), group_of(name))
               for name in pages.documents() if f"docs/{name}.md" not in {p for p, _, _ in all_of}]
    return [Document(path, text, markdown.title_of(text) or path, group) for path, text, group in all_of]


def group_of(name: str) -> str:
    """Where a page stands in the contents."""
    folder = posixpath.dirname(name)
    if not folder:
        return "" if f"docs/{name}.md" == book.GALLERY else "reference"
    return folder if folder in dict(GROUPS) else "reference"


def make(options) -> int:
    started = time.monotonic()
    pages = book.Book(options.repository)
    out = (options.out or pages.folder / "build/site").resolve()
    program = options.sectile or pages.folder / "build/sectile"
    jobs = options.jobs or book.jobs()
    memory = None if options.no_memory else out.with_name(out.name + "-memory")
    library = directives.Library(pages, Tool(program, pages.folder, memory), draft=options.draft)

    names = chosen(pages, options.only)
    made = render_all(library, names, jobs)
    target = options.markdown.resolve() if options.markdown else pages.folder
    written = {**{f"docs/{name}.md": text for name, text in made.items()}, **library.figures}
    if options.check:
        wrong = differences(target, written, [] if options.only else stale(target, pages, library.figures))
        for line in wrong:
            print(line, file=sys.stderr)
        if wrong:
            print("the pages are not what their sources say; run `cmake --build build --target site` and look at the "
                  "differences", file=sys.stderr)
        return 1 if wrong else 0
    for name, content in written.items():
        files.write_if_different(target / name, content)
    if not options.only:
        for path in stale(target, pages, library.figures):
            path.unlink()
    for remark in library.remarks:
        print(f"to come: {remark}", file=sys.stderr)
    if options.no_html:
        return 0
    status = write_html(pages, library, made, out, options, jobs)
    print(f"{out}/index.html: {len(made)} pages made in {time.monotonic() - started:.0f} s")
    return status


def chosen(pages: book.Book, only: list) -> list:
    """The names of the sources that are rendered."""
    if not only:
        return pages.sources()
    return [pages.resolve(name).removeprefix("docs/").removesuffix(".md") for name in only]


def write_html(pages, library, made, out, options, jobs) -> int:
    whole = not options.only
    others = {} if whole else {n: "" for n in pages.sources() if n not in made}
    documents = documents_of(pages, {n: made.get(n, "") or f"# {pages.title(f'docs/{n}.md')}\n"
                                     for n in sorted({*made, *others}, key=pages.sources().index)})
    kernels = directives.Directives(library, book.GALLERY).kernels() if library.tool.program else []
    site = Site(pages, library, out, documents, kernels)
    order = [d for d in documents if d.group in ("course", "chapters", "howto")]
    for document in documents:
        name = document.path.removeprefix("docs/").removesuffix(".md")
        if whole or name in made:
            write_document(site, document, order)
    if whole:
        write_kernels(site, jobs)
        write_sources(site, jobs, options.plain_sources)
        check_anchors(site)
        remove_others(site)
    write_assets(site)
    if whole:
        if not (out / "explorer/index.html").exists():
            files.write_if_different(out / "explorer/index.html", NO_EXPLORER)
            print("left out: the explorer, which em++ builds (Debian: emscripten); a page says so", file=sys.stderr)
        if site.left_out:
            print(f"left out: the pages of {len(site.left_out)} kernels, which -DSECTILE_TOOL_RECORDS=all adds; a page "
                  "says so", file=sys.stderr)
    for problem in site.problems if whole else []:
        print(problem, file=sys.stderr)
    return 1 if whole and site.problems and not library.draft else 0
