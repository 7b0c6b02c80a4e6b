"""What a header declares, with the comments that belong to it.

A declaration's comment is the block of `//` lines directly above it, or what stands behind it in its line. Declarations
that follow each other without an empty line share the first one's. What lies in a namespace `detail`, what is private,
and bodies are left out.
"""

import dataclasses
import re


@dataclasses.dataclass
class Declaration:
    kind: str  # "function", "type", "constant", "alias", "macro"
    name: str
    signature: str
    comment: str = ""  # above it
    beside: str = ""  # behind it, in its line
    shared: bool = False  # the comment is that of the declaration before
    line: int = 0
    members: list = dataclasses.field(default_factory=list)


class Scanner:
    """Reads the declarations of one file. The code looked at is this project's own and formatted by clang-format."""

    def __init__(self, text):
        self.text = text
        self.at = 0

    def line(self, at=None):
        return self.text.count("\n", 0, self.at if at is None else at) + 1

    def peek(self, pattern):
        return re.compile(pattern, re.S).match(self.text, self.at)

    def past_string(self, at):
        """The end of the string or character literal that begins at `at`."""
        quote = self.text[at]
        at += 1
        while self.text[at] != quote:
            at += 2 if self.text[at] == "\\" else 1
        return at + 1

    def past_group(self, at):
        """The end of the bracketed group that begins at `at`; comments and literals in it are stepped over."""
        depth = 0
        while True:
            c = self.text[at]
            if self.text.startswith("//", at):
                at = self.text.index("\n", at)
            elif c == '"' or (c == "'" and not self.text[at - 1].isalnum()):
                at = self.past_string(at)
                continue
            elif c in "({[":
                depth += 1
            elif c in ")}]":
                depth -= 1
                if depth == 0:
                    return at + 1
            at += 1

    def end_of_statement(self, at):
        """The semicolon of the statement that begins at `at`."""
        while self.text[at] != ";":
            at = self.past_group(at) if self.text[at] in "({[" else at + 1
        return at

    def declarations(self, end, parent=""):
        """Those from here to `end`, the closing brace of the scope."""
        found, comment, comment_line = [], "", 0
        public, last_line = True, 0
        while True:
            self.at = self.peek(r"\s*").end()
            if self.at >= end:
                return found
            if block := self.peek(r"(?:[ \t]*//[^\n]*\n)+"):
                comment = comment_text(block.group())
                self.at = block.end()
                comment_line = self.line()
                continue
            if access := self.peek(r"(public|private|protected):"):
                public = access.group(1) == "public"
                self.at = access.end()
                continue
            if directive := self.peek(r"#(?:[^\n]*\\\n)*[^\n]*\n"):
                self.at = directive.end()
                continue
            first_line = self.line()
            own = comment if comment_line == first_line else ""
            comment = ""
            if space := self.peek(r"namespace\s+([\w:]*)\s*\{"):
                close = self.past_group(space.end() - 1) - 1
                self.at = space.end()
                inner = self.declarations(close)
                if space.group(1) not in ("detail", ""):
                    found += inner
                self.at = close + 1
                continue
            one = self.declaration(parent)
            if one is None or not public:
                continue
            one.comment, one.line = own, first_line
            one.beside = self.remark()
            if not own and not one.beside and found and found[-1].comment and first_line == last_line + 1:
                one.comment, one.shared = found[-1].comment, True
            last_line = self.line(self.at - 1)
            found.append(one)

    def remark(self):
        """The comment behind a declaration, in its line and in lines below that begin in the same column."""
        beside = self.peek(r"[ \t]*(//[^\n]*)\n")
        if beside is None:
            return ""
        column = beside.start(1) - self.text.rfind("\n", 0, beside.start(1)) - 1
        below = re.compile(rf"(?: {{{column}}}//[^\n]*\n)*").match(self.text, beside.end())
        self.at = below.end()
        return comment_text(beside.group(1) + "\n" + below.group())

    def declaration(self, parent):
        """The one that begins here; None for what is no part of the reference. Leaves `at` behind it."""
        start, at = self.at, self.at
        if head := self.peek(TYPE_HEAD):
            found = self.type(start, head)
            if found is not False:
                return found
        parameters = None
        while True:
            c = self.text[at]
            if self.text.startswith("//", at):
                at = self.text.index("\n", at)
            elif c == '"':
                at = self.past_string(at)
            elif c in "([":
                close = self.past_group(at)
                before = self.text[start:at].rstrip()
                if c == "(" and parameters is None and is_function_head(before):
                    parameters = at
                    if re.search(r"\boperator$", before):  # operator()(...)
                        parameters = close
                        close = self.past_group(close)
                at = close
            elif c == ";":
                self.at = at + 1
                return self.plain(self.text[start:at], parameters is not None, parent)
            elif c == ":" and parameters is not None and self.text[at + 1] != ":" and self.text[at - 1] != ":":
                at = self.past_initializers(at + 1)
            elif c == "{":
                before = self.text[start:at].rstrip()
                close = self.past_group(at)
                if parameters is None or self.asks(start, at):
                    at = close  # an initial value, or what a requires-expression asks for
                    continue
                self.at = close
                if following := self.peek(r"\s*;"):
                    self.at = following.end()
                signature = self.text[start:at]
                if is_constructor(before):
                    signature = re.split(r"(?<!:):(?!:)", signature)[0]
                return self.plain(signature, True, parent)
            else:
                at += 1

    def asks(self, start, at):
        """Whether the { at `at` opens a requires-expression."""
        last = max((m.end() for m in re.compile(r"\brequires\s*").finditer(self.text, start, at)), default=None)
        if last is None:
            return False
        if self.text[last] == "(":
            last = self.past_group(last)
        return self.text[last:at].strip() == ""

    def past_initializers(self, at):
        """Behind the members that a constructor initialises."""
        while True:
            at = re.compile(r"\s*[\w:<>,\s.]*", re.S).match(self.text, at).end()
            at = self.past_group(at)
            following = re.compile(r"\s*,", re.S).match(self.text, at)
            if following is None:
                return at
            at = following.end()

    def type(self, start, head):
        """A struct or enum with its members, or a concept; False where a function only begins like one."""
        if head.group(2) == "concept":
            end = self.end_of_statement(start)
            self.at = end + 1
            text = self.text[start:end]
            return Declaration("type", re.search(r"concept\s+(\w+)", text).group(1), tidy(text))
        open_brace = re.compile(r"(?:\{\}>|alignas\([^)]*\)|[^;{(=])*", re.S).match(self.text, head.end()).end()
        if self.text[open_brace] == ";":  # declared before
            self.at = open_brace + 1
            return None
        if self.text[open_brace] != "{":
            return False
        signature = tidy(self.text[start:open_brace])
        named = re.sub(r"\balignas\([^)]*\)", "", self.text[head.end() : open_brace])
        name = re.match(r"(?:class\s+)?([\w:]+)", tidy(named)).group(1)
        close = self.past_group(open_brace) - 1
        members = []
        body = self.text[open_brace + 1 : close]
        if head.group(2).startswith("enum"):
            members = enumerators(body)
        else:
            self.at = open_brace + 1
            members = self.declarations(close, parent=name)
        self.at = self.text.index(";", close) + 1
        return Declaration("type", name, signature, members=members)

    def plain(self, text, is_function, parent):
        """A function, constant or alias of that text."""
        if re.match(r"\s*(static_assert|friend class|SECTILE_\w+\()", text) or re.search(r"=\s*delete\s*$", text):
            return None
        if re.search(r"operator==.*=\s*default\s*$", text, re.S):
            return None
        signature = tidy(re.sub(r"=\s*default\s*$", "", text))
        if alias := re.match(r"(?:template\s*<.*?>\s*)?using\s+(\w+)\s*=", signature):
            return Declaration("alias", alias.group(1), signature)
        if re.match(r"using\s", signature):
            return None
        if is_function:
            return Declaration("function", function_name(signature), signature)
        bare = re.sub(r"^template\s*<.*?>\s(?=inline|constexpr|static|struct|\w+\s)", "", signature)
        pointer = re.search(r"\(\*\s*(\w+)\)", bare)
        name = pointer or re.search(r"(\w+)\s*(?:<[^={]*>)?\s*(?:\[[^]]*\]\s*)*(?:=|\{|$)", bare)
        kind = "member" if parent and not re.match(r"(static|inline)\b", signature) else "constant"
        return Declaration(kind, name.group(1) if name else signature, signature)


def comment_text(block):
    """A block of // lines without the slashes."""
    lines = [re.sub(r"^[ \t]*//[/<]?<? ?", "", line) for line in block.rstrip("\n").split("\n")]
    return "\n".join(lines).strip()


def tidy(text):
    """A declaration in one paragraph of code: no comments, one space at a time."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"\s+", " ", text).strip()
    return text


# How a type begins; its keyword is the second group.
TYPE_HEAD = (r"(template\s*<[^{};()]*>\s*(?:requires[^{};]*?\s)?)?"
             r"(struct|class|union|enum class|enum|concept)\s")

# What may stand before a ( and is no function's name.
NOT_NAMES = ("requires", "explicit", "decltype", "alignas", "noexcept", "template", "void", "bool", "int", "auto")


def is_function_head(before):
    """Whether a ( behind this text opens the parameters of a function."""
    if re.search(r"\boperator\s*(\(\)|[^\w\s(]{1,3}|\w[\w\s:&<>,]*|\"\"\s*\w+)?$", before):
        return True
    if re.search(r"(?:^|[^=!<>])=(?!=)", re.sub(r"<[^<>]*(?:<[^<>]*>[^<>]*)*>", "", before.split("operator")[0])):
        return False  # the value of a constant
    last = re.search(r"([~\w]+)$", before)
    return last is not None and last.group(1) not in NOT_NAMES


def is_constructor(before):
    return re.search(r"\)\s*(noexcept(\([^)]*\))?\s*)?:(?!:)", before) is not None


def function_name(signature):
    if found := re.search(r"\b(operator\s*(?:\(\)|\"\"\s*\w+|[^\w\s(]{1,3}|[\w:&<>]+(?:\s[\w:&<>]+)*))\s*\(", signature):
        return found.group(1)
    bare = re.sub(r"__launch_bounds__\s*\((?:[^()]|\([^()]*\))*\)", "", signature)
    bare = re.sub(r"requires\s*\(.*?\)\s*(?=constexpr|inline|auto)", "", bare)
    bare = re.sub(r"^template\s*<.*?>\s*(?=\w)", "", bare)
    found = re.search(r"([~\w]+)\s*\(", re.sub(r"requires\s*\([^()]*(?:\([^()]*\)[^()]*)*\)", "", bare))
    return found.group(1) if found else signature


def enumerators(body):
    """The names of an enum, each with what stands beside or above it."""
    found = []
    for line in body.split("\n"):
        code, _, remark = line.partition("//")
        for item in re.findall(r"(\w+)(?:\s*=[^,]*)?\s*(?:,|$)", code.strip()):
            found.append(Declaration("enumerator", item, item, beside=comment_text("//" + remark) if remark else ""))
    return found


def read_header(path):
    """The introduction of a header, and its declarations."""
    text = path.read_text(encoding="utf-8")
    introduction = ""
    if block := re.match(r"(?:#pragma once\n)?\s*((?://[^\n]*\n)+)", text):
        introduction = comment_text(block.group(1))
    scanner = Scanner(text)
    if block:
        scanner.at = block.end()
    return introduction, scanner.declarations(len(text))
