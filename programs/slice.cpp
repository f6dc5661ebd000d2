#include "programs/slice.hpp"

#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/limits.hpp"
#include "base/overloaded.hpp"

namespace matchpoint::programs::draft {

namespace {

bool may_have_fault(Expression const& e) {
    for (std::size_t i = 0; i < e.nodes.size(); ++i) {
        Op const* const op = std::get_if<Op>(&e.nodes[i]);
        if (op == nullptr || !grammar::divides(*op)) continue;
        Value const* const divisor = std::get_if<Value>(&e.nodes[i - 1]); // the last operand
        if (divisor == nullptr || *divisor == Value::integer(0)) return true;
    }
    return false;
}

bool is_true(Expression const& e) {
    Value const* const v = e.nodes.size() == 1 ? std::get_if<Value>(&e.nodes.front()) : nullptr;
    return v != nullptr && v->is_true();
}

/// What depends on what: assignments, shared variables, endpoints, and variables of threads that get messages.
class Dependences {
public:
    using Id = std::uint32_t;

    explicit Dependences(Draft const& draft) {
        for (SharedVariable const& s : draft.shared) shared_.emplace(s.x.text, add());
        for (Thread const& thread : draft.threads) {
            received_.clear();
            defined_.clear();
            for (LocatedCommand const& c : thread)
                if (auto const* const r = std::get_if<grammar::RcviOf<Text>>(&c.c); r != nullptr && !is_shared(r->x))
                    received_.emplace(r->x.text, none);
                else if (auto const* const s = as_start(c.c); s != nullptr && !is_shared(s->x))
                    received_.emplace(s->x.text, none);
            for (auto& [x, id] : received_) id = add();
            for (LocatedCommand const& c : thread) look_at(c.c);
        }
        while (!todo_.empty()) {
            Id const id = todo_.back();
            todo_.pop_back();
            spend(1 + on_[id].size());
            for (Id const other : on_[id]) matters(other);
        }
    }

    bool is_shared(Variable const& x) const { return shared_.contains(x.text); }
    /// Whether the next assignment matters, in the order of the text.
    bool assignment_matters(std::size_t number) const { return matters_[assignments_[number]]; }
    bool endpoint_matters(Endpoint const& beta) const {
        auto const at = endpoints_.find(beta.text);
        return at != endpoints_.end() && matters_[at->second];
    }

private:
    static constexpr Id none = UINT32_MAX;

    Id add() {
        on_.emplace_back();
        matters_.push_back(false);
        return static_cast<Id>(on_.size() - 1);
    }
    void matters(Id id) {
        if (matters_[id]) return;
        matters_[id] = true;
        todo_.push_back(id);
    }
    Id endpoint(Endpoint const& beta) {
        auto const [at, is_new] = endpoints_.try_emplace(beta.text, none);
        if (is_new) at->second = add();
        return at->second;
    }

    void look_at(Command const& command) {
        spend(4);
        std::visit(overloaded{
                       [&](grammar::AssumeOf<Text> const& c) { read(c.e, [this](Id id) { matters(id); }); },
                       [&](grammar::AssertOf<Text> const& c) { read(c.e, [this](Id id) { matters(id); }); },
                       [&](grammar::AssignOf<Text> const& c) { assign(std::span(&c, 1), false); },
                       [&](grammar::SndiOf<Text> const& c) {
                           Id const beta = endpoint(c.beta);
                           if (may_have_fault(c.e)) matters(beta);
                           read(c.e, [&](Id id) { on_[beta].push_back(id); });
                       },
                       [&](grammar::RcviOf<Text> const& c) {
                           Id const beta = endpoint(c.beta);
                           on_[is_shared(c.x) ? shared_.at(c.x.text) : received_.at(c.x.text)].push_back(beta);
                       },
                       [&](grammar::ProbeOf<Text> const& c) { probed_[c.a.text] = endpoint(c.beta); },
                       [&](grammar::StartOf<Text> const& c) {
                           if (auto const at = probed_.find(c.a.text); at != probed_.end())
                               on_[is_shared(c.x) ? shared_.at(c.x.text) : received_.at(c.x.text)].push_back(
                                   at->second);
                       },
                       [](grammar::WaitOf<Text> const&) {},
                       [](grammar::MeetOf<Text> const&) {},
                       [](grammar::CollectiveOf<Text> const&) {},
                       [&](grammar::GuardedOf<Text> const& c) {
                           read(c.e, [this](Id id) { matters(id); });
                           assign(std::span(c.assigned), c.blocks);
                       },
                   },
                   command);
    }

    /// At once: all of them read what was before. `all` matter in a `when`: what it names is for synchronisation, and
    /// would be a data race without it.
    template <typename A>
    void assign(std::span<A const> assigned, bool all) {
        std::vector<Id> ids;
        for (A const& a : assigned) {
            ids.push_back(add());
            assignments_.push_back(ids.back());
            if (all || may_have_fault(a.e)) matters(ids.back());
            read(a.e, [&](Id id) { on_[ids.back()].push_back(id); });
        }
        for (std::size_t i = 0; i < assigned.size(); ++i) {
            std::string const& x = assigned[i].x.text;
            if (auto const at = shared_.find(x); at != shared_.end())
                on_[at->second].push_back(ids[i]);
            else if (auto const received = received_.find(x); received != received_.end())
                on_[received->second].push_back(ids[i]);
            else
                defined_[x] = ids[i];
        }
    }

    /// Calls `f` with what an expression depends on, where the thread is now. A variable that gets messages may have
    /// any of its values: a message comes later than the command that posts its receive.
    template <typename F>
    void read(Expression const& e, F const& f) {
        for_each_variable(e, [&](Variable const& x) {
            for (auto const* const names : {&shared_, &received_, &defined_})
                if (auto const at = names->find(x.text); at != names->end()) return f(at->second);
        });
    }

    using Names = std::unordered_map<std::string, Id>;
    Names shared_;
    Names endpoints_;
    Names received_; // by the thread, into variables of its own
    Names probed_;   // mprobe -> its endpoint
    Names defined_;  // by the thread: the last assignment to each of its other variables
    std::vector<Id> assignments_;
    std::vector<std::vector<Id>> on_;
    std::vector<bool> matters_;
    std::vector<Id> todo_;
};

class Slicing {
public:
    explicit Slicing(Draft program) : dependences_(program), result_{std::move(program)} {}

    Slice run() {
        find_booleans();
        for (Thread& thread : draft().threads) cut(thread);
        for (Trace& trace : draft().traces) mend(trace);
        std::size_t const declared = draft().shared.size();
        drop_unused_shared_variables(draft());
        result_.shared = declared - draft().shared.size();
        return std::move(result_);
    }

private:
    Draft& draft() { return result_.draft; }

    /// The endpoints whose messages are Bool for a shared variable, which keeps its sort.
    void find_booleans() {
        std::unordered_map<std::string, std::string> probed; // mprobe -> its endpoint
        std::unordered_set<std::string> variables;
        for (SharedVariable const& s : draft().shared)
            if (s.v.is_boolean()) variables.insert(s.x.text);
        for (Thread const& thread : draft().threads)
            for (LocatedCommand const& c : thread)
                if (auto const* const r = std::get_if<grammar::RcviOf<Text>>(&c.c)) {
                    if (variables.contains(r->x.text)) booleans_.insert(r->beta.text);
                } else if (auto const* const p = as_probe(c.c)) {
                    probed.emplace(p->a.text, p->beta.text);
                } else if (auto const* const s = as_start(c.c)) {
                    auto const at = probed.find(s->a.text);
                    if (at != probed.end() && variables.contains(s->x.text)) booleans_.insert(at->second);
                }
    }

    void cut(Thread& thread) {
        Thread kept;
        for (LocatedCommand& c : thread) {
            spend(4);
            if (stays(c.c))
                kept.push_back(std::move(c));
            else
                removed_.insert(c.rho);
        }
        thread = std::move(kept);
    }

    /// Whether anything of a command stays. Takes the rest from it.
    bool stays(Command& command) {
        if (std::holds_alternative<grammar::AssignOf<Text>>(command)) return matters();
        if (auto* const sent = std::get_if<grammar::SndiOf<Text>>(&command)) empty(*sent);
        if (auto* const guarded = std::get_if<grammar::GuardedOf<Text>>(&command)) {
            std::erase_if(guarded->assigned, [this](Assignment const&) { return !matters(); });
            if (guarded->assigned.empty() && !guarded->blocks) command = assume(std::move(guarded->e));
        }
        auto const* const assumed = std::get_if<grammar::AssumeOf<Text>>(&command);
        if (assumed == nullptr || !is_true(assumed->e)) return true;
        ++result_.assumptions;
        return false;
    }

    /// Whether the next assignment does.
    bool matters() {
        bool const result = dependences_.assignment_matters(seen_++);
        if (!result) ++result_.assignments;
        return result;
    }

    void empty(grammar::SndiOf<Text>& sent) {
        if (dependences_.endpoint_matters(sent.beta)) return;
        Expression nothing = booleans_.contains(sent.beta.text) ? truth(false) : number(0);
        if (sent.e == nothing) return;
        ++result_.payloads;
        sent.e = std::move(nothing);
    }

    void mend(Trace& trace) const {
        Trace kept;
        std::vector<Movement> m;
        for (Entry& entry : trace) {
            m.insert(m.end(), entry.m.begin(), entry.m.end());
            if (!removed_.contains(entry.rho)) kept.push_back({std::move(entry.rho), std::exchange(m, {}), entry.peek});
        }
        trace = std::move(kept);
    }

    Dependences dependences_;
    Slice result_;
    std::size_t seen_ = 0; // assignments
    std::unordered_set<std::string> booleans_;
    std::unordered_set<std::string> removed_; // locations
};

} // namespace

Slice slice(Draft program) { return Slicing(std::move(program)).run(); }

} // namespace matchpoint::programs::draft
