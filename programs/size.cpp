#include "programs/size.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/overloaded.hpp"
#include "grammar/parts.hpp"
#include "programs/names.hpp"

namespace matchpoint::programs::draft {

std::uint64_t weight(Value const& number) {
    std::string const text = number.to_string();
    bool const negative = text.front() == '-';
    std::uint64_t value = 0;
    for (char const c : std::string_view(text).substr(negative ? 1 : 0))
        value = std::min(large_value, 10 * value + static_cast<std::uint64_t>(c - '0'));
    return 2 * value + (negative ? 1 : 0);
}

namespace {

class Sizing {
public:
    void count(Command const& c) {
        if (auto const* const send = as_sndi(c))
            size_.selectors += (send->tag.text.empty() ? 0U : 1U) + (send->mode == Mode::standard ? 0U : 1U);
        auto const* const receive = as_rcvi(c);
        auto const* const probe = as_probe(c);
        if (receive != nullptr || probe != nullptr) {
            Selectors const& sel = receive != nullptr ? receive->sel : probe->sel;
            size_.selectors += (sel.from ? 1 + sel.from->size() : 0) + (sel.tags ? 1 + sel.tags->size() : 0) +
                               (sel.source ? 1U : 0U) + (sel.tagged ? 1U : 0U);
        }
        for_each_part(c, overloaded{
                             [](Action const&) {},
                             [&](Endpoint const& e) { endpoints_.insert(e.text); },
                             [&](Variable const& x) { variables_.insert(x.text); },
                             [&](Expression const& e) {
                                 for (Node const& node : e.nodes) count(node);
                             },
                             [](NoLocation) {},
                             [](Tag const&) {},
                             [](Barrier const&) {},
                             [](Communicator const&) {},
                             [&](CollectiveCall const& call) {
                                 size_.selectors += (call.blocks ? 0U : 1U) + (call.op.empty() ? 0U : 1U) +
                                                    (call.type.empty() ? 0U : 1U) + call.counts.size();
                             },
                             [](Mode) {},
                             [](bool) {},
                         });
    }
    void count(Node const& node) {
        ++size_.terms;
        std::visit(overloaded{
                       [&](Value const& v) { count(v); },
                       [&](Variable const& x) {
                           ++size_.terms;
                           variables_.insert(x.text);
                       },
                       [](Op) {},
                   },
                   node);
    }
    Size take() {
        size_.endpoints = endpoints_.size();
        size_.variables = variables_.size();
        return size_;
    }

private:
    void count(Value const& v) {
        if (v.is_false()) ++size_.value;
        if (!v.is_integer()) return;
        size_.digits += v.to_string().size();
        size_.value += weight(v);
    }

    Size size_;
    std::unordered_set<std::string> endpoints_;
    std::unordered_set<std::string> variables_;
};

} // namespace

Size size_without_names(Draft const& draft) {
    Sizing sizing;
    for (Thread const& t : draft.threads)
        for (LocatedCommand const& c : t) sizing.count(c.c);
    Size s = sizing.take();
    s.commands = draft.commands();
    s.threads = draft.threads.size();
    s.traces = draft.traces.size();
    s.shared = draft.shared.size();
    for (Trace const& trace : draft.traces)
        for (Entry const& entry : trace) {
            s.movements += entry.m.size();
            for (Movement const& m : entry.m) s.selectors += m.n.text.empty() ? 0U : 1U;
        }
    return s;
}

bool is_renamed(Draft const& draft) {
    Draft canonical = draft;
    canonical_names(canonical);
    return print(canonical) != print(draft);
}

Size size(Draft const& draft) {
    Size s = size_without_names(draft);
    s.renamed = is_renamed(draft);
    return s;
}

} // namespace matchpoint::programs::draft
