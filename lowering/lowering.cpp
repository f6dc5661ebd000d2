#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "grammar/add_nodes.hpp"
#include "grammar/discipline.hpp"
#include "grammar/operators.hpp"
#include "grammar/selectors.hpp"
#include "lowering/classes.hpp"
#include "lowering/guarded_divisors.hpp"
#include "lowering/lowered.hpp"
#include "machine/collective_needs.hpp"
#include "machine/operation.hpp"
#include "machine/refusing_calls.hpp"
#include "matching/definitions.hpp"

namespace matchpoint::lowering {

namespace {

Value sum(Value const& a, Value const& b) { return std::get<Value>(apply(Op::plus, a, b)); }
bool is_less(Value const& a, Value const& b) { return std::get<Value>(apply(Op::less, a, b)).is_true(); }

/// How a class's messages carry their source and tag; none if they do not.
struct Packing {
    std::optional<Value> sources; // K: more than each of them
    std::optional<Value> tags;    // L
    bool is_used() const { return sources || tags; }
};

} // namespace

class Lowering {
public:
    Lowering(MessageIndex const& messages, Buffering buffering, Calls calls, Classes classes)
        : m_(messages), code_(messages.code()), buffering_(buffering),
          of_calls_(calls == Calls::may_refuse ? Buffering::infinite : buffering),
          may_refuse_(calls == Calls::may_refuse), classes_(std::move(classes)), completed_(completed_at(messages)),
          assigns_behind_(assigning_behind()),
          lowered_(new Lowered(messages, buffering, lowered_buffering(messages, buffering, calls))),
          to_(lowered_->program_) {}

    Expected<std::unique_ptr<Lowered>, std::string> run() {
        Program const& from = code_.program();
        to_.symbols.actions = from.symbols.actions;
        to_.symbols.variables = from.symbols.variables;
        to_.symbols.endpoints = from.symbols.endpoints;
        to_.ctp.nodes = from.ctp.nodes;
        to_.ctp.values = from.ctp.values;
        name_endpoints();
        if (auto why = pack()) return Unexpected{std::move(*why)};
        lowered_->is_left_out_.resize(from.ctp.commands.size());
        for (std::uint32_t t = 0; t < from.ctp.threads.size(); ++t) {
            auto const first = static_cast<std::uint32_t>(to_.ctp.commands.size());
            for (std::uint32_t c = from.ctp.threads[t].first; c < from.ctp.threads[t].last; ++c) command(c);
            if (is_too_large_)
                return Unexpected{std::string("an expression with conditional divisors becomes too large")};
            to_.ctp.threads.push_back({first, static_cast<std::uint32_t>(to_.ctp.commands.size())});
        }
        to_.ctp.has_guarded_divisors = true;
        lowered_->index();
        find_returns();
        return std::move(lowered_);
    }

private:
    static constexpr std::uint32_t none = Lowered::none;

    /// Under zero buffering a call that may refuse waits for a send.
    static Buffering lowered_buffering(MessageIndex const& m, Buffering buffering, Calls calls) {
        if (calls == Calls::may_refuse && buffering == Buffering::zero) return Buffering::zero;
        bool const some_wait = std::any_of(m.sends().begin(), m.sends().end(), [&](MessageIndex::Send const& s) {
            return !s.wait.is_none() && waits_for_receive(m.code(), buffering, s.a);
        });
        return some_wait ? Buffering::zero : Buffering::infinite;
    }

    // ---- Endpoints ----

    // New names have braces, which no name of the language can have. What they are follows from the program alone, not
    // from the order in which they are made: certificates name them (docs/lowering.md).

    Endpoint part_of(Endpoint beta, std::string_view what) {
        return {to_.symbols.endpoints.intern(fmt::format("{}{{{}}}", code_.names()(beta), what))};
    }

    /// The first class of an endpoint keeps its name. So do messages that no receive admits, unless that name is taken.
    void name_endpoints() {
        for (std::uint32_t beta = 0; beta < classes_.at.size(); ++beta) {
            auto& names = endpoint_of_.emplace_back();
            for (std::size_t c = 0; c < classes_.at[beta].size(); ++c)
                names.push_back(c == 0 ? Endpoint{beta} : part_of({beta}, std::to_string(c)));
            names.push_back(names.empty() ? Endpoint{beta} : Endpoint{}); // for the others; named when needed
        }
    }
    Endpoint endpoint_of_class(Endpoint beta, std::optional<std::uint32_t> number) {
        auto& names = endpoint_of_[beta.index];
        Endpoint& name = number ? names[*number] : names.back();
        if (name.is_none()) name = part_of(beta, "none");
        return name;
    }

    // ---- Source and tag ----

    std::optional<std::string> pack() {
        std::vector<bool> const boolean = endpoints_of_booleans(code_.program());
        for (std::uint32_t beta = 0; beta < classes_.at.size(); ++beta) {
            auto& packings = packings_.emplace_back();
            for (Class const& c : classes_.at[beta]) {
                Packing& p = packings.emplace_back();
                if (c.wants_source && !c.has_one_source())
                    p.sources = more_than_all(c, [&](Kind const& k) { return source(k); });
                if (c.wants_tag && !c.has_one_tag()) p.tags = more_than_all(c, [&](Kind const& k) { return tag(k); });
                if (p.is_used() && boolean[beta])
                    return fmt::format("receives at endpoint {} ask for the source or tag of messages that are Bool",
                                       code_.names()(Endpoint{beta}));
            }
        }
        return std::nullopt;
    }

    Value source(Kind const& k) const { return Value::parse_integer(code_.names()(k.alpha)); }
    Value tag(Kind const& k) const {
        return k.n.is_none() ? Value::integer(0) : Value::parse_integer(code_.names()(k.n));
    }
    template <typename Number>
    static Value more_than_all(Class const& c, Number number) {
        Value most = Value::integer(0);
        for (Kind const& k : c.kinds)
            if (Value v = number(k); is_less(most, v)) most = std::move(v);
        return sum(most, Value::integer(1));
    }

    // ---- Expressions ----

    Expression guarded(Expression e) {
        auto const result = with_guarded_divisors(to_.ctp, e);
        is_too_large_ = is_too_large_ || !result;
        return result.value_or(e);
    }
    Expression constant(Value v) { return added_value(to_.ctp, std::move(v)); }
    Expression packed(Expression e, Packing const& p, Sndi const& send) {
        if (!p.is_used()) return e;
        std::uint32_t const first = node_count(to_.ctp);
        for (std::uint32_t n = e.first; n <= e.root(); ++n) to_.ctp.nodes.push_back(to_.ctp.nodes[n]);
        auto const operation = [&](Op op, Value v) {
            add_value(to_.ctp, std::move(v));
            add_operation(to_.ctp, op, first);
        };
        auto const add = [&](std::optional<Value> const& factor, Value v) {
            if (!factor) return;
            operation(Op::times, *factor);
            operation(Op::plus, std::move(v));
        };
        add(p.sources, code_.source_of(send.a));
        add(p.tags, code_.tag_number(send.a));
        return expression_since(to_.ctp, first);
    }
    /// A part of a packed message: (mod (div (div message d) e) f), without what is not there.
    Expression unpacked(Variable message, std::optional<Value> d, std::optional<Value> e, std::optional<Value> f) {
        std::uint32_t const first = node_count(to_.ctp);
        add_variable(to_.ctp, message);
        auto const operation = [&](Op op, std::optional<Value>& v) {
            if (!v) return;
            add_value(to_.ctp, std::move(*v));
            add_operation(to_.ctp, op, first);
        };
        operation(Op::div, d);
        operation(Op::div, e);
        operation(Op::mod, f);
        return expression_since(to_.ctp, first);
    }

    // ---- Commands ----

    /// `original` is the command that this one stands for; none if it is new.
    void add(Command c, std::uint32_t original) {
        auto const index = static_cast<std::uint32_t>(to_.ctp.commands.size());
        std::string_view const rho = code_.names()(Location{at_});
        to_.symbols.locations.intern(original == none ? fmt::format("{}{{{}}}", rho, ++new_commands_)
                                                      : std::string(rho));
        auto const issues = [&](Action a) {
            to_.ctp.issued_by.resize(std::max<std::size_t>(to_.ctp.issued_by.size(), a.index + 1U));
            to_.ctp.issued_by[a.index] = index;
        };
        if (auto const* const send = as_sndi(c)) issues(send->a);
        if (auto const* const receive = as_rcvi(c)) issues(receive->a);
        to_.ctp.commands.push_back({c});
        lowered_->original_.push_back(original);
        lowered_->part_of_.push_back(at_);
    }

    void command(std::uint32_t c) {
        spend(8);
        at_ = c;
        first_of_.push_back(static_cast<std::uint32_t>(to_.ctp.commands.size()));
        new_commands_ = 0;
        std::visit(overloaded{
                       [&](Sndi const& k) { send(k, c); },
                       [&](Rcvi const& k) { receive(k, c); },
                       [&](Probe const& k) { mprobe(k, c); },
                       [&](Start const&) { lowered_->is_left_out_[c] = true; },
                       [&](Wait const& k) { wait(k, c); },
                       [&](Meet const&) { barrier(c); },
                       [&](Collective const& k) { collective(k, c); },
                       [&](auto k) { // it has an expression, and no message
                           k.e = guarded(k.e);
                           add(k, c);
                       },
                   },
                   code_.command_at({c}));
    }

    void send(Sndi const& k, std::uint32_t c) {
        auto const number = classes_.of_send[m_.send_number(k.a)];
        Expression e = guarded(k.e);
        if (number) e = packed(e, packings_[k.beta.index][*number], k);
        add(Sndi{k.a, k.alpha, endpoint_of_class(k.beta, number), e, {}, {}, Mode::standard}, c);
    }

    Packing const& packing(std::uint32_t r) const {
        return packings_[m_.receives()[r].beta.index][classes_.of_receive[r]];
    }
    /// Whether its variable is assigned after the wait: it is a part of the message, or assigns_behind_ says so.
    bool is_taken_apart(std::uint32_t r) const {
        return packing(r).is_used() || assigns_behind_[m_.receives()[r].nw.index];
    }
    /// The waits after which all variables are assigned: those that complete several receives, one of which assigns a
    /// source or tag; those that complete a receive which the wait of an mprobe has completed in the plain program; and
    /// those for mprobes.
    std::vector<bool> assigning_behind() const {
        std::vector<bool> result;
        result.reserve(completed_.size());
        for (auto const& together : completed_)
            result.push_back(together.size() > 1 && std::any_of(together.begin(), together.end(),
                                                                [&](std::uint32_t r) { return assigns_more(r); }));
        if (code_.has_probes()) complete_at_mprobes(result);
        return result;
    }
    bool assigns_more(std::uint32_t r) const {
        Selectors const* const sel = selectors_of(code_.ctp(), *code_.as_rcvi(m_.receives()[r].a));
        return sel != nullptr && (sel->source || sel->tagged);
    }
    void complete_at_mprobes(std::vector<bool>& behind) const {
        std::vector<Location> next; // class -> its first mprobe after the receives that are still to come
        for (std::uint32_t beta = 0; beta < classes_.at.size(); ++beta) {
            auto const at = m_.receives_at({beta});
            next.assign(classes_.at[beta].size(), {});
            for (std::size_t i = at.size(); i-- > 0;) {
                auto const& r = m_.receives()[at[i]];
                Location& mprobe = next[classes_.of_receive[at[i]]];
                if (code_.is_mprobe(r.a)) mprobe = r.rho;
                if (code_.is_mprobe(r.a) || (!mprobe.is_none() && mprobe < r.nw)) behind[r.nw.index] = true;
            }
        }
    }
    Variable message_variable(std::uint32_t r) {
        return {to_.symbols.variables.intern(fmt::format("message{{{}}}", code_.names()(m_.receives()[r].a)))};
    }

    void receive(Rcvi const& k, std::uint32_t c) {
        std::uint32_t const r = m_.receive_number(k.a);
        Variable const x = is_taken_apart(r) ? message_variable(r) : k.x;
        add(Rcvi{k.a, endpoint_of_class(k.beta, classes_.of_receive[r]), x, {}, {}}, c);
    }

    void wait(Wait const& k, std::uint32_t c) {
        if (code_.as_collective(k.a) != nullptr) return wait_for_call(code_.issued_at(k.a), c);
        if (code_.is_mprobe(k.a)) return assign_message(m_.receive_number(k.a), c);
        bool const is_for_send = code_.as_sndi(k.a) != nullptr;
        bool const is_left_out = is_for_send && !waits_for_receive(code_, buffering_, k.a);
        if (is_left_out && lowered_->buffering_ == Buffering::zero) {
            lowered_->is_left_out_[c] = true;
            return;
        }
        add(k, c);
        for (std::uint32_t const r : completed_[c]) unpack(r);
    }

    /// It takes the message, which is assigned after the wait for it. Its start does nothing more.
    void mprobe(Probe const& k, std::uint32_t c) {
        std::uint32_t const r = m_.receive_number(k.a);
        add(Rcvi{k.a, endpoint_of_class(k.beta, classes_.of_receive[r]), message_variable(r), {}, {}}, none);
        add(Wait{k.a}, c);
        assign_selected(r);
    }

    /// Behind the wait that completes a receive: what its variables get.
    void unpack(std::uint32_t r) {
        if (is_taken_apart(r)) assign_message(r, none);
        assign_selected(r);
    }
    void assign_message(std::uint32_t r, std::uint32_t original) {
        Packing const& p = packing(r);
        add(Assign{code_.as_rcvi(m_.receives()[r].a)->x, unpacked(message_variable(r), p.tags, p.sources, {})},
            original);
    }
    void assign_selected(std::uint32_t r) {
        auto const& receive = m_.receives()[r];
        Packing const& p = packing(r);
        Class const& of = classes_.at[receive.beta.index][classes_.of_receive[r]];
        Selectors const* const sel = selectors_of(code_.ctp(), *code_.as_rcvi(receive.a));
        if (sel == nullptr) return;
        auto const only = [&](auto number) {
            return constant(of.kinds.empty() ? Value::integer(0) : number(of.kinds[0]));
        };
        if (sel->source)
            add(Assign{*sel->source, p.sources ? unpacked(message_variable(r), p.tags, {}, p.sources)
                                               : only([&](Kind const& kind) { return source(kind); })},
                none);
        if (sel->tagged)
            add(Assign{*sel->tagged, p.tags ? unpacked(message_variable(r), {}, {}, p.tags)
                                            : only([&](Kind const& kind) { return tag(kind); })},
                none);
    }

    /// The thread that comes first gathers and scatters. The barrier itself is the last command of each thread's part.
    void barrier(std::uint32_t c) { gather_and_scatter(c, code_.meeting_at({c})); }
    void gather_and_scatter(std::uint32_t c, std::span<Location const> meeting) {
        std::uint32_t const first = meeting.front().index;
        std::vector<Command> commands;
        if (c == first)
            for (bool const gathers : {true, false})
                for (Location const other : meeting.subspan(1)) message(commands, other.index, !gathers, gathers);
        else
            for (bool const gathers : {true, false}) message(commands, c, gathers, gathers);
        add_all(commands, c);
    }
    /// The last one stands for the command.
    void add_all(std::vector<Command>& commands, std::uint32_t c) {
        if (commands.empty()) { // it meets nobody
            Variable const x{to_.symbols.variables.intern(fmt::format("alone{{{}}}", code_.names()(Location{c})))};
            commands.push_back(Assign{x, constant(Value::integer(0))});
        }
        for (std::size_t i = 0; i < commands.size(); ++i) add(commands[i], i + 1 == commands.size() ? c : none);
    }

    /// A call sends a message to each member that needs it, and then receives one from each that it needs itself; an
    /// icollective at the wait for it. Where all need all, a thread gathers and scatters, as at a barrier.
    void collective(Collective const& k, std::uint32_t c) {
        CollectiveCall const& call = code_.ctp().call(k);
        Collectives const& all = *code_.collectives();
        auto const members = all.members({c});
        auto const own = std::find_if(members.begin(), members.end(), [&](auto const& m) { return m.rho.index == c; });
        bool const all_call =
            std::none_of(members.begin(), members.end(), [](auto const& m) { return m.rho.is_none(); });
        bool const all_need_all = of_calls_ == Buffering::zero || info(call.kind).needs == CollectiveInfo::Needs::all;
        if (call.blocks && all_call && all_need_all) {
            std::vector<Location> meeting;
            for (Collectives::Member const& m : members) meeting.push_back(m.rho);
            return gather_and_scatter(c, meeting);
        }
        std::vector<Command> commands;
        for (Collectives::Member const& m : members)
            if (!m.rho.is_none() && needs(code_, m.rho, *own, of_calls_))
                call_message(commands, own->thread, m.rho, true);
        bool const is_awaited = call.blocks || all.end_of({c}).index != c;
        for (Collectives::Member const& m : members)
            if (is_awaited && needs(code_, {c}, m, of_calls_)) call_message(commands, m.thread, {c}, false);
        if (call.blocks) await_messages(commands, {c});
        if (call.blocks) await_return(commands, {c});
        add_all(commands, c);
    }
    void wait_for_call(Location call, std::uint32_t c) {
        std::vector<Command> commands;
        await_messages(commands, call);
        await_return(commands, call);
        add_all(commands, c);
    }

    /// A library may keep the thread at the wait for this send.
    void await_return(std::vector<Command>& into, Location call) {
        if (!may_refuse_ || !depends_on_library(code_, call)) return;
        auto const name = [&](std::string_view what) {
            return fmt::format("return-{}{{{}}}", what, code_.names()(call));
        };
        Endpoint const from{to_.symbols.endpoints.intern(name("from"))};
        Endpoint const to{to_.symbols.endpoints.intern(name("to"))};
        Action const a{to_.symbols.actions.intern(name("send"))};
        into.push_back(Sndi{a, from, to, constant(Value::integer(0)), {}, {}, Mode::standard});
        bool const is_left_out = buffering_ == Buffering::infinite && lowered_->buffering_ == Buffering::zero;
        if (!is_left_out) into.push_back(Wait{a});
        returns_.emplace_back(call, a);
    }
    void find_returns() {
        std::map<std::uint32_t, std::optional<std::uint32_t>> meetings; // by the first call
        for (auto const& [call, a] : returns_) {
            auto const members = code_.collectives()->members(call);
            spend(members.size());
            bool const all_call =
                std::none_of(members.begin(), members.end(), [](auto const& m) { return m.rho.is_none(); });
            auto const [it, is_new] = meetings.try_emplace(members.front().rho.index);
            if (is_new && all_call) {
                it->second = static_cast<std::uint32_t>(lowered_->meetings_.size());
                auto& firsts = lowered_->meetings_.emplace_back();
                for (Collectives::Member const& m : members) firsts.push_back({first_of_[m.rho.index]});
            }
            lowered_->returns_.push_back({std::get<Collective>(code_.command_at(call)).a,
                                          lowered_->messages().send_number(a), all_call ? it->second : std::nullopt});
        }
    }

    /// Without blanks: certificates have them between names.
    std::string call_name(std::string_view what, std::uint32_t sender, Location call) const {
        return fmt::format("call-{}{{{},{}}}", what, sender, code_.names()(call));
    }
    /// One end of the message from a thread to a call of another one that needs it.
    void call_message(std::vector<Command>& into, std::uint32_t sender, Location call, bool sends) {
        Endpoint const from{to_.symbols.endpoints.intern(call_name("from", sender, call))};
        Endpoint const at{to_.symbols.endpoints.intern(call_name("to", sender, call))};
        if (sends) {
            Action const a{to_.symbols.actions.intern(call_name("send", sender, call))};
            into.push_back(Sndi{a, from, at, constant(Value::integer(0)), {}, {}, Mode::standard});
            return;
        }
        Action const a{to_.symbols.actions.intern(call_name("receive", sender, call))};
        Variable const x{to_.symbols.variables.intern(call_name("value", sender, call))};
        into.push_back(Rcvi{a, at, x, {}, {}});
    }
    void await_messages(std::vector<Command>& into, Location call) {
        Collectives const& all = *code_.collectives();
        for (Collectives::Member const& m : all.members(call))
            if (needs(code_, call, m, of_calls_))
                into.push_back(Wait{{to_.symbols.actions.intern(call_name("receive", m.thread, call))}});
    }

    /// One end of a message between the thread that comes first and the thread of another occurrence.
    void message(std::vector<Command>& into, std::uint32_t other, bool sends, bool gathers) {
        auto const name = [&](std::string_view what) {
            return fmt::format("{}-{}{{{}}}", gathers ? "gather" : "scatter", what, code_.names()(Location{other}));
        };
        Endpoint const from{to_.symbols.endpoints.intern(name("from"))};
        Endpoint const at{to_.symbols.endpoints.intern(name("to"))};
        if (sends) {
            Action const a{to_.symbols.actions.intern(name("send"))};
            into.push_back(Sndi{a, from, at, constant(Value::integer(0)), {}, {}, Mode::standard});
            return;
        }
        Action const a{to_.symbols.actions.intern(name("receive"))};
        Variable const x{to_.symbols.variables.intern(name("value"))};
        into.push_back(Rcvi{a, at, x, {}, {}});
        into.push_back(Wait{a});
    }

    MessageIndex const& m_;
    IndexedProgram const& code_;
    Buffering buffering_; // of the program
    Buffering of_calls_;  // of its collectives
    bool may_refuse_;     // collectives
    Classes classes_;
    std::vector<std::vector<std::uint32_t>> completed_; // wait -> the receives that it completes
    std::vector<bool> assigns_behind_; // wait -> whether the variables of its receives get their values after it
    std::unique_ptr<Lowered> lowered_;
    Program& to_;
    std::vector<std::pair<Location, Action>> returns_; // call -> the send that it waits for at its end
    std::vector<std::uint32_t> first_of_;              // command -> the first one that it becomes
    std::uint32_t at_ = 0;                             // the command that is lowered
    bool is_too_large_ = false;                        // an expression with guarded divisors
    std::uint32_t new_commands_ = 0;                   // so many have been made of it
    std::vector<std::vector<Endpoint>> endpoint_of_;   // endpoint -> class -> its endpoint; the last one: of no class
    std::vector<std::vector<Packing>> packings_;       // endpoint -> class
};

namespace {

bool has_plain_probes(IndexedProgram const& code) {
    auto const& commands = code.ctp().commands;
    return code.has_probes() && std::any_of(commands.begin(), commands.end(), [](LocatedCommand const& located) {
               Probe const* const probe = as_probe(located.c);
               return probe != nullptr && !probe->matches;
           });
}

/// A wait for a send ends when the receive of its message has started, if an mprobe took it. In the plain program it
/// ends when that was matched. So the start has to follow its mprobe at once.
std::optional<std::string> starts_late(MessageIndex const& m, Classes const& classes, Buffering buffering) {
    IndexedProgram const& code = m.code();
    if (!code.has_probes()) return std::nullopt;
    std::vector<std::vector<Action>> late; // endpoint -> class -> an mprobe that starts late; none if there is none
    for (auto const& at : classes.at) late.emplace_back(at.size());
    for (std::uint32_t r = 0; r < m.receives().size(); ++r) {
        auto const& receive = m.receives()[r];
        if (code.is_mprobe(receive.a) && code.start_of(receive.a).index != receive.rho.index + 1)
            late[receive.beta.index][classes.of_receive[r]] = receive.a;
    }
    for (std::uint32_t s = 0; s < m.sends().size(); ++s) {
        auto const& send = m.sends()[s];
        if (send.wait.is_none() || !classes.of_send[s] || !waits_for_receive(code, buffering, send.a)) continue;
        Action const p = late[m.beta_of(send).index][*classes.of_send[s]];
        if (!p.is_none())
            return fmt::format("`{}` can take the message of `{}`, whose wait waits until it has started, which is not "
                               "at once",
                               code.names()(p), code.names()(send.a));
    }
    return std::nullopt;
}

} // namespace

Expected<std::unique_ptr<Lowered>, std::string> Lowered::of(MessageIndex const& messages, Buffering buffering,
                                                            Calls calls) {
    if (messages.code().shares()) return Unexpected{std::string("a program with shared variables has no plain one")};
    if (messages.may_lack_receives())
        return Unexpected{std::string("it is not certain that each ready send finds a posted receive")};
    if (has_plain_probes(messages.code())) return Unexpected{std::string("the program has probes that take nothing")};
    if (messages.code().has_contested_calls())
        return Unexpected{std::string("a program whose collectives disagree has no plain one")};
    auto classes = classes_of(messages);
    if (!classes) return Unexpected{std::move(classes.error())};
    if (auto why = starts_late(messages, *classes, calls == Calls::may_refuse ? Buffering::zero : buffering))
        return Unexpected{std::move(*why)};
    return Lowering(messages, buffering, calls, std::move(*classes)).run();
}

} // namespace matchpoint::lowering
