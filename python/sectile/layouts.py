"""The layout algebra: layouts.Layout("((8,4),(8,2)):((8,64),(1,256))"), layouts.composition(a, b), ...

Every function of the notation is one here (functions() lists them); arguments are layouts, texts and numbers."""

from .tool import ask, drawn


def evaluate(expression):
    """The value of an expression, as text."""
    return ask("evaluate", str(expression)).strip()


def functions():
    """What the notation has, as a text."""
    return ask("evaluate", "--functions")


class Layout:
    """A layout, which prints as the notation has it and which a notebook draws."""

    def __init__(self, text):
        self.text = evaluate(text)

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"Layout('{self.text}')"

    def __eq__(self, other):
        return isinstance(other, Layout) and self.text == other.text

    def __hash__(self):
        return hash(self.text)

    def __call__(self, *coordinate):
        return _value(f"({self.text})({','.join(map(str, coordinate))})")

    def __matmul__(self, other):
        """composition(self, other)"""
        return _value(f"composition({self.text}, {other})")

    def table(self):
        """Its offsets, and what is known of it."""
        return ask("layout", self.text)

    def picture(self):
        return drawn("layout", self.text, "--svg")

    def _repr_svg_(self):
        return self.picture().svg


def _value(expression):
    """A number, a layout, or the text of anything else."""
    text = evaluate(expression)
    if text.lstrip("-").isdigit():
        return int(text)
    if text in ("true", "false"):
        return text == "true"
    return Layout(text) if ":" in text else text


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)

    def function(*arguments):
        return _value(f"{name}({', '.join(map(str, arguments))})")

    function.__name__ = name
    return function
