"""The one kind of error that a reader can mend."""


class Problem(Exception):
    """One sentence that names the thing, the rule and, if possible, what would be right."""
