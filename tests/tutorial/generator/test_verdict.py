"""The end of a kernel's page, of facts that are made up here: what is said of machine code that is known, that spills,
or that nobody has looked at."""

import jinja2
import kit
from kit import unittest

from generator import directives, facts, shell

ROOM = {"ctas": 1, "by_shared": 3, "by_registers": 1, "by_threads": 8, "limits": "registers", "threads": 256,
        "shared_bytes": 70000, "warps": 8, "most_warps": 64}
REGISTERS = {"consumer": 240, "producer": 24, "moved": True, "fragments": 192, "overhead": 28}
MADE = {"registers": 168, "producer": 24, "consumer": 240, "spill_stores": 0, "spill_loads": 0, "stack": 0, "wgmma": 4,
        "local_between": 0, "added": 0, "serialised": [], "instructions": 1344, "software": "release 13.0"}


def verdict(**changed):
    """The Markdown of a kernel's verdict."""
    values = {"name": "toy", "bound": None, "occupancy": ROOM, "registers": REGISTERS, "products": [], "banks": [],
              "configuration": {"persistent": False}, **changed}
    made = directives.environment(jinja2.FileSystemLoader(shell.TEMPLATES))
    made.globals.update(rung=lambda: "")
    return directives.tidied(made.get_template("kernel/verdict.md.j2").render(k=facts.wrap(values, "toy")))


class Verdict(unittest.TestCase):
    def of(self, **changed):
        return verdict(compiled={**MADE, **changed})

    def test_nothing_spills(self):
        said = self.of()
        self.assertIn("| machine code | ptxas gives a thread 168 registers, until `setmaxnreg` leaves 24 to a producer's "
                      "and gives 240 to a consumer's; nothing spills. 1,344 instructions, 4 of them wgmma (release 13.0) |",
                      said)
        self.assertIn("2. Its registers suffice: ptxas spilled none. An SM runs 1 CTA of it at a time", said)
        self.assertNotIn("narrower tile", said)

    def test_spills(self):
        said = self.of(spill_stores=48, spill_loads=52, stack=48)
        self.assertIn("; it spills 48 bytes and reads 52 bytes back, all of it outside of what lies between the first "
                      "wgmma and the last. 1,344 instructions", said)
        self.assertIn("2. Registers do not suffice: 100 bytes go through local memory. An SM runs", said)
        self.assertIn("3. What to try: a narrower tile takes fewer registers.", said)
        self.assertNotIn("outside of", self.of(spill_stores=48, spill_loads=52, stack=48, local_between=3))
        self.assertNotIn("outside of", self.of(spill_stores=48, spill_loads=52, stack=48, wgmma=0))

    def test_local_memory_that_holds_no_spills(self):
        self.assertIn("; nothing spills, but 16 bytes of a thread lie in local memory. ", self.of(stack=16))

    def test_what_ptxas_does_to_wgmma(self):
        self.assertIn("4 of them wgmma, each of which ptxas makes wait for the one before (C7510 and C7514) (",
                      self.of(serialised=["C7510", "C7514"]))
        self.assertIn("4 of them wgmma; ptxas adds 1 fence or wait for them (", self.of(added=1))
        self.assertIn("1,344 instructions (release", self.of(wgmma=0))

    def test_what_nobody_has_compiled(self):
        said = verdict(compiled=None)
        self.assertIn("| machine code | nobody has written down what ptxas makes of this kernel: `python3 "
                      "bench/machine_code.py --json docs/measured/machine_code.json` does |", said)
        self.assertNotIn("spilled none", said)
        self.assertIn("| machine code | whether the compiler spills registers, the plan does not know: `-Xptxas -v` says "
                      "it |", verdict())  # a user's kernel

    def test_registers_of_a_kernel_whose_roles_have_as_many(self):
        """A plan has the most that its launch allows; the compiler may take fewer, and then there is room for more."""
        few = {**REGISTERS, "consumer": 248, "producer": 248, "moved": False}
        said = verdict(registers=few)
        self.assertIn("| CTAs per SM | at least 1, because of registers", said)
        self.assertIn("2. An SM runs at least 1 CTA of it", said)
        self.assertIn("| registers | at most 248 a consumer thread |", said)
        said = verdict(registers=few, compiled={**MADE, "registers": 59})
        self.assertIn("| machine code | ptxas gives a thread 59 registers; nothing spills", said)
        self.assertIn("| CTAs per SM | 1, because of registers", said)
        self.assertIn("| CTAs per SM | 1, because of registers", verdict())

    def test_a_kernel_without_a_plan(self):
        unknown = {**ROOM, "ctas": 3, "by_registers": None, "limits": "shared memory"}
        said = verdict(registers=None, occupancy=unknown, configuration=None, planned=False, compiled=None)
        self.assertIn("| CTAs per SM | at most 3, because of shared memory", said)
        known = {**MADE, "registers": 154, "producer": None, "consumer": None}
        said = verdict(registers=None, configuration=None, planned=False, compiled=known)
        self.assertIn("| machine code | ptxas gives a thread 154 registers; nothing spills.", said)
        self.assertIn("An SM runs 1 CTA of it at a time, and registers set that limit.", said)


if __name__ == "__main__":
    unittest.main()
