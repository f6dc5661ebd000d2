"""The mutants: single faults in our own machine and encoder, each a rule that is dropped, weakened or asked too much of.

A fault is one or more edits, all of the same thing. An edit is a piece of a source file with a part in «»; that part is replaced.
The piece has to be there exactly once, so a source that changes takes its mutants along, or the build says so. The sources stay
as they are: tests/mutants/generate.py makes copies of them, in which each such part is a question of which mutant is on.

`ask` is how `validate` gets to see the fault, a way to answer of tests/mutants/tool.cpp:

    explore   is there a failing run? by exploration of all executions
    check     by the exploration that `check` uses, which merges states that cannot differ
    encode    by the exact encoding, with the solver
    feasible  by all match sets that keep rules 1 to 4 of matching/feasibility.hpp
    run       does this trace fail? by the reference machine                     (--traces)
    smt       does this trace fail? by the SMT machine, with the solver          (--traces)
    emitter   by Lemma 3: `smt --check` of a program in emitter.py, and the property of tests/properties/lemma3_test.cpp
    None      in no way: `validate` asks whether a run fails, and this is about something else. The suite finds it all the same.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Edit:
    file: str
    site: str  # with the part in «»
    to: str  # what replaces the part

    @property
    def before(self):
        return self.site.partition("«")[0]

    @property
    def part(self):
        return self.site.partition("«")[2].partition("»")[0]

    @property
    def context(self):
        return self.site.replace("«", "").replace("»", "")


@dataclass(frozen=True)
class Mutant:
    name: str
    ask: str
    rule: str  # that it breaks: figure, definition, erratum
    what: str  # it does
    edits: tuple


def mutant(name, ask, rule, what, file, *sites):
    """Edits of one file: site, replacement, site, replacement ..."""
    return Mutant(name, ask, rule, what, tuple(Edit(file, *edit) for edit in zip(sites[::2], sites[1::2])))


STATE, STEP, MOVEMENT = "machine/state.cpp", "machine/machine_step.cpp", "machine/queue_movement.cpp"
REDUCTIONS, MARK, OPERATION = "machine/expression_reductions.cpp", "machine/get_mark_remove.cpp", "machine/operation.cpp"
CODE, MESSAGES, FORMED = "machine/indexed_program.cpp", "matching/message_index.cpp", "machine/well_formed.cpp"
EXPLORE, RESIDUAL, FEASIBILITY = "executions/explorer.cpp", "executions/state_abstraction.cpp", "matching/feasibility.cpp"
ENCODER, PAIRS, ORDER = "encode/exact.cpp", "matching/match_pairs.cpp", "matching/possible_order.cpp"
RELEVANCE = "matching/relevance.cpp"
NECESSARY_ORDER, WINDOWS = "matching/necessary_order.cpp", "matching/ordinal_windows.cpp"
VALUES, TRANSLATION, PARTIAL = ("encode/program_terms.cpp", "smt_machine/translation.cpp",
                                "encode/partial_runs.cpp")
SMT, PROBLEM, SMTLIB = "smt_machine/smt_machine.cpp", "smt_machine/problem.cpp", "smt_machine/smtlib.cpp"

SEND_IS_TAKEN = "bool const has_moved = «state.ordinal[a_s.index] < state.Pnd_s.taken[code.channel_of(a_s).index]»;"
# The terms that a match is made of.
MATCH = """«fmt::format("(= {} {}) (= {} {}) (= {} {})", match_symbol(m_, r), s + 1,
    place(s), receive.ordinal, values_.received(r), values_.sent(s))»;"""
PAIR = """out_ += «fmt::format("(and (= {} {}) (= {} {}) (= {} {}) (= {} {}) (< {} {}))", name(r.M), order_s, name(s.M),
    name(p_.order[r.rho.index]), name(r.ep), name(s.ep), name(r.value), name(s.value), order_s,
    name(p_.order[r.nw.index]))»;"""

# The same with another order between a send and its receive's wait.
PAIR_WITH = ('fmt::format("(and (= {{}} {{}}) (= {{}} {{}}) (= {{}} {{}}) (= {{}} {{}}) ({} {{}} {{}}))", name(r.M), order_s, name(s.M), '
             'name(p_.order[r.rho.index]), name(r.ep), name(s.ep), name(r.value), name(s.value), order_s, '
             'name(p_.order[r.{}.index]))')
# Where the SMT machine extends its problem.
ADD_HB = "«if (!last) happens_before(rho, to_string(Rule::machine_step), order(rho), order(next));»"
ADD_ASSUMPTION = "    «constrain(at_, to_string(Rule::assume_expressions_evaluation), p_.terms.since(mark));»"
PROPERTY = 'out_ += «"(assert (! (not (and true"»;'
ADD_MATCH = "        «p_.ML[c.a_r.index] = {c.a_s};»"
APPLY = "            «terms.apply(node.op, arity(node.op));»"

# Where a wait completes the receives up to its own; and the same without a new value for some of them.
COMPLETE = "++completed) «complete(state, code, beta, completed, completed, completions);»"
KEEPING = ("Variable const x = state.Pnd_r.entries[code[beta].Pnd_r.first + completed].x; Value const before = state.h[x.index]; "
           "bool const keeps = {}; complete(state, code, beta, completed, completed, completions); "
           "if (keeps) state.h[x.index] = before;")

MACHINE = [
    # Figures 6 and 7
    mutant("one-movement", "run", "Figure 6, MACHINE STEP", "only the first movement of an entry is made",
           STEP, "for (; count_ < «m_.size()»; ++count_) {", "std::size_t(!m_.empty())"),
    mutant("newest-message-first", "explore", "Figure 7, PROCESS QUEUE MOVEMENT (E1)",
           "a movement takes the newest message of its channel",
           MOVEMENT, "state.Pnd_s.entries[code[lane].Pnd_s.first + «state.Pnd_s.taken[lane.index]++»];",
           "(++state.Pnd_s.taken[lane.index], state.Pnd_s.issued[lane.index] - 1)"),
    mutant("payload-of-the-oldest", "explore", "Figure 7, PROCESS QUEUE MOVEMENT",
           "a message arrives with the value of the first message of its channel",
           MOVEMENT, "DeliveredSend::Mark::unmarked, «head.v»};", "state.Pnd_s.entries[code[lane].Pnd_s.first].v"),
    mutant("rendezvous-without-receive", "explore", "zero buffering, queue movement",
           "a message can be delivered before its receive is posted",
           STATE, "return «state.Q_s.delivered[beta.index] < state.Pnd_r.issued[beta.index]»;", "true"),
    mutant("rendezvous-one-early", "explore", "zero buffering, queue movement",
           "one more message can be delivered than there are receives",
           STATE, "return «state.Q_s.delivered[beta.index] < state.Pnd_r.issued[beta.index]»;",
           "state.Q_s.delivered[beta.index] <= state.Pnd_r.issued[beta.index]"),
    mutant("rendezvous-with-first-only", "explore", "zero buffering, queue movement",
           "a message is delivered only if waits have completed all earlier ones",
           STATE, "return «state.Q_s.delivered[beta.index] < state.Pnd_r.issued[beta.index]»;",
           "state.Q_s.delivered[beta.index] < state.Pnd_r.issued[beta.index] &&\n"
           "           state.Q_s.completed[beta.index] == state.Q_s.delivered[beta.index]"),
    mutant("one-queue-per-endpoint", "explore", "Figure 5(b), Pnd_s (E13)",
           "Pnd_s has one queue per destination, for all sources",
           CODE, "return std::uint64_t{beta.index} << 32U | «alpha.index»;", "0U"),
    # Figure 8: expressions
    mutant("operands-exchanged", "explore", "Figure 8, BINARY OPERATION", "operands are swapped",
           REDUCTIONS, "«apply(e.code.ctp().nodes[frame.node].op, frame.v, e.v)»;",
           "apply(e.code.ctp().nodes[frame.node].op, e.v, frame.v)"),
    mutant("not-is-nothing", "explore", "NOT OPERATION", "(not e) is e",
           OPERATION, "return Value::boolean(connective->holds(«v.is_true() ? 1U : 0U»));", "v.is_true() ? 0U : 1U"),
    mutant("plus-is-minus", "explore", "Figure 8, BINARY OPERATION", "+ subtracts",
           OPERATION, "case Arithmetic::plus: return value(«Int(l + r)»);", "Int(l - r)"),
    mutant("at-most-is-less", "explore", "Figure 8, BINARY OPERATION", "<= is <",
           OPERATION, "= as_relation(«op»))", "op == Op::less_equal ? Op::less : op"),
    mutant("implies-is-equal", "explore", "Figure 8, BINARY OPERATION", "=> is =",
           OPERATION, "= as_connective(«op»); connective && connective->operands == 2)", "op == Op::implies ? Op::equal : op"),
    mutant("truncated-mod", "explore", "Figure 8, BINARY OPERATION", "mod gives negative remainders",
           OPERATION, "if («m < 0») m +=", "false"),
    mutant("truncated-div", "explore", "Figure 8, BINARY OPERATION", "div rounds towards zero",
           OPERATION, "if («l % r < 0») q +=", "false"),
    mutant("zero-divisor", "explore", "Figure 8, BINARY OPERATION (E31)", "a division by zero gives zero",
           OPERATION, "«return Reason(reason::DivisionByZero{op, v_l});»", "return Value::integer(0);"),
    # Figure 8: commands
    mutant("assume-fails", "explore", "Figure 8, ASSUME COMMAND", "a false assumption is a failure",
           REDUCTIONS, "lift(e.state.s, e.v, «Status::infeasible»);", "Status::failure"),
    mutant("assert-assumes", "explore", "Figure 8, ASSERT COMMAND", "a false assertion makes the run infeasible",
           REDUCTIONS, "lift(e.state.s, e.v, «Status::failure»);", "Status::infeasible"),
    mutant("status-moves-down", "explore", "Section 4.2, the lattice of s",
           "a later assertion makes an infeasible run a failure",
           REDUCTIONS, "if («s < to && v.is_false()») s = to;", "v.is_false()"),
    mutant("last-assertion-counts", "explore", "Section 4.2, the lattice of s",
           "a true assertion cancels an earlier false one",
           REDUCTIONS, "    «if (s < to && v.is_false()) s = to;»",
           "if (s < to && v.is_false()) s = to;\n        else if (s == to && v.is_true()) s = Status::success;"),
    mutant("assigned-once", "explore", "Figure 8, ASSIGN COMMAND (E7)", "a variable keeps its first value",
           REDUCTIONS, "Value const before = std::exchange(e.state.h[c.x.index], «e.v»);",
           "e.state.h[c.x.index].is_bot() ? e.v : Value(e.state.h[c.x.index])"),
    mutant("receives-in-front", "explore", "Figure 8, RCVI COMMAND (E1)",
           "the second of two receives at an endpoint is served first",
           REDUCTIONS,
           "    «m.Pnd_r.entries[e.code[c.beta].Pnd_r.first + n] = {c.a, c.x};»",
           "m.Pnd_r.entries[e.code[c.beta].Pnd_r.first + n] = {c.a, c.x};\n"
           "        if (n > 0) std::swap(m.Pnd_r.entries[e.code[c.beta].Pnd_r.first + n],\n"
           "                             m.Pnd_r.entries[e.code[c.beta].Pnd_r.first + n - 1]);"),
    mutant("send-returns-early", "explore", "zero buffering, WAIT (SNDI)", "the wait for a send does not wait",
           STATE, SEND_IS_TAKEN, "true"),
    mutant("send-returns-one-early", "explore", "zero buffering, WAIT (SNDI)",
           "the wait for a send lasts only until the earlier sends of its channel are taken",
           STATE, SEND_IS_TAKEN, "state.ordinal[a_s.index] <= state.Pnd_s.taken[code.channel_of(a_s).index]"),
    mutant("send-returns-when-completed", "explore", "zero buffering, WAIT (SNDI)",
           "the wait for a send lasts until waits have completed everything delivered to the endpoint",
           STATE, SEND_IS_TAKEN,
           "state.ordinal[a_s.index] < state.Pnd_s.taken[code.channel_of(a_s).index] &&\n"
           "           state.Q_s.completed[code.as_sndi(a_s)->beta.index] ==\n"
           "               state.Q_s.delivered[code.as_sndi(a_s)->beta.index]"),
    Mutant("wait-passes-without-message", "explore", "Figure 8, WAIT (RCVI); getMarkRemove (E34)",
           "a wait for a receive passes without effect if its message is not there", (
               Edit(STATE, "return state.is_issued(a_r) && !is_held(state, code, a_r) && "
                           "«message_for(state, code, code.as_rcvi(a_r)->beta, state.ordinal[a_r.index]).has_value()»;",
                    "true"),
               Edit(REDUCTIONS, "«e.completions.clear();» auto result = get_mark_remove(",
                    "e.completions.clear(); "
                    "if (e.state.ordinal[receive.a.index] >= e.state.Q_s.delivered[receive.beta.index]) { "
                    "e.yield(Value::boolean(true)); return Step::reduced(); }"))),
    # getMarkRemove
    mutant("others-not-marked", "explore", "getMarkRemove, j = 0 .. i-1 (E28)",
           "a wait gives earlier receives no values, and neither do later waits",
           MARK, COMPLETE, KEEPING.format("completed != n")),
    mutant("oldest-only", "explore", "getMarkRemove, j = 0 .. i-1",
           "a wait completes only the oldest incomplete receive",
           MARK, COMPLETE, "complete(state, code, beta, completed, completed, completions); ++completed; break;"),
    mutant("copied-again", "explore", "getMarkRemove, marks",
           "the wait for a completed receive copies the value again",
           MARK, "    «partner.mark = Mark::removed;»",
           "state.h[code.as_rcvi(a_r)->x.index] = partner.v;\n        partner.mark = Mark::removed;"),
    mutant("waited-message-lost", "explore", "getMarkRemove, entry i", "the waited receive gets no value",
           MARK, COMPLETE, KEEPING.format("completed == n")),
    mutant("first-value-stays", "explore", "getMarkRemove, the order of j",
           "if a wait completes two receives into one variable, the first value stays",
           MARK, COMPLETE,
           KEEPING.format("completed > 0 && state.Q_s.entries[code[beta].Q_s.first + completed - 1].mark == Mark::marked && "
                          "state.Pnd_r.entries[code[beta].Pnd_r.first + completed - 1].x == x")),
    mutant("waited-twice", None, "Figure 8, WAIT (RCVI); getMarkRemove", "a receive can be waited for twice",
           MARK, "if (!issued || «is_removed(state, code, beta, n)»)", "false"),
    # Definition 2
    Mutant("marked-are-orphans", None, "Definition 2 (E15)",
           "a receive completed by a later wait counts as unmatched", (
               Edit(FORMED, "for (std::uint32_t n = «first»; n < state.Pnd_r.issued[beta]; ++n)", "state.Q_s.front[beta]"),
               Edit(FORMED, "if («!is_completed(state, code, {beta}, n)»)", "!is_removed(state, code, {beta}, n)"))),
    mutant("orphans-in-transit", None, "Definition 2", "undelivered messages do not count as orphans",
           FORMED, "«result.in_transit.push_back(send.a);»", "static_cast<void>(send);"),
    mutant("orphans-delivered", None, "Definition 2", "delivered messages without a receive do not count as orphans",
           FORMED, "«result.delivered.push_back(d.a);»", "break;"),
]

EXPLORATION = [
    mutant("senders-not-looked-at", "explore", "executions/explorer.hpp, stubborn sets",
           "stubborn sets ignore later sends to the endpoint",
           EXPLORE, "                «blockers(messages_.owner(code()[c].alpha));»", ";"),
    mutant("everything-sleeps", "explore", "executions/explorer.hpp, sleep sets",
           "a delivery that was explored is left out after deliveries to the same endpoint, too",
           EXPLORE, "if («!dependence_.dependent(Deliver{pool_[i].channel}, Deliver{t.channel})») sleep_.push_back(pool_[i]);", "true"),
    mutant("states-without-status", "check", "executions/state_abstraction.hpp, the key", "states with different statuses are merged",
           RESIDUAL, "    «append(static_cast<std::uint64_t>(state.s));»", ";"),
    mutant("states-without-messages", "check", "executions/state_abstraction.hpp, the key",
           "states with different message values in transit are merged",
           RESIDUAL, "        «append(state.Pnd_s.entries[(*code_)[send.channel].Pnd_s.first + send.place].v);»", ";"),
    mutant("values-do-not-travel", "check", "matching/relevance.hpp",
           "a received value that is sent on does not count as relevant",
           RELEVANCE, "«add(messages.sends()[s].rho.index);»", ";"),
    mutant("own-wait", "encode", "Definition 6, nearest-enclosing wait (E29)",
           "a receive with its own wait is completed by that wait",
           MESSAGES, "            «r.nw = first->first;»", "r.nw = own[at[i]].is_none() ? first->first : own[at[i]];"),
    mutant("waits-of-sends-unknown", "encode", "Definition 4; Section 5.4", "waits for sends are ignored",
           MESSAGES, "            «sends_[send_number(wait->a)].wait = {rho};»", ";"),
]

FEASIBLE = [
    mutant("feasible-send-twice", "feasible", "rule 1 of match sets", "a send can be received twice",
           FEASIBILITY, "if («received_by_[s] != unmatched») return Broken{Conflict::Kind::send_twice, beta, s, r};", "false"),
    mutant("feasible-overtaking", "feasible", "rule 2 of match sets (E19)", "messages of a channel can overtake each other",
           FEASIBILITY, "if («ordinal < from») return Broken{Conflict::Kind::overtaking, beta, s, r};", "false"),
    mutant("feasible-left-out", "feasible", "rule 2 of match sets (E12)",
           "a send can be received although its predecessor in the channel is not",
           FEASIBILITY, "if («before_[ordinal] - before_[from] < left_out»)", "false"),
    mutant("feasible-not-taken", "feasible", "rule 3 of match sets, zero buffering",
           "a send with a wait need not be received",
           FEASIBILITY, "if (buffering_ == Buffering::zero && «before_.back() - before_[from] < owed»)", "false"),
    mutant("feasible-cycles", "feasible", "rule 4 of match sets, infinite buffering", "cycles are allowed",
           FEASIBILITY, "if («next_[t] != threads[t].last») return false;", "zero && next_[t] != threads[t].last"),
    mutant("feasible-cycles-zero", "feasible", "rule 4 of match sets, zero buffering", "cycles are allowed",
           FEASIBILITY, "if («next_[t] != threads[t].last») return false;", "!zero && next_[t] != threads[t].last"),
    mutant("feasible-not-posted", "feasible", "rule 4 of match sets: r before t(r)",
           "a rendezvous does not need its receive",
           FEASIBILITY, "«if (next_[receiver] <= r.rho.index) return; // not posted»", ";"),
    mutant("feasible-not-sent", "feasible", "rule 4 of match sets: s before t(r)", "a rendezvous does not need its send",
           FEASIBILITY, "            «if (next_[sender] <= send.rho.index) return; // not sent»", ";"),
    mutant("feasible-send-returns", "feasible", "rule 4 of match sets: t(r) before wait(s)",
           "the wait for a send passes before the rendezvous",
           FEASIBILITY, "if (Location const w = messages.sends()[m[r]].wait; !w.is_none()) «++missing_[w.index];»", ";",
           "            «if (!send.wait.is_none()) wake(sender, send.wait.index);»", ";"),
]

ENCODING = [
    # exact.cpp
    mutant("no-place", "encode", "exact.hpp, match: place_S = n", "a match does not fix the send's place",
           ENCODER, MATCH,
           'fmt::format("(= {} {}) (= {} {})", match_symbol(m_, r), s + 1, values_.received(r), values_.sent(s))'),
    mutant("no-number", "encode", "exact.hpp, match: M_R = S", "a match does not identify its send",
           ENCODER, MATCH,
           'fmt::format("(= {} {}) (= {} {})", place(s), receive.ordinal, values_.received(r), values_.sent(s))'),
    mutant("no-value", "encode", "exact.hpp, match: value_R = value_S; Definition 10", "a receive can get any value",
           ENCODER, MATCH, 'fmt::format("(= {} {}) (= {} {})", match_symbol(m_, r), s + 1, place(s), receive.ordinal)'),
    mutant("no-send-before-wait", "encode", "exact.hpp, match: order_S < order_nw(R); Definition 10",
           "a message can be received before it is sent",
           ENCODER, "                    «conjuncts += before(send.rho.index, receive.nw.index);»", ";"),
    mutant("no-send-before-instant", "encode", "exact.hpp, match, zero: order_S < instant_R",
           "a rendezvous can precede its send",
           ENCODER, "                    «conjuncts += before(send.rho.index, instant_node(r));»", ";"),
    mutant("no-instant-before-send-wait", "encode", "exact.hpp, match, zero: instant_R < order_wait(S)",
           "the wait for a send can precede its rendezvous",
           ENCODER, "«if (!send.wait.is_none()) conjuncts += before(instant_node(r), send.wait.index);»", ";"),
    mutant("nothing-to-receive", "encode", "Definition 11 (E26)", "a receive without match pairs is unconstrained",
           ENCODER, "if (pairs_.of[r].empty()) term = «\"false\"»; // errata E26", "\"true\""),
    mutant("last-pair-left-out", "encode", "Definition 11", "the last match pair of each receive is missing",
           ENCODER, "for (std::uint32_t const s : «pairs_.of[r]») { auto const& send = m_.sends()[s]; std::string conj",
           "(pairs_.of[r].size() > 1 ? std::vector(pairs_.of[r].begin(), pairs_.of[r].end() - 1) : pairs_.of[r])"),
    mutant("no-channel-order", "encode", "exact.hpp, channel order (E19)", "messages of a channel can overtake each other",
           ENCODER, "                «constrain(rho, \"CHANNEL ORDER\", fmt::format(\"(< {} {})\", place(s), place(next)));»", ";"),
    mutant("overtaken-orphans", "encode", "exact.hpp, place (E12)",
           "a send can be received although its predecessor in the channel is not",
           ENCODER,
           "«constrain(m_.sends()[s].rho, \"PLACE\", matched(s, fmt::format(\"(<= {} {})\", receives, place(s))));»",
           ";"),
    mutant("all-received", "encode", "exact.hpp, place", "every send with a successor in its channel must be received",
           ENCODER, "matched(s, «fmt::format(\"(<= {} {})\", receives, place(s))»)",
           "std::string()"),
    mutant("not-taken", "encode", "exact.hpp, waited for (E14)", "zero buffering: a send with a wait need not be received",
           ENCODER, "        «if (zero_) waited_for();»", ";"),
    mutant("taken-with-buffers", "encode", "exact.hpp, waited for",
           "a send with a wait must be received under infinite buffering too",
           ENCODER, "        «if (zero_) waited_for();»", "waited_for();"),
    mutant("no-program-order", "encode", "Figure 9, MACHINE STEP (E11)", "commands of a thread can run in any order",
           ENCODER, "«if (last != commands) constrain_order({i}, to_string(Rule::machine_step), last, i);»",
           ";"),
    mutant("no-posted", "encode", "exact.hpp, rendezvous: order_R < instant_R", "a rendezvous can precede its receive",
           ENCODER, "«constrain_order(receive.rho, \"POSTED\", receive.rho.index, instant_node(r));»", ";"),
    mutant("no-completes", "encode", "exact.hpp, rendezvous: instant_R < order_nw(R)",
           "the wait for a receive can precede its rendezvous",
           ENCODER, "«constrain_order(receive.nw, \"COMPLETES \" + a, instant_node(r), receive.nw.index);»", ";"),
    mutant("no-endpoint-order", "encode", "exact.hpp, rendezvous: instants ascend",
           "receives at an endpoint can meet their sends in any order",
           ENCODER, "if («receive.ordinal + 1 < at.size()») constrain_order(", "false"),
    mutant("every-assertion-fails", "encode", "Definition 9 (E5)", "all assertions must fail in one run",
           ENCODER, 'all = «fmt::format("(and {})", all)»;', 'fmt::format("(or {})", all)'),
    mutant("fails-without-assertion", "encode", "Definition 9 (E6)", "without assertions every run fails",
           ENCODER, "if (values_.assertions.empty()) all = «\"true\"»;", "\"false\""),
    mutant("last-assertion-only", "encode", "Definition 9", "only the last assertion can fail",
           ENCODER, "«append_item(all, a.text, \" \");»",
           "all = (&a == values_.assertions.data() ? std::string() : std::string(\"true \")) + a.text;"),
    mutant("no-assumptions", "encode", "Figure 10, ASSUME", "assumptions need not hold",
           ENCODER, "for (auto const& a : «values_.assumptions»)", "std::vector<ProgramTerms::Condition>()"),
    mutant("divisors-may-be-zero", "encode", "op(v_l, v_r) (E31)", "a divisor can be zero",
           ENCODER, "for (auto const& d : «values_.divisors»)", "std::vector<ProgramTerms::Condition>()"),
    # possible_order.cpp
    mutant("cycles-without-posts", "encode", "possible_order.hpp",
           "edges from receives to their rendezvous are left out of the cycle analysis",
           ORDER, "    «edge({receive.rho.index, instant(messages, r), {}});»", ";"),
    mutant("cycles-without-threads", "encode", "possible_order.hpp",
           "program order is left out of the cycle analysis",
           ORDER, "«edge({i, i + 1, {}});»", ";"),
    # program_terms.cpp, translation.cpp: they are the SMT machine's, too
    mutant("assigned-in-vain", "encode", "program_terms.hpp, versions (E7)", "an assignment makes no new version",
           VALUES, "                           «translation.define(c.x, x);»", ";"),
    mutant("only-waited-for", "encode", "program_terms.hpp, versions (E28)",
           "a receive completed by a later wait makes no new version",
           VALUES, "                               «translation.define(code.as_rcvi(messages.receives()[r].a)->x, received_[r]);»",
           "if (std::get<Wait>(ctp.commands[i].c).a == messages.receives()[r].a)\n"
           "                                   translation.define(code.as_rcvi(messages.receives()[r].a)->x, received_[r]);"),
    mutant("constant-zero-divisor", "encode", "op(v_l, v_r) (E31)", "a division by the constant 0 is no fault",
           TRANSLATION, "d.kind != TermNode::Kind::value || «terms.value(d.payload) == Value::integer(0)»)", "false"),
    # match_pairs.cpp, necessary_order.cpp, ordinal_windows.cpp
    mutant("pairs-criterion-2", "encode", "Figure 15, criterion 2", "send i of a channel is not a candidate for receive i",
           PAIRS, "i < count && «i <= r.ordinal»;", "i < r.ordinal"),
    mutant("pairs-criterion-3", "encode", "Figure 15, criterion 3",
           "a send is a candidate only if another channel has a send",
           PAIRS, "from = «r.ordinal > others ? r.ordinal - others : 0»;",
           "r.ordinal >= others ? r.ordinal - others + 1 : 0"),
    mutant("pairs-windows", "encode", "ordinal_windows.hpp, windows",
           "between two messages of a channel there must be another one",
           WINDOWS, "first_from(sends[i], «std::max(first, previous + 1)»);", "std::max(first, previous + 2)"),
    mutant("pairs-must-be-received", "encode", "ordinal_windows.hpp, windows",
           "a send with a wait must be received under infinite buffering too",
           WINDOWS, "later |= all || («zero» && !m_.sends()[sends[i]].wait.is_none());", "true"),
    mutant("pairs-order-by-any", "encode", "necessary_order.hpp",
           "whatever precedes any of a receive's sends precedes its wait",
           NECESSARY_ORDER, "            «meet(result, one);»", "join(result, one);"),
    mutant("pairs-order-of-send-waits", "encode", "necessary_order.hpp",
           "a send is not received after its wait, under infinite buffering too",
           NECESSARY_ORDER, "if («zero» && !s.wait.is_none() && precedes(s.wait, r.rho))", "true"),
    mutant("pairs-counting-late", "encode", "ordinal_windows.hpp, counting", "one message too few can be received before a place",
           WINDOWS, "if («send.place + can < n»)", "send.place + can <= n"),
    mutant("pairs-counting-soon", "encode", "ordinal_windows.hpp, counting", "one message too many must be received before a place",
           WINDOWS, "if («send.place + has_to > n»)", "send.place + has_to >= n"),
]

ONE_TRACE = [
    mutant("smt-no-assumption", "smt", "Figure 10, ASSUME", "assumptions add no constraints",
           SMT, ADD_ASSUMPTION, "static_cast<void>(p_.terms.since(mark));"),
    mutant("smt-one-assertion", "smt", "Figure 10, ASSERT; Definition 9", "only the last evaluated assertion counts",
           SMT, "    «p_.assertions.push_back({at_, 0, {}, p_.terms.since(mark)});»",
           "p_.assertions.assign(1, {at_, 0, {}, p_.terms.since(mark)});"),
    mutant("smt-only-waited-for", "smt", "Figure 10, WAIT (RCVI) (E28)", "there is a match only for the receive that the wait names",
           SMT, ADD_MATCH, "if (c.a_r == e.a_r) p_.ML[c.a_r.index] = {c.a_s};"),
    mutant("smt-stale-version", "smt", "Figure 10, ASSIGN (E7)",
           "reads after an assignment use the variable's previous version, if that has the same sort",
           SMT, "    «new_version(x, sort);»",
           "Symbol const before = translation_.version(x);\nnew_version(x, sort);\n"
           "if (!before.is_none() && p_.terms.sort(before) == sort) translation_.define(x, before);"),
    mutant("smt-channel-order-reversed", "smt", "Figure 10, WAIT (RCVI); getlastsend (E27)",
           "the later of two sends of a channel is received first",
           SMT, 'if (!last_as.is_none()) «happens_before(send.rho, "CHANNEL ORDER", p_.sends[last_as.index]->M, send.M);»',
           'happens_before(send.rho, "CHANNEL ORDER", send.M, p_.sends[last_as.index]->M);'),
    mutant("smt-match-without-value", "smt", "Definition 10", "a match does not equate values",
           PROBLEM, PAIR,
           'fmt::format("(and (= {} {}) (= {} {}) (= {} {}) (< {} {}))", name(r.M), order_s, name(s.M), '
           'name(p_.order[r.rho.index]), name(r.ep), name(s.ep), order_s, name(p_.order[r.nw.index]))'),
    mutant("smt-every-assertion-fails", "smt", "Definition 9 (E5)", "all assertions must fail",
           PROBLEM, PROPERTY, '"(assert (! (not (or false"'),
    mutant("smt-fails-without-assertion", "smt", "Definition 9 (E6)", "a run without assertions can fail",
           PROBLEM, 'out_ += «"(assert (! false :named |no assertion|))\\n"»;',
           '"(assert (! true :named |no assertion|))\\n"'),
    mutant("smt-received-before-sent", "smt", "Definition 10", "a message is received before it is sent",
           PROBLEM, PAIR, PAIR_WITH.format(">", "nw")),
]

# Asked by Lemma 3 itself (emitter.py).
EMITTER = [
    mutant("smt-sent-before-posted", "emitter", "Definition 10; Definition 6, nearest-enclosing wait",
           "a message is sent before its receive is posted",
           PROBLEM, PAIR, PAIR_WITH.format("<", "rho")),
    mutant("smt-sent-when-posted", "emitter", "Definition 10; Definition 6, nearest-enclosing wait",
           "a message is sent when its receive is posted",
           PROBLEM, PAIR, PAIR_WITH.format("=", "rho")),
    mutant("smt-program-order-reversed", "emitter", "Figure 9, MACHINE STEP; addHB", "commands of a thread have the reverse order",
           SMT, ADD_HB, "if (!last) happens_before(rho, to_string(Rule::machine_step), order(next), order(rho));"),
    mutant("smt-thread-after-thread", "emitter", "Figure 9, MACHINE STEP; addHB",
           "the last command of a thread precedes the first one of the next thread",
           SMT, ADD_HB, "if (next.index < p_.order.size()) "
           "happens_before(rho, to_string(Rule::machine_step), order(rho), order(next));"),
    mutant("smt-assumption-negated", "emitter", "Figure 10, ASSUME", "assumptions are false",
           SMT, ADD_ASSUMPTION, "p_.terms.apply(Op::not_, 1); "
           "constrain(at_, to_string(Rule::assume_expressions_evaluation), p_.terms.since(mark));"),
    mutant("smt-assertions-hold", "emitter", "Figure 10, ASSERT; Definition 9", "assertions are not negated",
           PROBLEM, PROPERTY, '"(assert (! (and (and true"'),
    mutant("smt-no-property", "emitter", "Definition 9", "a run with assertions need not fail",
           PROBLEM, PROPERTY, '"(assert (! (or true (and true"'),
    mutant("smt-no-assignment", "emitter", "Figure 10, ASSIGN", "an assigned variable can have any value",
           SMT, "    «constrain(at_, to_string(Rule::assign_expressions_evaluation), p_.terms.since(mark));»",
           "static_cast<void>(p_.terms.since(mark));"),
    mutant("smt-sent-value", "emitter", "Figure 10, SNDI: (= (select a value) e)", "a message can have any value",
           SMT, "    «p_.terms.apply(Op::and_, 2);»", "static_cast<void>(p_.terms.pop());"),
    mutant("smt-sent-to-its-source", "emitter", "Figure 10, SNDI: (= (select a ep) beta)", "a message goes to its source endpoint",
           SMT, "p_.terms.push(Value::parse_integer(code_->names()(«c.beta»)));", "c.alpha"),
    mutant("smt-received-at-0", "emitter", "Figure 10, RCVI: (= (select a ep) beta)", "every receive is at endpoint 0",
           SMT, "p_.terms.push(«Value::parse_integer(code_->names()(e.beta))»);", "Value::integer(0)"),
    mutant("smt-received-not-read", "emitter", "Figure 10, RCVI: (= (select a var) x_0) (E7)",
           "reads after a receive use the variable's previous version, if that has the same sort",
           SMT, "        «receive.value = new_version(c.x, c.v.is_boolean() ? Sort::Bool : Sort::Int);»",
           "Symbol const before = translation_.version(c.x);\n"
           "receive.value = new_version(c.x, c.v.is_boolean() ? Sort::Bool : Sort::Int);\n"
           "if (!before.is_none() && p_.terms.sort(before) == p_.terms.sort(receive.value)) translation_.define(c.x, before);"),
    mutant("smt-one-message-for-all", "emitter", "Figure 10, WAIT (RCVI); MATCH (E28)",
           "all receives that a wait completes match the message of the one that it names",
           SMT, ADD_MATCH, "p_.ML[c.a_r.index] = {e.a_s};"),
    mutant("smt-one-last-send", "emitter", "Figure 10, WAIT (RCVI); getlastsend", "all channels together have one last matched send",
           SMT, "Action& last_as = «l_[code_->channel_of(c.a_s).index]»;", "l_.front()"),
    mutant("smt-operands-exchanged", "emitter", "Figure 8, BINARY OPERATION", "operands are swapped",
           TRANSLATION, APPLY, "if (arity(node.op) == 2) {\n"
           "auto const right = terms.pop(); auto const left = terms.pop(); terms.push(right); terms.push(left); }\n"
           "terms.apply(node.op, arity(node.op));"),
    mutant("smt-plus-is-minus", "emitter", "Figure 8, BINARY OPERATION", "+ subtracts",
           TRANSLATION, APPLY, "terms.apply(node.op == Op::plus ? Op::minus : node.op, arity(node.op));"),
    mutant("smt-unequal-is-equal", "emitter", "Figure 8, BINARY OPERATION", "!= is =",
           SMTLIB, "out += row(«node.op»).smt_name;", "node.op == Op::not_equal ? Op::equal : node.op"),
    mutant("smt-divisor-unknown", "emitter", "op(v_l, v_r)", "a divisor can have any value",
           SMT, "        «constrain(at_, what, equation);»", ";"),
]

STOPS = [
    mutant("stuck-with-messages", None, "partial_runs.hpp, deadlock",
           "a deadlock can leave deliverable messages",
           PARTIAL, """«claim(fmt::format("(or {}) {}))", served, empty));»""", ";"),
    mutant("stuck-anywhere", None, "partial_runs.hpp, deadlock", "a thread can stop anywhere",
           PARTIAL, """«claim(fmt::format("(or {} false)", stops));»""", ";"),
    mutant("stuck-behind-its-send", None, "partial_runs.hpp: what a wait waits for",
           "a thread can pass the wait for a send that is not taken",
           PARTIAL, "«if (zero_ && !send.wait.is_none()) claim(fmt::format(\"(=> {} {})\", executed(send.wait), taken(s)));»", ";"),
    mutant("fault-elsewhere", None, "partial_runs.hpp, fault", "a zero divisor is a fault wherever its thread is",
           PARTIAL, """term += «fmt::format(" (and {} (= {} 0))", stands_at(d.rho), d.text)»;""",
           """fmt::format(" (= {} 0)", d.text)"""),
]

MUTANTS = [*MACHINE, *EXPLORATION, *FEASIBLE, *ENCODING, *ONE_TRACE, *EMITTER, *STOPS]
