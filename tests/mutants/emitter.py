"""For each mutant of the SMT machine a program with one trace on which `matchpoint smt --check` disagrees (exit code 20)."""

RECEIVE = ("( ( {before}[a (rcvi R 0 x)] [b (wait R)] [c (assert {check})] ) ( [d (sndi S 1 0 4)] ) )\n"
           "( {ran}(a bot) (d bot) (b ((0 1) bot)) (c bot) )\n")
TO_ITSELF = "( ( [a (sndi S 0 0 4)] [b (rcvi R 0 x)] [c (wait R)] [d (assert false)] ) )\n( (a bot) (b bot) (c ((0 0) bot)) (d bot) )\n"
POSTED_FIRST = "( ( [a (rcvi R 0 x)] [b (sndi S 0 0 4)] [c (wait R)] [d (assert false)] ) )\n( (a bot) (b bot) (c ((0 0) bot)) (d bot) )\n"
TWO_WITH_ONE_WAIT = ("( ( [a (rcvi R 0 x)] [b (rcvi Q 0 y)] [c (wait Q)] [d (assert (= x 9))] ) ( [e (sndi S 1 0 1)] [f (sndi T 1 0 2)] ) )\n"
                     "( (a bot) (b bot) (e bot) (f bot) (c ((0 1) (0 1) bot)) (d bot) )\n")
# The receives complete in another order than they were posted in, at two endpoints.
LATE_WAIT = ("( ( [a (rcvi A 0 p)] [b (wait A)] [c (rcvi B 0 q)] [d (wait B)] [e (assert false)] )\n"
             "  ( [f (rcvi C 1 r)] [g (sndi X 1 0 1)] [h (wait C)] ) ( [i (sndi S 2 0 2)] [j (sndi T 2 1 3)] ) )\n"
             "( (f bot) (g bot) (a bot) (b ((0 1) bot)) (i bot) (j bot) (c bot) (d ((0 2) bot)) (h ((1 2) bot)) (e bot) )\n")


def thread(*commands):
    """A program of one thread, and its run."""
    located = list(zip("abcd", commands))
    return (f"( ( {' '.join(f'[{rho} {c}]' for rho, c in located)} ) )\n"
            f"( {' '.join(f'({rho} bot)' for rho, _ in located)} )\n")


PROGRAMS = {
    "smt-no-assumption": thread("(assume false)", "(assert false)"),
    "smt-one-assertion": thread("(assert false)", "(assert true)"),
    "smt-only-waited-for": TWO_WITH_ONE_WAIT,
    "smt-stale-version": thread("(x := 1)", "(x := 2)", "(assert (= x 2))"),
    "smt-channel-order-reversed": TWO_WITH_ONE_WAIT,
    "smt-match-without-value": RECEIVE.format(before="", check="(= x 4)", ran=""),
    "smt-every-assertion-fails": thread("(assert false)", "(assert true)"),
    "smt-fails-without-assertion": thread("(x := 1)"),
    "smt-received-before-sent": TO_ITSELF,
    "smt-sent-before-posted": POSTED_FIRST,
    "smt-sent-when-posted": POSTED_FIRST,
    "smt-program-order-reversed": TO_ITSELF,
    "smt-thread-after-thread": RECEIVE.format(before="", check="false", ran=""),
    "smt-assumption-negated": thread("(assume false)", "(assert false)"),
    "smt-assertions-hold": thread("(assert false)"),
    "smt-no-property": thread("(assert true)"),
    "smt-no-assignment": thread("(x := 1)", "(assert (= x 1))"),
    "smt-sent-value": RECEIVE.format(before="", check="(= x 4)", ran=""),
    "smt-sent-to-its-source": RECEIVE.format(before="", check="false", ran=""),
    "smt-received-at-0": ("( ( [a (sndi S 0 1 4)] ) ( [b (rcvi R 1 x)] [c (wait R)] [d (assert false)] ) )\n"
                          "( (a bot) (b bot) (c ((1 0) bot)) (d bot) )\n"),
    "smt-received-not-read": RECEIVE.format(before="[z (x := 1)] ", check="(= x 4)", ran="(z bot) "),
    "smt-one-message-for-all": TWO_WITH_ONE_WAIT,
    "smt-one-last-send": LATE_WAIT,
    "smt-operands-exchanged": thread("(assert (< 2 1))"),
    "smt-plus-is-minus": thread("(assert (= (+ 1 1) 0))"),
    "smt-unequal-is-equal": thread("(assert (!= 1 1))"),
    "smt-divisor-unknown": thread("(x := 2)", "(assert (= (div 4 x) 2))"),
}
