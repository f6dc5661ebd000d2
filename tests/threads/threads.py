"""What the tests of recorded threads share: compiled programs, and runs of them."""

import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from records import Run  # noqa: E402

PROGRAMS = Path("tests/threads/programs")
BUILT = Path(os.environ["MATCHPOINT"]).resolve().parent.parent / "record" / "threads"


def compiler(source):
    return str(BUILT / ("matchpoint-c++" if str(source).endswith(".cpp") else "matchpoint-cc"))


def compiled(source, folder, *options):
    """The program of a source file."""
    source = PROGRAMS / source
    program = Path(folder) / (source.stem + "".join(option for option in options if option.startswith("-O")))
    standard = "-std=c++17" if source.suffix == ".cpp" else "-std=gnu11"
    subprocess.run([compiler(source), standard, "-Wall", "-Wextra", "-Werror", *options, str(source), "-o", str(program), "-pthread"], check=True)
    return str(program)


def plainly(command, **options):
    """A run that is not recorded."""
    return subprocess.run([str(word) for word in command], capture_output=True, timeout=60, check=False, **options)


def recorded(command, folder, **options):
    """A run that is recorded: its result, and what was recorded."""
    folder.mkdir()
    result = plainly(command, env={**os.environ, "MATCHPOINT_THREADS_RECORD": str(folder)}, **options)
    return result, Run(folder)
