"""Markdown to HTML. What a page shows as HTML is this very Markdown: figures are drawn into it, code gets colours,
tables scroll on their own, links are led to where the other page is."""

import dataclasses
import html
import re
import typing

from markdown_it import MarkdownIt
from markdown_it.token import Token

from . import highlight, svg, text
from .problem import Problem


@dataclasses.dataclass
class Heading:
    level: int
    title: str  # HTML
    anchor: str


@dataclasses.dataclass
class Rendered:
    title: str
    body: str
    headings: list
    anchors: set
    links: list  # (target as written, line or 0)


@dataclasses.dataclass
class Surroundings:
    """What a page needs from those around it."""

    name: str = "page"  # for messages
    link: typing.Callable = lambda target: target  # where a link goes
    picture: typing.Callable = lambda target: None  # the text of a picture that is drawn into the page, or None
    used: set = dataclasses.field(default_factory=set)


def listing(code: str, kind: str) -> str:
    return f'<div class="code {kind}"><pre tabindex="0"><code>{code}</code></pre></div>\n'


def parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": True}).enable("table")


def is_only(token: Token, kind: str) -> bool:
    return token.type == "inline" and [c.type for c in token.children or []] == [kind]


def is_caption(tokens, at) -> bool:
    """A paragraph that is one emphasis."""
    if at + 2 >= len(tokens) or tokens[at].type != "paragraph_open":
        return False
    inside = tokens[at + 1].children or []
    return (len(inside) >= 3 and inside[0].type == "em_open" and inside[-1].type == "em_close"
            and sum(t.type == "em_open" for t in inside) == 1)


class Page:
    """One document on its way to HTML."""

    def __init__(self, around: Surroundings):
        self.around = around
        self.parser = parser()
        self.headings = []
        self.anchors = set()
        self.links = []
        self.pictures = 0

    def render(self, source: str) -> Rendered:
        tokens = self.parser.parse(source)
        self.name_headings(tokens)
        body = self.blocks(tokens)
        first = next((h for h in self.headings if h.level == 1), None)
        title = re.sub(r"<[^>]+>", "", first.title) if first else self.around.name
        return Rendered(html.unescape(title), body, self.headings, self.anchors, self.links)

    # ---- anchors

    def name_headings(self, tokens):
        for token, inline in zip(tokens, tokens[1:]):
            if token.type != "heading_open":
                continue
            plain = "".join(t.content for t in inline.children if t.type in ("text", "code_inline", "softbreak"))
            anchor = base = text.slug(plain) or "section"
            count = 0
            while anchor in self.anchors:
                count += 1
                anchor = f"{base}-{count}"
            self.anchors.add(anchor)
            token.attrSet("id", anchor)

    # ---- blocks

    def blocks(self, tokens) -> str:
        out, ordinary, at = [], [], 0
        while at < len(tokens):
            made, behind = self.block(tokens, at)
            if made is None:
                ordinary.append(tokens[at])
            else:
                out += [self.rendered(ordinary), made]
                ordinary = []
            at = behind
        return "".join([*out, self.rendered(ordinary)])

    def rendered(self, tokens) -> str:
        for token in tokens:
            if token.type == "inline":
                self.lead(token.children)
        return self.parser.renderer.render(tokens, self.parser.options, {})

    def block(self, tokens, at):
        """The HTML of the block at `at`, or None if it is like any other, and where the next one begins."""
        token = tokens[at]
        if token.type == "heading_open":
            return self.heading(token, tokens[at + 1]), at + 3
        if token.type == "paragraph_open" and is_only(tokens[at + 1], "image"):
            caption = self.inline(tokens[at + 4].children[1:-1]) if is_caption(tokens, at + 3) else ""
            return self.figure(tokens[at + 1].children[0], caption), at + (6 if caption else 3)
        if token.type == "fence":
            return self.fence(tokens, at)
        if token.type == "code_block":  # by indentation
            return listing(highlight.coloured(token.content, "text"), "plain"), at + 1
        if token.type == "table_open":
            end = next(i for i in range(at, len(tokens)) if tokens[i].type == "table_close") + 1
            return self.table(tokens[at:end]), end
        if token.type == "html_block":
            return self.raw(token.content), at + 1
        return None, at + 1

    def table(self, tokens) -> str:
        """It scrolls on its own. Headers without words are no headers."""
        inside = self.rendered(tokens)
        inside = re.sub(r"<thead>\s*<tr>\s*(?:<th[^>]*></th>\s*)+</tr>\s*</thead>\s*", "", inside)
        inside = re.sub(r"<th([^>]*)></th>", r"<td\1></td>", inside)
        return f'<div class="scroll" tabindex="0" role="group" aria-label="Table">{inside}</div>\n'

    def heading(self, token, inline) -> str:
        level, anchor, title = int(token.tag[1]), token.attrGet("id"), self.inline(inline.children)
        self.headings.append(Heading(level, title, anchor))
        link = f' <a class="anchor" href="#{anchor}" aria-label="Link to this section">#</a>' if level > 1 else ""
        return f'<{token.tag} id="{anchor}">{title}{link}</{token.tag}>\n'

    def figure(self, image, caption: str) -> str:
        target, alt = image.attrGet("src"), image.content
        drawn = self.around.picture(target)
        if drawn is None:
            self.note(target)
            picture = f'<img src="{html.escape(self.around.link(target))}" alt="{html.escape(alt)}">'
        else:
            self.pictures += 1
            picture = svg.inline(drawn, f"p{self.pictures}")
        below = f"<figcaption>{caption}</figcaption>" if caption else ""
        label = html.escape(alt or svg.title_of(drawn or "") or "Figure")
        return (f'<figure><div class="picture" tabindex="0" role="group" aria-label="{label}">{picture}</div>'
                f"{below}</figure>\n")

    def fence(self, tokens, at):
        token = tokens[at]
        words = token.info.split()
        language = words[0] if words else ""
        first = next((int(w[6:]) for w in words if w.startswith("lines=") and w[6:].isdigit()), None)
        has_list = at + 1 < len(tokens) and tokens[at + 1].type.endswith("list_open")
        if "notes" in words and first is not None and has_list:
            return self.annotated(tokens, at, language, first)
        kind = html.escape(language or "text") + (" refused" if "refused" in words else "")
        return listing(highlight.coloured(token.content, language), kind), at + 1

    def annotated(self, tokens, at, language, first):
        """A block of code with a list behind it, whose entries begin with the line they are about: side by side."""
        opening = tokens[at + 1]
        end = next(i for i in range(at + 1, len(tokens))
                   if tokens[i].type == opening.type.replace("open", "close") and tokens[i].level == opening.level)
        notes = self.notes_by_line(tokens[at + 2:end])
        rows = []
        for offset, line in enumerate(highlight.lines_of(tokens[at].content, language)):
            number = first + offset
            said = notes.pop(number, "")
            aside = f'<div class="note">{said}</div>' if said else ""
            rows.append(f'<div class="row{" told" if said else ""}"><span class="number">{number}</span>'
                        f"<code>{line or '&nbsp;'}</code>{aside}</div>")
        if notes:
            raise Problem(f"{self.around.name}: notes about lines {sorted(notes)}, which the code does not have")
        frame = '<div class="annotated" tabindex="0" role="group" aria-label="Code with notes">'
        return f'{frame}{"".join(rows)}</div>\n', end + 1

    def notes_by_line(self, tokens) -> dict:
        notes, number = {}, None
        for token in tokens:
            if token.type != "inline":
                continue
            children = token.children
            if len(children) > 3 and children[0].type in ("text", "strong_open"):
                lead = next((i for i, c in enumerate(children) if c.type == "strong_open"), None)
                if lead is not None and lead <= 1 and re.fullmatch(r"(line )?\d+", children[lead + 1].content):
                    number = int(children[lead + 1].content.split()[-1])
                    children = children[lead + 3:]
            if number is None:
                raise Problem(f"{self.around.name}: a note that names no line: {token.content}")
            said = self.inline(children).lstrip(": ")
            notes[number] = notes.get(number, "") + f"<p>{said}</p>"
        return notes

    # ---- what stands in a line

    def inline(self, children) -> str:
        self.lead(children)
        return self.parser.renderer.renderInline(children, self.parser.options, {})

    def lead(self, children):
        for child in children or []:
            if child.type == "link_open" and not child.meta.get("led"):
                self.note(child.attrGet("href"))
                child.attrSet("href", self.around.link(child.attrGet("href")))
                child.meta["led"] = True
            elif child.type == "image" and not child.meta.get("led"):
                self.note(child.attrGet("src"))
                child.attrSet("src", self.around.link(child.attrGet("src")))
                child.meta["led"] = True

    def raw(self, content) -> str:
        """HTML that stands in the Markdown; comments are for the Markdown's own readers."""
        content = re.sub(r"<!--.*?-->\n?", "", content, flags=re.S)

        def led(match):
            self.note(match[2])
            return f'{match[1]}="{html.escape(self.around.link(html.unescape(match[2])))}"'

        return re.sub(r'\b(href|src)="([^"]*)"', led, content)

    def note(self, target):
        self.links.append(target)


def to_html(source: str, around: Surroundings) -> Rendered:
    """The body of a page, its headings, and what it links to."""
    return Page(around).render(source)


def title_of(source: str) -> str:
    """The first heading of a document, as plain text."""
    found = re.search(r"^# (.+)$", source, re.M)
    return re.sub(r"[`*]", "", found[1]).strip() if found else ""
