"""What the tests of `matchpoint mpi` share: the MPI libraries, their compilers and launchers."""

import os
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))

LIBRARIES = [library for library in ("openmpi", "mpich") if shutil.which(f"mpicc.{library}") and shutil.which(f"mpirun.{library}")]
assert LIBRARIES, "scripts/bootstrap installs Open MPI and MPICH"

# Open MPI wants to be told that root means it, and that there are more ranks than cores.
os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                  OMPI_MCA_mpi_yield_when_idle="1")


def libraries(test):
    """All libraries with MATCHPOINT_EVERY=1, else one of them, which depends on the name of the test. So each has its share."""
    is_all = os.environ.get("MATCHPOINT_EVERY") == "1"
    return LIBRARIES if is_all else [LIBRARIES[zlib.crc32(test.encode()) % len(LIBRARIES)]]


def compiled(library, source, folder, *options):
    """The program of a source file, C or C++."""
    source = Path(source)
    compiler = f"mpicc.{library}" if source.suffix == ".c" else f"mpicxx.{library}"
    program = Path(folder) / f"{source.stem}.{library}"
    standard = ["-std=gnu11"] if source.suffix == ".c" else ["-std=c++20", "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX"]
    subprocess.run([compiler, *standard, "-g", "-O1", "-Wall", "-Wextra", "-Werror",
                    "-Wno-misleading-indentation", "-Wno-stringop-overflow",  # false alarm: MPICH's MPI_STATUSES_IGNORE is an address
                    "-Irecord/values", str(source), "-o", str(program),
                    *options], check=True)
    return str(program)


def plainly(command, folder, **variables):
    """The result of a launcher that runs without the tool. Like the tool, it gives Open MPI a folder for this run alone."""
    environment = {**os.environ, "OMPI_MCA_orte_tmpdir_base": str(folder), **variables}
    return subprocess.run(command, env=environment, capture_output=True, timeout=60, check=False)


def launcher(library, ranks):
    return [f"mpirun.{library}", "-n", str(ranks)]
