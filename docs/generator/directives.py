"""What a page's source can ask for: {{ figure("gemm_bf16", "A.memory") }} and its like. Each asks the `sectile` program
or the repository's own files; none knows an answer itself."""

import hashlib
import pathlib
import posixpath
import re
import urllib.parse

import jinja2

from . import book, chart, facts, measured, notebook, sources, svg, text
from .problem import Problem

FIGURES = "docs/figures"


class Library:
    """What the directives of all pages share."""

    def __init__(self, pages: book.Book, tool, draft=False):
        self.book = pages
        self.tool = tool
        self.draft = draft  # what is not there yet is said on the page instead of breaking off
        self.figures = {}  # name: SVG, of every page so far
        self.remarks = []  # of a draft: what is missing

    def kernel(self, name: str) -> facts.Fact:
        return facts.read_facts(self.tool.ask("tutorial", name, "--facts", "-"), name)


class Directives:
    """The directives of one page. Their names are those that a template calls."""

    def __init__(self, library: Library, path: str):
        self._library = library
        self._path = path  # of the Markdown that is made
        self._exercises = 0
        self._answers = 0
        self._checked = 0  # answers that something checked has given so far
        self._kernels = {}

    def table(self) -> dict:
        """By name."""
        names = [n for n in dir(self) if not n.startswith("_") and n != "table"]
        return {n: self._drafted(n) if self._library.draft else getattr(self, n) for n in names}

    def _drafted(self, name):
        """The same directive, but what it cannot say yet becomes a remark on the page."""
        directive = getattr(self, name)

        def tried(*arguments, **options):
            try:
                return directive(*arguments, **options)
            except (Problem, ImportError) as error:
                self._library.remarks.append(f"{self._path}: {error}")
                return facts.ToCome(str(error).split("\n")[0])

        return tried

    # ---- facts

    def kernel(self, name):
        """All facts of a kernel."""
        if name not in self._kernels:
            self._kernels[name] = self._library.kernel(name)
        self._checked += 1
        return self._kernels[name]

    # ---- pictures

    def figure(self, kernel, name, caption=None, alt=None):
        """A picture of a kernel."""
        k = self.kernel(kernel) if isinstance(kernel, str) else kernel
        found = k.figures.get(name)
        if found is None:
            raise Problem(f"{k.name} has no figure '{name}'; it has {', '.join(k.figures)}")
        return self._shown(f"{k.name}.{name}", found.svg, caption or found.title, alt or found.alt)

    def drawing(self, command, caption=None, alt=None, name=None):
        """A picture that `sectile figure ...` draws."""
        words = command.split(None, 1)
        if words[:1] != ["sectile"]:
            command = "sectile figure " + command
        from .tool import words_of
        arguments = words_of(command)
        return self._drawn(arguments, caption, alt, name)

    def picture(self, expression, caption=None, alt=None, name=None, **options):
        """The grid of a layout, e.g. picture("(4,8):(8,1)"). Options are those of `sectile figure layout`."""
        arguments = ["figure", "layout", expression]
        for option, value in options.items():
            option = "--" + option.replace("_", "-")
            arguments += [option] if value is True else [] if value is False else [option, str(value)]
        return self._drawn(arguments, caption, alt, name)

    def described(self, command, pattern):
        """A figure of the text below a picture that `sectile figure ...` draws: what the pattern's parentheses take."""
        from .tool import words_of
        said = svg.description_of(self._library.tool.ask(*words_of(command)))
        found = re.search(pattern, said)
        if found is None:
            raise Problem(f"`{command}` says nothing like '{pattern}', but: {said}")
        self._checked += 1
        return found[1]

    def _drawn(self, arguments, caption, alt, name):
        drawn = self._library.tool.ask(*arguments)
        return self._shown(name or drawing_name(arguments), drawn, caption or svg.title_of(drawn),
                           alt or svg.description_of(drawn))

    def _shown(self, name, drawn, caption, alt):
        file = f"{FIGURES}/{name}.svg"
        before = self._library.figures.setdefault(file, drawn)
        if before != drawn:
            raise Problem(f"two pictures are called {name}; give one of them another name=")
        link = book.relative(file, self._path)
        alt = " ".join(alt.split())
        return block(f"![{text.plain(alt)}]({link})" + (f"\n\n*{text.plain(caption)}*" if caption else ""))

    # ---- expressions of the layout algebra

    def result(self, expression):
        """The bare value."""
        self._checked += 1
        return self._library.tool.ask("evaluate", expression).strip("\n")

    def evaluate(self, expression, show=None):
        """In a line: the expression and its value. `show`: other words for the expression."""
        value = self.result(expression)
        if "\n" in value:
            raise Problem(f"evaluate: {expression} is more than one line; use evaluated()")
        return f"{text.code(show or expression)} = {text.code(value)}"

    def evaluated(self, *expressions):
        """A block: each expression with its value, on one line where all of them fit."""
        pairs = [(expression, self.result(expression)) for expression in expressions]
        width = max(len(expression) for expression, _ in pairs)
        if all("\n" not in value and width + 3 + len(value) <= 92 for _, value in pairs):
            lines = [f"{expression:{width}} = {value}" for expression, value in pairs]
        else:
            lines = [line for expression, value in pairs
                     for line in (expression, *("  " + part for part in ("= " + value).split("\n")))]
        return block("```text\n" + "\n".join(lines) + "\n```")

    def refusal(self, expression):
        """The sentence with which an expression is refused; an error where it is not."""
        self._checked += 1
        return self._library.tool.refusal("evaluate", expression).split("\n")[0]

    def refused(self, expression):
        """A block: the expression and all that is said against it."""
        self._checked += 1
        return block(f"```text\n{expression}\n{self._library.tool.refusal('evaluate', expression)}\n```")

    def explorer(self, expression=None, words=None):
        """A link to the explorer, with an expression in it."""
        target = book.relative(book.EXPLORER, self._path)
        if expression is None:
            return f"[{words or 'the explorer'}]({target})"
        return f"[{words or 'open it in the explorer'}]({target}#{urllib.parse.quote(expression, safe='')})"

    # ---- code, commands, faults

    def source(self, path, beginning=None, comment=False, through=None, link=True):
        """A struct, a function or a whole file of the repository."""
        part = sources.excerpt(self._library.book.folder, path, beginning, comment, through)
        languages = {"hpp": "cpp", "cpp": "cpp", "cu": "cpp", "inc": "cpp", "py": "python"}
        language = languages.get(path.rsplit(".", 1)[-1], "text")
        fence = f"```{language} ignore\n{part.code}\n```" if language == "cpp" else f"```{language}\n{part.code}\n```"
        return block(fence + (f"\n\n{self._file_link(path)}" if link else ""))

    def file(self, path, words=None):
        """A link to a file or folder of the repository."""
        if not (self._library.book.folder / path).exists():
            raise Problem(f"there is no {path} in the repository")
        return self._file_link(path, words)

    def _file_link(self, path, words=None):
        return f"[{words or text.code(path)}]({book.relative(path, self._path)})"

    def console(self, command, expect=0, head=None, tail=None, section=None):
        """Runs a command of `sectile` now, and shows it with what it prints. `head`, `tail`: so many lines of it;
        `section`: from the line that begins so, up to the next empty line."""
        from .tool import words_of
        self._checked += 1
        words = words_of(command)
        if words[:1] == ["run"] and "--on" not in words and "--help" not in words and not expect:
            raise Problem(f"`{command}` would run on whatever machine the page is made on; say --on model")
        output = self._library.tool.run(*words)
        if output.status != expect:
            raise Problem(f"`{command}` ended with exit status {output.status}, not {expect}: {output.text.strip()}")
        lines = shortened(output.text.rstrip("\n").split("\n"), head, tail, section, command)
        return block("```console\n$ " + command + "\n" + "\n".join(lines) + "\n```")

    def fault(self, name, code=True):
        """A case of the gallery: the mistake, the wrong lines, who notices, and the message."""
        case = sources.read_fault(self._library.book.folder, name)
        where = self._file_link(case.path)
        seen = "".join(f", [{thread}]({address})" for thread, address in case.reported)
        listing = f"```cpp ignore\n{case.code}\n```\n\n" if code else ""
        return block(f"**{text.sentence(text.plain(case.what))}** It {sources.PLACES[case.caught]}:\n\n{listing}"
                f"```text\n{case.message}\n```\n\n{where}{' · reported in' + seen[1:] if seen else ''}")

    def notebook(self, path):
        """The cells of a notebook with the outputs that are stored in it, which the tests compare."""
        parts = []
        for number, (kind, inside) in enumerate(notebook.cells(self._library.book.folder, path)):
            if kind == "svg":
                name = f"{pathlib.PurePosixPath(path).stem}-{number}"
                parts.append(self._shown(name, inside, None, svg.description_of(inside)))
            else:
                parts.append(inside if kind == "markdown" else f"```{kind}\n{inside}\n```")
        self._checked += 1
        return block("\n\n".join(parts) + f"\n\n{self._file_link(path)}")

    # ---- measurements

    def measured(self, name, row, key, all=False):  # noqa: A002, the name that a page's author reads
        """One measured figure."""
        return measured.figure(self._library.book.folder, name, row, key, all)

    def measured_table(self, name, rows=None, columns=None, where=None):
        """A table of them, with device, date and command; where={"rung": "tma"} takes the rows that say so."""
        return block(measured.table(self._library.book.folder, name, rows, columns, where))

    def measurements(self, name):
        """The whole file."""
        return facts.wrap(measured.read(self._library.book.folder, name), name)

    def origin(self, name):
        """Device, date and command of a file of measurements."""
        return measured.origin(measured.read(self._library.book.folder, name))

    def ratio_chart(self, name, kind):
        """A picture of one type's problems: each peer's time over ours."""
        drawn = chart.ratios(measured.read(self._library.book.folder, name), kind)
        return self._charted(f"{name}.{kind}.ratios", drawn)

    def roofline_chart(self, name, kind):
        """A picture of one type's problems beneath what memory and the tensor cores reach alone."""
        folder = self._library.book.folder
        drawn = chart.roofline(measured.read(folder, name), kind, measured.read(folder, "ceilings"))
        return self._charted(f"{name}.{kind}.roofline", drawn)

    def _charted(self, name, drawn):
        return self._shown(name.replace(" ", "-"), drawn, None, svg.description_of(drawn))

    # ---- the page itself

    def exercise(self, title, caller=None):
        """{% call exercise("Title") %} the question {% endcall %}, and behind it an answer()."""
        self._has_answers()
        self._exercises += 1
        return block(f"### Exercise {self._exercises}: {title}\n\n{caller().strip()}")

    def answer(self, caller=None, words="Answer"):
        """{% call answer() %} ... {% endcall %}: something in it has been checked."""
        before = self._checked
        said = caller().strip()
        self._answers += 1
        if self._checked == before and not re.search(r"^```(cpp|console|cuda)", said, re.M):
            raise Problem(f"{self._path}: the answer of exercise {self._exercises} has nothing that is checked: an "
                          "evaluate(), a console() or a block of C++")
        return block(f"<details>\n<summary>{words}</summary>\n\n{said}\n\n</details>")

    def _has_answers(self):
        if self._answers != self._exercises:
            raise Problem(f"{self._path}: exercises have an answer each; {self._answers} of {self._exercises} are answered")

    def page(self, name, words=None, anchor=None):
        """A link to another page, by its source's name."""
        path = self._library.book.resolve(name)
        title = words or text.plain(self._library.book.title(path))
        return f"[{title}]({book.relative(path, self._path)}{'#' + anchor if anchor else ''})"

    def chapter(self, name, words=None, anchor=None):
        """A link to a chapter."""
        return self.page(name if "/" in name else f"chapters/{name}", words, anchor)

    def kernel_page(self, name, words=None):
        """A link to the page of a kernel that comes with Sectile."""
        return f"[{words or text.code(name)}]({book.relative(book.GALLERY, self._path)}#{text.slug(name)})"

    def kernels(self):
        """The names of the kernels that come with Sectile, with a line about each."""
        lines = self._library.tool.ask("list").rstrip("\n").split("\n")
        pairs = [re.split(r"\s{2,}", line.strip(), maxsplit=1) for line in lines if line.strip()]
        return [{"name": pair[0].split()[0], "summary": pair[1] if len(pair) > 1 else pair[0].split(None, 1)[1]}
                for pair in pairs]

    def reference(self, header):
        """The public functions of a header, as its comments describe them."""
        from . import reference
        folder = self._library.book.folder
        return reference.reference(folder, header, lambda path: book.relative(path, self._path))

    def headers(self, folder):
        """The headers of a folder, in order."""
        from . import reference
        return reference.headers(self._library.book.folder, folder)


def block(markdown: str) -> str:
    """Stands on its own, wherever its author put it."""
    return f"\n\n{markdown}\n\n"


def drawing_name(arguments) -> str:
    """A file's name for a command: readable, and different for different ones."""
    words = text.file_name("-".join(a for a in arguments if a != "figure"))
    digest = hashlib.sha256("\0".join(arguments).encode()).hexdigest()[:6]
    return f"{words[:48].rstrip('-')}-{digest}"


def shortened(lines, head, tail, section, command):
    """What is left out becomes a line "..."."""
    if section is not None:
        first = next((i for i, line in enumerate(lines) if line.startswith(section)), None)
        if first is None:
            raise Problem(f"`{command}` prints no line that begins with '{section}'")
        last = next((i for i in range(first, len(lines)) if not lines[i].strip()), len(lines))
        inside = shortened(lines[first:last], head, tail, None, command)
        before = ["..."] if first > 0 else []
        behind = ["..."] if any(line.strip() for line in lines[last:]) and inside[-1] != "..." else []
        return before + inside + behind
    if (head is None and tail is None) or len(lines) <= (head or 0) + (tail or 0) + 1:
        return lines
    return lines[:head or 0] + ["..."] + (lines[-tail:] if tail else [])


def environment(loader=None) -> jinja2.Environment:
    """How all templates are read: what is missing is an error."""
    made = jinja2.Environment(undefined=facts.Missing, loader=loader, trim_blocks=True, lstrip_blocks=True,
                              keep_trailing_newline=True, autoescape=False)
    made.filters.update(text.FILTERS)
    return made


def render_source(library: Library, name: str) -> str:
    """The Markdown of docs/source/NAME.md.j2."""
    path = f"docs/{name}.md"
    file = library.book.source_file(name)
    made = environment(jinja2.FileSystemLoader([library.book.sources_folder,
                                                pathlib.Path(__file__).parent / "templates"]))
    directives = Directives(library, path)
    made.globals.update(directives.table())
    shown = posixpath.join("docs/source", f"{name}.md.j2")
    try:
        said = made.from_string(braces_of_code(file.read_text(encoding="utf-8"))).render()
        directives._has_answers()
    except Problem as error:
        raise Problem(f"{place(error, shown)}: {error}") from error
    except jinja2.TemplateError as error:
        raise Problem(f"{place(error, shown)}: {error.message}") from error
    note = f"<!-- Generated from {book.relative(shown, path)}; do not edit. -->\n\n"
    if number := book.rung_of(name):
        said = re.sub(r"^# ", f"# Rung {number}: ", said, count=1, flags=re.M)
    return note + tidied(led_once(said))


def braces_of_code(source: str) -> str:
    """In a fence, "{{" and "{#" without a space behind them are C++."""

    def escaped(match):
        return re.sub(r"\{\{(?![ -])|\{#(?! )", lambda m: '{{ "' + m[0] + '" }}', match[0])

    return re.sub(r"^(`{3,})[^\n]*\n.*?^\1[ ]*$", escaped, source, flags=re.S | re.M)


def led_once(markdown: str) -> str:
    """[words]([title](address)) is a link with words of its own."""
    return re.sub(r"\]\(\[[^\]\n]*\]\(([^()\s]+)\)\)", r"](\1)", markdown)


def tidied(markdown: str) -> str:
    """At most one empty line in a row and no spaces at line ends, but for what stands in a fence."""
    lines, fence, empty = [], None, True
    for line in markdown.strip("\n").split("\n"):
        opened = re.match(r"\s*(`{3,})", line)
        if opened and fence is None:
            fence = opened[1]
        elif opened and line.strip() == fence:
            fence = None
        elif fence is None:
            line = line.rstrip()
            if not line and empty:
                continue
        empty = not line
        lines.append(line)
    return "\n".join(lines) + "\n"


def place(error, shown) -> str:
    """FILE:LINE of the template that an error came from; `shown` is what a source that is no file is called."""
    name, line = shown, getattr(error, "lineno", None)
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file == "<template>" or file.endswith(".j2"):
            name = shown if file == "<template>" else pathlib.Path(file).name
            line = trace.tb_lineno
        trace = trace.tb_next
    return f"{name}:{line}" if line else name
