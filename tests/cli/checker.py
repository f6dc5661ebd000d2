"""Runs scripts/check_certificate in a fork of this process, so that Python need not start for each certificate."""

import os
import runpy
import signal
import sys
import tempfile
import traceback
from pathlib import Path

CHECKER = Path(__file__).resolve().parents[2] / "scripts" / "check_certificate"
sys.path.insert(0, str(CHECKER.parent))

import certificate_checker.folder  # noqa: E402,F401 (imported once, for all forks)
import certificate_checker.lowering  # noqa: E402,F401

SECONDS = 600


def check(*arguments):
    """The exit code, and what it prints on standard output and standard error."""
    with tempfile.TemporaryFile() as said:
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                signal.alarm(SECONDS)
                for stream in (sys.stdout, sys.stderr):
                    os.dup2(said.fileno(), stream.fileno())
                sys.argv = [str(CHECKER), *map(os.fspath, arguments)]
                runpy.run_path(str(CHECKER), run_name="__main__")
            except SystemExit as end:
                code = end.code
            except BaseException:  # pylint: disable=broad-except
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said.seek(0)
        return code, said.read().decode(errors="replace")
