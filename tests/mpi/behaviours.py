#!/usr/bin/env python3
"""`matchpoint mpi verify` makes happen all that a program can do, and nothing else: its runs against a naive exploration.

  tests/mpi/behaviours.py                                        5 programs with each MPI library; 20 seconds of processor time
  tests/mpi/behaviours.py --cases 500 --seed 1 --jobs 2          so many; resume with --from
  tests/mpi/behaviours.py --library mpich --from 17 --cases 1    one of them

Each program is a script for driver.c, in which ranks go different ways as they find different things. What a run has found,
rank by rank and call by call, is its behaviour. tests/mpi/naive.py explores the script as the text of the standard says, and
knows nothing of Matchpoint. The behaviours of all runs of `verify` have to be those that the exploration finds, complete ones and
those that end in a deadlock; it has to report a deadlock if and only if there is one, under some library, and likewise collective
calls that do not match; and it has to say that nothing is left.

Finds choices of time and match sets that `verify` forgets because of another one, which no test of a single call can; what the
recorder cannot force; and runs that MPI forbids.
"""

import random
from collections import Counter

import naive
from mpi import compiled, launcher, libraries
from scripts import Campaign, Script
from support import DEADLOCK, ERROR, HOLDS, InFolder, part, run

CAMPAIGN = Campaign(len(part(range(5), 1)))
RUNS = 200  # the most of one program
MOST = 10  # behaviours of a program
STATES = 30_000  # of its exploration


# ---- random programs
# ----------------------------------------------------------------------------------------------------------


class RandomScript(Script):
    """There is an order in which it completes if no line has a condition: each call is where it could be done if all calls before
    it, of all ranks, were done."""

    def __init__(self, rng):
        super().__init__(rng, rng.choice((2, 2, 3, 3, 3, 4)))
        self.pending = [[] for _ in range(self.ranks)]  # sends and receives that can be complete
        self.called = [[] for _ in range(self.ranks)]  # nonblocking collective calls
        self.held = [[] for _ in range(self.ranks)]  # messages of matched probes
        self.in_flight = []  # messages that no receive was placed for
        self.tags = rng.choice((1, 1, 2))
        self.comms = rng.choice((1, 1, 1, 2))
        self.any_source, self.any_tag = rng.choice((0.5, 0.8, 1)), rng.choice((0.5, 1))
        self.has_ready_message = False
        for _ in range(rng.randint(2, 4)):
            self.step()
        rng.shuffle(self.in_flight)
        for message in self.in_flight:
            self.receive(*message)
        self.add_conditions()
        for rank in range(self.ranks):
            for number in self.held[rank]:
                self.add(rank, "take", number)
            if self.issued[rank]:
                self.add(rank, "waitall")

    def step(self):
        if self.chance(0.2):
            self.collective()
        if not self.has_ready_message and self.chance(0.07):
            self.ready_message()
        elif self.chance(0.07):
            self.exchange()
        else:
            self.message()
        if self.in_flight and self.chance(0.5):
            self.receive(*self.in_flight.pop(0))
        if self.chance(0.7):
            self.complete(max(range(self.ranks), key=lambda r: len(self.pending[r])))
        for rank in range(self.ranks):
            if self.called[rank] and self.chance(0.3):
                self.add(rank, "wait", self.called[rank].pop())
            if self.held[rank] and self.chance(0.5):
                self.add(rank, "take", self.held[rank].pop(0))

    def collective(self):
        kinds = ("barrier", "bcast", "reduce", "allreduce", "gather", "scan")
        kind, word = self.rng.choice(kinds), self.rng.choice(("coll", "coll", "icoll"))
        comm, root = self.rng.randrange(self.comms), self.rng.randrange(self.ranks)
        for rank in range(self.ranks):
            if self.chance(0.01):
                kind = self.rng.choice(kinds)  # which does not match the others
            self.add(rank, word, kind, comm, root)
            if word == "icoll":
                self.called[rank].append(self.number(rank))

    def envelope(self):
        """Who sends, who receives, with which tag, on which communicator. Rank 0 receives most, so that messages race."""
        to = 0 if self.chance(0.7) else self.rng.randrange(self.ranks)
        sender = self.rng.choice([rank for rank in range(self.ranks) if rank != to])
        return sender, to, self.rng.randrange(self.tags), self.rng.randrange(self.comms)

    def selectors(self, sender, tag):
        return -1 if self.chance(self.any_source) else sender, -1 if self.chance(self.any_tag) else tag

    def message(self):
        sender, to, tag, comm = self.envelope()
        mode = self.rng.choice("ssssSb")
        word = self.rng.choice(("send", "send", "isend", "psend"))
        is_later = self.chance(0.6)
        if mode == "S" and is_later and word == "send":
            word = "isend"
        self.add(sender, word, mode, to, tag, comm, self.value())
        if word != "send":
            number = self.number(sender)
            if mode != "S" or not is_later:
                self.pending[sender].append(number)
        if is_later:
            self.in_flight.append((sender, to, tag, comm))
        else:
            self.receive(sender, to, tag, comm)

    def ready_message(self):
        """The receiver has posted a receive before it tells the sender."""
        self.has_ready_message = True
        sender, to, tag, comm = self.envelope()
        self.add(to, "irecv", *self.selectors(sender, tag), comm)
        self.pending[to].append(self.number(to))
        for rank in range(self.ranks):
            self.add(rank, "barrier", 0)
        word = self.rng.choice(("send", "isend", "psend"))
        self.add(sender, word, "r", to, tag, comm, self.value())
        if word != "send":
            self.pending[sender].append(self.number(sender))

    def exchange(self):
        a, b, tag, comm = self.envelope()
        other = self.rng.randrange(self.tags)
        self.add(a, "exchange", b, tag, self.value(), *self.selectors(b, other), comm)
        self.add(b, "exchange", a, other, self.value(), *self.selectors(a, tag), comm)

    def receive(self, sender, to, tag, comm):
        word = self.rng.choice(("recv", "recv", "irecv", "irecv", "irecv", "precv", "start", "probe", "iprobe", "peek", "look", "improbe", "mprobe",
                                "hold"))
        sender, tag = self.selectors(sender, tag)
        self.add(to, word, sender, tag, comm)
        if word in ("irecv", "precv"):
            self.pending[to].append(self.number(to))
            if self.chance(0.2):
                self.add(to, "cancel", self.pending[to][-1])
        elif word == "hold":
            self.held[to].append(self.number(to))
        elif word == "peek":
            self.add(to, "recv", sender, tag, comm)
        elif word in ("look", "improbe") and self.chance(0.7):
            self.add(to, "if", 0, "recv", sender, tag, comm)

    def complete(self, rank):
        pending = self.pending[rank]
        if not pending:
            return
        word = self.rng.choice(("wait", "waitall", "waitany", "waitany", "waitany", "waitsome", "waitsome", "test", "test", "loop", "testall",
                                "testany", "testsome", "loopany", "loopsome", "loopall"))
        if word in ("wait", "test", "loop"):
            self.add(rank, word, self.rng.choice(pending))
        else:
            self.add(rank, word, *pending)

    def add_conditions(self):
        """Lines depend on what the rank found before them."""
        for _ in range(self.rng.choice((0, 1, 1, 1, 2))):
            i = self.rng.randrange(len(self.lines))
            words = self.lines[i].split()
            before = [line.split() for line in self.lines[:i] if line.split()[0] == words[0]]
            if words[1] in ("if", "unless") or not before:
                continue
            found = before[-1]
            values = self.values(found[3:] if found[1] in ("if", "unless") else found[1:])
            if values and words[1] not in ("wait", "take"):
                self.lines[i] = " ".join((words[0], self.rng.choice(("if", "unless")), str(self.rng.choice(values)), *words[1:]))

    def values(self, words):
        """What a call may find."""
        if words[0] in ("recv", "start", "probe", "mprobe", "take", "iprobe"):
            return [1000 + i for i in range(1, self.messages + 1)]
        if words[0] in ("waitany", "testany", "loopany"):
            return [int(w) for w in words[1:]]
        if words[0] in ("waitsome", "testsome", "loopsome"):
            return [1 << int(w) for w in words[1:]]
        if words[0] == "peek":
            return list(range(self.ranks))
        return [0, 1] if words[0] in ("test", "testall", "loop", "loopall", "look", "improbe", "cancel") else []


def is_modelled(lines):
    """Whether no rank looks at a message twice, which docs/mpi.md calls simplified, or receives while a receive is posted that it
    cancels, which makes a recording incomplete."""
    peeks, looks = set(), set()
    issued = Counter()  # by ranks
    last_receive = {}  # likewise: the request of the last receive, or None if the last one has no request
    for line in lines:
        words = line.split()
        words = words[:1] + words[3:] if words[1] in ("if", "unless") else words
        if words[1] == "cancel" and last_receive.get(words[0]) != int(words[2]):
            return False
        if words[1] in ("irecv", "precv"):
            last_receive[words[0]] = issued[words[0]]
        elif words[1] not in ("send", "isend", "psend", "coll", "icoll", "barrier", "cancel", "take") and not words[1].startswith(("wait", "test", "loop")):
            last_receive[words[0]] = None
        issued[words[0]] += words[1] in ("isend", "psend", "irecv", "precv", "hold", "icoll")
        if words[1] == "peek":
            if words[0] in peeks:
                return False
            peeks.add(words[0])
        if words[1] in ("look", "improbe", "iprobe", "probe", "cancel"):
            looks.add(words[0])
    return not peeks & looks


def program(rng, counts):
    """A random script, and what it can do."""
    while True:
        script = RandomScript(rng)
        if not is_modelled(script.lines):
            counts["drawn again: looks twice"] += 1
            continue
        try:
            found = naive.explore(script.lines, script.ranks, STATES)
            if len(found.complete) + len(found.stuck) > MOST:
                counts["drawn again: too many behaviours"] += 1
                continue
            if len(found.complete) + len(found.stuck) + len(found.stuck_by_library) < 2 and not found.mismatch and script.chance(0.8):
                counts["drawn again: one behaviour"] += 1
                continue
            if any(word in script.text() for word in ("bcast", "reduce", "gather", "scan")):
                # The library may let all ranks wait for all: what needs it not to, nothing makes happen.
                meeting = naive.explore(script.lines, script.ranks, STATES, all_meet=True)
                if (meeting.complete, meeting.stuck) != (found.complete, found.stuck):
                    counts["drawn again: collective calls may make ranks wait"] += 1
                    continue
            return script, found
        except naive.TooLarge:
            counts["drawn again: too large"] += 1
        except naive.Odd as e:
            counts[f"drawn again: {e}"] += 1


# ---- runs of `verify`
# ---------------------------------------------------------------------------------------------------------


def log_of(folder, ranks):
    """What the ranks of a run found."""
    def call(line):
        word, *numbers = line.split()
        return (word, *map(int, numbers))

    logs = []
    for rank in range(ranks):
        file = folder / "ranks" / f"seen-{rank}"
        logs.append(tuple(map(call, file.read_text().splitlines())) if file.exists() else ())
    return tuple(logs)


class Seen:
    """What the runs of a verification did."""

    def __init__(self, folder, ranks):
        self.complete, self.stuck, self.others = set(), set(), []
        self.runs = 0
        for run_folder in sorted(folder.glob("run-*")):
            self.runs += 1
            end = (run_folder / "run").read_text().splitlines()[-1]
            log = log_of(run_folder, ranks)
            if end == "exited 0":
                self.complete.add(log)
            elif end == "stands-still":
                self.stuck.add(log)
            else:
                self.others.append(f"{run_folder.name}: {end}")


def shown(logs):
    return "".join(f"    {log}\n" for log in sorted(logs))


class Compared:
    """A program, explored and verified."""

    def __init__(self, library, driver, folder, ranks, lines, found):
        self.library, self.driver, self.folder, self.ranks, self.lines, self.found = library, driver, folder, ranks, lines, found
        self.counts = Counter()

    def run(self, *options):
        self.compare(*self.verify(*options))

    def verify(self, *options):
        file = self.folder / "script"
        file.write_text("\n".join(self.lines) + "\n")
        result = run("mpi", "verify", "--keep", self.folder / "kept", "--timeout", "40", "--patience", "0.2", *(options or ("--runs", str(RUNS))), "--",
                     *launcher(self.library, self.ranks), self.driver, file, "seen")
        return result, Seen(self.folder / "kept", self.ranks)

    def compare(self, result, seen):
        found, text = self.found, result.text + result.error_text
        self.counts["programs"] += 1
        self.counts["runs"] += seen.runs
        if found.mismatch:
            self.counts["programs whose collective calls do not match"] += 1
            self.check(result.code == ERROR or "do not match" in text, "no mismatch is reported", text)
            return
        self.check("do not match" not in text, "a mismatch is reported", text)
        wrong = (seen.complete - found.complete) | (seen.stuck - found.stuck - found.stuck_by_library)
        self.check(not wrong, "these runs are no behaviours:\n" + shown(wrong), text)
        self.check(not seen.others, f"odd runs: {seen.others}", text)
        missing = found.complete - seen.complete
        self.check(not missing, "these behaviours were not run:\n" + shown(missing), text)
        missing = found.stuck - seen.stuck
        self.check(not missing, "these deadlocks were not run:\n" + shown(missing), text)
        is_stuck = bool(found.stuck or found.stuck_by_library)
        self.check(not is_stuck or result.code == DEADLOCK, f"no deadlock is reported:\n{shown(found.stuck_by_library)}", text)
        # The receive of a ready send is there, but the machine does not find that out.
        is_known = "stopped: it is not known whether each ready send finds a posted receive" not in text
        self.counts["programs with a ready send, which is not understood"] += not is_known
        self.check(is_stuck or not is_known or result.code == HOLDS, "it does not hold", text)
        self.check("; nothing left\n" in text or not is_known, "something is left", text)
        self.counts["behaviours"] += len(found.complete)
        self.counts["deadlocks that need no library"] += len(found.stuck)
        self.counts["programs with a deadlock"] += bool(found.stuck)
        self.counts["programs with one that depends on the library"] += bool(found.stuck_by_library) and not found.stuck

    def check(self, is_so, what, text):
        if not is_so:
            raise AssertionError(f"{what}\n{text}")


class Case(Compared):
    """A random one."""

    def __init__(self, library, number, driver, folder):
        counts = Counter()
        script, found = program(random.Random(f"{CAMPAIGN.seed} {number}"), counts)
        super().__init__(library, driver, folder, script.ranks, script.lines, found)
        self.counts = counts
        self.name = CAMPAIGN.name(library, number)

    def run(self, *options):
        try:
            super().run(*options)
        except AssertionError as e:
            raise AssertionError("\n".join((self.name, *self.lines, str(e)))) from None


# ---- the tests
# ---------------------------------------------------------------------------------------------------------------

# Programs that were wrong once, or that show what the exploration has to know: (ranks, complete behaviours, deadlocks of every
# library, deadlocks of some, lines).
KNOWN = {
    "two probes of one line fail, or the second one sees a message": (3, 8, 0, 4, """
        1 send s 0 0 0 1001
        0 improbe -1 -1 0
        2 isend s 0 1 0 1002
        0 improbe -1 -1 0
        0 if 0 recv -1 -1 0
        2 waitall"""),
    "a message must be buffered, so that a rank gets to a send that waits": (3, 2, 0, 1, """
        0 recv -1 0 0
        0 recv -1 0 0
        0 if 1002 send s 1 1 0 1004
        1 recv 2 0 0
        1 send s 0 0 0 1001
        2 send s 0 0 0 1002
        2 send s 1 0 0 1003"""),
    "a cancelled receive": (2, 2, 0, 0, """
        0 irecv -1 0 0
        0 cancel 0
        0 if 1 recv 1 0 0
        1 send b 0 0 0 1001"""),
    "a cancel lets another receive have the message": (2, 2, 0, 0, """
        0 irecv -1 1 0
        0 irecv -1 0 0
        0 cancel 1
        0 if 1 recv 1 0 0
        0 waitall
        1 send b 0 0 0 1001
        1 send b 0 1 0 1002"""),
    "a cancel that comes too late, as the sender waited": (2, 1, 0, 0, """
        0 irecv -1 0 0
        0 recv 1 1 0
        0 cancel 0
        1 send S 0 0 0 1001
        1 send b 0 1 0 1002"""),
    "nobody receives what was meant for a cancelled receive": (2, 1, 1, 0, """
        0 irecv -1 0 0
        0 cancel 0
        1 send S 0 0 0 1001"""),
    "messages race after a probe that failed": (3, 8, 0, 0, """
        2 send s 0 0 0 1001
        0 improbe -1 -1 0
        0 if 0 recv -1 -1 0
        1 isend S 0 0 0 1002
        0 improbe -1 0 0
        0 if 0 recv -1 0 0
        1 waitall"""),
    "a test does not wait for what it found in another run": (2, 2, 0, 0, """
        1 send s 0 0 0 1001
        0 psend S 1 0 0 1002
        1 irecv -1 0 0
        0 testsome 0
        0 precv -1 -1 0
        0 waitall
        1 waitall"""),
    "MPI_Waitsome waits forever": (2, 0, 1, 0, """
        0 irecv 1 0 0
        0 waitsome"""),
    "a deadlock of all libraries that is on another path hides one of some": (3, 2, 0, 1, """
        2 psend S 0 0 0 1001
        1 send s 0 0 0 1002
        0 mprobe -1 -1 0
        0 if 1002 recv -1 -1 0
        2 waitall"""),
    "MPI_Waitany returns while the library lets another request wait": (2, 2, 0, 1, """
        1 isend s 0 1 0 1001
        1 isend S 0 0 0 1002
        0 recv 1 0 0
        1 waitany 0 1
        0 if 0 recv 1 1 0
        1 waitall"""),
    "MPI_Waitany does not wait for what another rank no longer sends": (4, 2, 1, 0, """
        0 irecv 1 0 0
        0 irecv 2 0 0
        0 waitany 0 1
        0 waitall
        1 recv -1 0 0
        1 if 1001 send b 0 0 0 1003
        2 send b 1 0 0 1001
        2 send b 0 0 0 1004
        3 send b 1 0 0 1002"""),
    "a test that only one message leads to": (3, 3, 0, 0, """
        0 recv -1 0 0
        0 irecv 1 1 0
        0 if 1002 test 0
        0 waitall
        1 send b 0 1 0 1003
        1 send b 0 0 0 1001
        2 send b 0 0 0 1002"""),
    "a test does not wait for a send": (2, 4, 0, 0, """
        1 isend s 0 0 0 1001
        1 test 0
        1 if 0 send b 0 1 0 1002
        0 recv 1 -1 0
        1 send b 0 1 0 1003
        0 look 1 1 0
        1 waitall"""),
    "non-overtaking": (3, 2, 0, 0, """
        1 send b 0 0 0 1001
        1 send b 0 0 0 1002
        2 send b 1 0 0 1003
        1 recv 2 0 0
        0 recv -1 -1 0
        0 look -1 -1 0"""),
    "a matched message whose sender waits": (2, 0, 1, 0, """
        0 hold 1 1 0
        0 hold 1 2 0
        0 take 0
        0 take 1
        1 send S 0 1 0 1001
        1 send S 0 2 0 1002"""),
    "a send that a test has passed over may wait later": (2, 3, 0, 2, """
        1 isend s 0 0 0 1001
        1 isend s 0 0 0 1002
        0 recv 1 0 0
        1 testany 0 1
        1 waitall"""),
    "two sends that need buffers": (2, 1, 0, 1, """
        0 send s 1 0 0 1001
        0 recv 1 0 0
        1 send s 0 0 0 1002
        1 recv 0 0 0"""),
}


def known(name):
    ranks, complete, stuck, stuck_by_library, text = KNOWN[name]
    lines = [line.strip() for line in text.strip().splitlines()]
    return ranks, lines, (complete, stuck, stuck_by_library)


class Behaviours(InFolder):
    def test_random_programs(self):
        CAMPAIGN.run(self, Case, self.suffice)

    def suffice(self, counts):
        if CAMPAIGN.cases >= 100:
            self.assertGreater(counts["behaviours"], 3 * CAMPAIGN.cases)
            self.assertGreater(counts["programs with a deadlock"], 0.05 * CAMPAIGN.cases)
            self.assertGreater(counts["programs with one that depends on the library"], 0.05 * CAMPAIGN.cases)

    def test_exploration(self):
        """What the naive exploration finds is what a reader of the standard counts."""
        for name in KNOWN:
            with self.subTest(name):
                ranks, lines, wanted = known(name)
                found = naive.explore(lines, ranks)
                self.assertEqual((len(found.complete), len(found.stuck), len(found.stuck_by_library)), wanted,
                                 shown(found.complete) + shown(found.stuck))

    def compared(self, library, name, found=None):
        ranks, lines, _ = known(name)
        folder = self.folder / f"{library}-{len(list(self.folder.iterdir()))}"
        folder.mkdir()
        driver = compiled(library, "tests/mpi/driver.c", folder)
        return Compared(library, driver, folder, ranks, lines, found or naive.explore(lines, ranks))

    def test_known_programs(self):
        for library in libraries(self._testMethodName):
            for name in KNOWN:
                with self.subTest(name, library=library):
                    self.compared(library, name).run()

    def test_a_difference_is_noticed(self):
        """The comparison can fail: with a run too few, and with a behaviour too few."""
        for library in libraries(self._testMethodName):
            name = "messages race after a probe that failed"
            ranks, lines, _ = known(name)
            with self.assertRaisesRegex(AssertionError, "these behaviours were not run"):
                self.compared(library, name).run("--runs", "1")
            less = naive.explore(lines, ranks)
            less.complete.pop()
            with self.assertRaisesRegex(AssertionError, "these runs are no behaviours"):
                self.compared(library, name, less).run()


if __name__ == "__main__":
    CAMPAIGN.main(__doc__)
