"""A pseudo-terminal with a program in it: what is typed there, and what it shows."""

import os
import pty
import re
import select
import signal
import termios
import threading
import time

COLORS = re.compile(r"\x1b\[[0-9;]*m")


def without_colors(text):
    return COLORS.sub("", text)


class PseudoTerminal:
    """Runs a program with a terminal of so many columns and rows, without colors. Use it in a `with` statement."""

    def __init__(self, *command, columns=80, rows=24, environment=None):
        self.seen = ""  # what was shown since the last wait_for
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            termios.tcsetwinsize(0, (rows, columns))
            for name, value in {"TERM": "xterm", "NO_COLOR": "1", **(environment or {})}.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = str(value)
            os.execvp(command[0], list(map(str, command)))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.end)
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)

    def resize(self, columns, rows):
        termios.tcsetwinsize(self.end, (rows, columns))

    def _read(self, deadline):
        ready, _, _ = select.select([self.end], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise AssertionError(f"nothing more came after {self.seen!r}")
        try:
            data = os.read(self.end, 65536)
        except OSError:  # the program has ended
            data = b""
        if not data:
            raise AssertionError(f"it ended with {self.seen!r}")
        self.seen += data.decode(errors="replace")

    def wait_for(self, text, seconds=30):
        """What was shown before a text, which is taken off."""
        deadline = time.monotonic() + seconds
        while text not in self.seen:
            try:
                self._read(deadline)
            except AssertionError as e:
                raise AssertionError(f"no {text!r}: {e}") from None
        before, _, self.seen = self.seen.partition(text)
        return before

    def wait_for_keys(self):
        """Waits until keys are read one by one, a moment after the prompt appears."""
        deadline = time.monotonic() + 30
        while termios.tcgetattr(self.end)[3] & termios.ICANON:
            assert time.monotonic() < deadline, "keys are not read one by one"
            time.sleep(0.01)

    def type(self, text):
        self.wait_for_keys()
        self.send(text)

    def send(self, text):
        os.write(self.end, text.encode())

    def code(self):
        """The exit code, when it ends."""
        deadline = time.monotonic() + 30
        while True:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.pid = 0
                return os.waitstatus_to_exitcode(status)
            assert time.monotonic() < deadline, "it does not end"
            if select.select([self.end], [], [], 0.02)[0]:
                try:
                    os.read(self.end, 65536)
                except OSError:
                    pass


END = b"\x00end of what the program wrote\x00"


def shown_on_terminal(command, stdin, columns, rows=24, environment=None):
    """What a program shows on a terminal of so many columns when its input comes from a pipe."""
    outside, inside = pty.openpty()
    termios.tcsetwinsize(inside, (rows, columns))
    attributes = termios.tcgetattr(inside)
    attributes[1] &= ~termios.OPOST  # newlines stay as they are
    termios.tcsetattr(inside, termios.TCSANOW, attributes)
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.dup2(reader, 0)
        os.dup2(inside, 1)
        os.dup2(inside, 2)
        for fd in (outside, inside, reader, writer):
            os.close(fd)
        os.environ.update({"TERM": "xterm", **(environment or {})})
        os.execvp(command[0], list(map(str, command)))
    os.close(reader)
    os.write(writer, stdin.encode())  # a few commands, less than a pipe holds
    os.close(writer)

    # A terminal that nobody has open can lose what was written last. So this end stays open, and a mark follows
    # what the program has written.
    def mark_the_end():
        os.waitpid(pid, 0)
        os.write(inside, END)

    marking = threading.Thread(target=mark_the_end)
    marking.start()
    shown = b""
    while not shown.endswith(END):
        shown += os.read(outside, 65536)
    marking.join()
    os.close(inside)
    os.close(outside)
    return shown.removesuffix(END).decode()
