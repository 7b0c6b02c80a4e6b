"""Every link within the site leads to a page that is there, and to an anchor that is on it; every id is there once."""
import functools
import re
from collections import Counter
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag, urlparse

import kit

OUTSIDE = {"http", "https", "mailto", "data", "javascript"}

# A tag that has neither a link nor an id: most of a page with pictures, and a parser in Python is slow.
OTHER_TAG = re.compile(r'</?(?!script|style)[a-z]+(?:\s+(?!id=|href=|src=)[-:\w]+="[^"]*")*\s*/?>')


class Reader(HTMLParser):
    """The targets of a page's links and sources, and its ids. (Whether it is HTML is asked elsewhere.)"""

    def __init__(self, page):
        super().__init__()
        self.targets, self.ids = [], Counter()
        self.feed(OTHER_TAG.sub("", page.read_text(encoding="utf-8")))
        self.close()

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("href", "src"):
                self.targets.append(value or "")
            elif name == "id":
                self.ids[value or ""] += 1


def read(page):
    reader = Reader(page)
    return reader.targets, reader.ids


@functools.cache
def file_at(folder, path):
    """The page that a path leads to from a page in the folder, and whether it is there. (Most paths stand on a page many
    times.)"""
    there = (folder / unquote(path)).resolve()
    if there.is_dir():
        there = there / "index.html"
    return there, there.exists()


def main():
    site, pages = kit.site_from_command_line()
    contents = {page: read(page) for page in pages}
    found, followed = [], 0
    for page, (targets, ids) in contents.items():
        where = page.relative_to(site)
        found += [f"{where}: the id '{i}' is there {n} times" for i, n in sorted(ids.items()) if n > 1]
        for target in targets:
            if urlparse(target).scheme in OUTSIDE:
                continue
            followed += 1
            path, anchor = urldefrag(target)
            there, exists = file_at(page.parent, path or page.name)
            if not exists:
                found.append(f"{where}: '{target}' leads nowhere")
            elif anchor and there in contents and "/explorer/" not in str(there):
                if unquote(anchor) not in contents[there][1]:
                    found.append(f"{where}: '{target}': there is no such anchor on that page")
            elif site not in there.parents:
                found.append(f"{where}: '{target}' leads out of the site")
    reached = {page for page in pages if page.name == "index.html" and page.parent == site}
    print(f"{followed} links followed")
    kit.finish(found + unreachable(site, contents, reached), pages)


def unreachable(site, contents, start):
    """Pages to which no chain of links leads from the start page."""
    seen, todo = set(start), list(start)
    while todo:
        page = todo.pop()
        for target in contents.get(page, ([], []))[0]:
            if re.match(r"[a-z]+:", target):
                continue
            there, _ = file_at(page.parent, urldefrag(target)[0])
            if there in contents and there not in seen:
                seen.add(there)
                todo.append(there)
    return [f"{page.relative_to(site)}: no link leads here" for page in contents if page not in seen]


main()
