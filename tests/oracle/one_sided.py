"""Whether the oracle counts and lists what only one side can express: a tally is given answers of every sort, and its report
is read.

    python3 tests/oracle/one_sided.py"""

import contextlib
import io
import sys

import laws
import oracle
from expressions import Expression
from notation import parse


def composition(a, b):
    return Expression(f"{a} o {b}", "composition", laws.composition, (parse(a), parse(b)), laws.composition_exists)


def upcast(a, n):
    return Expression(f"upcast({a}, {n})", "upcast", laws.upcast, (parse(a), n), laws.upcast_exists)


ANSWERS = (
    (composition("(2,2):(2,1)", "2:1"), "2:2"),
    (composition("(2,3):(1,7)", "3:1"), "no: composition (2,3):(1,7) o 3:1 does not divide 3"),  # it does not exist
    (composition("(3,3,2):(1,2,7)", "3:8"), "no: (3,3,2):(1,2,7) o 3:8 carries"),  # 3:6
    (composition("Sw<1,0,2> o 0 o 16:1", "2:4"), "no: Sw<1,0,2> o 0 o 16:1 carries"),  # 2:5
    (composition("(2,2):(2,1)", "Sw<1,0,1> o 0 o 8:1"), "no: 8 offsets, 4 indices"),  # it does not exist
    (upcast("3:2", 3), "no: upcast of 3:2 by 3: stride 2 is neither a multiple nor a divisor of 3"),
)
EXPECTED = (
    "6 expressions, 5 refused: 2 do not exist, 2 do, of 1 the definitions do not say; 0 broke a law",
    "sectile refuses what exists, 1 times: composition: ...no: # o # carries",
    "    (3,3,2):(1,2,7) o 3:8\n      (3,3,2):(1,2,7) o 3:8 carries",
    "sectile refuses what exists, 1 times: composition: ...no: # o # o # carries",
    "sectile refuses, the definitions do not say, 1 times: upcast: ...no: upcast of # by # stride # is neither a multiple nor "
    "a divisor of #",
    "    upcast(3:2, 3)\n",
)


def main():
    tally, said = oracle.Tally(), io.StringIO()
    for expression, answer in ANSWERS:
        tally.take(expression, answer, [])
    with contextlib.redirect_stdout(said):
        share = oracle.report(tally, True)
    missing = [line for line in EXPECTED if line not in said.getvalue()]
    for line in missing:
        print(f"the report lacks: {line}")
    if missing:
        print(said.getvalue())
    return 1 if missing or share != 2 / 6 else 0


if __name__ == "__main__":
    sys.exit(main())
