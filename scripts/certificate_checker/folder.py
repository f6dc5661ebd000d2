"""Reads the files of a certificate, each of them once, and checks all of it."""

import hashlib
import json
import os
import re
import stat
from pathlib import Path

from . import Refused, Unreadable, shown
from .counting import Counting
from .invariants import Invariants
from .language import NotAProgram, read
from .lowering import lowered
from .machine import Machine
from .printing import printed
from .program import Program
from .proof import Proof
from .reasons import Clause, Reasons
from .shared import ReasonsOfShared

NUMBER = r"(?:0|[1-9][0-9]{0,17})"
LITERALS = re.compile(rf"(?:-?{NUMBER} )*0")
ABOUT = {"schema": dict, "verdict": str, "buffering": str, "runs": str, "program_sha256": str, "kind": str, "clauses": int,
         "solver": str, "lowered_buffering": str, "proves": str, "leaves_path": str}
OPTIONAL = {"lowered_buffering", "proves", "leaves_path"}
SCHEMA = '{"name": "matchpoint.certificate", "version": 1}'
CHOICES = {"verdict": ("safe", "vacuous"), "buffering": ("infinite", "zero"), "runs": ("executions", "complete"),
           "kind": ("clauses", "counting", "invariants", "smt"), "lowered_buffering": ("infinite", "zero"), "leaves_path": ("yes", "no", "unknown")}


class Certificate:
    def __init__(self, folder, own=None):
        """`own` is the reader's own file with the program, which program.ctp has to be, byte by byte."""
        self.folder, self.own = folder, own
        self.at = ""  # the file that is being read

    def check(self):
        """Returns what is proved, and of which program."""
        about = self.about()
        if about["kind"] == "smt":
            raise Refused("it has no clauses: its problem has to be put to solvers, and its encoding to be believed")
        self.zero, self.safe = about["buffering"] == "zero", about["verdict"] == "safe"
        self.program = self.read_program(about["program_sha256"])
        runs = {"complete": "complete runs", "executions": "executions"}[about["runs"]]
        verdict = f"{about['verdict']} ({about['buffering']} buffering, {runs})"
        of = f"; {shown(str(self.own or 'program.ctp'))} has SHA-256 {about['program_sha256']}"
        if about["kind"] != "clauses":
            return f"{verdict}: {self.check_without_clauses(about['kind'])}; so {self.proved(about)}{of}"
        self.meaning, self.clauses = {}, []
        plain, zero = self.plain_program(about.get("lowered_buffering"))
        reasons = ReasonsOfShared if plain.shares() else Reasons
        self.reasons = reasons(plain, zero, self.safe, about["runs"] == "complete")
        self.check_witness()
        self.read_clauses()
        if about["clauses"] != len(self.clauses):
            raise Refused(f"certificate.json says {about['clauses']} clauses, clauses.cnf has {len(self.clauses)}")
        self.check_reasons()
        self.check_proof()
        return f"{verdict}: {len(self.clauses)} clauses, each for its reason, and a proof that they cannot all be true; so {self.proved(about)}{of}"

    def proved(self, about):
        """In words, which are those of certificate.json. What leaves the path, as it says, is no part of it."""
        words = self.words(about["runs"] == "complete")
        if about.get("proves", words) != words:
            raise Refused(f"certificate.json says that it proves: {shown(about['proves'])}; it would prove: {words}")
        return words

    def words(self, complete):
        assertions = [c.expression for thread in self.tree.threads for c in thread if c.kind == "assert"]
        trivial = sum(e.value is True for e in assertions)
        if complete:
            what = "no complete run that keeps the assumptions fails, and there is one" if self.safe else "no complete run keeps the assumptions"
        else:
            what = "no execution on this path fails, and " + ("one completes" if self.safe else "none completes")
        if not assertions:
            return f"{what}; the program asserts nothing"
        return f"{what}; assertions of the program: {len(assertions)}" + (f", of which {trivial} only assert `true`" if trivial else "")

    def check_without_clauses(self, kind):
        """What no execution on the path does, no complete run does."""
        if not self.safe:
            raise Refused("it is about the verdict safe, and says otherwise")
        self.check_witness()
        counting = Counting(self.program)
        if kind == "counting":
            counting.check()
            return "counting proves that no assertion fails"
        return Invariants(self.program, counting, self.parsed(self.bytes("invariants.ctp"))).check()

    def bytes(self, name):
        """The content of a file, which nothing asks for twice: what is no regular file may have another one then."""
        self.at = name
        with open(os.open(self.folder / name, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:  # it waits for no writer of a FIFO
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Unreadable("it is not a regular file")
            return file.read()

    def text(self, name):
        try:
            return self.bytes(name).decode("utf-8")
        except UnicodeDecodeError:
            raise Unreadable("it is not UTF-8") from None

    def lines(self, name):
        """Only `\\n` ends a line. Names can contain what else Unicode calls the end of a line."""
        text = self.text(name)
        if text and not text.endswith("\n"):
            raise Unreadable("its last line does not end")
        return text.split("\n")[:-1]

    # ---- certificate.json ----

    def about(self):
        try:
            about = json.loads(self.text("certificate.json"), object_pairs_hook=without_repetition)
        except (ValueError, RecursionError) as e:
            raise Unreadable(f"it is not JSON: {shown(str(e))}") from None
        if not isinstance(about, dict) or json.dumps(about.get("schema"), sort_keys=True) != SCHEMA:
            raise Unreadable("it is not of schema matchpoint.certificate, version 1")
        for key, value in about.items():
            if key not in ABOUT or type(value) is not ABOUT[key] or value not in CHOICES.get(key, (value,)):
                raise Unreadable(f"its key {shown(key)} should not be there, or not have this value")
        has_clauses = about.get("kind") == "clauses"
        needed = set(ABOUT) - OPTIONAL if has_clauses else set(ABOUT) - OPTIONAL - {"clauses", "solver"}
        if set(about) - OPTIONAL != needed or (not has_clauses and "lowered_buffering" in about):
            raise Unreadable(f"its keys should be {', '.join(sorted(needed))}")
        return about

    # ---- the program, and a run of it ----

    @staticmethod
    def parsed(content):
        try:
            return read(content)
        except NotAProgram as e:
            raise Unreadable(f"it is not a program: {e}") from None

    def read_program(self, sha256):
        content = self.bytes("program.ctp")
        if hashlib.sha256(content).hexdigest() != sha256:
            raise Refused("program.ctp is another program than certificate.json says")
        if self.own is not None:
            self.at = self.own
            if Path(self.own).read_bytes() != content:
                raise Refused(f"program.ctp is another program than {shown(str(self.own))}: their bytes differ")
            self.at = "program.ctp"
        self.tree = self.parsed(content)
        program = Program(self.tree)
        if program.common:
            raise Refused("several threads use one endpoint: no rule here is about such programs")
        return program

    def plain_program(self, said):
        """What the clauses are about, and whether it runs with zero buffering: the program, or the one that it is lowered to.
        `said` is the buffering of the latter according to certificate.json; None if it says that there is none."""
        if self.program.is_plain():
            plain, zero, buffering = self.program, self.zero, None
        else:
            tree, zero = lowered(self.program, self.zero)
            plain, buffering = Program(tree), "zero" if zero else "infinite"
        if said != buffering:
            raise Refused(f"lowered_buffering in certificate.json should be {buffering or 'left out'}, and is {said or 'left out'}")
        return plain, zero

    def check_witness(self):
        """For `safe`: some complete run succeeds. Without one the program would be vacuous."""
        if not self.safe:
            return
        try:
            content = self.bytes("witness.ctp")
        except FileNotFoundError:
            raise Refused("there is no witness.ctp with the run that succeeds, without which it would be vacuous") from None
        witness = self.parsed(content)
        if not witness.traces:
            raise Refused("witness.ctp has no run that succeeds")
        trace, witness.traces, self.tree.traces = witness.traces[0], [], []
        if printed(witness) != printed(self.tree):
            raise Refused("witness.ctp is a run of another program")
        Machine(self.program, self.zero).run(trace)

    # ---- clauses ----

    def read_clauses(self):
        promised = None  # numbers of variables and clauses
        for line in self.lines("clauses.cnf"):
            if line.startswith("c var "):
                self.read_meaning(line.split(" ")[2:])
            elif line.startswith("p"):
                if promised is not None or not re.fullmatch(f"p cnf {NUMBER} {NUMBER}", line):
                    raise Unreadable(f"this is no first line of clauses: {shown(line)}")
                promised = tuple(map(int, line.split(" ")[2:]))
            elif not line.startswith("c"):
                if promised is None or not LITERALS.fullmatch(line):
                    raise Unreadable(f"this is no clause: {shown(line)}")
                self.clauses.append(self.literals(line))
        if promised != (len(self.meaning), len(self.clauses)):
            raise Refused(f"clauses.cnf has {len(self.meaning)} variables with a meaning and {len(self.clauses)} clauses, "
                          "and says otherwise")
        if set(self.meaning) != set(range(1, len(self.meaning) + 1)):
            raise Refused("clauses.cnf leaves out a variable")

    def read_meaning(self, words):
        number, *meaning = words
        if not re.fullmatch(NUMBER, number) or not meaning:
            raise Unreadable(f"this is no meaning of a variable: {shown(' '.join(words))}")
        if int(number) in self.meaning:
            raise Refused(f"variable {number} has two meanings")
        if not self.reasons.is_meaning(meaning):
            raise Refused(f"variable {number} says nothing of this program: {shown(' '.join(meaning))}")
        self.meaning[int(number)] = tuple(meaning)

    def literals(self, line):
        literals = [int(word) for word in line.split(" ")[:-1]]
        if any(abs(l) not in self.meaning for l in literals):
            raise Refused(f"a variable of this clause has no meaning: {shown(line)}")
        return literals

    def check_reasons(self):
        reasons = self.lines("clauses.reasons")
        if len(reasons) != len(self.clauses):
            raise Refused(f"{len(self.clauses)} clauses and {len(reasons)} reasons")
        for number, (literals, reason) in enumerate(zip(self.clauses, reasons), 1):
            if not self.reasons.justify(Clause(literals, self.meaning), reason.split(" ")):
                raise Refused(f"clause {number} is not so for the reason that is given: {shown(reason)}")

    def check_proof(self):
        proof = Proof(self.clauses)
        for number, line in enumerate(self.lines("clauses.drat"), 1):
            if not LITERALS.fullmatch(line.removeprefix("d ")):
                raise Unreadable(f"line {number} is no step of a proof: {shown(line)}")
            # A clause that is deleted still holds.
            if not line.startswith("d ") and not proof.adds([int(word) for word in line.split(" ")[:-1]]):
                raise Refused(f"line {number} of the proof does not follow: {shown(line)}")
        if not proof.done:
            raise Refused("the proof does not end in the empty clause")


def without_repetition(pairs):
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key is there twice")
    return dict(pairs)
