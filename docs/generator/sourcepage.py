"""Files of the repository as pages of the site, so that a link to a file leads somewhere without the repository."""

import html
import pathlib

from . import book, files, highlight, shell
from .markdown import Rendered

LANGUAGES = {".hpp": "cuda", ".cpp": "cuda", ".cu": "cuda", ".inc": "cuda", ".h": "cuda", ".py": "python",
             ".cmake": "cmake", ".sh": "bash", ".js": "javascript", ".css": "css", ".json": "json", ".html": "html",
             ".in": "text"}
LEFT_OUT = {"__pycache__", "build", ".git", ".cache"}
LARGEST = 400_000  # bytes that are shown
PLAIN = "code plain"  # the class of a file without colours
FOOTER = "A file of the repository, as it was when this site was made."


def with_contents(folder: pathlib.Path, paths) -> list:
    """These files and folders, and all that lies in the folders."""
    wanted = set()
    for path in paths:
        wanted.add(path)
        if (folder / path).is_dir():
            wanted |= {p.relative_to(folder).as_posix() for p in (folder / path).rglob("*")
                       if not LEFT_OUT & set(p.relative_to(folder).parts)}
    return sorted(wanted)


def place(pages: book.Book, path: str) -> str:
    """Where the page of a file or folder is in the site."""
    here = pages.site_path(path)
    return here if here is not None and here.startswith("source/") else f"source/{path}.html"


def write(task) -> None:
    """task: repository, path in it, site, whether without colours."""
    folder, path, out = pathlib.Path(task[0]), task[1], pathlib.Path(task[2])
    here = place(book.Book(folder), path)
    file = folder / path
    if file.is_file() and is_new(out / here, file, plain=task[3]):
        return
    body = listing(folder, path) if file.is_dir() else lines(file, plain=task[3])
    title = f"<h1><code>{html.escape(path)}</code></h1>\n"
    made = Rendered(path, title + body, [], set(), [])
    files.write_if_different(out / here, shell.framed(made, footer=FOOTER, assets=book.relative("x", here)[:-1],
                                                      home=book.relative("index.html", here), section="Source"))


def is_new(page: pathlib.Path, source: pathlib.Path, plain: bool) -> bool:
    """Whether the page is newer than what it is made of, and in colours as it should be."""
    try:
        age = page.stat().st_mtime
    except OSError:
        return False
    if (f'class="{PLAIN}"' in page.read_text(encoding="utf-8")) != plain:
        return False
    return age > max(p.stat().st_mtime for p in (source, *shell.HERE.glob("*.py"), *shell.HERE.glob("*.css"),
                                                  *shell.TEMPLATES.glob("page*")))


def listing(folder: pathlib.Path, path: str) -> str:
    here = pathlib.PurePosixPath(path)
    entries = []
    for child in sorted((folder / path).iterdir(), key=lambda p: (p.is_file(), p.name)):
        if child.name in LEFT_OUT:
            continue
        target = f"{child.name}/index.html" if child.is_dir() else f"{child.name}.html"
        entries.append(f'<li><a href="{html.escape(target)}"><code>{html.escape(child.name)}'
                       f'{"/" if child.is_dir() else ""}</code></a></li>')
    above = ""
    if len(here.parts) > 1:
        pages = book.Book(folder)
        target = book.relative(pages.site_path(str(here.parent)), place(pages, path))
        above = f'<p><a href="{html.escape(target)}">{html.escape(str(here.parent))}/</a></p>'
    return above + "<ul>\n" + "\n".join(entries) + "\n</ul>\n"


def lines(file: pathlib.Path, plain: bool) -> str:
    if file.stat().st_size > LARGEST:
        return "<p>This file is too long to be shown here.</p>"
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return "<p>This file is not text.</p>"
    language = "cmake" if file.name == "CMakeLists.txt" else LANGUAGES.get(file.suffix, "text")
    shown = html.escape(text.rstrip("\n")).split("\n") if plain else highlight.lines_of(text, language)
    rows = (f'<span id="L{number}">{line}</span>' for number, line in enumerate(shown, 1))
    return f'<div class="{PLAIN if plain else "code"}"><pre tabindex="0"><code>' + "\n".join(rows) + "</code></pre></div>\n"
