"""What the tests of `matchpoint mpi` share: the MPI libraries, their compilers and launchers."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))

LIBRARIES = [library for library in ("openmpi", "mpich") if shutil.which(f"mpicc.{library}") and shutil.which(f"mpirun.{library}")]
assert LIBRARIES, "scripts/bootstrap installs Open MPI and MPICH"

# Open MPI wants to be told that root means it, and that there are more ranks than cores.
os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                  OMPI_MCA_mpi_yield_when_idle="1")


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


def launcher(library, ranks):
    return [f"mpirun.{library}", "-n", str(ranks)]
