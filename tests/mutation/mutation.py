"""Small mistakes in the library, one at a time, and who notices: `python3 tests/mutation/mutation.py --help`.

A mutant is one place of one header changed: a comparison, a sign, a number, a condition, a statement left out. The
witnesses (witnesses.cpp) are proven with it, a group after the other, and run on the model, which is built from the headers
as they are; a header that they do not read is left to its tests. What is noticed first counts: the compiler (a proof, or a
constant that cannot be computed), a launch, the model, with the kernels of tests/mutants as well; the tests of the algebra
(these before all others, if the header is of layouts/) or of the planner; the gallery of faults; and last the bits of the
results, which are compared with those of the library as it is. What only they notice, or nobody, is a survivor: it is
printed, unless equivalent.txt says of which class it is."""

import argparse
import collections
import concurrent.futures
import dataclasses
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FOLDERS = ("layouts", "dsl/plan", "dsl/roles")
# What draws, reads text or says something is not what a kernel is made of.
SPARED = re.compile(r"layouts/(expression|picture|text|message|notation|rule_text|descriptor_text|error|layouts)|_text\.hpp$|interfaces\.hpp$")
# One error is enough, and no kernel reads behind an array. (A compiler that frees no memory is a tenth faster.)
STRICT = ("-O0", "-fmax-errors=1", "-fsanitize=bounds", "-fsanitize-undefined-trap-on-error", "--param", "ggc-min-expand=10000",
          "--param", "ggc-min-heapsize=4000000")
# Tests of the planner that link against little, the quickest first; of the last one, which does not, the proofs count.
PLANNER_TESTS = ("ticket_counters", "waits", "plan_parts", "hangs_on", "shared_memory", "refused_plans", "split_sums", "stream",
                 "gemm_plan", "attention_plan", "turns", "work", "interfaces", "instruction_table", "sparse_compress",
                 "widening", "read_in_place", "own_tiles_mutants", "outputs_plan", "launch_memory", "checked",
                 "family")
# Of what nobody notices: no kernel can differ; it is another legal plan; it watches kernels, or words are about them.
KINDS = ("equivalent", "choice", "watcher")
GROUPS = range(5)  # of witnesses
CAUGHT_BY = ("compiler", "launch", "model", "tests", "faults", "hang", "bits", "nobody")

OPERATORS = (
    ("<", re.compile(r" < "), " <= "), ("<=", re.compile(r" <= "), " < "), (">", re.compile(r" > "), " >= "),
    (">=", re.compile(r" >= "), " > "), ("==", re.compile(r" == "), " != "), ("!=", re.compile(r" != "), " == "),
    ("&&", re.compile(r" && "), " || "), ("||", re.compile(r" \|\| "), " && "), ("+", re.compile(r" \+ "), " - "),
    ("-", re.compile(r"(?<=[\w)\]]) - "), " + "), ("*", re.compile(r" \* "), " + "), ("/", re.compile(r" / "), " * "),
    ("%", re.compile(r" % "), " / "), ("^", re.compile(r" \^ "), " | "), ("&", re.compile(r"(?<=[\w)\]]) & "), " | "),
    ("number", re.compile(r"(?<![\w.\"'])\d+(?![\w.\"'])"), None), ("true", re.compile(r"\btrue\b"), "false"),
    ("false", re.compile(r"\bfalse\b"), "true"), ("if", re.compile(r"\bif (constexpr )?\((?=.*\)( \{)?$)"), None),
    ("statement", re.compile(r"^ +(?:this->template )?[\w.>-]+(?:<[^;=]*>)?\([^=]*\);$"), None))


@dataclasses.dataclass(frozen=True)
class Mutant:
    """One place of a header: `text` in line `line` becomes `wrong`."""
    header: str
    line: int
    operator: str
    text: str
    wrong: str

    def name(self):
        return f"{self.header}:{self.line} [{self.operator}] {self.text.strip()}  ->  {self.wrong.strip()}"

    def key(self):
        return f"{self.header} [{self.operator}] {self.text.strip()} -> {self.wrong.strip()}"


def is_code(line):
    """Whether a mutant of this line is one of what the library does."""
    bare = line.strip()
    if not bare or bare.startswith(("//", "#", "template", "static_assert", "using ", "struct ", "enum ", "namespace", "case ", "requires")):
        return False
    return '"' not in line and "refuse" not in line and "operator" not in line


def mutants_of_line(header, number, line):
    """Every mutant of a line of code."""
    code, slashes, comment = line.partition("//")
    for name, pattern, instead in OPERATORS:
        for match in pattern.finditer(code.rstrip() if name in ("if", "statement") else code):
            if name == "number":
                new = str(int(match[0]) + 1)
            elif name == "if":
                condition = code.rstrip()
                end = condition.rindex(")")
                wrong = f"{condition[:match.end()]}!({condition[match.end():end]}){condition[end:]}"
                yield Mutant(header, number, name, line, wrong + slashes + comment)
                continue
            elif name == "statement":
                yield Mutant(header, number, name, line, ";")
                continue
            else:
                new = instead
            yield Mutant(header, number, name, line, code[:match.start()] + new + code[match.end():] + slashes + comment)


def all_mutants(root):
    """Those of all headers, in a fixed order."""
    for folder in FOLDERS:
        for path in sorted((root / folder).glob("*.hpp")):
            header = path.relative_to(root).as_posix()
            if SPARED.search(header):
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if is_code(line):
                    yield from mutants_of_line(header, number, line)


def sample(mutants, count, seed):
    """So many of them, from every folder and operator alike."""
    groups = collections.defaultdict(list)
    for mutant in mutants:
        groups[next(f for f in FOLDERS if mutant.header.startswith(f)), mutant.operator].append(mutant)
    chance = random.Random(seed)
    for group in groups.values():
        chance.shuffle(group)
    picked = []
    while len(picked) < count and any(groups.values()):
        for group in groups.values():
            if group and len(picked) < count:
                picked.append(group.pop())
    return picked


def known_survivors(path):
    """[(pattern, class, why)] of lines `PATTERN | WHY` below a line `[class]`. A pattern is a mutant's key, in which `...`
    stands for anything."""
    known, kind = [], ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if re.fullmatch(r"\[\w+\]", line):
            kind = line[1:-1]
        elif line and not line.startswith("#"):
            key, _, why = line.rpartition(" | ")
            known.append((re.compile(".*".join(re.escape(part) for part in key.split("..."))), kind, why))
    return known


def kind_of(known, mutant):
    """The class of a mutant that nobody noticed, or ""."""
    return next((kind for pattern, kind, _ in known if pattern.fullmatch(mutant.key())), "")


def faults_of(header, line=0):
    """[(case, the words of its message)] of the gallery's cases whose message is, for the most part, in this header; those
    whose words stand near this line come first."""
    code = re.sub(r"^#.*$|//.*$", "", (ROOT / header).read_text(encoding="utf-8"), flags=re.M)
    said = {words.group(1): code.count("\n", 0, words.start()) + 1
            for words in re.finditer(r'"((?:[^"\\\n]|\\.)*)"', code) if len(words[1]) >= 6}
    cases = []
    for case in sorted((ROOT / "tests/faults").glob("*.cpp")):
        text = case.read_text(encoding="utf-8")[:4096]
        expected = re.search(r"^// expect: +(.*\S)", text, re.M)
        if "// caught: compile time" in text and expected:
            found = {words: at for words, at in said.items() if words in expected[1] or expected[1] in words}
            if 2 * sum(map(len, found)) > len(expected[1]):
                cases.append((min(abs(at - line) for at in found.values()), case, expected[1]))
    return [(case, words) for _, case, words in sorted(cases)]


def mutated_kernels():
    """The kernels of tests/mutants, `a,b,...`: those which a build that changes nothing runs."""
    return re.search(r"^sectile_mutant\(nothing_in_any (\S+)", (ROOT / "tests/mutants/mutants.cmake").read_text(encoding="utf-8"), re.M)[1]


class Trial:
    """Compiles and runs the witnesses, with a mutant or without."""

    def __init__(self, options):
        self.options = options
        right = options.work / "right"
        shutil.rmtree(right, ignore_errors=True)
        right.mkdir(parents=True)
        self.right = {}
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for said in pool.map(lambda group: self.run(self.compile(right, group)[1]), GROUPS):
                self.right |= said
        bad = [line for line in self.right.values() if not line.startswith("bits ")]
        if bad:
            raise SystemExit(f"mutation.py: a witness is wrong as it is: {bad[0]}")
        self.included, self.refused, self.sound = {}, {}, {}
        self.one_at_a_time = threading.Lock()
        self.last_begin = time.monotonic() + options.minutes * 60
        self.main = self.build(right, "main.o", [str(ROOT / "tests/main.cpp")], compile_only=True)[1]

    @staticmethod
    def spoil(mutant, folder):
        """Writes the header as it is with the mutant, where it is found first."""
        shutil.rmtree(folder, ignore_errors=True)
        text = (ROOT / mutant.header).read_text(encoding="utf-8").splitlines()
        text[mutant.line - 1] = mutant.wrong
        wrong = folder / "sectile" / mutant.header
        wrong.parent.mkdir(parents=True)
        wrong.write_text("\n".join(text) + "\n", encoding="utf-8")

    def prove(self, folder, group):
        """What the compiler says of the witnesses of a group; "" if all is proven."""
        return self.build(folder, "proofs", [*self.witnesses(group), "-fsyntax-only"], compile_only=True)

    def compile(self, folder, group):
        """(what the compiler says of those witnesses, the program); they are proven already."""
        return self.build(folder, f"witnesses{group}", [*self.witnesses(group), "-DSECTILE_PROVEN"])

    @staticmethod
    def witnesses(group):
        return ["-DDOCTEST_CONFIG_DISABLE", f"-DWITNESS_GROUP={group}", str(HERE / "witnesses.cpp")]

    def build(self, folder, name, what, compile_only=False):
        """(what the compiler says, the program or object `name` of these sources), with what is in the folder in place of
        what is not. One error is enough."""
        program = folder / name
        linked = [str(self.options.build / path) for path in ("tool/libsectile_tool.a", "libsectile_model.a")] + self.options.link
        try:
            done = subprocess.run(
                [self.options.compiler, "-std=c++20", *STRICT, f"-I{folder}", f"-I{ROOT}/include", f"-I{ROOT}",
                 *what, *(["-c"] if compile_only else linked), "-o", str(program)],
                capture_output=True, text=True, check=False, timeout=self.options.seconds * 2)
        except subprocess.TimeoutExpired:
            return "error: constexpr evaluation does not end", None
        return done.stderr, program if done.returncode == 0 else None

    def reads(self, test, header):
        """Whether a test includes a header, through whatever else."""
        if test not in self.included:
            done = subprocess.run([self.options.compiler, "-std=c++20", "-MM", f"-I{ROOT}/include", f"-I{ROOT}", str(test)],
                                  capture_output=True, text=True, check=True)
            self.included[test] = done.stdout
        return f"/sectile/{header}" in self.included[test]

    def expect_right(self, name, fails, words):
        """The words that a test has of a mutant, unless the test says something of the library as it is."""
        with self.one_at_a_time:
            if name not in self.sound:
                self.sound[name] = fails(self.options.work / "right")
                if self.sound[name]:
                    print(f"mutation.py: {name} does not count, it fails without a mutant: {self.sound[name][:160]}", flush=True)
        return "" if self.sound[name] else words

    def upset_model(self, folder):
        """What the model says of the kernels of tests/mutants, which it has to judge without any proof."""
        source = ROOT / "tests/mutants/program.cpp"
        errors, program = self.build(folder, "program", ["-DSECTILE_PROVEN", f"-DKERNEL={mutated_kernels()}", str(source)])
        if program is None:
            return "it does not compile: " + errors[-200:]
        try:
            done = subprocess.run([str(program)], capture_output=True, text=True, check=False, timeout=self.options.seconds)
        except subprocess.TimeoutExpired:
            return "it does not end"
        return f"it ended with {done.returncode}: {done.stdout}" if done.returncode else ""

    def fail_tests(self, header, folder):
        """What the tests of the algebra or of the planner say; those named after the header, or that name it, come first,
        and random ones, which run longest, last."""
        if header.startswith("layouts/"):
            stem = pathlib.Path(header).stem
            tests = sorted((ROOT / "tests/layouts").glob("*_test.cpp"), key=lambda test: (
                not test.name.startswith(stem), header not in test.read_text(encoding="utf-8"), "_law_" in test.name, test.name))
        else:
            tests = [ROOT / f"tests/dsl/{name}_test.cpp" for name in PLANNER_TESTS]
        for test in tests:
            if not self.reads(test, header):
                continue
            if words := self.fail_test(test, folder):
                if words := self.expect_right(test.name, lambda right, test=test: self.fail_test(test, right), words):
                    return words
        return ""

    def fail_test(self, test, folder):
        """What one test says; "" if it passes."""
        errors, program = self.build(folder, test.stem, [str(test), str(self.main)])
        if program is None and "ld returned" in errors:  # it needs more than these libraries, and its proofs hold
            return ""
        if program is None:
            return f"{test.name}: " + next((line for line in errors.splitlines() if "error:" in line), errors[-200:])
        try:
            done = subprocess.run([str(program), "-aa=1"], capture_output=True, text=True, check=False, timeout=self.options.seconds)
        except subprocess.TimeoutExpired:
            return f"{test.name} does not end"
        finally:
            program.unlink()
        if done.returncode:
            return f"{test.name}: " + next((line for line in done.stdout.splitlines() if "ERROR" in line), "a test fails")
        return ""

    def accept_faults(self, mutant, folder):
        """Which case of the gallery of faults is not refused any more, of those that this header has the words for; a plan's
        header may gather what legality.hpp and traceable.hpp say."""
        cases = faults_of(mutant.header, mutant.line)
        if mutant.header.startswith("dsl/plan/"):
            for said in "dsl/plan/legality.hpp", "dsl/plan/traceable.hpp":
                cases += [case for case in faults_of(said) if case not in cases]
        for case, words in cases[:self.options.cases]:
            if case not in self.refused:
                self.refused[case] = self.refuses(case, words, [])
            if self.refused[case] and not self.refuses(case, words, [f"-I{folder}"]):
                return f"{case.name} is not refused with: {words}"
        return ""

    def refuses(self, case, words, first):
        """Whether the compiler's first error about this case has these words."""
        done = subprocess.run(
            [self.options.compiler, "-std=c++20", "-fsyntax-only", "-fmax-errors=1", *first, f"-I{ROOT}/include", f"-I{ROOT}", str(case)],
            capture_output=True, text=True, check=False, timeout=self.options.seconds, env={**os.environ, "LC_ALL": "C"})
        return words in done.stderr.replace("\\'", "'").replace('\\"', '"')

    def run(self, program):
        """{witness: what is said of it}; of one after which nothing came `ends`."""
        try:
            done = subprocess.run([str(program)], capture_output=True, text=True, check=False, timeout=self.options.seconds)
        except subprocess.TimeoutExpired:
            return {"": "hang"}
        said = dict(re.findall(r"^([^:\n]+): ((?:bits|model|launch).*)$", done.stdout, re.M))
        if done.returncode != 0:
            said[""] = f"model: the program ended with {done.returncode}"
        return said

    def judge(self, mutant, number):
        """(who notices, the first words of it); None, if it is no program or no time is left."""
        folder = self.options.work / f"mutant{number}"
        if time.monotonic() > self.last_begin:
            return None
        try:
            self.spoil(mutant, folder)
            of_algebra = mutant.header.startswith("layouts/")
            if of_algebra and (words := self.fail_tests(mutant.header, folder)):
                return "tests", words
            said = self.right
            if self.reads(HERE / "witnesses.cpp", mutant.header):
                said = {}
                for group in GROUPS:
                    errors, proven = self.prove(folder, group)
                    if proven is None:
                        return self.refusal(errors)
                for group in GROUPS:
                    errors, program = self.compile(folder, group)
                    if program is None:
                        return self.refusal(errors)
                    said |= self.run(program)
                    program.unlink()
                    for who in ("hang", "launch", "model"):
                        for witness, line in said.items():
                            if line.startswith(who):
                                return who, f"{witness}: {line}"
                if (words := self.upset_model(folder)) and self.expect_right("tests/mutants", self.upset_model, words):
                    return "model", words
            if not of_algebra and (words := self.fail_tests(mutant.header, folder)):
                return "tests", words
            if words := self.accept_faults(mutant, folder):
                return "faults", words
            differ = [name for name, line in self.right.items() if said.get(name) != line]
            return ("bits", differ[0]) if differ else ("nobody", "")
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    @staticmethod
    def refusal(errors):
        """What the compiler says, if that is no mistake of syntax or types, which makes no mutant."""
        first = next((line for line in errors.splitlines() if "error:" in line), errors[-200:])
        refused = re.search(r"refused_because|static assertion|constant expression|constexpr", errors)
        return ("compiler", first) if refused else None


def arguments(argv):
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("--count", type=int, default=200, help="so many mutants (200)")
    parse.add_argument("--seed", type=int, default=1, help="which ones (1)")
    parse.add_argument("--only", default="", metavar="REGEX", help="of those whose header, operator or text matches")
    parse.add_argument("--unexplained", action="store_true", help="none of those that equivalent.txt explains; they are counted as such")
    parse.add_argument("--after", type=int, default=0, help="none of the first so many, which are tried already (0)")
    parse.add_argument("--cases", type=int, default=1000, help="at most so many of the gallery's, the nearest ones (1000)")
    parse.add_argument("--list", action="store_true", help="print them, and try none")
    parse.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="a build of the library as it is (build)")
    parse.add_argument("--link", type=shlex.split, default=["-lboost_context", "-lpthread"], help="what else is linked")
    parse.add_argument("--compiler", default="g++")
    parse.add_argument("--jobs", type=int, default=2)
    parse.add_argument("--seconds", type=int, default=120, help="after which a program hangs (120)")
    parse.add_argument("--minutes", type=float, default=1e6, help="after which none is begun")
    parse.add_argument("--work", type=pathlib.Path, default=pathlib.Path("mutation"), help="folder for programs (mutation)")
    return parse.parse_args(argv)


def main(argv=None):
    options = arguments(argv)
    wanted = [m for m in all_mutants(ROOT) if re.search(options.only, m.name())]
    picked = sample(wanted, options.count, options.seed)
    if not picked:
        raise SystemExit(f"mutation.py: no mutant matches {options.only!r}")
    known = known_survivors(HERE / "equivalent.txt")
    counts, survivors = collections.Counter(), []
    if options.unexplained:
        kinds = [(mutant, kind_of(known, mutant)) for mutant in picked]
        counts.update(kind for _, kind in kinds if kind)
        picked = [mutant for mutant, kind in kinds if not kind]
    picked = picked[options.after:]
    if options.list:
        print("\n".join(mutant.name() for mutant in picked))
        return 0
    trial = Trial(options)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tried = {pool.submit(trial.judge, mutant, number): mutant for number, mutant in enumerate(picked)}
        for trying in concurrent.futures.as_completed(tried):
            mutant, verdict = tried[trying], trying.result()
            if verdict is None:
                counts["no program"] += 1
                continue
            who, words = verdict
            if who == "nobody":
                who = kind_of(known, mutant) or who
            counts[who] += 1
            print(f"{who}: {mutant.name()}" + (f"\n    {words[:160]}" if words else ""), flush=True)
            if who in ("bits", "nobody", "hang"):
                survivors.append((who, mutant))
    return report(counts, survivors)


def report(counts, survivors):
    """Prints the table; 1, if there are survivors."""
    real = sum(counts[who] for who in CAUGHT_BY)
    print("\n" + ", ".join(f"{who} {counts[who]}" for who in (*CAUGHT_BY, *KINDS, "no program")))
    early = real - counts["bits"] - counts["nobody"] - counts["hang"]
    print(f"noticed without comparing numbers: {early} of {real}, {100 * early / max(real, 1):.1f} %")
    for who, mutant in survivors:
        print(f"{who}: {mutant.key()}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
