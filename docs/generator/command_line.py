"""The commands of the generator. Each ends with 0, or prints sentences on stderr and ends with 1 (the pages are not as
they should be), 2 (an argument, a file or the machine does not allow it) or 3 (a module is missing)."""

import argparse
import pathlib
import signal
import sys

from .problem import Problem

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


def arguments():
    parser = argparse.ArgumentParser(prog="generator", description="Makes Sectile's pages.")
    commands = parser.add_subparsers(dest="command", required=True)

    page = commands.add_parser("page", help="the page of one kernel, from its facts")
    page.add_argument("--facts", required=True, metavar="FILE", help="JSON of `sectile tutorial --facts`; -: stdin")
    page.add_argument("--out", required=True, type=pathlib.Path, metavar="FOLDER")

    site = commands.add_parser("site", help="the course, the chapters and the whole site")
    site.add_argument("--repository", type=pathlib.Path, default=REPOSITORY, metavar="FOLDER")
    site.add_argument("--sectile", type=pathlib.Path, metavar="PROGRAM", help="default: REPOSITORY/build/sectile")
    site.add_argument("--out", type=pathlib.Path, metavar="FOLDER", help="HTML; default: REPOSITORY/build/site")
    site.add_argument("--markdown", type=pathlib.Path, metavar="FOLDER",
                      help="where the Markdown goes, as docs/...; default: into the repository")
    site.add_argument("--only", action="append", default=[], metavar="PAGE", help="e.g. course/07-tma; no gallery then")
    site.add_argument("--draft", action="store_true", help="what is missing is said on the page instead of an error")
    site.add_argument("--check", action="store_true", help="write no Markdown; fail where it is not what is there")
    site.add_argument("--no-html", action="store_true", help="Markdown and pictures alone")
    site.add_argument("--no-memory", action="store_true", help="run every command again")
    site.add_argument("--plain-sources", action="store_true", help="pages of the repository's files are without colours")
    site.add_argument("--jobs", type=int, default=0, metavar="N", help="processes at a time (one per core)")

    lint = commands.add_parser("lint", help="numbers that were typed by hand, and paragraphs that are too long")
    lint.add_argument("--repository", type=pathlib.Path, default=REPOSITORY, metavar="FOLDER")
    lint.add_argument("files", nargs="*", type=pathlib.Path)
    return parser.parse_args()


def require_repository(folder) -> None:
    if not (folder / "docs" / "source").is_dir():
        raise Problem(f"{folder}: it has no folder docs/source, so it is not Sectile's repository")


def make_page(options) -> int:
    from . import facts, page
    try:
        text = sys.stdin.read() if options.facts == "-" else pathlib.Path(options.facts).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Problem(f"{options.facts} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    for path in page.write(facts.read_facts(text, options.facts), options.out):
        print(path)
    return 0


def make_site(options) -> int:
    from . import site
    require_repository(options.repository)
    return site.make(options)


def look_for_numbers(options) -> int:
    from . import lint
    require_repository(options.repository)
    folder = options.repository.resolve()
    found = ([why for file in options.files for why in lint.complaints(folder, file.resolve())] if options.files
             else lint.check(folder))
    for why in found:
        print(why, file=sys.stderr)
    return 1 if found else 0


def end_by_signals() -> None:
    """A signal that ends the program unwinds it first, so that nothing is left half written."""
    def end(number, frame):
        sys.exit(128 + number)
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, end)


def main() -> int:
    options = arguments()
    end_by_signals()
    try:
        return {"page": make_page, "site": make_site, "lint": look_for_numbers}[options.command](options)
    except Problem as problem:
        print(problem, file=sys.stderr)
        return 2
    except ModuleNotFoundError as missing:
        print(f"{sys.executable} has no module {missing.name}; on Debian: apt-get install "
              f"{PACKAGES.get(missing.name, 'python3-' + str(missing.name))}", file=sys.stderr)
        return 3


PACKAGES = {"jinja2": "python3-jinja2", "markdown_it": "python3-markdown-it", "pygments": "python3-pygments"}
