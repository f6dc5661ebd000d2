"""An encoder of complete runs with faults of one's choice: each change of validate/changes.hpp, written from its description.

    faulty.py infinite|zero PAIRS [FAULT...] < PROGRAM

PAIRS is a file with the match pairs of Figure 15, a receive and a send on each line. Without a fault it is right. c_N is when
command N takes place; from_R is the number of the send that receive R gets, -1 for none; t_R is when R gets it.
"""

import sys

import ctp
from meaning import Meaning

# Fault -> the rule, and what `validate` calls the change of it.
FAULTS = {
    "no_program_order": ("program order", "none"),
    "order_of_steps_1_to_3": ("program order", "only steps 1 to 3 of Section 5.3"),
    "receive_without_message": ("one send per receive", "none"),
    "receive_without_candidates": ("one send per receive", "not for a receive without match pairs"),
    "all_pairs": ("one send per receive", "from more sends than Figure 15 has"),
    "sends_twice": ("one receive per send", "none"),
    "no_channel_order": ("channel order", "none"),
    "overtaken_orphans": ("orphans", "none"),
    "no_endpoint_order": ("endpoint order", "none"),
    "no_send_before_wait": ("send before wait", "none"),
    "own_wait": ("send before wait", "the receive's own wait"),
    "no_rendezvous": ("rendezvous", "none"),
    "posted_late": ("rendezvous", "receives need not be posted"),
    "send_returns_early": ("rendezvous", "waits on sends pass at once"),
    "not_taken": ("rendezvous", "sends may stay"),
    "free_values": ("values", "none"),
    "only_waited_for": ("values", "only for receives that a wait names"),
    "divisor_zero": ("divisors", "may be zero"),
    "no_assumptions": ("assumptions", "none"),
    "no_property": ("property", "none"),
    "no_assertion_fails": ("property", "without assertions any run"),
    "executions": ("which runs count", "executions"),
    "order_of_task": ("channel order", "of a thread and a destination"),
    "order_of_endpoint": ("channel order", "of a destination"),
    "order_of_waits": ("channel order", "in the order of the waits"),
    "all_received": ("orphans", "there are none"),
    "wait_of_task": ("send before wait", "the next wait of the thread"),
    "send_before_receive": ("send before wait", "before the receive"),
    "receive_before_send": ("send before wait", "after the receive"),
    "as_zero": ("rendezvous", "as with zero buffering"),
    "completed_before_next": ("rendezvous", "the first kind of Section 5.4"),
    "completed_before_dependent": ("rendezvous", "the second kind of Section 5.4"),
    "one_version": ("versions of variables", "one for each variable"),
    "every_assertion_fails": ("property", "every assertion fails"),
    "first_assertion_fails": ("property", "the first assertion fails"),
    "last_assertion_fails": ("property", "the last assertion fails"),
    "one_assertion_fails": ("property", "exactly one assertion fails"),
    "complete_runs": ("which runs count", "complete runs"),
}
ONLY_ZERO = {"no_rendezvous", "posted_late", "send_returns_early", "not_taken", "completed_before_dependent"}
ONLY_INFINITE = {"own_wait", "as_zero"}


def disjunction(terms):
    return f"(or false {' '.join(terms)})"


def conjunction(terms):
    return f"(and true {' '.join(terms)})"


class Encoder:
    def __init__(self, program, buffering, pairs, faults):
        self.program, self.faults = program, frozenset(faults)
        self.meaning = Meaning(program)
        self.sends, self.receives = self.meaning.sends, self.meaning.receives
        self.thread_of = {n: t for t, thread in enumerate(self.meaning.threads) for n in thread}
        # Receive -> the sends that Figure 15 leaves it.
        self.figure_15 = [[s for s, send in enumerate(self.sends) if (receive.name, send.name) in pairs]
                          for receive in self.receives]
        same = [[s for s, send in enumerate(self.sends) if send.beta == receive.beta] for receive in self.receives]
        self.candidates = same if "all_pairs" in faults else self.figure_15
        self.meets = "no_rendezvous" not in faults if buffering == "zero" else "as_zero" in faults
        self.lines = []

    def ask(self, term):
        self.lines.append(f"(assert {term})")

    def problem(self):
        declarations = [*self.meaning.declarations()]
        self.lines = [f"(set-logic {self.logic()})", *declarations]
        self.lines += [f"(declare-const c_{n} Int)" for n in self.thread_of]
        self.lines += [f"(declare-const {name}_{r} Int)" for r in range(len(self.receives)) for name in ("from", "t")]
        self.program_order()
        self.matches()
        self.channels()
        self.section_5_4()
        self.endpoints()
        self.times()
        self.variables()
        self.outcome()
        return "\n".join([*self.lines, "(check-sat)", ""])

    def logic(self):
        """The smallest one, in which `validate` can ask the solver sooner."""
        return "QF_NIA" if any(op in str(self.program) for op in ("'*'", "'div'", "'mod'")) else "QF_LIA"

    # ---- Order ----

    def program_order(self):
        if "no_program_order" in self.faults:
            return
        for thread, numbers in zip(self.program, self.meaning.threads):
            if "order_of_steps_1_to_3" not in self.faults:
                for n in numbers[1:]:
                    self.ask(f"(< c_{n - 1} c_{n})")
                continue
            last = {}  # (kind, destination) -> the last command of that kind
            for n, command in zip(numbers, thread):
                if command[0] in ("sndi", "rcvi"):
                    key = (command[0], command[3] if command[0] == "sndi" else command[2])
                    if key in last:
                        self.ask(f"(< c_{last[key]} c_{n})")
                    last[key] = n
        if "order_of_steps_1_to_3" in self.faults:
            for receive in self.receives:
                self.ask(f"(< c_{receive.issued} c_{receive.completed})")

    # ---- Who gets what ----

    def is_left_out(self, receive):
        return "only_waited_for" in self.faults and receive.wait is None

    def may_get_nothing(self, r):
        return ("receive_without_message" in self.faults or self.is_left_out(self.receives[r])
                or ("receive_without_candidates" in self.faults and not self.figure_15[r]))

    def matches(self):
        for r in range(len(self.receives)):
            choice = [f"(= from_{r} {s})" for s in self.candidates[r]]
            self.ask(disjunction(choice + (["(= from_%d (- 1))" % r] if self.may_get_nothing(r) else [])))
        if "sends_twice" in self.faults:
            return
        for r in range(len(self.receives)):
            for q in range(r):
                if set(self.candidates[r]) & set(self.candidates[q]):
                    self.ask(f"(=> (>= from_{r} 0) (distinct from_{q} from_{r}))")

    def received(self, s):
        return disjunction(f"(= from_{r} {s})" for r in range(len(self.receives)) if s in self.candidates[r])

    def both(self, s, p):
        """The ways in which both sends are received, with the two receives."""
        for r in range(len(self.receives)):
            for q in range(len(self.receives)):
                if r != q and s in self.candidates[r] and p in self.candidates[q]:
                    yield r, q, f"(and (= from_{r} {s}) (= from_{q} {p}))"

    def channels(self):
        for s, one in enumerate(self.sends):
            if "all_received" in self.faults:
                self.ask(self.received(s))
            for p, other in enumerate(self.sends):
                if s != p and one.beta == other.beta:
                    self.two_sends(s, p)
        # Only the one before it in its channel.
        if "overtaken_orphans" not in self.faults:
            last = {}
            for s, send in enumerate(self.sends):
                channel = (send.alpha, send.beta)
                if channel in last:
                    self.ask(f"(=> {self.received(s)} {self.received(last[channel])})")
                last[channel] = s

    def two_sends(self, s, p):
        """Two sends to one destination."""
        one, other = self.sends[s], self.sends[p]
        one_thread = self.thread_of[one.issued] == self.thread_of[other.issued]
        channel, is_first = one_thread and one.alpha == other.alpha, one.issued < other.issued
        in_order = is_first and ((channel and "no_channel_order" not in self.faults)
                                 or (one_thread and "order_of_task" in self.faults))
        for r, q, both in self.both(s, p):
            if in_order:
                self.ask(f"(=> {both} (< t_{r} t_{q}))")
            if "order_of_endpoint" in self.faults:
                self.ask(f"(=> (and {both} (< c_{one.issued} c_{other.issued})) (< t_{r} t_{q}))")
            if "order_of_waits" in self.faults and channel:
                first, second = self.receives[r].wait, self.receives[q].wait
                if first is not None and second is not None and first < second:
                    self.ask(f"(=> {both} (< c_{one.issued} c_{other.issued}))")

    def section_5_4(self):
        for r, receive in enumerate(self.receives):
            for s in self.candidates[r]:
                send = self.sends[s]
                others = [p for p in self.candidates[r] if p != s]
                behind = ("completed_before_next" in self.faults and any(self.is_later(s, p) for p in others)) or (
                    "completed_before_dependent" in self.faults and any(self.depends_behind(s, p) for p in others))
                if behind:
                    self.ask(f"(< c_{receive.completed} c_{send.issued})")

    def is_later(self, s, p):
        """In the same thread."""
        one, other = self.sends[s].issued, self.sends[p].issued
        return self.thread_of[one] == self.thread_of[other] and other < one

    def depends_on(self, s, found):
        """The sends of all pairs of receives that the endpoint of s completed before, and so on."""
        send = self.sends[s]
        for r, receive in enumerate(self.receives):
            if receive.beta == send.alpha and receive.completed < send.issued:
                for p in self.candidates[r]:
                    if p not in found:
                        found.add(p)
                        self.depends_on(p, found)
        return found

    def depends_behind(self, s, p):
        other = self.sends[p]
        return any(self.sends[d].alpha == other.alpha and self.sends[d].issued > other.issued
                   for d in self.depends_on(s, set()))

    # ---- When it arrives ----

    def endpoints(self):
        if "no_endpoint_order" in self.faults:
            return
        last = {}
        for r, receive in enumerate(self.receives):
            if receive.beta in last:
                self.ask(f"(< t_{last[receive.beta]} t_{r})")
            last[receive.beta] = r

    def enclosing(self, receive):
        """The wait that needs the message; None if there is no such wait."""
        if self.is_left_out(receive):
            return None
        if "own_wait" in self.faults:
            return receive.wait
        if "wait_of_task" not in self.faults:
            return receive.completed
        thread = self.thread_of[receive.issued]
        return min(later.wait for later in self.receives if self.thread_of[later.issued] == thread
                   and later.issued >= receive.issued and later.wait is not None)

    def times(self):
        for r, receive in enumerate(self.receives):
            wait = self.enclosing(receive)
            if self.meets and wait is not None:
                self.ask(f"(< t_{r} c_{wait})")
            for s in self.candidates[r]:
                self.ask(f"(=> (= from_{r} {s}) {conjunction(self.meeting(r, s, wait))})")
        if self.meets and "not_taken" not in self.faults:
            for s, send in enumerate(self.sends):
                if send.wait is not None:
                    self.ask(self.received(s))

    def meeting(self, r, s, wait):
        """What is asked if the receive gets the send."""
        receive, send = self.receives[r], self.sends[s]
        if "no_send_before_wait" not in self.faults:
            if self.meets:
                yield f"(< c_{send.issued} t_{r})"
            elif wait is not None:
                yield f"(< c_{send.issued} c_{wait})"
        if "send_before_receive" in self.faults:
            yield f"(< c_{send.issued} c_{receive.issued})"
        if "receive_before_send" in self.faults:
            yield f"(< c_{receive.issued} c_{send.issued})"
        if self.meets and "posted_late" not in self.faults:
            yield f"(< c_{receive.issued} t_{r})"
        if self.meets and "send_returns_early" not in self.faults and send.wait is not None:
            yield f"(< t_{r} c_{send.wait})"
        if "free_values" not in self.faults and not self.is_left_out(receive):
            yield f"(= {receive.term} {send.term})"

    # ---- Values ----

    def variables(self):
        if "one_version" not in self.faults:
            return
        of = {}
        numbered = (c for thread, numbers in zip(self.program, self.meaning.threads) for c in zip(numbers, thread))
        for n, command in numbered:
            if command[0] == "assign":
                of.setdefault(command[1], []).append(f"x_{n}")
            elif command[0] == "rcvi":
                of.setdefault(command[3], []).append(f"got_{n}")
        for names in of.values():
            for name in names[1:]:
                self.ask(f"(= {names[0]} {name})")

    def outcome(self):
        if "divisor_zero" not in self.faults:
            for divisor in self.meaning.divisors:
                self.ask(f"(distinct {divisor} 0)")
        if "no_assumptions" not in self.faults:
            for assumption in self.meaning.assumptions:
                self.ask(assumption)
        if "no_property" in self.faults:
            return
        fails = [f"(not {assertion})" for assertion in self.meaning.assertions]
        if not fails:
            self.ask("true" if "no_assertion_fails" in self.faults else "false")
            return
        self.ask(disjunction(fails))
        if "first_assertion_fails" in self.faults:
            self.ask(fails[0])
        if "last_assertion_fails" in self.faults:
            self.ask(fails[-1])
        if "every_assertion_fails" in self.faults:
            self.ask(conjunction(fails))
        if "one_assertion_fails" in self.faults:
            for i, one in enumerate(fails):
                for other in fails[:i]:
                    self.ask(f"(not (and {one} {other}))")


def of_executions(program, buffering):
    """A verdict by walking through all executions: some assertion fails while all assumptions so far hold."""
    from explorer import Explorer, Impossible, evaluate

    class Executions(Explorer):
        def is_next_possible(self, state, command):
            """A thread stops in front of what it cannot do; the others go on."""
            try:
                if command[0] in ("assume", "assert", "assign", "sndi"):
                    value = evaluate(command[4 if command[0] == "sndi" else -1], state.values)
                    return command[0] != "assume" or value
            except Impossible:
                return False
            return super().is_next_possible(state, command)

    explorer = Executions(program, buffering)
    from explorer import State
    seen, states = set(), [State(program)]
    while states:
        state = states.pop()
        explorer.run_threads(state)
        if state.failed:
            return "sat\n"
        if (key := state.key()) not in seen:
            seen.add(key)
            states += explorer.deliveries(state)
    return "unsat\n"


def answer(program, buffering, pairs, faults):
    """What it prints. `pairs` are (receive, send)."""
    if "executions" in faults:
        return of_executions(program, buffering)
    return Encoder(program, buffering, pairs, faults).problem()


def read_pairs(path):
    with open(path, encoding="utf-8") as file:
        return {tuple(line.split(" ")) for line in file.read().split("\n") if line}


def main():
    buffering, pairs, *faults = sys.argv[1:]
    assert FAULTS.keys() >= set(faults), faults
    sys.stdout.write(answer(ctp.read(), buffering, read_pairs(pairs), faults))


if __name__ == "__main__":
    main()
