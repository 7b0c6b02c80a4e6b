"""How numbers and lists are written. Nothing here computes one."""

import re
import unicodedata

WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def grouped(number) -> str:
    """229440 as 229,440."""
    return f"{number:,}"


def fixed(number, digits) -> str:
    """With so many digits behind the point."""
    return f"{number:,.{digits}f}"


def words(number) -> str:
    """Small numbers as words."""
    return WORDS[number] if isinstance(number, int) and 0 <= number < len(WORDS) else grouped(number)


def counted(number, thing, things=None) -> str:
    """1 stage, 4 stages."""
    if number == 1:
        return f"{grouped(number)} {thing}"
    return f"{grouped(number)} {things or thing + ('es' if thing[-1] in 'sx' else 's')}"


def extents(numbers, between=" x ") -> str:
    """128 x 64"""
    return between.join(grouped(n) if isinstance(n, (int, float)) else str(n) for n in numbers)


def listed(things, last="and") -> str:
    """a, b and c"""
    things = [str(thing) for thing in things]
    return things[0] if len(things) == 1 else ", ".join(things[:-1]) + f" {last} {things[-1]}" if things else ""


def sentence(text) -> str:
    """Ends with a full stop, and begins with a capital letter unless it begins with a name: f0, wgmma.fence, alpha:."""
    text = str(text).strip()
    if re.match(r"[a-z]+(?=[\s,;])", text):
        text = text[:1].upper() + text[1:]
    return text + ("" if not text or text.endswith((".", "!", "?", ":")) else ".")


def cell(text) -> str:
    """As the cell of a Markdown table."""
    return re.sub(r"(?<!\\)\|", r"\\|", str(text).replace("\n", " "))


def code(text) -> str:
    """As a code span, whatever is in it."""
    text = str(text)
    runs = [len(run) for run in re.findall("`+", text)]
    fence = "`" * next(n for n in range(1, len(runs) + 2) if n not in runs)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def plain(text) -> str:
    """Text that is no Markdown: what would be markup is escaped."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", str(text))


def slug(text) -> str:
    """The anchor of a heading, as repository viewers make it."""
    text = re.sub(r"<[^>]*>|[`*]", "", text).strip().lower()
    kept = [c for c in text if c in "-_ " or unicodedata.category(c)[0] in "LN"]
    return "".join(kept).replace(" ", "-")


def file_name(text) -> str:
    """A word for a file."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower()


FILTERS = {"grouped": grouped, "fixed": fixed, "words": words, "counted": counted, "extents": extents,
           "listed": listed, "sentence": sentence, "cell": cell, "code": code, "plain": plain, "slug": slug}
