"""A naive exploration of scripts for driver.c, as the text of the MPI standard says, event by event. It shares no code with
Matchpoint.

A message that was sent arrives at any later time. A receive that is posted gets a message that has arrived, or that arrives: the
earliest receive that admits it, and of a sender's messages the earliest that it admits (MPI-3.1, 3.5). Only an arrived message
is seen by a probe (3.8). A synchronous send is complete once a receive has its message, a standard send that the library does
not buffer as well; a buffered one at any time (3.4). A test may find false whatever is complete, and one of several complete
requests is returned, or some (3.7). Ranks wait in a collective call for those whose data they need (5); the library may let them
wait for all.

    found = explore(lines, ranks)
    found.complete, found.stuck      sets of logs: for each rank what it found, call by call

A state is (ranks, messages, posted, got, collectives, held):
  ranks         for each: (line, phase, refuses, last, log, requests); requests are (number, line) of the active ones
  messages      unmatched ones, (value, sender, receiver, communicator, tag, has arrived), in the order in which they were sent
  posted        unmatched receives, (receive, receiver, communicator, sender or -1, tag or -1), in the order of posting
  got           what receives got that their ranks do not know of: (receive, value)
  collectives   for each communicator: (what the calls are, how many each rank has made)
  held          (rank, number, value) of messages that a matched probe holds
"""

from collections import namedtuple

State = namedtuple("State", "ranks messages posted got collectives held")
Rank = namedtuple("Rank", "at phase refuses last log requests")
ANY = -1


class TooLarge(Exception):
    pass


class Odd(Exception):
    """The program is not one whose behaviours can be compared: a ready send comes too early, or a rank tests forever."""


class Line:
    def __init__(self, text, counts):
        words = text.split()
        self.rank = int(words[0])
        words = words[1:]
        self.condition = None
        if words[0] in ("if", "unless"):
            self.condition = (words[0] == "if", int(words[1]))
            words = words[2:]
        self.word = words[0]
        self.args = [int(w) if w.lstrip("-").isdigit() else w for w in words[1:]]
        self.number = counts.get(self.rank, 0)  # of its request, or of the next one
        if self.word in ("isend", "psend", "irecv", "precv", "hold", "icoll"):
            counts[self.rank] = self.number + 1
        if self.word.startswith(("waita", "waits", "test", "loop")) and not self.args:
            self.args = list(range(self.number))


def parsed(lines, ranks):
    counts = {}
    result = [[] for _ in range(ranks)]
    for text in lines:
        line = Line(text, counts)
        result[line.rank].append(line)
    return result


class Found:
    """What can happen. `stuck` are the deadlocks that need no library to let a call wait, `stuck_by_library` the others."""

    def __init__(self):
        self.complete, self.stuck, self.stuck_by_library = set(), set(), set()
        self.mismatch = False
        self.states = 0


class Explorer:
    def __init__(self, lines, ranks, limit, all_meet):
        self.n = ranks
        self.code = parsed(lines, ranks)
        self.all_meet = all_meet  # every collective call waits for all
        self.limit = limit
        self.found = Found()

    def run(self):
        start = self.moved_on(State(tuple(Rank(-1, None, False, 0, (), ()) for _ in range(self.n)), (), (), (),
                                    (((), (0,) * self.n),) * 2, ()))
        seen, left = {start}, [start]
        while left:
            state = left.pop()
            following = list(self.following(state))
            if not following:
                self.end(state)
            for s in following:
                if s not in seen:
                    seen.add(s)
                    left.append(s)
            if len(seen) > self.limit:
                raise TooLarge
        self.found.states = len(seen)
        return self.found

    def moved_on(self, state):
        for r in range(self.n):
            state = self.passed(state, r)
        return state

    # ---- steps

    def line(self, state, r):
        at = state.ranks[r].at
        return self.code[r][at] if at < len(self.code[r]) else None

    def with_rank(self, state, r, **changes):
        ranks = list(state.ranks)
        ranks[r] = ranks[r]._replace(**changes)
        return state._replace(ranks=tuple(ranks))

    def passed(self, state, r, word=None, numbers=(), last=None, requests=None):
        """Rank r goes on, after it has found something. Lines whose condition does not hold are passed as well."""
        rank = state.ranks[r]
        log = rank.log if word is None else rank.log + ((word, *numbers),)
        last = rank.last if last is None else last
        at = rank.at + 1
        while at < len(self.code[r]):
            condition = self.code[r][at].condition
            if condition is None or (last == condition[1]) == condition[0]:
                break
            at += 1
        return self.with_rank(state, r, at=at, phase=None, refuses=False, last=last, log=log,
                              requests=rank.requests if requests is None else requests)

    def following(self, state):
        for i, (*message, arrived) in enumerate(state.messages):
            if not arrived:
                messages = state.messages[:i] + ((*message, True),) + state.messages[i + 1:]
                yield from self.settled(state._replace(messages=messages))
        for r in range(self.n):
            line = self.line(state, r)
            if line is not None:
                yield from getattr(self, "do_" + line.word)(state, r, line)

    def end(self, state):
        log = tuple(rank.log for rank in state.ranks)
        unfinished = [r for r in range(self.n) if self.line(state, r) is not None]
        if not unfinished:
            self.found.complete.add(log)
            return
        if any(self.is_mismatch(state, r) for r in unfinished):
            self.found.mismatch = True
            return
        if any(self.line(state, r).word.startswith(("loop", "iprobe")) for r in unfinished):
            raise Odd("a rank tests forever")
        is_of_library = any(self.could_pass(state, r) for r in unfinished)
        (self.found.stuck_by_library if is_of_library else self.found.stuck).add(log)

    def could_pass(self, state, r):
        """Whether the rank waits only as the library lets it."""
        line = self.line(state, r)
        ways = getattr(self, "do_" + line.word)(self.with_rank(state, r, refuses=False), r, line)
        return any(s.ranks[r].at != state.ranks[r].at for s in ways)

    # ---- matching

    @staticmethod
    def admits(receive, message):
        _, to, comm, sender, tag = receive
        return message[2] == to and message[3] == comm and sender in (ANY, message[1]) and tag in (ANY, message[4])

    def is_first(self, messages, i, receive):
        """Whether no earlier message of its sender is admitted."""
        return not any(m[1] == messages[i][1] and self.admits(receive, m) for m in messages[:i])

    def settled(self, state):
        """All ways in which posted receives get messages that have arrived, until none can."""
        for k, receive in enumerate(state.posted):
            ways = [i for i, m in enumerate(state.messages) if m[5] and self.admits(receive, m)
                    and self.is_first(state.messages, i, receive) and not any(self.admits(p, m) for p in state.posted[:k])]
            for i in ways:
                yield from self.settled(state._replace(
                    messages=state.messages[:i] + state.messages[i + 1:], posted=state.posted[:k] + state.posted[k + 1:],
                    got=tuple(sorted(state.got + ((receive[0], state.messages[i][0]),)))))
            if ways:
                return
        yield state

    def visible(self, state, r, sender, tag, comm):
        """The messages that a receive with these arguments could get now."""
        receive = (None, r, comm, sender, tag)
        return [i for i, m in enumerate(state.messages) if m[5] and self.admits(receive, m) and self.is_first(state.messages, i, receive)
                and not any(self.admits(p, m) for p in state.posted)]

    def posts(self, state, r, number, sender, tag, comm):
        return self.settled(state._replace(posted=state.posted + (((r, number), r, comm, sender, tag),)))

    def is_matched(self, state, value):
        return all(m[0] != value for m in state.messages) and all(h[2] != value for h in state.held)

    # ---- sends and receives

    def sends(self, state, r, mode, to, tag, comm, value):
        message = (value, r, to, comm, tag, False)
        if mode == "r" and not any(self.admits(p, message) for p in state.posted):
            raise Odd("a ready send comes too early")
        messages = state.messages + (message,)
        return state._replace(messages=tuple(sorted(messages, key=lambda m: m[1:4])))  # the order of others' messages is nothing

    def may_pass(self, state, r, mode, value):
        """Whether a send is complete, if the library does not let it wait. The other answer is whether it may."""
        if self.is_matched(state, value) or mode == "b":
            return True, False
        return mode != "S" and not state.ranks[r].refuses, mode != "S"

    def waits(self, state, r, way, refusable):
        """The rank goes on in this way; or the library lets it wait."""
        if way is not None:
            yield way
        if refusable and not state.ranks[r].refuses:
            yield self.with_rank(state, r, refuses=True)

    def do_send(self, state, r, line):
        mode, to, tag, comm, value = line.args
        if state.ranks[r].phase is None:
            yield self.with_rank(self.sends(state, r, mode, to, tag, comm, value), r, phase="sent")
            return
        passes, refusable = self.may_pass(state, r, mode, value)
        yield from self.waits(state, r, self.passed(state, r) if passes else None, refusable)

    def do_isend(self, state, r, line):
        state = self.sends(state, r, *line.args)
        yield self.passed(state, r, requests=state.ranks[r].requests + ((line.number, ("send", line.args[0], line.args[4])),))

    do_psend = do_isend

    def do_irecv(self, state, r, line):
        for s in self.posts(state, r, line.number, *line.args):
            yield self.passed(s, r, requests=s.ranks[r].requests + ((line.number, ("recv",)),))

    do_precv = do_irecv

    def got_of(self, state, r, number):
        return next((value for receive, value in state.got if receive == (r, number)), None)

    def without_got(self, state, r, numbers):
        return state._replace(got=tuple(g for g in state.got if g[0][0] != r or g[0][1] not in numbers))

    def do_recv(self, state, r, line, wish=None, more=()):
        number = -1  # of a receive in a blocking call
        if state.ranks[r].phase in (None, "seen"):
            for s in self.posts(state, r, number, *(wish or line.args)):
                yield self.with_rank(s, r, phase=("posted", *more))
            return
        value = self.got_of(state, r, number)
        if value is not None:
            more = state.ranks[r].phase[1:]
            last = more[0] if line.word == "look" else value
            yield self.passed(self.without_got(state, r, (number,)), r, line.word, (*more, value), last)

    do_start = do_recv

    def do_exchange(self, state, r, line):
        to, tag, value, sender, wanted, comm = line.args
        if state.ranks[r].phase is None:
            for s in self.posts(state, r, -1, sender, wanted, comm):
                yield self.with_rank(self.sends(s, r, "s", to, tag, comm, value), r, phase="sent")
            return
        passes, refusable = self.may_pass(state, r, "s", value)
        received = self.got_of(state, r, -1)
        way = None
        if passes and received is not None:
            way = self.passed(self.without_got(state, r, (-1,)), r, "exchange", (received,), received)
        yield from self.waits(state, r, way, refusable)

    # ---- probes

    def do_probe(self, state, r, line, more=()):
        if state.ranks[r].phase is not None and state.ranks[r].phase[0] == "posted":
            yield from self.do_recv(state, r, line)
            return
        sender, tag, comm = line.args
        for i in self.visible(state, r, sender, tag, comm):
            m = state.messages[i]
            yield from self.do_recv(self.with_rank(state, r, phase=None), r, line, (m[1], m[4], comm), more)

    def do_iprobe(self, state, r, line):
        phase = state.ranks[r].phase
        if phase is None:
            if not self.visible(state, r, *line.args):
                yield self.with_rank(state, r, phase=("later",))
        yield from self.do_probe(state, r, line, (0 if phase is None else 1,))

    def do_look(self, state, r, line):
        if state.ranks[r].phase is None and not self.visible(state, r, *line.args):
            yield self.passed(state, r, "look", (0,), 0)
            return
        yield from self.do_probe(state, r, line, (1,))

    def do_peek(self, state, r, line):
        for i in self.visible(state, r, *line.args):
            m = state.messages[i]
            yield self.passed(state, r, "peek", (m[1], m[4]), m[1])

    def taken(self, state, r, line):
        """The rank takes a message that it sees."""
        for i in self.visible(state, r, *line.args):
            yield from ((s, state.messages[i][0]) for s in self.settled(state._replace(messages=state.messages[:i] + state.messages[i + 1:])))

    def do_mprobe(self, state, r, line):
        for s, value in self.taken(state, r, line):
            yield self.passed(s, r, "mprobe", (value,), value)

    def do_improbe(self, state, r, line):
        if not self.visible(state, r, *line.args):
            yield self.passed(state, r, "improbe", (0,), 0)
        for s, value in self.taken(state, r, line):
            yield self.passed(s, r, "improbe", (1, value), 1)

    def do_hold(self, state, r, line):
        for s, value in self.taken(state, r, line):
            yield self.passed(s._replace(held=tuple(sorted(s.held + ((r, line.number, value),)))), r)

    def do_take(self, state, r, line):
        for h in state.held:
            if h[:2] == (r, line.args[0]):
                yield self.passed(state._replace(held=tuple(x for x in state.held if x != h)), r, "take", (h[2],), h[2])
                return
        yield self.passed(state, r)

    # ---- completion

    def do_cancel(self, state, r, line):
        """A receive that has no message yet is withdrawn; others may get what it would have got (3.8.4)."""
        number = line.args[0]
        if dict(state.ranks[r].requests).get(number) != ("recv",):
            yield self.passed(state, r)
        elif self.got_of(state, r, number) is not None:
            yield self.finished(state, r, [number], "cancel", (0,), 0)
        else:
            requests = tuple(q for q in state.ranks[r].requests if q[0] != number)
            for s in self.settled(state._replace(posted=tuple(p for p in state.posted if p[0] != (r, number)))):
                yield self.passed(s, r, "cancel", (1,), 1, requests)

    def can_be_complete(self, state, r, number):
        """Whether an active request can be complete if the library lets nothing wait, and whether it may let it wait."""
        request = dict(state.ranks[r].requests)[number]
        if request[0] == "recv":
            return self.got_of(state, r, number) is not None, False
        if request[0] == "send":
            return self.may_pass(state, r, request[1], request[2])
        return self.may_leave(state, r, *request[1:])

    def finished(self, state, r, numbers, word, first, last, shown=False):
        """The rank learns that these requests are complete: the log has the values of receives, after the request if `shown`."""
        log = list(first)
        requests = dict(state.ranks[r].requests)
        for number in numbers:
            if shown:
                log.append(number)
            if requests.get(number) == ("recv",):
                log.append(self.got_of(state, r, number))
            requests.pop(number, None)
        return self.passed(self.without_got(state, r, numbers), r, word, log, last, tuple(requests.items()))

    def look_at(self, state, r, numbers):
        """The active requests, those that can be complete, and whether the library may let one wait."""
        active = [n for n in numbers if n in dict(state.ranks[r].requests)]
        answers = [self.can_be_complete(state, r, n) for n in active]
        return active, [n for n, a in zip(active, answers) if a[0]], any(a[1] for a in answers)

    def do_wait(self, state, r, line):
        active, complete, refusable = self.look_at(state, r, line.args)
        if not active:
            yield self.passed(state, r)
            return
        way = None
        if complete:
            value = self.got_of(state, r, active[0])
            is_receive = value is not None
            way = self.finished(state, r, active, "wait" if is_receive else None, (), value)
        yield from self.waits(state, r, way, refusable)

    def do_waitall(self, state, r, line):
        active, complete, refusable = self.look_at(state, r, line.args)
        way = self.finished(state, r, active, "waitall", (), None) if active == complete else None
        yield from self.waits(state, r, way, refusable)

    def any_of(self, state, r, line, active, complete, first):
        if not active:
            yield self.passed(state, r, line.word, (*first, -1), -1)
        for n in complete:
            yield self.finished(state, r, [n], line.word, first, n, shown=True)

    def some_of(self, state, r, line, active, complete, first):
        if not active:
            yield self.passed(state, r, line.word, (*first, -1), 0)
        for bits in range(1, 1 << len(complete)):
            chosen = [n for i, n in enumerate(complete) if bits >> i & 1]
            yield self.finished(state, r, chosen, line.word, (*first, len(chosen)), sum(1 << n for n in chosen), shown=True)

    def all_of(self, state, r, line, active, complete, first):
        if active == complete:
            yield self.finished(state, r, active, line.word, first, first[0])

    def blocking(self, state, r, line, ways):
        active, complete, refusable = self.look_at(state, r, line.args)
        yield from ways(state, r, line, active, complete, ())
        yield from self.waits(state, r, None, refusable)

    def do_waitany(self, state, r, line):
        yield from self.blocking(state, r, line, self.any_of)

    def do_waitsome(self, state, r, line):
        yield from self.blocking(state, r, line, self.some_of)

    def do_test(self, state, r, line):
        active, complete, _ = self.look_at(state, r, line.args)
        if active:
            yield self.passed(state, r, line.word, (0,), 0)
        yield from self.all_of(state, r, line, active, complete, (1,))

    do_testall = do_test

    def do_testany(self, state, r, line):
        active, complete, _ = self.look_at(state, r, line.args)
        if active:
            yield self.passed(state, r, line.word, (0,), -1)
        yield from self.any_of(state, r, line, active, complete, (1,))

    def do_testsome(self, state, r, line):
        active, complete, _ = self.look_at(state, r, line.args)
        if active:
            yield self.passed(state, r, line.word, (0,), 0)
        yield from self.some_of(state, r, line, active, complete, ())

    def looping(self, state, r, line, ways):
        """Until it succeeds; the log tells whether the first test failed."""
        phase = state.ranks[r].phase
        active, complete, refusable = self.look_at(state, r, line.args)
        if phase is None and active:
            yield self.with_rank(state, r, phase=("later",))
        yield from ways(state, r, line, active, complete, (0 if phase is None else 1,))
        yield from self.waits(state, r, None, refusable and phase is not None)

    def do_loop(self, state, r, line):
        yield from self.looping(state, r, line, self.all_of)

    do_loopall = do_loop

    def do_loopany(self, state, r, line):
        yield from self.looping(state, r, line, self.any_of)

    def do_loopsome(self, state, r, line):
        yield from self.looping(state, r, line, self.some_of)

    # ---- collective calls

    @staticmethod
    def call_of(line):
        """The kind, the root and the communicator. Some kinds have no root."""
        if line.word == "barrier":
            return "barrier", 0, line.args[0]
        kind, comm, root = line.args
        return kind, root if kind in ("bcast", "reduce", "gather") else 0, comm

    def is_mismatch(self, state, r):
        line = self.line(state, r)
        if line.word not in ("barrier", "coll", "icoll") or state.ranks[r].phase is not None:
            return False
        *call, comm = self.call_of(line)
        calls, made = state.collectives[comm]
        # Nonblocking calls do not match blocking ones (5.12).
        return made[r] < len(calls) and calls[made[r]] != (line.word == "icoll", *call)

    def called(self, state, r, line):
        """The state with the call, and its number."""
        *call, comm = self.call_of(line)
        calls, made = state.collectives[comm]
        k = made[r]
        calls = calls if k < len(calls) else calls + ((line.word == "icoll", *call),)
        made = made[:r] + (k + 1,) + made[r + 1:]
        collectives = tuple((calls, made) if c == comm else old for c, old in enumerate(state.collectives))
        return state._replace(collectives=collectives), (comm, k)

    def may_leave(self, state, r, comm, k):
        calls, made = state.collectives[comm]
        _, kind, root = calls[k]
        everyone = range(self.n)
        needed = {"bcast": [root], "reduce": everyone if r == root else [], "gather": everyone if r == root else [],
                  "scan": range(r), "barrier": everyone, "allreduce": everyone}[kind]
        all_have_called = all(m > k for m in made)
        if self.all_meet:
            return all_have_called, False
        is_met = all(made[i] > k for i in needed)
        return is_met and (all_have_called or not state.ranks[r].refuses), is_met and not all_have_called

    def do_coll(self, state, r, line):
        if self.is_mismatch(state, r):
            return
        phase = state.ranks[r].phase
        if phase is None:
            state, call = self.called(state, r, line)
            yield self.with_rank(state, r, phase=call)
            return
        passes, refusable = self.may_leave(state, r, *phase)
        yield from self.waits(state, r, self.passed(state, r) if passes else None, refusable)

    do_barrier = do_coll

    def do_icoll(self, state, r, line):
        if self.is_mismatch(state, r):
            return
        state, call = self.called(state, r, line)
        yield self.passed(state, r, requests=state.ranks[r].requests + ((line.number, ("coll", *call)),))


def explore(lines, ranks, limit=100_000, all_meet=False):
    """All that a program can do. Raises TooLarge beyond so many states, and Odd."""
    return Explorer(lines, ranks, limit, all_meet).run()
