"""What a call that is refused raises."""


class Error(ValueError):
    """One sentence: the operand, the rule, the numbers."""
