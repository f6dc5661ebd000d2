"""Checks a proof by unit propagation (RUP)."""

from collections import defaultdict


class Proof:
    """Clauses, and what unit propagation infers from them."""

    def __init__(self, clauses):
        self.clauses, self.watching, self.units = [], defaultdict(list), {}
        self.done = False
        for clause in clauses:
            self.keep(clause)

    def keep(self, clause):
        clause = list(dict.fromkeys(clause))
        if any(-l in clause for l in clause):
            return
        free = [l for l in clause if self.units.get(abs(l), l) == l]
        if len(free) < 2:
            if not free or not self.propagate([free[0]], self.units):
                self.done = True
            return
        number = len(self.clauses)
        clause = free[:2] + [l for l in clause if l not in free[:2]]
        self.clauses.append(clause)
        for l in clause[:2]:
            self.watching[l].append(number)

    def propagate(self, literals, values):
        """False: a contradiction. `values` maps a variable to its true literal."""
        todo = list(literals)
        while todo:
            l = todo.pop()
            if values.get(abs(l), l) != l:
                return False
            if abs(l) in values:
                continue
            values[abs(l)] = l
            watching, kept = self.watching[-l], []
            contradiction = False
            for at, number in enumerate(watching):
                clause = self.clauses[number]
                if clause[0] == -l:
                    clause[0], clause[1] = clause[1], clause[0]
                if values.get(abs(clause[0])) == clause[0]:
                    kept.append(number)
                    continue
                for i in range(2, len(clause)):
                    if values.get(abs(clause[i]), clause[i]) == clause[i]:
                        clause[1], clause[i] = clause[i], clause[1]
                        self.watching[clause[1]].append(number)
                        break
                else:
                    kept.append(number)
                    if values.get(abs(clause[0]), clause[0]) != clause[0]:
                        kept += watching[at + 1:]
                        contradiction = True
                        break
                    todo.append(clause[0])
            self.watching[-l] = kept
            if contradiction:
                return False
        return True

    def adds(self, clause):
        """Adds a clause if it follows; says whether it does."""
        if not self.done and self.propagate([-l for l in clause], dict(self.units)):
            return False
        self.keep(clause)
        return True
