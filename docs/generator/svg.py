"""Pictures as parts of a page: a file's own style is taken out, as the page has the rules once, and ids become
unique."""

import re

from .problem import Problem

STYLE = re.compile(r"<style[^>]*>(.*?)</style>\s*", re.S)


def is_shared(svg: str) -> bool:
    """Whether its rules stand below a class of their own, so that a page can hold them."""
    return 'class="sectile' in svg.split(">", 1)[0] if svg.startswith("<svg") else bool(
        re.search(r'<svg\b[^>]*\bclass="sectile', svg))


def inline(svg: str, prefix: str) -> str:
    """The <svg> element alone, with ids that begin with `prefix`."""
    start = svg.find("<svg")
    if start < 0:
        raise Problem(f"{prefix}: this is no picture: it has no <svg>")
    svg = STYLE.sub("", svg[start:].strip())
    ids = set(re.findall(r'\bid="([^"]+)"', svg))

    def renamed(name):
        return f"{prefix}-{name}" if name in ids else name

    svg = re.sub(r'\b(id)="([^"]+)"', lambda m: f'{m[1]}="{renamed(m[2])}"', svg)
    svg = re.sub(r'\b(aria-(?:labelledby|describedby|details|controls))="([^"]+)"',
                 lambda m: f'{m[1]}="{" ".join(map(renamed, m[2].split()))}"', svg)
    svg = re.sub(r'\burl\(#([^)]+)\)', lambda m: f"url(#{renamed(m[1])})", svg)
    return re.sub(r'\b((?:xlink:)?href)="#([^"]+)"', lambda m: f'{m[1]}="#{renamed(m[2])}"', svg)


def title_of(svg: str) -> str:
    """What the picture calls itself."""
    found = re.search(r"<title[^>]*>(.*?)</title>", svg, re.S)
    return unescaped(found[1]) if found else ""


def description_of(svg: str) -> str:
    found = re.search(r"<desc[^>]*>(.*?)</desc>", svg, re.S)
    return unescaped(found[1]) if found else ""


def unescaped(text: str) -> str:
    for entity, letter in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#39;", "'"), ("&apos;", "'"),
                           ("&amp;", "&")):
        text = text.replace(entity, letter)
    return " ".join(text.split())
