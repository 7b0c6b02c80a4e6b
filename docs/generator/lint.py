"""No number is typed by hand: prose of the sources and templates holds no digits but in names, and those of the hardware
(hardware.json). A number in words is one as well, but for small counts. And no paragraph is longer than somebody reads."""

import functools
import json
import pathlib
import re

NAMES = r"""
    bf16 | f16 | f32 | f64 | tf32 | fp8 | fp16 | fp32 | fp64 | e4m3 | e5m2 | s8 | u8 | s32 | b1(x8)?
    | int8 | float(32|64) | bfloat16 | float16 | (u?int)(8|16|32|64)(_t)?
    | (4|8|16|32|64)-bit | [AHBV]100 | [HB]200 | GH200 | A10 | T4 | sm_\d+a? | compute_\d+a? | L[12]
    | C\+\+\d\d | C\d\d | Python\ 3 | CUDA\ C\+\+ | IEEE\ 754 | UTF-8 | x86(_64|-64)? | F?P16
    | [1-5]D | [12]:[24] | m\d+n\d+k\d+ | [aM]\d(?=\b) | b(32|64|128) | W3C
    | (cutlass|triton|tilelang|DeepGEMM|ThunderKittens|vllm|sglang)\#\d+
    | FlashAttention-[234] | FA[234] | CUTLASS\ [234] | CuTe
    | (PTX\ ISA|CUDA)(,?\ (version|section)s?)?\ \d+(\.\d+)* | arXiv:\d+\.\d+
"""
NAME = re.compile(rf"(?<![\w.])(?:{NAMES})(?![\w])", re.X)
CITATION = re.compile(r"^\s*(?:[-*]|\d+\.)\s.*\b(?:19|20)\d\d\b")  # in a list of references
REFERENCES = re.compile(r"^#+ .*\b(references|reading|sources)\b", re.I)


UNITS = r"(bytes?|bits?|banks?|KB|SMs)"
TEENS = r"(?:eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)"
# Large numbers, and small ones that count what the hardware has.
SPELLED = re.compile(rf"(?<![\w-])(?:{TEENS}(?:-\w+)?|(?:\w+ )?(?:hundred|thousand)(?= and\b| \w+ and\b)"
                     rf"|(?:four|five|six|seven|eight|nine|ten)(?=[ -]\*?{UNITS}\b))(?![\w-])", re.I)


@functools.cache
def constants():
    """Finds what hardware.json says, as it is said; * and ` of Markdown may stand between."""
    text = (pathlib.Path(__file__).parent / "hardware.json").read_text(encoding="utf-8")
    said = sorted({phrase for constant in json.loads(text)["constants"] for phrase in constant["said"]}, key=len)
    phrases = "|".join(re.escape(phrase).replace(r"\ ", r"[\s-][*`]{0,2}") for phrase in reversed(said))
    return re.compile(rf"(?<![\w.,:%+-])(?:{phrases})(?![\w%])")


def blank(match) -> str:
    """The lines stay, so that their numbers do."""
    return re.sub(r"[^\n]", " ", match[0])


def prose(source: str) -> str:
    """What a reader reads as text: no directives, no code, no addresses, no tags."""
    source = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", blank, source, flags=re.S)
    source = re.sub(r"^(\s*)(`{3,}|~{3,}).*?^\s*\2\s*$", blank, source, flags=re.S | re.M)
    source = re.sub(r"<!--.*?-->", blank, source, flags=re.S)
    source = re.sub(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", span, source, flags=re.S)
    source = re.sub(r"</?[A-Za-z][^<>]*>", blank, source)
    source = re.sub(r"\]\([^)\s]*", blank, source)
    source = re.sub(r"\bhttps?://\S+", blank, source)
    return source


def span(match) -> str:
    """A code span is code, unless it is a bare number."""
    number = r"\s*-?\d[\d.,]*(\s*[x+*/%-]\s*\d[\d.,]*)*\s*%?\s*|0x[0-9a-fA-F]+"
    return match[0] if re.fullmatch(number, match[2]) else blank(match)


def digits_in(source: str) -> list:
    """(line, what stands there) of every number that was typed."""
    found, in_references = [], False
    text = constants().sub(blank, prose(source))
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("#"):
            in_references = bool(REFERENCES.match(line))
        if in_references and CITATION.match(line):
            continue
        line = re.sub(r"^(\s*(?:>\s*)?)\d+[.)](?=\s)", r"\1", line)
        line = NAME.sub("", line)
        for match in re.finditer(r"[\w.,:%+-]*\d[\w.,:%+-]*", line):
            found.append((number, match[0].strip(".,:")))
    return found


def spelled(source: str) -> list:
    """(line, what stands there) of numbers in words that should be digits. A sentence, or an emphasis, may begin so."""
    found = []
    for number, line in enumerate(prose(source).split("\n"), 1):
        for match in SPELLED.finditer(line):
            if not match[0][0].isupper():
                found.append((number, match[0]))
    return found


def typed_results(source: str) -> list:
    """(line, info) of fenced blocks of typed output: `text` with numbers, and no block before it that checks them."""
    found, before = [], ""
    source = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{ .*?\}\}", blank, source, flags=re.S)
    for fence in re.finditer(r"^[ ]*(`{3,})[ ]*([^\n]*)\n(.*?)^[ ]*\1[ ]*$", source, re.S | re.M):
        info, inside = fence[2].strip(), fence[3]
        checked = info == "text output" and "run" in before or info == "text" and "refused" in before
        if info.split()[:1] in ([], ["text"]) and not checked and re.search(r"\d", NAME.sub("", inside)):
            found.append((source.count("\n", 0, fence.start()) + 1, info or "no language"))
        before = info
    return found


def compared(source: str) -> list:
    """(line, what) of numbers that a directive compares with: whoever knows them should be asked. Two and less is how
    one tells one thing from several."""
    found = []
    for directive in re.finditer(r"\{\{.*?\}\}|\{%.*?%\}", source, re.S):
        outside = re.sub(r"\"[^\"]*\"|'[^']*'", blank, directive[0])
        for match in re.finditer(r"(?:[=!<>]=|[<>])\s*(\d+)", outside):
            if int(match[1]) > 2:
                found.append((source.count("\n", 0, directive.start() + match.start()) + 1, match[0]))
    return found


RUNG = re.compile(r"docs/source/course/\d\d-[^/]+\.md\.j2")
ENDING = re.compile(r"^## In three lines\n\n((?:- \*\*[^\n]+\n){3})\n", re.M)


def unfinished(name: str, source: str) -> list:
    """(line, why) of a rung that does not end in three lines: what it added, what bounds the kernel, what comes next."""
    if not RUNG.fullmatch(str(name)):
        return []
    ending = ENDING.search(source)
    says = re.findall(r"^- \*\*(.+?):\*\*", ending[1], re.M) if ending else []
    wanted = ["What this page added", "What bounds the kernel now", "What comes next"]
    return [] if says == wanted else [(source.count("\n"), "a rung ends with '## In three lines' and three entries: "
                                       + ", ".join(f"'{entry}'" for entry in wanted))]


def unlinked(source: str) -> list:
    """(line, why) of sources that a page names under "Read on" without a way there."""
    at = source.find("\n## Read on\n")
    lines = source[at + 1:].split("\n") if at >= 0 else []
    first = source.count("\n", 0, at + 1) + 1
    return [(first + n, "a source without a link") for n, line in enumerate(lines)
            if line.startswith("- ") and "](" not in line and "{{" not in line]


LONGEST = 900  # characters of a paragraph or an item of a list, as they are read
ITEM = re.compile(r"(?:[-*+]|\d+[.)])\s")


def paragraphs(source: str):
    """(line, text) of every paragraph and every item of a list, without code, directives and addresses. Tables and
    titles are none."""
    source = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<!--.*?-->", lambda match: blank(match).replace(" ", ""), source,
                    flags=re.S)
    source = re.sub(r"^(\s*)(`{3,}|~{3,}).*?^\s*\2\s*$", blank, source, flags=re.S | re.M)
    source = re.sub(r"\]\([^)\s]*\)", "]", source)
    first, text = 0, []
    for number, line in enumerate([*source.split("\n"), ""], 1):
        line = re.sub(r"^\s*(?:>\s*)*", "", line).rstrip()
        aside = not line or line.startswith(("|", "#"))
        if text and (aside or ITEM.match(line)):
            yield first, " ".join(text)
            text = []
        if not aside:
            first = first if text else number
            text.append(line)


def endless(source: str) -> list:
    """(line, how long) of paragraphs that nobody reads to their end."""
    return [(number, len(text)) for number, text in paragraphs(source) if len(text) > LONGEST]


def too_long(folder: pathlib.Path, file: pathlib.Path) -> list:
    return [f"{file.relative_to(folder).as_posix()}:{n}: a paragraph of {length} characters, {LONGEST} are the most; split "
            "it where another thought begins, or make it a list or a table"
            for n, length in endless(file.read_text(encoding="utf-8"))]


def complaints(folder: pathlib.Path, file: pathlib.Path) -> list:
    source = file.read_text(encoding="utf-8")
    name = file.relative_to(folder).as_posix() if file.is_relative_to(folder) else file
    lines = [(n, f"'{what}' is a number typed by hand; ask for it with a directive, or add what it is of the hardware to "
              "docs/generator/hardware.json, with its source") for n, what in digits_in(source)]
    lines += [(n, f"'{what}' is a number in words; write digits") for n, what in spelled(source)]
    lines += [(n, f"a fenced block of output ({info}) that nothing checks; use evaluated(), console(), or `cpp run` "
               "with `text output`") for n, info in typed_results(source)]
    lines += [(n, f"'{what}' compares with a number that only the kernel knows; ask for a fact that says it")
              for n, what in compared(source)]
    lines += unfinished(name, source) + unlinked(source)
    return [f"{name}:{n}: {why}" for n, why in sorted(lines)]


def files(folder: pathlib.Path) -> list:
    return sorted([*(folder / "docs/source").rglob("*.j2"), *(folder / "docs/generator/templates").rglob("*.md.j2")])


def in_words(folder: pathlib.Path, file: pathlib.Path) -> list:
    """Documents that are written by hand may hold any number, but in digits too."""
    return [f"{file.relative_to(folder).as_posix()}:{n}: '{what}' is a number in words; write digits"
            for n, what in spelled(file.read_text(encoding="utf-8"))]


def is_generated(file: pathlib.Path) -> bool:
    return file.read_text(encoding="utf-8").startswith("<!-- Generated from ")


def documents(folder: pathlib.Path) -> list:
    """Those that people write and read as they are, and the design's chapters."""
    found = [folder / "README.md", folder / "CONTRIBUTING.md", *(folder / "docs").glob("*.md"),
             *(folder / "docs/design").glob("*.md")]
    return sorted(file for file in found if file.exists())


def check(folder: pathlib.Path) -> list:
    """Every complaint about the sources, the templates and the documents."""
    read, sources = documents(folder), files(folder)
    # Of a template's branches a page has one, so how long its paragraphs are is seen there.
    written = [file for file in [*read, *sources] if not (is_generated(file) or "templates" in file.parts)]
    return ([why for file in sources for why in complaints(folder, file)]
            + [why for file in read for why in in_words(folder, file)]
            + [why for file in written for why in too_long(folder, file)])
