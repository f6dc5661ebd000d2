#!/usr/bin/env python3
"""Replay is faithful: random programs are recorded and replayed, and take what the schedule says.

  tests/mpi/faithful.py                               20 programs with each MPI library; a minute or two
  tests/mpi/faithful.py --cases 1000 --seed 1         so many; resume with --from
  tests/mpi/faithful.py --library mpich --jobs 2      with one library, two runs at a time

Each program is a script for driver.c. Every message of it has a value of its own, so what a receive got tells which message it
took. The oracle gives a random match set of the recorded program, with a trace; the replay along that trace has to take it, by
what the files of its ranks say. Traces that a change has made invalid are refused before anything starts. If the program can
deadlock under some library, that happens in a replay: the sends that the witness names wait, and no others.
"""

import json
import random
import re
import subprocess
from collections import Counter
from itertools import combinations
from pathlib import Path

from mpi import LIBRARIES, compiled, launcher
from scripts import Campaign, Script
from support import DEADLOCK, ERROR, HOLDS, MATCHPOINT, InFolder, part, run

CAMPAIGN = Campaign(len(part(range(20), 1)))


# ---- random programs
# ----------------------------------------------------------------------------------------------------------


class RandomScript(Script):
    """A random script for driver.c. There is an order in which it completes: each call is where it could be done if all
    calls before it, of all ranks, were done. Another order may hang."""

    def __init__(self, rng):
        super().__init__(rng, rng.choice((2, 3, 3, 3, 4, 4)))
        self.pending = [[] for _ in range(self.ranks)]  # [number of the request, whether it can be complete now]
        self.in_flight = []  # messages that no receive was placed for
        self.tags = rng.choice((1, 1, 2, 3))
        self.any_source, self.any_tag = rng.choice((0.7, 1, 1)), rng.choice((0.5, 1, 1))
        for _ in range(rng.randint(4, 10)):
            self.step()
        rng.shuffle(self.in_flight)
        for message in self.in_flight:
            self.receive(*message)
        for rank in range(self.ranks):
            if self.pending[rank]:
                self.add(rank, "waitall")

    def step(self):
        if self.chance(0.05):
            comm = self.rng.choice((0, 1))
            for rank in range(self.ranks):
                self.add(rank, "barrier", comm)
        if self.chance(0.3):
            self.wait(self.rng.randrange(self.ranks))
        if self.in_flight and self.chance(0.2):
            self.receive(*self.in_flight.pop(self.rng.randrange(len(self.in_flight))))
        elif self.chance(0.1):
            self.exchange()
        else:
            self.message()

    def wait(self, rank):
        pending = self.pending[rank]
        all_safe = all(is_safe for _, is_safe in pending)
        if pending and all_safe and self.chance(0.3):
            self.add(rank, "waitall")
            pending.clear()
        elif pending and all_safe and self.chance(0.5):
            # Which one, time tells: a later wait for it does nothing.
            self.add(rank, self.rng.choice(("waitany", "waitsome")))
        elif any(is_safe for _, is_safe in pending):
            chosen = self.rng.choice([p for p in pending if p[1]])
            self.add(rank, "wait", chosen[0])
            pending.remove(chosen)

    def envelope(self):
        """Who sends, who receives, with which tag, on which communicator. Rank 0 receives most, so that messages race."""
        to = 0 if self.chance(0.7) else self.rng.randrange(self.ranks)
        sender = self.rng.choice([rank for rank in range(self.ranks) if rank != to])
        return sender, to, self.rng.randrange(self.tags), int(self.chance(0.15))

    def request(self, rank, is_safe):
        self.pending[rank].append([self.number(rank), is_safe])
        return self.pending[rank][-1]

    def message(self):
        sender, to, tag, comm = self.envelope()
        mode = self.rng.choice("sssssSSb")
        is_later = self.chance(0.7)
        if self.chance(0.5) or (mode == "S" and is_later):
            self.add(sender, "isend", mode, to, tag, comm, self.value())
            request = self.request(sender, mode != "S")
        else:
            self.add(sender, "send", mode, to, tag, comm, self.value())
            request = None
        message = (sender, to, tag, comm, request)
        if is_later:
            self.in_flight.append(message)
        else:
            self.receive(*message)

    def selectors(self, sender, tag):
        return -1 if self.chance(self.any_source) else sender, -1 if self.chance(self.any_tag) else tag

    def receive(self, sender, to, tag, comm, request):
        word = self.rng.choice(("recv", "recv", "irecv", "irecv", "irecv", "start", "probe", "iprobe", "mprobe"))
        self.add(to, word, *self.selectors(sender, tag), comm)
        if word == "irecv":
            self.request(to, True)
        if request is not None:
            request[1] = True

    def exchange(self):
        a, b, tag, comm = self.envelope()
        other = self.rng.randrange(self.tags)
        self.add(a, "exchange", b, tag, self.value(), *self.selectors(b, other), comm)
        self.add(b, "exchange", a, other, self.value(), *self.selectors(a, tag), comm)


# ---- what was recorded
# --------------------------------------------------------------------------------------------------------


class Program:
    """What there is to know about a recorded program, by its text."""

    COMMAND = re.compile(r"\[(\S+) \((\w+) ([^\s()]+)([^()]*)(?:\(from \d+\))? ?(?:\(tag (\d+)\))?")

    def __init__(self, path):
        self.path = path
        self.text = path.read_text()
        self.sends = {}  # action -> rank, tag, value
        self.receives = {}  # action -> endpoint
        self.issued_at, self.waited_at = {}, {}  # action -> location
        for location, word, action, rest, tag in self.COMMAND.findall(self.text):
            if word in ("sndi", "ssndi", "bsndi"):
                self.sends[action] = (rank_of(action), int(tag or 0), int(rest.split()[2]))
            elif word in ("rcvi", "mprobe"):
                self.receives[action] = int(rest.split()[0])
            if word == "wait":
                self.waited_at[action] = location
            elif word not in ("start", "test", "iprobe"):
                self.issued_at[action] = location

    def with_trace(self, trace, name):
        path = self.path.parent / name
        commands, *_ = self.text.split("\n\n( (")  # without the trace of the recorded run
        path.write_text(f"{commands}\n{text_of(trace)}\n")
        return path


def rank_of(action):
    return int(re.match(r"[RSPC](\d+)_", action)[1])


def text_of(trace):
    """[["02"], ["03", [0, 1], ["peek", 0, 2, "5"]]] in the trace language."""
    def moved(moves):
        return "".join("(" + " ".join(map(str, move)) + ") " for move in moves)

    return "(" + " ".join(f"({at} ({moved(moves)}bot))" if moves else f"({at} bot)" for at, *moves in trace) + ")"


def trace_of(text):
    """The other way."""
    move = r"\((?:peek )?\d+ \d+(?: -?\d+)?\)"
    return [[at, *([int(word) if word.isdigit() and i < 3 else word for i, word in enumerate(m.strip("()").split())] for m in re.findall(move, moves))]
            for at, moves in re.findall(rf"\(([^\s()]+) (bot|\((?:{move} ?)*(?:bot)?\))\)", text)]


def is_peek(move):
    return move[0] == "peek"


def taken(folder):
    """What each receive of a run took, by the files of its ranks: receive -> rank, tag and value of the message."""
    found = {}
    for path in sorted(folder.glob("*.mpirec")):
        lines = path.read_bytes().split(b"\0")[0].decode().splitlines()
        rank = lines[1].split()[1]
        for line in lines:
            if line.startswith("got "):
                request, *message = map(int, line.split()[1:])
                found[f"R{rank}_{request}"] = tuple(message)
    return found


def calls(folder):
    """The sends and receives of each rank, without the numbers of places and types. A receive of what was probed names who was seen."""
    found = []
    for path in sorted(folder.glob("*.mpirec")):
        lines = [line.split() for line in path.read_bytes().split(b"\0")[0].decode().splitlines() if not line.startswith(("place ", "type "))]
        found.append([words[:2] if before[0] == "seen" else words[:2] + words[3:] for before, words in zip(lines, lines[1:])
                      if words[0] in ("send", "recv", "mprobe")])
    return found


def call_of(receive):
    """R0_3 of R0_3.P1, the receive of what probe 1 saw."""
    return re.sub(r"\.P\d+$", "", receive)


def wanted(program, matches):
    """The same of a match set."""
    return {call_of(receive): program.sends[send] for receive, send in matches.items()}


def matches_of(program, messages):
    """The match set of what was taken: values tell messages apart."""
    send_of = {message: send for send, message in program.sends.items()}
    return {receive: send_of[messages[call_of(receive)]] for receive in program.receives}


# ---- schedules ----------------------------------------------------------------------------------------------------------------


class Refused(Exception):
    pass


class Oracle:
    def __init__(self):
        self.process = subprocess.Popen([MATCHPOINT, "oracle"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def __call__(self, method, /, **params):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise Refused(answer["error"]["message"])
        return answer["result"]

    def is_feasible(self, matches):
        return self("feasible", matches=matches, trace=False)["answer"] == "feasible"

    def random_run(self, rng):
        """A complete run, with its matches and trace: receive by receive, a send that it can still get; or None."""
        if not self.is_feasible({}):
            return None
        pairs = self("pairs", method="tight")["pairs"]
        matches = {}
        receives = list(pairs)
        rng.shuffle(receives)
        for receive in receives:
            sends = [send for send in pairs[receive] if send not in matches.values()]
            rng.shuffle(sends)
            while not self.is_feasible({**matches, receive: sends[-1]}):
                sends.pop()
            matches[receive] = sends[-1]
        run = self("feasible", matches=matches)
        return run["matches"], run["trace"]


def explored_run(rng, program, buffering):
    """The same of a program that the oracle refuses."""
    result = run("explore", program.path, "--buffering", buffering, "--limit", "1000", "--format", "json")
    runs = [e for e in json.loads(result.text)["executions"] if e["status"] == "success"]
    if not runs:
        return None
    chosen = rng.choice(runs)
    return {m["receive"]: m["send"] for m in chosen["matches"]}, trace_of(chosen["trace"])


def no_runs(rng, program, trace):
    """Invalid traces, with what is wrong with them by the rules of the language, whatever the machine makes of them."""
    at = {entry[0]: i for i, entry in enumerate(trace)}

    def changed():
        return [list(entry) for entry in trace]

    if program.receives:
        receive = rng.choice(list(program.receives))
        end = at[program.waited_at[receive]]
        early = changed()
        early.insert(0, early.pop(end))
        yield "a wait before its receive", early
        undelivered = changed()
        for entry in undelivered[:end + 1]:
            entry[1:] = [move for move in entry[1:] if move[is_peek(move)] != program.receives[receive]]
        yield "a wait before its message is delivered", undelivered
    moves = [move for entry in trace for move in entry[1:] if not is_peek(move)]
    if moves:
        too_early = changed()
        too_early[0].append(rng.choice(moves))
        yield "a message before it is sent", too_early
        first = next(i for i, entry in enumerate(trace) if any(not is_peek(move) for move in entry[1:]))
        more = changed()
        more[first][1:] = [next(move for move in more[first][1:] if not is_peek(move))] * (2 + len(program.sends))
        yield "more messages than were sent", more
    pairs = [(at[x], at[y]) for (a, x), (b, y) in combinations(program.issued_at.items(), 2) if rank_of(a) == rank_of(b)]
    if pairs:
        a, b = rng.choice(pairs)
        exchanged = changed()
        exchanged[a][0], exchanged[b][0] = exchanged[b][0], exchanged[a][0]
        yield "two calls of a rank exchanged", exchanged
    again = changed()
    entry = rng.choice(again)
    again.insert(rng.randint(again.index(entry) + 1, len(again)), [entry[0]])
    yield "a command that runs twice", again


# ---- the test -----------------------------------------------------------------------------------------------------------------


class Case:
    """A program, recorded and replayed."""

    def __init__(self, library, number, driver, folder):
        self.library, self.driver, self.folder = library, driver, folder
        self.rng = random.Random(f"{CAMPAIGN.seed} {number}")
        self.script = RandomScript(self.rng)
        self.counts = Counter()
        self.name = CAMPAIGN.name(library, number)
        self.command = []

    def check(self, is_so, what):
        if not is_so:
            raise AssertionError(f"{self.name}: {what}\n{self.script.text()}")

    def run(self):
        file = self.folder / "script"
        file.write_text(self.script.text())
        self.command = ["--timeout", "12" if " iprobe " in self.script.text() else "60", "--", *launcher(self.library, self.script.ranks), self.driver, file]
        program = self.record()
        if program is None:
            return
        buffering = self.rng.choice(["infinite"] * 4 + ["zero"])
        chosen = self.schedule(program, buffering)
        if chosen is None:
            self.counts["no run without buffers"] += 1
            chosen = self.schedule(program, buffering := "infinite")
        self.replay(program, *chosen, buffering)
        for kind, trace in no_runs(self.rng, program, chosen[1]):
            self.refuse(program, trace, kind, buffering)
        self.deadlock(program)

    def record(self):
        recording = self.folder / "run.ctp"
        result = run("mpi", "record", "-o", recording, "--keep", self.folder / "recorded", *self.command)
        if result.code == DEADLOCK:
            self.counts["stood still"] += 1
            return None
        if "the time limit was reached" in result.error_text and " iprobe " in self.script.text():
            self.counts["probed for ever"] += 1
            return None
        self.check(result.code == HOLDS, f"record: exit code {result.code}: {result.error_text}")
        self.counts["recorded"] += 1
        return Program(recording)

    def schedule(self, program, buffering):
        """A random match set, and a trace with it."""
        with Oracle() as oracle:
            try:
                oracle("load", file=str(program.path), buffering=buffering)
            except Refused:
                self.counts["not lowered, so explored"] += 1
                return explored_run(self.rng, program, buffering)
            if buffering == "infinite":
                recorded = matches_of(program, taken(self.folder / "recorded"))
                self.check(oracle.is_feasible(recorded), f"the oracle says that this did not happen: {recorded}")
            return oracle.random_run(self.rng)

    def replay(self, program, matches, trace, buffering):
        file = program.with_trace(trace, "wanted.ctp")
        folder = self.folder / "replayed"
        result = run("mpi", "replay", file, "--trace", "1", "--buffering", buffering, "--keep", folder, *self.command)
        differences = sorted(set(wanted(program, matches).items()) ^ set(taken(folder).items()))
        said = f"{text_of(trace)}\n{result.error_text}"
        self.check(not differences, f"replay with {buffering} buffering, wanted and taken differ: {differences}\n{said}")
        self.check(result.code == HOLDS, f"replay: exit code {result.code}: {said}")
        self.check(calls(folder) == calls(self.folder / "recorded"), f"replay: other calls\n{said}")
        self.counts[f"replayed, {buffering} buffering"] += 1
        self.counts["receives compared"] += len(matches)
        self.counts["other matches than recorded"] += taken(folder) != taken(self.folder / "recorded")

    def deadlock(self, program):
        witness = self.folder / "stuck.ctp"
        result = run("check", program.path, "-o", witness, "--timeout", "20")
        self.check("(any buffering)" in result.text, result.text)
        if result.code != DEADLOCK:
            self.counts["no deadlock"] += 1
            return
        text = witness.read_text()
        found = re.search(r"^; trace (\d+), (?:any buffering, refusing (.*)|infinite buffering): leads to a deadlock$", text, re.MULTILINE)
        result = run("mpi", "replay", witness, "--trace", found[1], *self.command)
        said = f"{text}\n{result.error_text}"
        if "the time limit was reached" in result.error_text and " iprobe " in self.script.text():
            self.counts["probed for ever in a deadlock"] += 1
            return
        self.check(result.code == DEADLOCK, f"deadlock: exit code {result.code}: {said}")
        self.check("confirmed: the deadlock happened\n" in result.error_text, f"another deadlock: {said}")
        self.check(("it depends on the library" in result.error_text) == bool(found[2]), f"on whom it depends: {said}")
        self.counts["deadlocks, every library" if found[2] is None else "deadlocks, one send waits" if " " not in found[2] else "deadlocks, several sends wait"] += 1

    def refuse(self, program, trace, kind, buffering):
        file = program.with_trace(trace, "refused.ctp")
        started = self.folder / "started"
        starter = self.folder / "mpirun"
        starter.write_text(f"#!/bin/sh\necho 'mpirun (Open MPI) 4.1.4' > {started}\ncat {started}\n")
        starter.chmod(0o755)
        result = run("mpi", "replay", file, "--trace", "1", "--buffering", buffering, "--", starter, "-n", "2", self.driver)
        self.check(result.code == ERROR and "trace 1 is not a run of the program" in result.error_text,
                   f"{kind}: exit code {result.code}: {result.error_text}\n{text_of(trace)}")
        self.check(not started.exists(), f"{kind}: something was started")
        self.counts[f"refused: {kind}"] += 1


class Faithful(InFolder):
    def test_random_programs(self):
        CAMPAIGN.run(self, Case, self.suffice)

    def suffice(self, counts):
        if CAMPAIGN.cases >= 20:
            self.assertGreater(counts["recorded"], 0.7 * CAMPAIGN.cases)
            self.assertGreater(counts["other matches than recorded"], 0.2 * CAMPAIGN.cases)

    def test_a_changed_schedule_is_noticed(self):
        """The test can fail: a schedule that has two messages exchanged is not the one that was wanted."""
        for library in LIBRARIES:
            driver = compiled(library, "tests/mpi/driver.c", self.folder)
            script = self.write("0 recv -1 -1 0\n0 recv -1 -1 0\n1 send s 0 0 0 1001\n2 send s 0 0 0 1002\n", "script")
            command = [*launcher(library, 3), driver, str(script)]
            self.assertEqual(run("mpi", "record", "-o", self.folder / "run.ctp", "--", *command).code, HOLDS)
            program = Program(self.folder / "run.ctp")
            first, second = program.receives
            from_1, from_2 = sorted(program.sends)
            recorder = Path(MATCHPOINT).parent.parent / "record" / f"libmatchpoint_{library}.so"
            for n, (a, b) in enumerate(((from_1, from_2), (from_2, from_1))):
                folder = self.folder / f"{library}-{n}"
                folder.mkdir()
                takes = "".join(f"take 0 {r.split('_')[1]} {rank_of(s)} 0\n" for r, s in ((first, a), (second, b)))
                schedule = self.write("matchpoint-schedule 1\n" + takes, "schedule")
                subprocess.run(["env", f"LD_PRELOAD={recorder}", f"MATCHPOINT_RECORD={folder}",
                                f"MATCHPOINT_SCHEDULE={schedule}", *command], check=True)
                self.assertEqual(taken(folder), wanted(program, {first: a, second: b}))
                self.assertNotEqual(taken(folder), wanted(program, {first: b, second: a}))


if __name__ == "__main__":
    CAMPAIGN.main(__doc__)
