"""Encoders that answer from this process. `validate` starts an encoder for every program, and Python takes longer to start than
to answer: so what it starts is tests/support/relay.cpp (MATCHPOINT_RELAY), which asks here.

    served = Served(lambda text, *words: "unsat")    # the program on standard input, the words of the command
    run("validate", ..., "--", *served("{buffering}"))
"""

import importlib
import os
import socketserver
import sys
import tempfile
import threading
import traceback
from pathlib import Path

sys.path.insert(0, "tests/encoders")
RELAY = str(Path(os.environ.get("MATCHPOINT_RELAY", "build/release/tests/relay")).resolve())


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        count, _, rest = self.rfile.read().partition(b"\0")
        *words, text = rest.split(b"\0", int(count))
        try:
            answer = self.server.function(text, *map(os.fsdecode, words))
            self.wfile.write(b"\0" + answer.encode())
        except Exception:  # pylint: disable=broad-except
            self.wfile.write(b"\1" + traceback.format_exc().encode())


class Served(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """Goes with this process. Several may ask at a time."""
    daemon_threads = True

    def __init__(self, function):
        self.function, self.folder = function, tempfile.TemporaryDirectory()
        self.path = str(Path(self.folder.name) / "socket")
        super().__init__(self.path, Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __call__(self, *words):
        """The command of an encoder."""
        return [RELAY, self.path, *words]


SERVERS = {}


def encoder(name, *words):
    """The command of an encoder in tests/encoders, by its name."""
    if name not in SERVERS:
        SERVERS[name] = Served(importlib.import_module(name).answer)
    return SERVERS[name](*words)
