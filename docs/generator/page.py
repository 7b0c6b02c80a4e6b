"""The page of one kernel: its facts through templates/kernel.md.j2, as Markdown with pictures beside it, and as one
HTML file that needs nothing else."""

import pathlib

import jinja2

from . import arithmetic, book, directives, facts, files, markdown, shell, text
from .problem import Problem

TEMPLATE = "kernel.md.j2"
REFUSED = "refused.md.j2"
BY_HAND = "by_hand.md.j2"
FOOTER = ("Made by <code>sectile tutorial</code> from the constants of the kernel itself; every number and picture was "
          "worked out, and the run was run, when this page was made.")


class KernelPage:
    """What the template of a kernel's page can ask for."""

    def __init__(self, kernel: facts.Fact, around=None):
        self.kernel = kernel
        self.around = around  # the rest of the site; None: the page is alone
        self.stem = book_name(kernel.name)
        self.drawn = {}  # path beside the page: SVG

    def figure(self, name, caption=None):
        """A picture with its caption, or nothing where this kernel has none of that name."""
        found = self.kernel.figures.get(name)
        if found is None:
            return ""
        path = f"figures/{self.stem}.{name}.svg"
        self.drawn[path] = found.svg
        alt = " ".join(found.alt.split())
        return f"![{text.plain(alt)}]({path})\n\n*{text.plain(caption or found.title)}*"

    def has_figure(self, name):
        return name in self.kernel.figures

    def word(self, term, words=None):
        """A term of the course, as a link to the rung that introduces it where there is a site around the page."""
        return self.around.word(term, words or term) if self.around else words or term

    def explore(self, expression):
        """A link to the explorer with a layout of this kernel in it; nothing where there is none."""
        return f" ({self.around.explore(expression)})" if self.around else ""

    def rung(self):
        """A link to the rung of the course that this kernel belongs to, or nothing."""
        return self.around.rung(self.kernel.name) if self.around else ""

    def listing(self, source=None):
        """The program, or another text with notes; what is known about a line stands in a list behind it. Where nothing
        was derived, functions that it calls are explained, each once."""
        source = source or self.kernel.source
        code = "\n".join(line.code for line in source.lines)
        notes, told = [], set()
        for line in source.lines:
            said = [*line.get("notes", ()), *(arithmetic.notes(line.code, told) if self.kernel.get("planned") else ())]
            notes += [f"- **{line.n}** {text.sentence(note)}" for note in said]
        info = f"cpp ignore lines={source.first_line}" + (" notes" if notes else "")
        return f"```{info}\n{code}\n```" + ("\n\n" + "\n".join(notes) if notes else "")

    def markdown(self) -> str:
        made = directives.environment(jinja2.FileSystemLoader(shell.TEMPLATES))
        made.globals.update(figure=self.figure, has_figure=self.has_figure, listing=self.listing, word=self.word,
                            explore=self.explore, rung=self.rung)
        name = REFUSED if self.kernel.get("refused") else TEMPLATE if self.kernel.get("planned", True) else BY_HAND
        try:
            return directives.tidied(made.get_template(name).render(k=self.kernel))
        except jinja2.TemplateError as error:
            raise Problem(f"{directives.place(error, name)}: {error.message}") from error


def book_name(name: str) -> str:
    """A kernel's name as a file's: letters, digits, '_', '-' and '.' stay."""
    return "".join(c if c.isalnum() or c in "_-." else "-" for c in name).strip("-.") or "kernel"


def html_of(kernel: facts.Fact, source: str, drawn: dict, **frame) -> str:
    """The Markdown of a kernel's page as HTML, with its pictures in it."""
    page = markdown.to_html(source, markdown.Surroundings(name=kernel.name, picture=drawn.get))
    return shell.framed(page, footer=FOOTER, section=frame.pop("section", "Kernel page"),
                        description=" ".join(str(kernel.get("summary", "")).split()), **frame)


def write(kernel: facts.Fact, folder: pathlib.Path) -> list:
    """Writes NAME.html, NAME.md and figures/NAME.*.svg. Returns their paths."""
    page = KernelPage(kernel)
    source = page.markdown()
    html = html_of(kernel, source, page.drawn, picture_rules=kernel.get("figure_style", ""))
    made = {f"{page.stem}.html": html, f"{page.stem}.md": source, **page.drawn}
    files.write_all(folder, made)
    return [folder / name for name in made]
