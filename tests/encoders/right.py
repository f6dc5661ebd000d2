"""An encoder that is right, for both bufferings, as docs/encoding.md describes the problem; in constants of its own.

    right.py infinite|zero < PROGRAM

c_N is when command N takes place, from_R the number of the send whose message receive R gets, t_R (zero buffering) when
the two meet.
"""

import sys

import ctp
from meaning import Meaning


def disjunction(terms):
    return f"(or false {' '.join(terms)})"


def problem(program, buffering):
    meaning = Meaning(program)
    sends, receives = meaning.sends, meaning.receives
    lines = ["(set-logic ALL)", *meaning.declarations()]
    lines += [f"(declare-const c_{n} Int)" for thread in meaning.threads for n in thread]
    lines += [f"(declare-const {name}_{r} Int)" for r in range(len(receives)) for name in ("from", "t")]

    def ask(term):
        lines.append(f"(assert {term})")

    def candidates(receive):
        return [s for s, send in enumerate(sends) if send.beta == receive.beta]

    for thread in meaning.threads:
        for n in thread[1:]:
            ask(f"(< c_{n - 1} c_{n})")
    for r, receive in enumerate(receives):
        ask(disjunction(f"(= from_{r} {s})" for s in candidates(receive)))
        # Those of the same endpoint are numbered as they are issued: it belongs to one thread.
        earlier = [q for q in range(r) if receives[q].beta == receive.beta]
        for q in earlier:
            ask(f"(distinct from_{q} from_{r})")
            ask(f"(< t_{q} t_{r})")
        for s in candidates(receive):
            send = sends[s]
            met = [f"(= {receive.term} {send.term})", f"(< c_{send.issued} c_{receive.completed})"]
            if buffering == "zero":
                met += [f"(< c_{send.issued} t_{r})", f"(< c_{receive.issued} t_{r})", f"(< t_{r} c_{receive.completed})"]
                met += [f"(< t_{r} c_{send.wait})"] if send.wait is not None else []
            # The one before it in its channel has been received already.
            before = [p for p in range(s) if (sends[p].alpha, sends[p].beta) == (send.alpha, send.beta)]
            met += [disjunction(f"(= from_{q} {before[-1]})" for q in earlier)] if before else []
            ask(f"(=> (= from_{r} {s}) (and {' '.join(met)}))")
    if buffering == "zero":
        for s, send in enumerate(sends):
            if send.wait is not None:
                ask(disjunction(f"(= from_{r} {s})" for r, receive in enumerate(receives) if receive.beta == send.beta))
    for divisor in meaning.divisors:
        ask(f"(distinct {divisor} 0)")
    for assumption in meaning.assumptions:
        ask(assumption)
    ask(disjunction(f"(not {assertion})" for assertion in meaning.assertions))
    return "\n".join(lines + ["(check-sat)", ""])


def answer(text, buffering):
    return problem(ctp.parse(text), buffering)


if __name__ == "__main__":
    sys.stdout.write(answer(sys.stdin.buffer.read(), *sys.argv[1:]))
