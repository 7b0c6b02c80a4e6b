"""What a random program is: its operands, its configuration and the statements of its body."""
from dataclasses import dataclass, field
from typing import Optional

BITS = {"f16": 16, "bf16": 16, "tf32": 32, "e4m3": 8, "e5m2": 8, "s8": 8, "u8": 8, "b1x8": 1, "float": 32, "s32": 32}
FLOATS = ("f16", "bf16", "tf32", "e4m3", "e5m2")
FP8 = ("e4m3", "e5m2")
BYTES = ("s8", "u8")
SPANS = {"none": 16, "b32": 32, "b64": 64, "b128": 128}


@dataclass
class operand:
    name: str
    modes: list  # one letter each, and perhaps a prime
    type: str
    tile: list
    order: str = "row_major"
    swizzle: Optional[str] = None
    sparse: bool = False
    kind: str = "input"

    def rows(self):
        return self.tile[-2]

    def cols(self):
        return self.tile[-1]

    def stored_cols(self):
        return self.cols() // 2 if self.sparse else self.cols()

    def contiguous(self):
        return self.stored_cols() if self.order == "row_major" else self.rows()

    def strided(self):
        return self.rows() if self.order == "row_major" else self.stored_cols()

    def row_bytes(self):
        return self.contiguous() * BITS[self.type] // 8

    def span(self):
        """The swizzle's span: the one asked for, or the widest that divides the contiguous extent."""
        if self.swizzle:
            return SPANS[self.swizzle]
        return next((s for s in (128, 64, 32) if self.row_bytes() % s == 0), 16)

    def bytes(self):
        return self.rows() * self.stored_cols() * BITS[self.type] // 8

    def metadata_bytes(self):
        """128 words for each 64 rows and each block of columns."""
        if not self.sparse:
            return 0
        return (self.rows() // 64) * (self.cols() // metadata_columns(self.type)) * 512


def metadata_columns(type_name):
    return 32 if BITS[type_name] == 32 else 64


@dataclass
class configuration:
    stages: int = 4
    rows: int = 1
    cols: int = 1
    consumers: int = 2
    persistent: bool = False
    dynamic: bool = False
    pingpong: bool = False
    stagger: int = 0
    group: int = 8
    reversed: bool = False
    tile: list = field(default_factory=list)  # of (mode, extent)


@dataclass
class statement:
    """kind: loop, load, read, product, new, cast, use, store, raw. Only the fields of the kind are set."""

    kind: str
    name: str = ""
    text: str = ""
    operand: int = -1
    coordinates: list = field(default_factory=list)  # of (text, names it depends on)
    trips: tuple = ("", frozenset(), 0)  # of a loop: text, names it depends on, at least
    body: list = field(default_factory=list)
    a: tuple = ()  # ("tile", load, transposed) or ("fragment", name)
    b: tuple = ()  # (load, transposed)
    form: str = "+="
    negate_a: bool = False
    negate_b: bool = False
    saturate: bool = False
    type: str = ""
    source: str = ""
    transposed: bool = False
    uses: list = field(default_factory=list)


@dataclass
class program:
    operands: list
    how: configuration
    body: list
    fragments: dict = field(default_factory=dict)  # name -> (type, rows, cols)
    family: str = ""
    mistake: str = ""

    def output(self):
        return next(o for o in self.operands if o.kind == "output")


def walk(body, loops=()):
    """Every statement with the loops around it."""
    for s in body:
        yield s, loops
        if s.kind == "loop":
            yield from walk(s.body, loops + (s,))
