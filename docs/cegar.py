#!/usr/bin/env python3
"""Does some complete run fail? z3 guesses who receives what, and `matchpoint oracle` says whether it is possible (docs/oracle.md).

    docs/cegar.py [--anew] FILE [infinite|zero]    # exits with 10 if violated, 0 if safe, 12 if no run completes, 1 if unknown

The solver knows values and match pairs, but not the order of messages. For an impossible guess the oracle returns a part that
no run has, which becomes a clause. With --anew, a part of one match pair is left out of a new encoding instead; a larger part
has pairs that other runs need. Takes `matchpoint` from the environment variable MATCHPOINT, or from PATH.
"""
import json
import os
import subprocess
import sys


def stop(code, why):
    sys.exit(print(why, file=sys.stderr) or code)


class Process:
    def __init__(self, *command):
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        except OSError as error:
            stop(3, f"cannot run {command[0]} ({error.strerror}): z3 has to be in PATH, and matchpoint, or MATCHPOINT is its path")

    def send(self, text):
        print(text, file=self.process.stdin, flush=True)
        return self.process.stdout

    def __call__(self, text):  # what z3 says to some commands
        return "".join(iter(self.send(text + '\n(echo "that is all")').readline, "that is all\n"))


class Oracle(Process):
    def __call__(self, method, /, **params):
        answer = json.loads(self.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})).readline())
        if said := answer.get("error", {}).get("message"):
            stop(2, "this loop is about messages: for shared variables use `matchpoint check`" if "shared variables" in said else said)
        return stop(1, "the oracle reached its limit") if answer["result"].get("why") == "steps" else answer["result"]


def decide(oracle, solver, anew):  # a failing run, or None; and how many guesses were refused
    def encode(**pairs):
        return oracle("encode", order=False, models=True, check_sat=False, **pairs)["smt"]

    solver(encode())
    bogus, clauses = [], ""
    for refused in range(sys.maxsize):
        if (answer := solver("(check-sat)")) != "sat\n":
            return (None, refused) if answer == "unsat\n" else stop(3, f"the solver says {answer}")
        if (verdict := oracle("model", model=solver("(get-model)")))["answer"] == "feasible":
            return verdict, refused
        if len(verdict["core"]) == 1:
            bogus += verdict["core"]
        else:
            clauses += verdict["smt"]
        solver("(reset)" + encode(forbidden=bogus) + clauses if anew else verdict["smt"])


if __name__ == "__main__":
    file, buffering, *_ = words = [word for word in sys.argv[1:] if word != "--anew"] + ["infinite"] * 2
    stop(2, __doc__) if len(words) == 2 or file.startswith("-") else None
    ask = Oracle(os.environ.get("MATCHPOINT", "matchpoint"), "oracle")
    program = ask("load", file=file, buffering=buffering)
    run, guesses = decide(ask, Process("z3", "-in"), "--anew" in sys.argv)
    none = (f"unknown: {program['not_known']}", 1) if "not_known" in program else ("no complete run fails", 0)
    answer, code = ("violated", 10) if run else ("no run completes", 12) if ask("feasible", matches={})["answer"] == "infeasible" else none
    print(f"{answer}; {guesses} guess{'' if guesses == 1 else 'es'} refused")
    print(f"{run['status']}:", ", ".join(f"{r} = {s}" for r, s in run["matches"].items())) if run else None
    sys.exit(code)
