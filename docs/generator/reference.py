"""The reference of the headers, as Markdown."""

import pathlib
import re

from .declarations import read_header


# What stands behind a template's parameters.
BEGINNINGS = "constexpr|inline|struct|auto|using|concept|requires|SECTILE|void"


def escaped(text):
    """A comment as Markdown: code spans stay, anything else that would be markup is shown as it is."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:  # a lone backtick
        pieces = [text.replace("`", "\\`")]
    for i in range(0, len(pieces), 2):
        piece = re.sub(r"([\\*<>\[\]|])", r"\\\1", pieces[i])
        piece = re.sub(r"(?<!\w)_|_(?!\w)", r"\\_", piece)
        pieces[i] = re.sub(r"^(\s*\d+)([.)]\s)|^(\s*)([+#]\s)", r"\1\3\\\2\4", piece, flags=re.M)
    return "`".join(pieces)


def paragraphs(text):
    """A comment in paragraphs: what is promised, asked for and refused each in its own."""
    return re.sub(r"\n(?=(?:Post|Refuses|Precondition|Source)\b)", "\n\n", escaped(text))


def wrapped(signature, width=92):
    """A signature in lines of at most `width`, where it can be broken at a comma."""
    signature = re.sub(rf"^(template <.*?>) (?={BEGINNINGS})", r"\1\n", signature)
    signature = re.sub(r"\n(requires.*?\)) (?=constexpr|inline|auto|std::)", r"\n  \1\n", signature)
    lines = []
    for line in signature.split("\n"):
        while len(line) > width and (cut := line.rfind(", ", 20, width)) > 0:
            lines.append(line[: cut + 1])
            line = "    " + line[cut + 2 :]
        lines.append(line)
    return "\n".join(lines)


def grouped(declarations):
    """Declarations that share a comment, and the uncommented ones of one name behind it, together."""
    groups = []
    for one in declarations:
        before = groups[-1][-1] if groups else None
        same = before and one.kind == before.kind == "function" and one.name == before.name and not one.comment
        if before and (one.shared or same):
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups


def said(one):
    """All that is said about a declaration, in one line."""
    return escaped(" ".join(f"{one.comment} {one.beside}".split()))


def member_lines(one):
    """The public members of a type, as a list."""
    lines = []
    for group in grouped([member for member in one.members if member.kind != "type"]):
        signatures = ", ".join(f"`{member.signature}`" for member in group)
        about = said(group[0])
        lines.append(f"- {signatures}" + (f": {about}" if about else ""))
    return lines


def entry(group):
    """A group of declarations: their names, what they look like, and what is said about them."""
    names = list(dict.fromkeys(one.name for one in group))
    code = "\n".join(wrapped(one.signature) + ";" for one in group)
    parts = ["### " + ", ".join(f"`{name}`" for name in names), f"```cpp ignore\n{code}\n```"]
    parts += [paragraphs(group[0].comment)] + [escaped(one.beside) for one in group]
    parts += ["\n".join(member_lines(one)) for one in group]
    return [part for part in parts if part]


def reference(repository: pathlib.Path, header: str, link=None) -> str:
    """One header, named from the repository's root, as a section of the second level. link(path) is where a file of the
    repository is linked to; without it, as from a page two folders down."""
    introduction, declarations = read_header(repository / header)
    target = link(header) if link else f"../../{header}"
    parts = [f"## {header}", paragraphs(introduction), f"[The header]({target})"]
    for group in grouped(declarations):
        parts += entry(group)
    return "\n\n".join(part for part in parts if part) + "\n"


def headers(repository: pathlib.Path, folder: str):
    """The headers of a folder, named from the repository's root, in order."""
    return sorted(str(path.relative_to(repository)) for path in (repository / folder).glob("*.hpp"))
