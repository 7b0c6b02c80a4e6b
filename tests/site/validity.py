"""Pages are valid HTML: HTML Tidy finds no error in every eighth of them, and html5lib's strict parser, which takes its
time, none in one of each part of the site (with --all: in any)."""
import shutil
import subprocess
import sys

import kit

try:
    import html5lib
    from html5lib import constants
except ImportError:
    kit.leave_out("there is no html5lib (Debian: python3-html5lib)")

# Tidy of 2021 does not know what came later, and wants to be told of elements that are none of HTML's.
TIDY = ["tidy", "-quiet", "-errors", "--gnu-emacs", "yes", "--drop-empty-elements", "no", "--warn-proprietary-attributes",
        "no", "--mute-id", "yes"]


def strict_errors(page):
    parser = html5lib.HTMLParser(strict=False)
    parser.parse(page.read_text(encoding="utf-8"))
    for (line, column), code, values in parser.errors:
        yield f"{line}:{column}: {constants.E.get(code, code) % values}"


def tidy_errors(page):
    if not shutil.which("tidy"):
        return
    said = subprocess.run(TIDY + [str(page)], capture_output=True, text=True, check=False).stderr
    for line in said.splitlines():
        if " Error: " in line:
            yield line.split(":", 1)[1]


def main():
    site, pages = kit.site_from_command_line()
    found = []
    looked_at = kit.looked_at(site, pages)
    for page in sorted({*looked_at, *(pages if "--all" in sys.argv else pages[::8])}):
        found += [f"{page.relative_to(site)}:{error}" for error in tidy_errors(page)]
    for page in looked_at:
        found += [f"{page.relative_to(site)}:{error}" for error in strict_errors(page)]
    if not shutil.which("tidy"):
        print("left out: HTML Tidy is not there (Debian: tidy)")
    kit.finish(found, pages)


main()
