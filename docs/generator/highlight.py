"""Code in colours that a theme gives: Pygments finds the tokens, style.css has one colour for each kind."""

import html
import re

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

LEXERS = {"cpp": "cuda", "cuda": "cuda", "c": "c", "console": "text", "sh": "bash", "text": "text", "ptx": "text",
          "sass": "text"}


def lexer(language: str):
    try:
        return get_lexer_by_name(LEXERS.get(language, language or "text"), stripnl=False)
    except ClassNotFound:
        return get_lexer_by_name("text", stripnl=False)


def coloured(code: str, language: str) -> str:
    """The inside of a <pre>."""
    if language == "console":
        return console(code)
    text = highlight(code, lexer(language), HtmlFormatter(nowrap=True)).rstrip("\n")
    return re.sub(r'<span class="w">(\s*)</span>', r"\1", text)  # spaces need no colour


def console(code: str) -> str:
    """Commands stand out from what they print."""
    lines = []
    for line in code.rstrip("\n").split("\n"):
        text = html.escape(line, quote=False)
        lines.append(f'<span class="gp">$ </span><span class="command">{text[2:]}</span>' if line.startswith("$ ")
                     else f'<span class="go">{text}</span>')
    return "\n".join(lines)


def lines_of(code: str, language: str) -> list:
    """One piece of HTML for each line; no tag reaches over a line's end."""
    text = coloured(code.rstrip("\n"), language)
    lines, open_tags = [], []
    for line in text.split("\n"):
        whole = "".join(open_tags) + line
        for tag in re.findall(r"<span[^>]*>|</span>", line):
            if tag == "</span>":
                open_tags.pop()
            else:
                open_tags.append(tag)
        lines.append(whole + "</span>" * len(open_tags))
    return lines
