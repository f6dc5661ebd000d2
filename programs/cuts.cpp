#include "programs/cuts.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/overloaded.hpp"
#include "grammar/discipline.hpp"
#include "grammar/operators.hpp"
#include "grammar/parts.hpp"
#include "grammar/selectors.hpp"
#include "programs/names.hpp"

namespace matchpoint::programs::draft {

Smaller::Cuts::Cuts(Draft draft, Place from) : draft_(std::move(draft)), from_(from) {
    name_locations(draft_);
    size_ = size_without_names(draft_);
    number_commands();
    link_waits();
    find_sorts();
    plan();
    next_ = static_cast<std::size_t>(
        std::find_if(plans_.begin(), plans_.end(), [&](Plan const& p) { return p.place >= from_; }) - plans_.begin());
}

std::optional<Draft> Smaller::Cuts::next() {
    while (next_ < plans_.size()) {
        Plan const& p = plans_[next_++];
        place_ = p.place;
        std::optional<Draft> cut = p.cut();
        // Those of the last kind only have other names.
        if (cut && (size_without_names(*cut) < size_ || p.place.kind == kind_)) return cut;
    }
    return std::nullopt;
}

void Smaller::Cuts::number_commands() {
    for (std::uint32_t t = 0; t < draft_.threads.size(); ++t) {
        first_.push_back(commands());
        for (std::uint32_t i = 0; i < draft_.threads[t].size(); ++i) {
            std::uint32_t const number = commands();
            Info& info = info_.emplace_back();
            info.thread = t;
            info.place = i;
            info.e = expression_of(command(number));
            if (info.e != nullptr) info.terms = subterms(*info.e);
            if (auto const* const send = as_sndi(command(number))) {
                sends_to_[send->beta].push_back(number);
                owner_.try_emplace(send->alpha, t);
            }
            if (auto const* const receive = as_rcvi(command(number))) {
                receives_at_[receive->beta].push_back(number);
                owner_.try_emplace(receive->beta, t);
            }
            if (auto const* const probe = as_probe(command(number))) owner_.try_emplace(probe->beta, t);
        }
    }
}

void Smaller::Cuts::link_waits() {
    std::unordered_map<std::string, std::uint32_t> issued;
    for (std::uint32_t c = 0; c < commands(); ++c)
        if (Action const* const a = issued_action(command(c))) issued.try_emplace(a->text, c);
    for (std::uint32_t w = 0; w < commands(); ++w) {
        if (auto const* const start = as_start(command(w)))
            if (auto const it = issued.find(start->a.text); it != issued.end() && info_[it->second].start == none)
                info_[it->second].start = w;
        auto const* const wait = as_wait(command(w));
        if (wait == nullptr) continue;
        auto const it = issued.find(wait->a.text);
        if (it != issued.end() && it->second < w && info_[it->second].wait == none) info_[it->second].wait = w;
    }
    // The receives that a wait completes: its own, and those before it at the endpoint that admit as much (Definition
    // 6, errata E24).
    for (auto const& [beta, receives] : receives_at_) {
        auto const sel = [&, &at = receives](std::size_t r) { return &as_rcvi(command(at[r]))->sel; };
        std::map<std::uint32_t, std::size_t> waits; // in order, with the receive of each
        for (std::size_t r = 0; r < receives.size(); ++r)
            if (info_[receives[r]].wait != none) waits[info_[receives[r]].wait] = r;
        std::vector<bool> completed(receives.size());
        std::size_t first = 0; // that is not
        for (auto const& [w, own] : waits) {
            for (std::size_t r = first; r <= own; ++r) {
                if (completed[r] || !admits_all_of(sel(r), sel(own))) continue;
                completed[r] = true;
                info_[w].completes.push_back(receives[r]);
            }
            while (first < receives.size() && completed[first]) ++first;
        }
    }
}

namespace {

bool is_boolean(Expression const& e, Sorts const& variables) {
    auto sort = e.nodes.rbegin();
    auto const is_of_last = [](Node const& node) {
        auto const* const op = std::get_if<Op>(&node);
        return op != nullptr && has_sort_of_last(*op);
    };
    while (is_of_last(*sort)) ++sort;
    return std::visit(overloaded{
                          [](Value const& v) { return v.is_boolean(); },
                          [&](Variable const& x) {
                              auto const it = variables.find(x.text);
                              return it != variables.end() && it->second;
                          },
                          [](Op op) { return result_sort(op) == OperandSort::boolean; },
                      },
                      *sort);
}

} // namespace

/// The sorts of variables where they are used, by rule D6, if the program obeys it.
void Smaller::Cuts::find_sorts() {
    Sorts endpoints;
    if (auto const program = program_of(draft_)) {
        std::vector<bool> const booleans = endpoints_of_booleans(*program);
        for (std::uint32_t e = 0; e < booleans.size(); ++e)
            endpoints[std::string(program->symbols.endpoints[e])] = booleans[e];
    }
    for (std::uint32_t t = 0; t < draft_.threads.size(); ++t) find_sorts_in_thread(t, endpoints);
}

void Smaller::Cuts::find_sorts_in_thread(std::uint32_t t, Sorts const& endpoints) {
    auto const sort_at = [&](Endpoint const& beta) {
        auto const it = endpoints.find(beta.text);
        return it != endpoints.end() && it->second;
    };
    Sorts variables;
    for (SharedVariable const& s : draft_.shared) variables[s.x.text] = s.v.is_boolean();
    for (std::uint32_t c = first_[t]; c < first_[t] + draft_.threads[t].size(); ++c) {
        Info& info = info_[c];
        auto const find = [&](Variable const& x) {
            if (auto const it = variables.find(x.text); it != variables.end()) info.sorts.insert(*it);
        };
        for_each_part(command(c),
                      overloaded{[&](Expression const& e) { for_each_variable(e, find); }, [](auto const&) {}});
        std::visit(overloaded{
                       [](AssumeOf<Text> const&) {},
                       [](AssertOf<Text> const&) {},
                       [&](AssignOf<Text> const& k) { variables[k.x.text] = is_boolean(k.e, variables); },
                       [](SndiOf<Text> const&) {},
                       [](RcviOf<Text> const&) {},
                       [&](ProbeOf<Text> const& k) {
                           for (auto const& y : {k.sel.source, k.sel.tagged})
                               if (y) variables[y->text] = false;
                       },
                       [&](StartOf<Text> const& k) {
                           for (std::uint32_t i = first_[t]; i < c; ++i)
                               if (auto const* const probe = as_probe(command(i)); probe && probe->a == k.a)
                                   variables[k.x.text] = sort_at(probe->beta);
                       },
                       [&](WaitOf<Text> const&) {
                           for (std::uint32_t const r : info.completes) {
                               auto const* const receive = as_rcvi(command(r));
                               variables[receive->x.text] = sort_at(receive->beta);
                               for (auto const& y : {receive->sel.source, receive->sel.tagged})
                                   if (y) variables[y->text] = false;
                           }
                       },
                       [](MeetOf<Text> const&) {},
                       [](CollectiveOf<Text> const&) {},
                       [&](GuardedOf<Text> const& k) {
                           Sorts const before = variables;
                           for (auto const& [x, e] : k.assigned) variables[x.text] = is_boolean(e, before);
                       },
                   },
                   command(c));
    }
}

namespace {

/// Which variables of a thread are defined, as its commands go by.
class Defined {
public:
    explicit Defined(std::vector<SharedVariable> const& shared) {
        for (SharedVariable const& s : shared) defined_.insert(s.x.text);
    }

    bool contains(Variable const& x) const { return defined_.contains(x.text); }

    void behind(Command const& c) {
        std::visit(overloaded{
                       [](AssumeOf<Text> const&) {},
                       [](AssertOf<Text> const&) {},
                       [&](AssignOf<Text> const& k) { defined_.insert(k.x.text); },
                       [](SndiOf<Text> const&) {},
                       [&](RcviOf<Text> const& k) {
                           pending_[k.beta.text].push_back(k);
                           endpoint_of_[k.a.text] = k.beta.text;
                       },
                       [&](ProbeOf<Text> const& k) {
                           for (auto const& y : {k.sel.source, k.sel.tagged})
                               if (y) defined_.insert(y->text);
                       },
                       [&](StartOf<Text> const& k) { started_[k.a.text] = k.x.text; },
                       [&](WaitOf<Text> const& k) { wait(k.a.text); },
                       [](MeetOf<Text> const&) {},
                       [](CollectiveOf<Text> const&) {},
                       [&](GuardedOf<Text> const& k) {
                           for (auto const& [x, e] : k.assigned) defined_.insert(x.text);
                       },
                   },
                   c);
    }

private:
    void wait(std::string const& a) {
        if (auto const started = started_.find(a); started != started_.end()) defined_.insert(started->second);
        auto const it = endpoint_of_.find(a);
        if (it == endpoint_of_.end()) return;
        auto& receives = pending_[it->second];
        auto const own = std::find_if(receives.begin(), receives.end(), [&](auto const& r) { return r.a.text == a; });
        if (own == receives.end()) return; // completed before
        Selectors const sel = own->sel;
        auto const left = std::remove_if(receives.begin(), own + 1, [&](RcviOf<Text> const& r) {
            if (!admits_all_of(&r.sel, &sel)) return false;
            defined_.insert(r.x.text);
            for (auto const& y : {r.sel.source, r.sel.tagged})
                if (y) defined_.insert(y->text);
            return true;
        });
        receives.erase(left, own + 1);
    }

    std::unordered_set<std::string> defined_;
    std::unordered_map<std::string, std::vector<RcviOf<Text>>> pending_; // endpoint -> its receives
    std::unordered_map<std::string, std::string> endpoint_of_;           // of a receive
    std::unordered_map<std::string, std::string> started_;               // mprobe -> the variable of its start
};

} // namespace

/// Replaces variables that are no longer defined by 0 or true.
void Smaller::Cuts::mend(std::vector<Thread>& threads, std::vector<std::vector<std::uint32_t>> const& origins) const {
    for (std::size_t t = 0; t < threads.size(); ++t) {
        Defined defined(draft_.shared);
        for (std::size_t i = 0; i < threads[t].size(); ++i) {
            Command& c = threads[t][i].c;
            auto const mend_in = [&](Expression& e) {
                for (Node& node : e.nodes) {
                    auto const* const x = std::get_if<Variable>(&node);
                    if (x == nullptr || defined.contains(*x)) continue;
                    Sorts const& before = info_[origins[t][i]].sorts;
                    auto const it = before.find(x->text);
                    if (it == before.end()) continue; // it was undefined before
                    node = it->second ? Value::boolean(true) : Value::integer(0);
                }
            };
            for_each_part(c, overloaded{mend_in, [](auto&) {}});
            defined.behind(c);
        }
    }
}

namespace {

/// Which send's message each movement of a trace takes, as the trace goes by.
class Transit {
public:
    explicit Transit(std::set<Endpoint> selecting) : selecting_(std::move(selecting)) {}

    void issue(std::uint32_t number, Command const& c) {
        if (auto const* const send = as_sndi(c)) channels_[{send->beta, send->alpha}].push_back({number, send});
        auto const* const receive = as_rcvi(c);
        if (receive != nullptr && selecting_.contains(receive->beta)) posted_[receive->beta].push_back(&receive->sel);
    }

    /// An mprobe takes the message that its entry's peek says.
    void take(ProbeOf<Text> const& probe, Movement const& peek) {
        Messages& messages = channels_[{peek.beta, peek.alpha}];
        auto const seen =
            std::find_if(messages.begin(), messages.end(), [&](Message const& m) { return admits(probe.sel, m); });
        if (seen != messages.end()) messages.erase(seen);
    }

    /// The send; none if nothing can move.
    std::optional<std::uint32_t> move(Movement const& m) {
        Messages& messages = channels_[{m.beta, m.alpha}];
        auto const moved = selecting_.contains(m.beta) ? matched(messages, m) : messages.begin();
        if (moved == messages.end()) return std::nullopt;
        std::uint32_t const send = moved->number;
        messages.erase(moved);
        return send;
    }

private:
    struct Message {
        std::uint32_t number;
        SndiOf<Text> const* send;
        Tag tag() const { return send->tag.text.empty() ? Tag("0") : send->tag; }
    };
    using Messages = std::deque<Message>;

    static bool admits(Selectors const& sel, Message const& m) {
        auto const has = [](auto const& names, auto const& name) {
            return !names || std::find(names->begin(), names->end(), name) != names->end();
        };
        return has(sel.from, m.send->alpha) && has(sel.tags, m.tag());
    }

    /// The message that the movement gives to a posted receive, which is posted no longer.
    Messages::iterator matched(Messages& messages, Movement const& m) {
        auto const named = std::find_if(messages.begin(), messages.end(),
                                        [&](Message const& message) { return message.tag() == m.n; });
        auto& posted = posted_[m.beta];
        for (auto receive = posted.begin(); receive != posted.end(); ++receive) {
            auto const fits = [&](Message const& message) { return admits(**receive, message); };
            auto const first = std::find_if(messages.begin(), messages.end(), fits);
            bool const is_partner =
                m.n.text.empty() ? first != messages.end() : named != messages.end() && fits(*named);
            if (!is_partner) continue;
            if (!m.n.text.empty() && first != named) break;
            posted.erase(receive);
            return first;
        }
        return messages.end();
    }

    std::set<Endpoint> selecting_;
    std::map<std::pair<Endpoint, Endpoint>, Messages> channels_; // in transit, the oldest first
    std::map<Endpoint, std::vector<Selectors const*>> posted_;   // without a message, where receives select
};

} // namespace

/// Removes entries with their commands, and movements with their sends. The other movements of a removed entry move to
/// the next entry.
Trace Smaller::Cuts::mended(Trace const& trace, std::vector<bool> const& stays) const {
    std::unordered_map<std::string, std::uint32_t> number;
    for (std::uint32_t c = 0; c < commands(); ++c) number.try_emplace(located(c).rho, c);
    std::set<Endpoint> selecting;
    for (std::uint32_t c = 0; c < commands(); ++c)
        if (auto const* const probe = as_probe(command(c))) selecting.insert(probe->beta);
    for (auto const& [beta, receives] : receives_at_)
        for (std::uint32_t const r : receives)
            if (restricts(&as_rcvi(command(r))->sel)) selecting.insert(beta);
    Transit transit(selecting);
    // Elsewhere the n-th movement of a channel belongs to its n-th send, even if it comes too early.
    for (auto const& [beta, sends] : sends_to_)
        for (std::uint32_t const s : sends)
            if (!selecting.contains(beta)) transit.issue(s, command(s));
    Trace result;
    std::vector<Movement> m;
    for (Entry const& entry : trace) {
        for (Movement const& movement : entry.m) {
            auto const send = transit.move(movement);
            if (!send || stays[*send]) m.push_back(movement);
        }
        auto const it = number.find(entry.rho);
        bool const is_known = it != number.end();
        auto const* const send = is_known ? as_sndi(command(it->second)) : nullptr;
        if (is_known && (send == nullptr || selecting.contains(send->beta)))
            transit.issue(it->second, command(it->second));
        auto const* const probe = is_known ? as_probe(command(it->second)) : nullptr;
        if (probe != nullptr && probe->matches && entry.peek) transit.take(*probe, *entry.peek);
        if (!is_known || stays[it->second]) result.push_back({entry.rho, std::exchange(m, {}), entry.peek});
    }
    return result;
}

/// Without some commands, and without the starts of them and the waits for them. Other commands are replaced.
std::optional<Draft> Smaller::Cuts::without(std::vector<std::uint32_t> const& gone,
                                            std::map<std::uint32_t, Command> const& instead) const {
    std::vector<bool> stays(commands(), true);
    for (std::uint32_t const c : gone) stays[c] = false;
    std::map<std::uint32_t, Command> replaced = instead;
    for (std::uint32_t const c : gone) {
        if (info_[c].start != none) stays[info_[c].start] = false;
        std::uint32_t const w = info_[c].wait;
        if (w == none || !stays[w] || instead.contains(w)) continue;
        stays[w] = false;
        if (as_rcvi(command(c)) == nullptr) continue;
        // The wait stays if it completes other receives that no other wait would complete.
        auto const& completes = info_[w].completes;
        auto const other =
            std::find_if(completes.rbegin(), completes.rend(), [&](std::uint32_t r) { return stays[r]; });
        if (other == completes.rend() || info_[*other].wait != none) continue;
        stays[w] = true;
        replaced[w] = wait(*issued_action(command(*other)));
    }
    std::vector<Thread> threads;
    std::vector<std::vector<std::uint32_t>> origins;
    std::vector<std::uint32_t> left; // threads
    for (std::uint32_t t = 0; t < draft_.threads.size(); ++t) {
        auto& thread = threads.emplace_back();
        auto& origin = origins.emplace_back();
        for (std::uint32_t i = 0; i < draft_.threads[t].size(); ++i) {
            std::uint32_t const c = first_[t] + i;
            if (!stays[c]) continue;
            auto const it = replaced.find(c);
            thread.emplace_back(it == replaced.end() ? command(c) : it->second, located(c).rho);
            origin.push_back(c);
        }
        if (thread.empty() && !draft_.threads[t].empty()) {
            threads.pop_back();
            origins.pop_back();
        } else {
            left.push_back(t);
        }
    }
    mend(threads, origins);
    Draft result{.comment = draft_.comment,
                 .shared = draft_.shared,
                 .communicators = draft_.communicators,
                 .threads = std::move(threads)};
    renumber_threads(result, left);
    for (Trace const& trace : draft_.traces) result.traces.push_back(mended(trace, stays));
    return result;
}

/// Without a thread, and perhaps without the messages to it.
std::optional<Draft> Smaller::Cuts::without_thread(std::uint32_t t, bool with_messages) const {
    std::vector<std::uint32_t> gone;
    bool messages = false;
    for (std::uint32_t c = 0; c < commands(); ++c) {
        if (info_[c].thread == t) {
            gone.push_back(c);
        } else if (auto const* const send = as_sndi(command(c)); with_messages && send != nullptr) {
            auto const it = owner_.find(send->beta);
            if (it == owner_.end() || it->second != t) continue;
            gone.push_back(c);
            messages = true;
        }
    }
    if (with_messages && !messages) return std::nullopt; // the same as without the messages
    std::optional<Draft> result = without(gone);
    if (draft_.threads[t].empty()) {
        std::vector<std::uint32_t> left;
        for (std::uint32_t i = 0; i < result->threads.size(); ++i)
            if (i != t) left.push_back(i);
        result->threads.erase(result->threads.begin() + t);
        renumber_threads(*result, left);
    }
    return result;
}

/// With (x := value) in place of the wait for a receive, and perhaps without a send.
std::optional<Draft> Smaller::Cuts::assigned(std::uint32_t receive, std::uint32_t send, Value const& value) const {
    std::uint32_t const w = info_[receive].wait;
    if (w == none || info_[w].completes.size() != 1) return std::nullopt;
    std::vector<std::uint32_t> gone = {receive};
    if (send != none) gone.push_back(send);
    return without(gone, {{w, assign(as_rcvi(command(receive))->x, constant(value))}});
}

Draft Smaller::Cuts::with_expression(std::uint32_t c, Expression e) const {
    Draft result = draft_;
    *expression_of(result.threads[info_[c].thread][info_[c].place].c) = std::move(e);
    return result;
}

Draft Smaller::Cuts::with_value(std::uint32_t c, Subterm instead_of, Value const& value) const {
    return with_expression(c, replaced(*info_[c].e, instead_of, constant(value)));
}

} // namespace matchpoint::programs::draft
