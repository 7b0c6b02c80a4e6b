"""Instructions that never run: those guarded by a predicate that was set to a constant just before.

No compiler writes such an instruction on purpose. ptxas 13.0 wrote one where the guard was to be a comparison's result:
the coordinate of a TMA store was never set, and tiles went nowhere (docs/design/hardware.md). A kernel with
one is wrong on a GPU alone, so machine_code.py looks for them in all that it compiles.
"""

import re

INSTRUCTION = re.compile(r"\s*/\*([0-9a-f]{4,})\*/\s+(?:@(!?)(U?P\d)\s+)?([A-Z][A-Z0-9_.]*)\s*([^;]*);")
TARGET = re.compile(r"0x([0-9a-f]+)\s*$")
JUMPS = ("BRA", "BSSY", "CALL", "JMP", "WARPSYNC")
DESTINATIONS = 2  # the first operands, among which are all predicates that an instruction writes


def of_constants(operands):
    """What PLOP3.LUT makes of three constants, or None: the bit of its table that they number."""
    bits = {"PT": 1, "!PT": 0}
    if len(operands) < 6 or any(word not in bits for word in operands[2:5]):
        return None
    number = sum(bits[word] << place for word, place in zip(operands[2:5], (2, 1, 0)))
    return int(operands[5], 16) >> number & 1


def never_run(code):
    """Those of one function, in the lines of `cuobjdump -sass`, as 'address: instruction'."""
    lines = [found.groups() for found in map(INSTRUCTION.match, code) if found]
    if any(name.startswith("BRX") for _, _, _, name, _ in lines):
        return []  # nobody says where they lead
    joins = {int(target[1], 16) for _, _, _, name, operands in lines
             if name.startswith(JUMPS) and (target := TARGET.search(operands))}
    known, found = {}, []
    for address, negated, guard, name, text in lines:
        if int(address, 16) in joins:
            known = {}
        if guard in known and known[guard] == (negated == "!"):
            found.append(f"{address}: {name}")
        operands = [word.strip() for word in text.split(",")]
        for written in operands[:DESTINATIONS]:
            known.pop(written, None)
        constant = of_constants(operands) if name == "PLOP3.LUT" and not guard else None
        if constant is not None:
            known[operands[0]] = constant
    return found
