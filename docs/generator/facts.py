"""The facts of a kernel as a template reads them: k.shared.bytes, and lists by name as well, k.operands.A.tile."""

import json

import jinja2

from .problem import Problem


class Fact:
    """An object of the facts. What it does not hold is an error that says what it does hold."""

    def __init__(self, values: dict, path: str):
        self._values = values
        self._path = path

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name):
        if name not in self._values:
            raise AttributeError(f"{self._path} has no fact '{name}'; it has {', '.join(map(str, self._values))}")
        return wrap(self._values[name], f"{self._path}.{name}")

    def __contains__(self, name):
        return name in self._values

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def get(self, name, otherwise=None):
        return self[name] if name in self._values else otherwise

    def items(self):
        return [(name, self[name]) for name in self._values]


class ToCome:
    """Stands, in a draft, for what cannot be said yet: whatever is asked of it is to come as well."""

    def __init__(self, why):
        self.why = why

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, key):
        return self

    def __iter__(self):
        return iter(())

    def __str__(self):
        return f"**(to come: {self.why})**"

    def __format__(self, form):
        return str(self)


class Facts(list):
    """A list of facts. Those with a name are found by it: operands.A, operands["A"]."""

    def __init__(self, values, path):
        super().__init__(wrap(value, f"{path}[{i}]") for i, value in enumerate(values))
        self._path = path

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, key):
        if not isinstance(key, str):
            return super().__getitem__(key)
        for entry in self:
            if isinstance(entry, Fact) and entry.get("name") == key:
                return entry
        names = [str(e["name"]) for e in self if isinstance(e, Fact) and "name" in e]
        raise AttributeError(f"{self._path} has no '{key}'; it has {', '.join(names) or 'no names'}")


def wrap(value, path):
    if isinstance(value, dict):
        return Fact(value, path)
    if isinstance(value, list):
        return Facts(value, path)
    return value


def read_facts(text: str, name: str) -> Fact:
    """The document that `sectile tutorial --facts` writes."""
    try:
        values = json.loads(text)
    except ValueError as error:
        raise Problem(f"{name}: the facts are not JSON ({error})") from None
    if not isinstance(values, dict) or "name" not in values:
        raise Problem(f"{name}: the facts hold no kernel's name")
    return Fact(values, values["name"])


class Missing(jinja2.StrictUndefined):
    """Says which fact is missing, and what there is instead."""

    __slots__ = ()

    @property
    def _undefined_message(self):
        if isinstance(self._undefined_obj, (Fact, Facts)):
            try:
                self._undefined_obj[self._undefined_name]
            except (AttributeError, IndexError) as error:
                return str(error)
        return super()._undefined_message
