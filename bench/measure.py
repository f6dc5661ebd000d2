"""Runs and measures programs within limits of time and memory, for bench/tables and bench/guard."""

import hashlib
import os
import pathlib
import re
import resource
import select
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass

MEMORY = 4 << 30  # bytes of address space (RLIMIT_AS) that a program may have
RUNS = 3  # the best of so many runs,
ENOUGH = 1.0  # if they take no more seconds than this together
STALL = 1.0  # seconds beyond a limit
EXPECTED_CODES = {"sat": (0,), "unsat": (0,), "unknown": (0,), "violated": (10,), "safe": (0, 11),  # 11: with a deadlock
                  "vacuous": (11, 12)}

ANSWERED, GAVE_UP, TOO_LONG, TOO_LARGE, NOT_RUN = "answered", "gave up", "too long", "too large", "not run"


class Failed(Exception):
    """A program failed in a way that is not a result."""


@dataclass
class Outcome:
    """How a program ended. All figures are from the best run."""

    status: str
    answer: str = ""  # sat, unsat; violated, safe, vacuous
    seconds: float = 0  # wall time
    cpu: float = 0  # user and system
    peak: int = 0  # bytes; not less than what this script has, some 15 MB
    runs: int = 1

    def to_json(self):
        return asdict(self)


def answer_in(text):
    """The answer at the start of the output of `matchpoint check` or a solver; "" if there is none."""
    for line in text.splitlines():
        if line in ("sat", "unsat", "unknown"):
            return line
        verdicts = "violated|safe|no assertion|vacuous|deadlock|fault|unknown"
        if found := re.match(rf"\S+: ({verdicts})(?: on this path)?(?:, but a.* possible)? \(", line):
            return {"no assertion": "safe", "deadlock": "vacuous", "fault": "vacuous"}.get(found[1], found[1])
    return ""


def is_out_of_memory(code, text):
    """Programs report it in different ways: by a message, or by a signal that is not ours."""
    return re.search(r"out of memory|bad_alloc|memory exhausted|Cannot allocate", text) is not None or code in (
        -signal.SIGABRT, -signal.SIGSEGV, -signal.SIGKILL)


def ended(code, text, is_late):
    """The status and answer of a program that ended with this exit code or was killed."""
    if is_late:
        return TOO_LONG, ""
    answer = answer_in(text)
    if answer not in ("", "unknown") and not re.search(r"^\(error", text, re.MULTILINE):
        if code not in EXPECTED_CODES[answer]:
            raise Failed(f"exit code {code} with the answer {answer}")
        return ANSWERED, answer
    if is_out_of_memory(code, text):
        return TOO_LARGE, ""
    if answer == "unknown":
        return GAVE_UP, ""
    raise Failed(f"exit code {code}: {text[:300].strip()}")


def run_once(command, limit, log, expects_answer=True):
    """Runs a command in its own process group, and kills the group after `limit` seconds. Its output goes to the file `log`."""

    def limit_memory():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    with log.open("wb") as out:
        begin = time.perf_counter()
        process = subprocess.Popen([str(c) for c in command], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                   start_new_session=True, preexec_fn=limit_memory)
        end = os.pidfd_open(process.pid)
        try:
            is_late = not select.select([end], [], [], limit)[0]
        finally:
            # Leave no process running, even after Ctrl-C. The group holds the solvers that the command started.
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - begin
            process.returncode = os.waitstatus_to_exitcode(status)
            os.close(end)
    with log.open("rb") as out:
        text = out.read(1 << 16).decode(errors="replace")
    try:
        if expects_answer:
            what, answer = ended(process.returncode, text, is_late)
        elif process.returncode == 0 or is_late:
            what, answer = (TOO_LONG if is_late else ANSWERED), ""
        elif is_out_of_memory(process.returncode, text):
            what, answer = TOO_LARGE, ""
        else:
            raise Failed(f"exit code {process.returncode}: {text[:300].strip()}")
    except Failed as e:
        raise Failed(f"{' '.join(map(str, command))}: {e}") from None
    return Outcome(what, answer, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def measure(command, limit, log, expects_answer=True, runs=RUNS):
    """The best of several runs, or one run if that takes long."""
    best = run_once(command, limit, log, expects_answer)
    if best.seconds > limit + STALL:  # the machine stalled, or else it would have been stopped
        best = run_once(command, limit, log, expects_answer)
    spent = best.seconds
    while best.runs < runs and spent + best.seconds < ENOUGH and best.status == ANSWERED:
        again = run_once(command, limit, log, expects_answer)
        if (again.status, again.answer) != (best.status, best.answer):
            raise Failed(f"{' '.join(map(str, command))}: {best.answer}, then {again.answer or again.status}")
        spent += again.seconds
        best = Outcome(best.status, best.answer, min(best.seconds, again.seconds), min(best.cpu, again.cpu),
                       min(best.peak, again.peak), best.runs + 1)
    return best


ROOT = pathlib.Path(__file__).resolve().parent.parent


def built(who):
    """Builds and returns the optimised `matchpoint`."""
    for command in (["scripts/bootstrap"], ["cmake", "--preset", "release"],
                    ["cmake", "--build", "--preset", "release", "--target", "matchpoint_cli"]):
        if subprocess.run(command, cwd=ROOT, stdout=sys.stderr, check=False).returncode != 0:
            print(f"{who}: {' '.join(command)} failed", file=sys.stderr)
            sys.exit(2)
    return ROOT / "build/release/cli/matchpoint"


def version(program):
    """The first line of its --version: "Z3 version 4.8.12 - 64 bit"."""
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[0].strip().removeprefix("This is ")


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()[:16]


def processor():
    found = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return f"{os.cpu_count()} processors, {found[1].strip() if found else os.uname().machine}"


def write_result(who, text, folder=ROOT / "docs" / "measured"):
    """Replaces the file of a script in docs/measured. Its first line is the command."""
    page = folder / f"{who}.md"
    new = page.with_suffix(".new")
    new.write_text(f"# `bench/{who}`\n\n{text.strip()}\n")
    new.replace(page)


def warn_if_busy(who):
    if os.getloadavg()[0] > 0.5:
        print(f"{who}: the machine is busy (load {os.getloadavg()[0]:.1f}); the figures will suffer", file=sys.stderr)


def generate(matchpoint, family, size, folder):
    """Writes the program. Returns its path and its known verdict ("" if there is none)."""
    path = folder / "program.ctp"
    done = subprocess.run([matchpoint, "gen", *family.arguments(size, folder), "-o", path], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise Failed(f"matchpoint gen {family.program(size)}: {done.stderr.strip()}")
    with path.open() as text:
        head = [next(text, "") for _ in range(8)]
    known = re.search(r"^; check infinite: (\w+)$", "".join(head), re.MULTILINE)
    return path, known[1] if known else ""
