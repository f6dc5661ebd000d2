#!/usr/bin/env python3
"""No command replaces what it reads. Every command with an input and -o is in a table here."""

import os
import unittest
from pathlib import Path

from support import BAD_INPUT, MATCHPOINT, InFolder, run

FIGURE1 = Path("traces/figure1.ctp")
RMA = sorted(Path("traces/rma").glob("*.rma"))[0]
# Commands, with FILE for their input; what the input is; whether -o needs an ending.
COMMANDS = [("check FILE", FIGURE1), ("draw FILE --format svg", FIGURE1), ("encode FILE", FIGURE1), ("smt FILE --trace 1", FIGURE1),
            ("import isp FILE", FIGURE1), ("rma draw FILE --format svg", RMA), ("rma flushes FILE", RMA), ("mpi replay FILE -- true", FIGURE1)]


class OwnInput(InFolder):
    def test_table_is_complete(self):
        """Each command whose help has -o and an input is in the table."""
        names = {command.split(" FILE")[0].replace("import isp", "import") for command, _ in COMMANDS}
        for name in ("check", "draw", "encode", "smt", "import", "rma draw", "mpi replay", "explore", "pairs", "run", "lint", "rma run", "rma check",
                     "rma flushes", "mcapi replay"):
            text = run(*name.split(), "--help").text
            self.assertEqual("-o,--output" in text, name in names or name == "mcapi replay", name)

    def test_input_stays(self):
        for command, source in COMMANDS:
            for link in (False, True):
                with self.subTest(command, link=link):
                    file = self.write(source.read_text(), "input" + source.suffix)
                    output = file
                    if link:
                        output = self.folder / "link"
                        output.unlink(missing_ok=True)
                        os.link(file, output)
                    # Options go in front of `--`.
                    words = [file if w == "FILE" else w for w in command.split()]
                    at = words.index("--") if "--" in words else len(words)
                    result = run(*words[:at], "-o", output, *words[at:])
                    self.assertEqual((result.code, result.text), (BAD_INPUT, ""), result.error_text)
                    self.assertIn(f"-o {output} would replace the input", result.error_text)
                    self.assertEqual(file.read_text(), source.read_text())


if __name__ == "__main__":
    unittest.main()
