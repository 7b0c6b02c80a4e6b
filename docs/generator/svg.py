"""Pictures as parts of a page: the file's own style is taken out and stands in the page once, ids become unique."""

import re

from .problem import Problem

STYLE = re.compile(r"<style[^>]*>(.*?)</style>\s*", re.S)
DARK = re.compile(r"@media\s*\(\s*prefers-color-scheme:\s*dark\s*\)\s*\{")


def style_of(svg: str) -> str:
    """The rules that the picture brings along."""
    return "\n".join(STYLE.findall(svg))


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


def themed(css: str) -> str:
    """Rules with one block for the dark scheme, so that a page's own choice of theme holds as well."""
    found = DARK.search(css)
    if not found:
        return css
    depth, end = 1, found.end()
    while depth:
        if end == len(css):
            raise Problem("the style of the pictures has a block that is never closed")
        depth += {"{": 1, "}": -1}.get(css[end], 0)
        end += 1
    dark = css[found.end():end - 1]
    return (css[:found.start()] + css[end:]
            + "@media (prefers-color-scheme: dark) {" + below(":root:not([data-theme=light])", dark) + "}\n"
            + below(":root[data-theme=dark]", dark))


def below(ancestor: str, css: str) -> str:
    """The same rules for what stands below `ancestor`."""
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.S)
    return re.sub(r"([^{}]+)\{([^{}]*)\}",
                  lambda m: ", ".join(f"{ancestor} {s.strip()}" for s in m[1].split(",")) + " {" + m[2] + "}\n", css)


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
