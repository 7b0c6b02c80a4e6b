"""Measured figures: docs/measured/NAME.json, as the benchmarks write them on a device."""

import json
import pathlib

from . import text
from .problem import Problem


def read(folder: pathlib.Path, name: str) -> dict:
    """The file. Throws where it is not there, or is not what the benchmarks write."""
    path = f"docs/measured/{name}.json"
    try:
        values = json.loads((folder / path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        known = sorted(p.stem for p in (folder / "docs/measured").glob("*.json"))
        raise Problem(f"there is no {path}; there are {', '.join(known) or 'no measurements yet'}") from None
    except (OSError, ValueError) as error:
        raise Problem(f"{path} cannot be read: {error}") from None
    missing = [key for key in ("title", "device", "date", "command", "columns", "rows") if key not in values]
    if missing:
        raise Problem(f"{path} has no {', '.join(missing)}")
    return values


def column_of(values: dict, name: str, key: str) -> dict:
    for column in values["columns"]:
        if column["key"] == key:
            return column
    raise Problem(f"docs/measured/{name}.json has no column '{key}'; it has "
                  f"{', '.join(c['key'] for c in values['columns'])}")


def row_of(values: dict, name: str, row: str) -> dict:
    for entry in values["rows"]:
        if entry["name"] == row:
            return entry
    raise Problem(f"docs/measured/{name}.json has no row '{row}'; it has "
                  f"{', '.join(r['name'] for r in values['rows'])}")


def shown(value, column: dict, every=False) -> str:
    """A number with the column's digits; repeats as the smallest and the largest, or every one of them."""
    digits = column.get("digits", 0)
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        if not value:
            return "-"
        numbers = [text.fixed(v, digits) for v in value]
        if every:
            return ", ".join(numbers)
        low, high = text.fixed(min(value), digits), text.fixed(max(value), digits)
        return low if low == high else f"{low} to {high}"
    return text.fixed(value, digits)


def figure(folder, name, row, key, every=False) -> str:
    values = read(folder, name)
    return shown(row_of(values, name, row).get(key), column_of(values, name, key), every)


def where(values: dict, name: str, conditions: dict) -> list:
    """The rows that hold these values. None is an error, as an unknown row is."""
    found = [row for row in values["rows"] if all(row.get(key) == value for key, value in conditions.items())]
    if not found:
        wanted = text.listed(f"{key} = {value}" for key, value in conditions.items())
        raise Problem(f"docs/measured/{name}.json has no row with {wanted}")
    return found


def table(folder, name, rows=None, columns=None, conditions=None) -> str:
    """A Markdown table, with the device, the date and the command beneath."""
    values = read(folder, name)
    chosen = [column_of(values, name, key) for key in columns] if columns else values["columns"]
    if conditions:
        entries = where(values, name, conditions)
    else:
        entries = [row_of(values, name, row) for row in rows] if rows else values["rows"]
    head = "| " + " | ".join(["", *(text.cell(c.get("title", c["key"])) for c in chosen)]) + " |"
    rule = "| --- |" + " ---: |" * len(chosen)
    lines = [head, rule]
    for entry in entries:
        cells = [text.cell(entry.get("title", entry["name"]))]
        cells += [text.cell(shown(entry.get(c["key"]), c)) for c in chosen]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + f"\n\n*{origin(values)}*"


def origin(values: dict) -> str:
    """Where and when this was measured."""
    on = ", ".join(filter(None, (values["device"], values.get("software"))))
    return f"Measured on {text.plain(on)}, {values['date']}: {text.code(values['command'])}"
