"""Programs whose size is a parameter, as text in the trace language."""


def _balanced(operator, terms):
    """(op (op a b) (op c d)): as deep as the logarithm of the number of terms."""
    while len(terms) > 1:
        pairs = [terms[i : i + 2] for i in range(0, len(terms), 2)]
        terms = [f"({operator} {p[0]} {p[1]})" if len(p) == 2 else p[0] for p in pairs]
    return terms[0]


def scaling(n, kind="violated"):
    """Table 1: one thread receives n messages from n threads, which send a number each.

    violated: one of the n! match sets breaks the assertion, "a violation is one where each message has a specific value".
    ordered:  the same, stated by comparisons: the values descend.
    safe:     the first two messages differ.
    """
    order = [(7 * i + 3) % n for i in range(n)] if n % 7 else list(range(n))[::-1]
    claim = {
        "violated": lambda: f"(not {_balanced('and', [f'(= x{i} {order[i]})' for i in range(n)])})",
        "ordered": lambda: f"(not {_balanced('and', [f'(> x{i} x{i + 1})' for i in range(n - 1)])})",
        "safe": lambda: "(!= x0 x1)",
    }[kind]()
    receiver = " ".join(f"[r{i} (rcvi R{i} 0 x{i})] [w{i} (wait R{i})]" for i in range(n))
    senders = "\n".join(f"  ( [s{i} (sndi S{i} {i + 1} 0 {i})] [v{i} (wait S{i})] bot )" for i in range(n))
    return f"( ( {receiver} [a (assert {claim})] bot )\n{senders} )\n"
