"""Sessions of `matchpoint step`: what is typed, and what they print."""

from support import BAD_INPUT, HOLDS, InFolder, program, run

FIGURE1 = "traces/figure1.ctp"
CIRCLE = "traces/deadlock_circular_wait.ctp"


def session(*commands, file=FIGURE1, arguments=()):
    """What a session prints, its errors, its exit code."""
    result = run("step", file, *arguments, stdin="".join(c + "\n" for c in commands).encode())
    return result.text, result.error_text, result.code


def counting(n):
    """x counts to n in n steps, and y says whether x is even."""
    commands = [("i", "(x := 0)")] + [(f"c{i}", f"(x := (+ x 1))") for i in range(1, n)]
    return program(commands, traces=[[c for c, _ in commands]])


class Session(InFolder):
    def says(self, *commands, **options):
        """What a session prints in which nothing goes wrong."""
        text, errors, code = session(*commands, **options)
        self.assertEqual((errors, code), ("", HOLDS))
        return text

    def refuses(self, *commands, saying, **options):
        text, errors, code = session(*commands, **options)
        self.assertIn(saying, errors)
        self.assertEqual(code, BAD_INPUT)
        return text
