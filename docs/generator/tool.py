"""The `sectile` program. Every fact, picture and message of a page is what it printed; nothing is worked out here."""

import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import threading

from .problem import Problem

SECONDS = 300  # that one command may take


@dataclasses.dataclass(frozen=True)
class Output:
    """What a command printed, and its exit status."""

    stdout: str
    stderr: str
    status: int

    @property
    def text(self) -> str:
        """What a reader is shown: of a command that succeeds its result, and not what it said while it worked."""
        return self.stdout if self.status == 0 else self.stdout + self.stderr

    @property
    def refusal(self) -> str:
        """The sentence on stderr, without the program's name."""
        return self.stderr.strip().removeprefix("sectile: ")


class Tool:
    """Runs the program, each command once: also when several threads ask for it, and across runs where there is a
    folder to remember in. Commands run in the root of the repository, so that paths mean the same everywhere."""

    def __init__(self, program, folder, memory=None):
        self.program = pathlib.Path(program).resolve() if program else None
        self.folder = pathlib.Path(folder)
        self._memory = pathlib.Path(memory) if memory else None
        self._lock = threading.Lock()
        self._running = {}
        self._digest = None

    def run(self, *arguments, remembered=True) -> Output:
        """`remembered`: the output depends on nothing but the program and its arguments; on files it does."""
        remembered = remembered and self._memory and not any((self.folder / a).exists() for a in arguments if a)
        with self._lock:
            future = self._running.get(arguments)
            mine = future is None
            if mine:
                future = self._running[arguments] = concurrent.futures.Future()
        if mine:
            try:
                future.set_result(self._recall(arguments) if remembered else self._start(arguments))
            except BaseException as error:  # whoever else waits for it hears of it too
                future.set_exception(error)
        return future.result()

    def ask(self, *arguments) -> str:
        """What a command prints that has to succeed."""
        output = self.run(*arguments)
        if output.status != 0:
            raise Problem(f"{spelled(arguments)}: {output.refusal or f'exit status {output.status}'}")
        return output.stdout

    def refusal(self, *arguments) -> str:
        """The sentence of a command that has to be refused."""
        output = self.run(*arguments)
        if output.status == 0:
            raise Problem(f"{spelled(arguments)} has to be refused, but it printed: {output.stdout.strip()}")
        return output.refusal

    def _start(self, arguments) -> Output:
        if self.program is None:
            raise Problem("no `sectile` program was named; give --sectile build/sectile")
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "SECTILE_NO_PROGRESS": "1"}
        try:
            done = subprocess.run([str(self.program), *arguments], cwd=self.folder, env=environment, text=True,
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False)
        except OSError as error:
            raise Problem(f"{self.program} cannot be started: {error.strerror}") from None
        except subprocess.TimeoutExpired:
            raise Problem(f"{spelled(arguments)} took more than {SECONDS} seconds") from None
        return Output(done.stdout, done.stderr, done.returncode)

    def _recall(self, arguments) -> Output:
        name = hashlib.sha256("\0".join((self._program_digest(), *arguments)).encode()).hexdigest()
        file = self._memory / f"{name[:32]}.json"
        try:
            return Output(**json.loads(file.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            output = self._start(arguments)
        self._memory.mkdir(parents=True, exist_ok=True)
        half = file.with_suffix(f".{os.getpid()}.{threading.get_ident()}")
        half.write_text(json.dumps(dataclasses.asdict(output)), encoding="utf-8")
        half.replace(file)
        return output

    def _program_digest(self) -> str:
        with self._lock:
            if self._digest is None:
                if self.program is None or not self.program.is_file():
                    raise Problem(f"{self.program}: there is no such program; build it first")
                self._digest = hashlib.sha256(self.program.read_bytes()).hexdigest()
            return self._digest


def spelled(arguments) -> str:
    """The command as one would type it."""
    return " ".join(["sectile", *(shlex.quote(a) for a in arguments)])


def words_of(command: str) -> list:
    """The arguments of "sectile run ..."; of no other program."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise Problem(f"`{command}` is no command line: {error}") from None
    if not words or words[0] not in ("sectile", "build/sectile"):
        raise Problem(f"`{command}`: only commands of `sectile` are run in a page")
    return words[1:]
