"""Runs the binary under test (environment variable MATCHPOINT) and checks what it did."""

import os
import re
import select
import subprocess
import tempfile
import time
import unittest
from dataclasses import dataclass
from pathlib import Path

MATCHPOINT = os.environ.get("MATCHPOINT", "build/demo/cli/matchpoint")
MATCHPOINT = str(Path(MATCHPOINT).resolve())

# The exit codes, as docs/cli.md has them.
HOLDS, UNKNOWN, BAD_INPUT, SOLVER_FAILED, FAILURE, DEADLOCK, INFEASIBLE, ERROR = 0, 1, 2, 3, 10, 11, 12, 13
DISAGREES, INTERNAL, OUTPUT_FAILED = 20, 70, 74

STATUS_CODE = {"success": HOLDS, "failure": FAILURE, "infeasible": INFEASIBLE, "error": ERROR}
STATUSES = list(STATUS_CODE)  # from best to worst
BUFFERINGS = ["infinite", "zero"]


@dataclass
class Result:
    code: int  # negative: ended by that signal
    out: bytes
    err: bytes
    seconds: float
    peak_mb: float  # the largest resident set; includes what this script has, so keep the script small where it matters
    timed_out: bool

    @property
    def text(self):
        return self.out.decode()

    @property
    def error_text(self):
        return self.err.decode()


def meaning(verdict):
    """The verdict of the semantics. `no assertion` and `on this path` say what a `safe` is about; a deadlock or a fault
    is named beside it, and instead of `vacuous`."""
    verdict = re.sub(", but a.* possible$", "", verdict).removesuffix(" on this path")
    return {"no assertion": "safe", "deadlock": "vacuous", "fault": "vacuous"}.get(verdict, verdict)


def run(*args, stdin=b"", timeout=600, limit_output=None, **popen):
    """Runs `matchpoint ARGS...`. `stdin` is bytes, or a file. Output beyond `limit_output` bytes is left unread.

    `popen` goes to subprocess.Popen. Standard output and standard error are captured unless it redirects them.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as given:
        if isinstance(stdin, bytes):
            given.write(stdin)
            given.seek(0)
            stdin = given
        popen = {"stdin": stdin, "stdout": out, "stderr": err, **popen}
        start = time.monotonic()
        process = subprocess.Popen([MATCHPOINT, *map(os.fsdecode, args)], **popen)
        ends = os.pidfd_open(process.pid)
        expired = not select.select([ends], [], [], timeout)[0]
        os.close(ends)
        if expired:
            process.kill()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return Result(process.returncode, out.read(limit_output or -1), err.read(limit_output or -1), seconds,
                      usage.ru_maxrss / 1024, expired)


def without_progress(error_text):
    """Standard error without the lines that `validate` prints every ten seconds if that is no terminal."""
    return re.sub(r"^matchpoint: (.*; )?\d+ of \d+ programs, .*\n", "", error_text, flags=re.M)


def is_running(pid):
    """Whether a process is there and not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def within(seconds, condition):
    """Whether it holds at some time until then: a killed process takes a moment to go."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def programs(shared=False):
    """The programs below traces/: those without shared variables, or all of them."""
    found = sorted(path for path in Path("traces").rglob("*.ctp") if shared or not is_shared(path))
    assert found, "run this from the root of the project"
    return found


def part(items, n):
    """Every n-th, which is enough for a run of the tests; all of them with MATCHPOINT_EVERY=1, and with MATCHPOINT_EVERY=k a k-th
    of what is taken without (tests/support/thinning.hpp)."""
    every = int(os.environ.get("MATCHPOINT_EVERY", 0))
    return list(items)[::1 if every == 1 else n * max(every, 1)]


def long_test(test):
    """A test of many seconds that only `scripts/test --all` runs (MATCHPOINT_EVERY=1). docs/testing.md says what each of them finds."""
    return unittest.skipUnless(os.environ.get("MATCHPOINT_EVERY") == "1", "for scripts/test --all")(test)


def is_shared(path):
    """Whether a program has shared variables or a `when`: not all commands know these."""
    return re.search(r"^\(shared |\(when ", Path(path).read_text(), re.MULTILINE) is not None


def has_probes(path):
    """Whether a program has probes: no solver knows these."""
    return re.search(r"[(\[]m?probe ", Path(path).read_text()) is not None


def has_collectives(path):
    """Whether a program has collectives: there are no certificates about these."""
    return re.search(r"[(\[]i?collective ", Path(path).read_text()) is not None


def ran_trace(entries):
    """The text of a trace whose entries have no movements, or are (location, movements) pairs."""
    return "(" + " ".join(f"({e} bot)" if isinstance(e, str) else f"({e[0]} {e[1]})" for e in entries) + ")"


def program(*threads, traces=()):
    """The text of a file: each thread a list of (location, command) pairs, each trace as in ran_trace."""
    text = ["("]
    for thread in threads:
        text.append("(" + "".join(f"[{rho} {c}]\n" for rho, c in thread) + "bot)")
    text.append(")")
    text += [ran_trace(t) for t in traces]
    return "\n".join(text) + "\n"


def unwrapped(text):
    """The text of `check` or `explore` with each trace on one line."""
    return re.sub(r"\n {4,}(?=\()", " ", text)


def reports_closed_standard_output(test, commands):
    for arguments in commands:
        with test.subTest(arguments=arguments):
            result = run(*arguments, stdout=None, preexec_fn=lambda: os.close(1))
            test.assertEqual(result.code, OUTPUT_FAILED)
            test.assertIn("cannot write standard output: Bad file descriptor", result.error_text)


class InFolder(unittest.TestCase):
    """Tests with a folder of their own for files."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, text, name="program.ctp"):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def refused(self, *arguments, saying="", **options):
        """Expects exit code 2, no standard output, and a short message without control characters that contains `saying`."""
        result = run(*arguments, **options)
        self.assertEqual((result.code, result.text), (BAD_INPUT, ""), arguments)
        self.assertIn(saying, result.error_text)
        self.assertLess(len(result.error_text), 2000)
        self.assertRegex(result.error_text, r"\A[^\x00-\x09\x0b-\x1f\x7f]+\n\Z")
        return result.error_text


def s_expressions(text):
    """S-expressions without comments and quoted symbols, as lists."""
    open_lists = [[]]
    for token in re.findall(r"[()]|[^\s()]+", text):
        if token == "(":
            open_lists.append([])
        elif token == ")":
            closed = open_lists.pop()
            open_lists[-1].append(closed)
        else:
            open_lists[-1].append(token)
    return open_lists[0]
