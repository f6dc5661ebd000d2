"""An encoder as the prose of the short paper describes one: its Figures 2 and 3, and Section 2 around them.

    short_paper.py PROGRAM PAIRS

"We have created a tool that takes as input a trace, a set of match pairs, and a set of correctness properties": PAIRS has a
receive and a send on each line. Sends wait in buffers for as long as they like. Written from the paper alone, it is wrong
where the paper is.
"""

import itertools
import sys

import ctp
from meaning import Meaning


def get_sends(path, meaning):
    """Receive -> the sends it could match with."""
    receives = {receive.name: receive for receive in meaning.receives}
    sends = {send.name: send for send in meaning.sends}
    match_pairs = {receive: [] for receive in meaning.receives}
    with open(path, encoding="utf-8") as file:
        for line in file.read().split("\n"):
            if line:
                receive, send = line.split(" ")
                match_pairs[receives[receive]].append(sends[send])
    return match_pairs


def match(recv, send):
    """"The call to send occurs before the call to the wait operation that is associated with the receive, the message sent is
    the same message that is being received, and the identifiers of the two operations are equal."
    """
    before = f"(< time_{send.issued} time_{recv.wait})" if recv.wait is not None else "true"
    return f"(and {before} (= {recv.term} {send.term}) (= id_{recv.issued} {send.issued}))"


def problem(program, pairs):
    meaning = Meaning(program)
    lines = ["(set-logic ALL)"]
    lines += meaning.declarations()
    lines += [f"(declare-const time_{n} Int)" for thread in meaning.threads for n in thread]
    lines += [f"(declare-const id_{recv.issued} Int)" for recv in meaning.receives]
    for thread in meaning.threads:  # P_Order
        lines += [f"(assert (< time_{n - 1} time_{n}))" for n in thread[1:]]
    for recv, sends in get_sends(pairs, meaning).items():  # Figure 2
        lines.append(f"(assert (or false {' '.join(match(recv, send) for send in sends)}))")
    for one, other in itertools.combinations(meaning.receives, 2):  # Figure 3
        lines.append(f"(assert (distinct id_{one.issued} id_{other.issued}))")
    lines += [f"(assert {assumption})" for assumption in meaning.assumptions]  # P_Events
    lines.append(f"(assert (not (and true {' '.join(meaning.assertions)})))")  # not P_Prop
    return "\n".join(lines + ["(check-sat)", "(get-model)", ""])


def answer(_, program, pairs):
    return problem(ctp.read(program), pairs)


if __name__ == "__main__":
    sys.stdout.write(answer(b"", *sys.argv[1:]))
