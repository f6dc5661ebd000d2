#include "executions/shared/causal_model.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "grammar/common_endpoints.hpp"
#include "grammar/synchronisation.hpp"
#include "machine/partners.hpp"

namespace matchpoint::executions {

namespace {

bool is_assertion(Command const& c) { return std::holds_alternative<Assert>(c); }

/// The message that a receive got, which has one.
DeliveredSend const& message_of(State const& state, IndexedProgram const& code, Endpoint beta, std::uint32_t ordinal) {
    return state.Q_s.entries[code[beta].Q_s.first + *message_for(state, code, beta, ordinal)];
}

} // namespace

std::string_view to_string(Model model) {
    switch (model) {
    case Model::ctp: return "ctp";
    case Model::mcm: return "mcm";
    case Model::hb: break;
    }
    return "hb";
}

CausalModel::CausalModel(MessageIndex const& messages, Model model)
    : messages_(&messages), model_(model), before_(messages.code().ctp().commands.size()), reads_(before_.size()),
      received_(before_.size()), sends_(messages.receives().size()) {}

/// Runs the trace, and notes what each command of it did.
class CausalModel::Recorder {
public:
    Recorder(CausalModel& model, Buffering buffering)
        : model_(model), messages_(*model.messages_), machine_(messages_.code(), buffering),
          accesses_(shared_accesses(messages_)), last_(messages_.code().names().variables.size()),
          synchronises_(synchronisation_variables(messages_.code().ctp(), last_.size())),
          receives_of_(accesses_.size()) {
        for (auto const& receive : messages_.receives()) receives_of_[receive.nw.index].push_back(&receive);
    }

    /// Nothing, or why the trace has no model.
    std::optional<std::string> run(Schedule const& trace) {
        for (std::size_t i = 0; i < trace.size(); ++i) {
            spend(1);
            auto const [rho, movements, peek] = trace.entry(i);
            for (Channel const c : movements)
                if (machine_.apply(Deliver{c}).is_stuck()) return fmt::format("entry {} of it cannot be executed", i);
            if (model_.model_ == Model::mcm) note_reads(rho);
            if (Step const step = machine_.apply(Execute{rho, peek}); step.is_stuck())
                return fmt::format("entry {} of it cannot be executed: {}", i, machine::to_string(step.why().reason));
            if (machine_.state().s >= machine::Status::infeasible)
                return fmt::format("its assumption at entry {} does not hold", i);
            if (model_.model_ != Model::ctp) note_received(rho);
            if (model_.model_ == Model::hb) note_conflicts(rho);
        }
        model_.ends_ = machine_.state().ctp;
        return std::nullopt;
    }

private:
    IndexedProgram const& code() const { return messages_.code(); }

    /// An assignment that touches no variable that is local or no synchronisation variable.
    bool is_synchronisation(Command const& c) const {
        if (!std::holds_alternative<Assign>(c) && !std::holds_alternative<Assume>(c) && as_guarded(c) == nullptr)
            return false;
        auto const synchronises = [&](Variable x) { return synchronises_[x.index]; };
        bool result = true;
        Ctp const& ctp = code().ctp();
        for_each_expression(ctp, c, [&](Expression e) {
            for (Node const& n : std::span(ctp.nodes).subspan(e.first, e.size))
                if (n.kind == Node::Kind::variable) result = result && synchronises({n.payload});
        });
        if (Assign const* const assign = std::get_if<Assign>(&c)) result = result && synchronises(assign->x);
        if (Guarded const* const guarded = as_guarded(c))
            for (auto const& [x, e] : ctp.assigned(*guarded)) result = result && synchronises(x);
        return result;
    }

    void note_reads(Location rho) {
        Command const& command = code().command_at(rho);
        if (is_assertion(command) || is_synchronisation(command)) return;
        Ctp const& ctp = code().ctp();
        for_each_expression(ctp, command, [&](Expression e) {
            for (Node const& n : std::span(ctp.nodes).subspan(e.first, e.size))
                if (n.kind == Node::Kind::variable)
                    model_.reads_[rho.index].push_back({{n.payload}, machine_.state().h[n.payload]});
        });
    }

    void note_received(Location rho) {
        for (MessageIndex::Receive const* const r : receives_of_[rho.index]) {
            DeliveredSend const& message = message_of(machine_.state(), code(), r->beta, r->ordinal);
            model_.received_[rho.index].push_back({r->beta, r->ordinal, message.a, message.v});
            if (model_.model_ == Model::hb) model_.sends_[messages_.receive_number(r->a)] = message.a;
        }
    }

    void note_conflicts(Location rho) {
        std::uint32_t const thread = code().thread_of(rho);
        auto& before = model_.before_[rho.index];
        for (auto const& [x, writes] : accesses_[rho.index]) {
            spend(last_[x.index].size());
            for (Last const& other : last_[x.index]) {
                auto const& command = writes ? other.any : other.write;
                if (other.thread != thread && command) before.push_back({other.thread, *command});
            }
        }
        for (auto const& [x, writes] : accesses_[rho.index]) {
            auto& all = last_[x.index];
            auto it = std::find_if(all.begin(), all.end(), [&](Last const& l) { return l.thread == thread; });
            if (it == all.end()) it = all.insert(it, {thread, {}, {}});
            it->any = rho.index;
            if (writes) it->write = rho.index;
        }
    }

    /// The last commands of a thread so far that access and that write a variable.
    struct Last {
        std::uint32_t thread;
        std::optional<std::uint32_t> any;
        std::optional<std::uint32_t> write;
    };

    CausalModel& model_;
    MessageIndex const& messages_;
    Machine machine_;
    std::vector<Accesses> accesses_;
    std::vector<std::vector<Last>> last_; // shared variable -> by each thread
    std::vector<bool> synchronises_;
    std::vector<std::vector<MessageIndex::Receive const*>> receives_of_; // wait -> what it completes
};

Expected<CausalModel, std::string> CausalModel::of(MessageIndex const& messages, Buffering buffering,
                                                   Schedule const& trace, Model model) {
    if (messages.code().has_probes()) return Unexpected{std::string("the models know no probes")};
    if (grammar::has_common_endpoints(messages.code().ctp(), messages.code().names().endpoints.size()))
        return Unexpected{std::string("the models know no endpoints that several threads use")};
    CausalModel result(messages, model);
    if (auto why_not = Recorder(result, buffering).run(trace)) return Unexpected{std::move(*why_not)};
    return result;
}

bool CausalModel::receives_the_same(State const& state, Location rho) const {
    return std::all_of(received_[rho.index].begin(), received_[rho.index].end(), [&](Received const& r) {
        if (!message_for(state, messages_->code(), r.beta, r.ordinal)) return true; // the wait is not enabled
        DeliveredSend const& now = message_of(state, messages_->code(), r.beta, r.ordinal);
        return model_ == Model::hb ? now.a == r.a_s : now.v == r.v;
    });
}

bool CausalModel::allows(State const& state, Location rho) const {
    if (rho.index >= ends_[messages_->code().thread_of(rho)]) return false;
    auto const& before = before_[rho.index];
    auto const& reads = reads_[rho.index];
    return std::all_of(before.begin(), before.end(), [&](Before b) { return state.ctp[b.thread] > b.command; }) &&
           std::all_of(reads.begin(), reads.end(), [&](Read const& r) { return state.h[r.x.index] == r.v; }) &&
           receives_the_same(state, rho);
}

bool CausalModel::allows(State const& state, Channel c) const {
    IndexedProgram const& code = messages_->code();
    Endpoint const beta = code[c].beta;
    auto const receives = messages_->receives_at(beta);
    std::uint32_t const ordinal = state.Q_s.delivered[beta.index];
    if (code[beta].selects || ordinal >= receives.size()) return true;
    auto const& a_s = sends_[receives[ordinal]];
    return !a_s || Pnd_s(code, state, c).front().a == *a_s;
}

} // namespace matchpoint::executions
