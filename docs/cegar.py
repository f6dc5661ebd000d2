#!/usr/bin/env python3
"""Does some complete run fail? z3 guesses who receives what, and `matchpoint oracle` says whether it is possible (docs/oracle.md).

    docs/cegar.py FILE [infinite|zero]    # exits with 10 if violated, 0 if safe, 1 if unknown

The solver knows values and match pairs, but not the order of messages. For an impossible guess the oracle returns a part
that no run has, which becomes a clause. Takes `matchpoint` from the environment variable MATCHPOINT, or from PATH.
"""
import json
import os
import subprocess
import sys


class Process:
    def __init__(self, *command):
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        except OSError as error:
            sys.exit(f"cannot run {command[0]} ({error.strerror}): z3 has to be in PATH, and matchpoint, or MATCHPOINT is its path")

    def send(self, text):
        print(text, file=self.process.stdin, flush=True)


class Oracle(Process):
    def __call__(self, method, /, **params):
        self.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer or answer["result"].get("answer") == "unknown":
            said = answer.get("error", {"message": "the oracle reached its limit"})["message"]
            sys.exit("this loop is about messages: for shared variables use `matchpoint check`" if "shared variables" in said else said)
        return answer["result"]


class Solver(Process):  # a call returns what it says to some commands
    def __call__(self, text):
        self.send(text + '\n(echo "that is all")')
        return "".join(iter(self.process.stdout.readline, "that is all\n"))


def decide(oracle, solver):  # a failing run, or None; and how many guesses were refused
    solver(oracle("encode", order=False, models=True, check_sat=False)["smt"])
    refused = 0
    while (answer := solver("(check-sat)")) == "sat\n":
        if (verdict := oracle("model", model=solver("(get-model)")))["answer"] == "feasible":
            return verdict, refused
        solver(verdict["smt"])
        refused += 1
    return (None, refused) if answer == "unsat\n" else sys.exit(f"the solver says {answer}")


if __name__ == "__main__":
    sys.exit(__doc__) if len(sys.argv) < 2 or sys.argv[1].startswith("-") else None
    ask = Oracle(os.environ.get("MATCHPOINT", "matchpoint"), "oracle")
    program = ask("load", file=sys.argv[1], buffering=(sys.argv[2:] or ["infinite"])[0])
    run, guesses = decide(ask, Solver("z3", "-in"))
    none = f"unknown: {program['not_known']}" if "not_known" in program else "no complete run fails"
    print(f"{'violated' if run else none}; {guesses} guess{'' if guesses == 1 else 'es'} refused")
    print(f"{run['status']}:", ", ".join(f"{r} = {s}" for r, s in run["matches"].items())) if run else None
    sys.exit(10 if run else 1 if "not_known" in program else 0)
