"""What every page has to be, however it was made."""

import html.parser
import pathlib
import re
import shutil
import subprocess

VOID = {"meta", "link", "br", "hr", "img", "input"}
SHAPES = {"path", "rect", "line", "circle", "polyline", "polygon", "use", "stop", "ellipse"}


class Reader(html.parser.HTMLParser):
    """Checks that tags match and ids are unique."""

    def __init__(self):
        super().__init__()
        self.open, self.wrong, self.ids, self.links, self.pictures, self.headings = [], [], [], [], 0, []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag not in VOID | SHAPES:
            self.open.append(tag)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if "href" in attrs or "src" in attrs:
            self.links.append(attrs.get("href") or attrs.get("src"))
        if tag == "svg" and attrs.get("role") == "img":
            self.pictures += 1
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID | SHAPES:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag in VOID | SHAPES:
            return
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> at {self.getpos()}")


def check(case, folder: pathlib.Path, name: str) -> tuple:
    """Looks at NAME.html and NAME.md, and returns both texts."""
    page = (folder / f"{name}.html").read_text(encoding="utf-8")
    source = (folder / f"{name}.md").read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(page)
    case.assertEqual(reader.wrong, [])
    case.assertEqual(reader.open, [])
    case.assertEqual(len(reader.ids), len(set(reader.ids)), "ids are not unique")
    for link in reader.links:
        case.assertRegex(link, r"^(#|data:)", "a page needs nothing beside it")
        if link.startswith("#"):
            case.assertIn(link[1:], reader.ids)
    case.assertEqual(reader.headings[0], 1)
    for above, below in zip(reader.headings, reader.headings[1:]):
        case.assertLessEqual(below, above + 1, "a level of headings is left out")
    case.assertEqual(page.count("<style"), 1)
    figures = re.findall(r"!\[[^\]]*\]\((figures/[^)]+)\)", source)
    case.assertEqual(reader.pictures, len(figures))
    for figure in figures:
        drawn = (folder / figure).read_text(encoding="utf-8")
        case.assertIn("<title>", drawn)
        case.assertLess(len(drawn), 80_000, f"{figure} is too heavy")
    tidy(case, folder / f"{name}.html")
    return page, source


def tidy(case, file):
    """The opinion of HTML Tidy, where it is installed; it knows nothing of some newer attributes."""
    if shutil.which("tidy") is None:
        return
    said = subprocess.run(["tidy", "-q", "-e", str(file)], capture_output=True, text=True, check=False).stderr
    case.assertEqual([line for line in said.split("\n") if line and "proprietary attribute" not in line], [])
