"""Pieces of the repository's own files: a struct or a function by its first line, and the cases of the gallery of
faults."""

import dataclasses
import pathlib
import re

from .problem import Problem


@dataclasses.dataclass(frozen=True)
class Excerpt:
    path: str
    first: int  # line
    code: str

    @property
    def last(self) -> int:
        return self.first + self.code.count("\n")


def read(folder: pathlib.Path, path: str) -> str:
    try:
        return (folder / path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Problem(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def blanked(code: str) -> str:
    """The same text with comments and literals blank, so that braces in them do not count."""

    def blank(match):
        return re.sub(r"[^\n]", " ", match[0])

    return re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'", blank, code, flags=re.S)


def end_of(code: str, start: int) -> int:
    """Behind the declaration that begins at `start`: its closing brace and semicolon, or the semicolon alone."""
    depth = 0
    for at in range(start, len(code)):
        letter = code[at]
        if letter in "{(":
            depth += 1
        elif letter in "})":
            depth -= 1
            if depth == 0 and letter == "}":
                return at + 2 if code[at + 1:at + 2] == ";" else at + 1
        elif letter == ";" and depth == 0:
            return at + 1
    raise Problem("the declaration has no end")


def excerpt(folder: pathlib.Path, path: str, beginning: str | None = None, comment: bool = False,
            through: str | None = None) -> Excerpt:
    """The whole file, or what begins with a line that starts with `beginning`: up to its closing brace, or through the
    line that starts with `through`. A template's parameters above it belong to it; `comment`: so do the comments."""
    text = read(folder, path).rstrip("\n")
    if beginning is None:
        return Excerpt(path, 1, text)
    lines = text.split("\n")

    def line_with(start, behind):
        found = [i for i, line in enumerate(lines) if i >= behind and line.strip().startswith(start)]
        if not found:
            raise Problem(f"{path} has no line that begins with '{start}'")
        return found[0]

    # What goes on behind the words is a longer name: "struct tma" is not "struct tma_box".
    exact = [i for i, line in enumerate(lines) if re.match(re.escape(beginning) + r"(?!\w)", line.strip())]
    at = exact[0] if exact else line_with(beginning, 0)
    if through is not None:
        last = line_with(through, at)
    else:
        offset = sum(len(line) + 1 for line in lines[:at])
        try:
            last = text[:end_of(blanked(text), offset)].count("\n")
        except Problem as error:
            raise Problem(f"{path}:{at + 1}: {error}") from None
    first = at
    while first > 0 and re.match(r"\s*(template\b|requires\b|\[\[)", lines[first - 1]):
        first -= 1
    while comment and first > 0 and lines[first - 1].strip().startswith("//"):
        first -= 1
    part = lines[first:last + 1]
    margin = min((len(line) - len(line.lstrip()) for line in part if line.strip()), default=0)
    return Excerpt(path, first + 1, "\n".join(line[margin:] for line in part))


# ---- faults


@dataclasses.dataclass(frozen=True)
class Fault:
    name: str
    path: str
    what: str
    caught: str
    message: str
    code: str
    reported: list  # (thread, address)


PLACES = {"compile time": "does not compile", "launch": "is refused when it is launched",
          "model": "is found by the CPU model"}


def read_fault(folder: pathlib.Path, name: str) -> Fault:
    path = f"tests/faults/{name}.cpp"
    if not (folder / path).is_file():
        raise Problem(f"there is no case '{name}' in tests/faults")
    lines = read(folder, path).rstrip("\n").split("\n")
    tags, at = {}, 0
    while at < len(lines) and lines[at].startswith("//"):
        found = re.match(r"// ([a-z-]+): (.*)", lines[at])
        if found:
            tags[found[1]] = found[2]
        at += 1
    code = "\n".join(line for line in lines[at:] if not line.startswith("#include")).strip("\n")
    missing = [tag for tag in ("fault", "caught", "expect") if tag not in tags]
    if missing or tags["caught"] not in PLACES:
        raise Problem(f"{path}: its first lines do not say {', '.join(missing) or 'where it is caught'}")
    threads = [t.strip() for t in tags.get("reported", "").split(",") if t.strip()]
    known = dict(re.findall(r"^set\(repository_(\S+) (\S+)\)", read(folder, "tests/faults/table.cmake"), re.M))
    reported = []
    for thread in threads:
        project, _, number = thread.partition("#")
        if project not in known:
            raise Problem(f"{path}: '{thread}' is no thread of a known repository")
        reported.append((thread, f"https://github.com/{known[project]}/issues/{number}"))
    return Fault(name, path, tags["fault"], tags["caught"], tags["expect"], code, reported)
