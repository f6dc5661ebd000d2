"""Runs scripts/check_certificate and scripts/check_rma_certificate in this process, as their command lines would: a
process for each of a thousand certificates takes minutes, and tells no more. The tests of docs/lowering.md and of the
installed package start them as commands."""

import contextlib
import faulthandler
import importlib.machinery
import importlib.util
import io
import os
import sys
import traceback
from pathlib import Path

CHECKER = Path(__file__).resolve().parents[2] / "scripts" / "check_certificate"
sys.path.insert(0, str(CHECKER.parent))

SECONDS = 600


def loaded(name):
    loader = importlib.machinery.SourceFileLoader(name, str(CHECKER.parent / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


COMMAND = loaded("check_certificate")
RMA_COMMAND = loaded("check_rma_certificate")


def check(*arguments, command=COMMAND):
    """The exit code, and what it prints on standard output and standard error."""
    said, codes = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True), []

    def run():
        try:
            codes.append(command.main(list(map(os.fsdecode, arguments))))
        except BaseException:  # pylint: disable=broad-except
            traceback.print_exc()

    faulthandler.dump_traceback_later(SECONDS, exit=True)
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        command.in_a_large_stack(run)
    faulthandler.cancel_dump_traceback_later()
    return codes[0] if codes else 1, said.buffer.getvalue().decode(errors="replace")
