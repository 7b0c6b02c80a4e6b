"""What takes part in a race."""

import dataclasses
import typing


class Absent(Exception):
    """A contestant cannot take part; the sentence says why."""


@dataclasses.dataclass
class Candidate:
    """One way of a contestant to compute a problem: queue(i, stream) puts the product of the i-th set on a stream."""

    name: str
    queue: typing.Callable[[int, int], None]


class Contestant:
    """`key` stands in files, `title` with a version on pages. Constructors throw Absent."""

    key = ""
    title = ""

    def candidates(self, problem, sets):
        """Ways to compute the problem on these sets of operands; none where there is no kernel for its types."""
        raise NotImplementedError

    def close(self):
        """Gives back what candidates() took."""
