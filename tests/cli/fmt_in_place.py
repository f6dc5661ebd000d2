#!/usr/bin/env python3
"""`fmt` keeps meaning and comments; `fmt -i` replaces a file as a whole or not at all."""

import os
import random
import re
import resource
import signal
import stat
import subprocess
import time
import unittest
from pathlib import Path

from support import BAD_INPUT, BUFFERINGS, HOLDS, MATCHPOINT, OUTPUT_FAILED, InFolder, part, program, programs, run

UGLY = "(([00(x := 1) ])) ( (00 bot) ) ; odd\n"
PRETTY = "(\n  (\n    [00 (x := 1)]\n    bot\n  )\n)\n(\n  (00 bot)\n) ; odd\n"
TOKEN = re.compile(r"[()\[\]]|;[^\n]*|[^ \t\n\v\f\r()\[\];\"{}]+")


def comments(text):
    return [token.rstrip() for token in TOKEN.findall(text) if token.startswith(";")]


def formatted(text):
    result = run("fmt", "-", stdin=text.encode())
    assert (result.code, result.err) == (HOLDS, b""), result
    return result.text


class Form(unittest.TestCase):
    def check(self, text):
        once = formatted(text)
        self.assertEqual(formatted(once), once)
        self.assertEqual(comments(once), comments(text))
        for buffering in BUFFERINGS:
            before, after = (run("run", "-", "--buffering", buffering, stdin=t.encode()) for t in (text, once))
            self.assertEqual((after.code, after.text), (before.code, before.text))

    def test_programs(self):
        for path in part(programs(shared=True), 4):
            with self.subTest(path=path):
                self.check(path.read_text())

    def test_a_comment_behind_every_token(self):
        for path in part(programs(shared=True), 12):
            tokens = [token for token in TOKEN.findall(path.read_text()) if not token.startswith(";")]
            for between in ("{} ; {}\n", "{}\n; {}\n", "{};{};{}\r\n", "{}\n\n  ;\t{} \t\n"):
                with self.subTest(path=path, between=between):
                    self.check(";begin\n" + "".join(between.format(token, i, i) for i, token in enumerate(tokens)))

    def test_canonical_form(self):
        self.assertEqual(formatted(UGLY), PRETTY)
        self.assertEqual(formatted("[[(02 [assert (+ +007 -0)])(3 [sndi S 00 +1 x 02])⊥]]\r\n[[02()][3[[1 0]]]]"),
                         "(\n  (\n    [02 (assert (+ 7 0))]\n    [3 (sndi S 0 1 x 02)]\n    bot\n  )\n)\n"
                         "(\n  (02 bot)\n  (3 ((1 0) bot))\n)\n")
        self.assertEqual(formatted("\ufeff()"), "(\n)\n")


class InPlace(InFolder):
    def setUp(self):
        super().setUp()
        self.path = self.write(UGLY)

    def fmt(self, path=None, **options):
        result = run("fmt", "-i", path or self.path, **options)
        self.assertEqual(result.out, b"")
        return result

    def unchanged(self, before, text):
        self.assertEqual((self.path.stat().st_ino, self.path.stat().st_mtime_ns), (before.st_ino, before.st_mtime_ns))
        self.assertEqual(self.path.read_text(), text)
        self.assertEqual(os.listdir(self.folder), [self.path.name])

    def test_replaces(self):
        self.assertEqual(self.fmt().code, HOLDS)
        self.assertEqual(self.path.read_text(), PRETTY)
        self.assertEqual(os.listdir(self.folder), [self.path.name])

    def test_long_option_and_relative_path(self):
        for name in ("program.ctp", "./program.ctp", "../" + self.folder.name + "/program.ctp"):
            self.path.write_text(UGLY)
            self.assertEqual(run("fmt", "--in-place", name, cwd=self.folder).code, HOLDS)
            self.assertEqual(self.path.read_text(), PRETTY)

    def test_leaves_canonical_files_alone(self):
        self.path.write_text(PRETTY)
        before = self.path.stat()
        self.assertEqual(self.fmt().code, HOLDS)
        self.unchanged(before, PRETTY)

    def test_keeps_permissions(self):
        for mode in (0o600, 0o640, 0o644, 0o444, 0o755, 0o4755, 0o666):
            self.path.chmod(0o600)
            self.path.write_text(UGLY)
            self.path.chmod(mode)
            self.assertEqual(self.fmt().code, HOLDS)
            self.assertEqual(self.path.read_text(), PRETTY)
            self.assertEqual(stat.S_IMODE(self.path.stat().st_mode), mode)

    def test_keeps_owner(self):
        owner = 65534 if os.geteuid() == 0 else os.geteuid()
        os.chown(self.path, owner, -1)
        self.assertEqual(self.fmt().code, HOLDS)
        self.assertEqual(self.path.stat().st_uid, owner)

    def test_keeps_symbolic_links(self):
        (self.folder / "links").mkdir()
        link, chain = self.folder / "links" / "link", self.folder / "chain"
        link.symlink_to("../program.ctp")
        chain.symlink_to("links/link")
        self.assertEqual(self.fmt(chain).code, HOLDS)
        self.assertEqual((os.readlink(chain), os.readlink(link)), ("links/link", "../program.ctp"))
        self.assertFalse(self.path.is_symlink())
        self.assertEqual(self.path.read_text(), PRETTY)
        self.assertEqual(os.listdir(link.parent), ["link"])

    def test_leaves_bad_files_alone(self):
        for text in ("", "(", UGLY + ")", "(([00 (x := 1)] [00 (y := 2)]))"):
            self.path.write_text(text)
            before = self.path.stat()
            self.assertEqual(self.fmt().code, BAD_INPUT)
            self.unchanged(before, text)

    def test_longest_name(self):
        path = self.folder / ("n" * 255)
        path.write_text(UGLY)
        self.assertEqual(self.fmt(path).code, HOLDS)
        self.assertEqual(path.read_text(), PRETTY)

    def test_full_disk(self):
        """A limit on the size of files stands in for it."""
        for limit in (0, 1, len(PRETTY) - 1):
            def small_files():
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

            before = self.path.stat()
            result = subprocess.run([MATCHPOINT, "fmt", "-i", self.path], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                    preexec_fn=small_files, restore_signals=False)
            self.assertEqual((result.returncode, result.stdout), (OUTPUT_FAILED, b""))
            self.assertRegex(result.stderr.decode(), r"\Amatchpoint: error\[file\]: cannot write .*: File too large\n\Z")
            self.unchanged(before, UGLY)

    def test_folder_gone(self):
        """The file can be read (it is open), but there is no folder to write another one to."""
        with open(self.path) as file:
            self.path.unlink()
            result = self.fmt(f"/proc/self/fd/{file.fileno()}", pass_fds=[file.fileno()])
        self.assertEqual(result.code, OUTPUT_FAILED)
        self.assertRegex(result.error_text, r"\Amatchpoint: error\[file\]: cannot write .*: No such file or directory\n\Z")

    def test_killed(self):
        """Whenever it is killed, all of the old text is there or all of the new one."""
        ugly = program([(f"l{i}", f"(x{i}   :=   (+ {i} 1)) ; comment\n") for i in range(60_000)])
        pretty = formatted(ugly)
        whole = float("inf")
        for _ in range(3):
            self.path.write_text(ugly)
            start = time.monotonic()
            self.assertEqual(self.fmt().code, HOLDS)
            whole = min(whole, time.monotonic() - start)
            self.assertTrue(self.path.read_text() == pretty)

        randomness = random.Random(1)
        old = new = abandoned = 0
        for n in range(60):
            self.path.write_text(ugly)
            process = subprocess.Popen([MATCHPOINT, "fmt", "-i", self.path])
            if n % 2 == 0:  # any time
                time.sleep(randomness.uniform(0, 1.1 * whole))
            else:  # while the new file is written
                while len(os.listdir(self.folder)) == 1 and process.poll() is None:
                    pass
                time.sleep(randomness.uniform(0, 0.1 * whole))
            process.kill()
            process.wait()
            text = self.path.read_text()
            self.assertTrue(text in (ugly, pretty), "a mixture")
            old += text == ugly
            new += text == pretty
            for name in set(os.listdir(self.folder)) - {self.path.name}:
                self.assertTrue(name.startswith(".matchpoint."), name)
                (self.folder / name).unlink()
                abandoned += 1
        print(f"killed 60 times within {whole:.2f} s: {old} old, {new} new, {abandoned} unfinished files beside them")
        self.assertGreater(old, 0)
        self.assertGreater(new, 0)
        self.assertGreater(abandoned, 0)


if __name__ == "__main__":
    unittest.main()
