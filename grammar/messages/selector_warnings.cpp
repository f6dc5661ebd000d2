#include "grammar/messages/selector_warnings.hpp"

#include <algorithm>

#include <boost/unordered/unordered_flat_set.hpp>
#include <fmt/format.h>

#include "grammar/messages/positions.hpp"
#include "grammar/selectors.hpp"

namespace matchpoint::grammar {

namespace {

/// Messages of one source endpoint with one tag.
struct Kind {
    Endpoint alpha;
    Tag n;
};

/// The different kinds of messages to an endpoint.
class Sent {
public:
    void add(Kind const& kind) {
        if (!pairs_.insert(key(kind)).second) return;
        sources_.insert(kind.alpha.index);
        tags_.insert(kind.n.index);
        kinds_.push_back(kind);
    }

    bool some_are_admitted(Selectors const& sel) const {
        auto const any_of = [](auto const& names, auto const& f) {
            return std::any_of(names.begin(), names.end(), [&](auto const& name) { return f(name); });
        };
        auto const is_sent = [&](Endpoint alpha, Tag n) { return pairs_.contains(key({alpha, n})); };
        if (!sel.from && !sel.tags) return !kinds_.empty();
        if (!sel.tags) return any_of(*sel.from, [&](Endpoint alpha) { return sources_.contains(alpha.index); });
        if (!sel.from) return any_of(*sel.tags, [&](Tag n) { return tags_.contains(n.index); });
        return any_of(*sel.from, [&](Endpoint alpha) {
            return sources_.contains(alpha.index) && any_of(*sel.tags, [&](Tag n) { return is_sent(alpha, n); });
        });
    }

    /// In the order of the program.
    std::vector<Kind> const& kinds() const { return kinds_; }

private:
    static std::uint64_t key(Kind const& kind) { return std::uint64_t{kind.alpha.index} << 32U | kind.n.index; }

    std::vector<Kind> kinds_;
    boost::unordered_flat_set<std::uint64_t> pairs_;
    boost::unordered_flat_set<std::uint32_t> sources_;
    boost::unordered_flat_set<std::uint32_t> tags_;
};

/// The different sources, or tags, of some kinds: "1, 2 and 3".
template <typename Name>
std::string all_of(Program const& program, std::vector<Kind> const& kinds, Name name) {
    constexpr std::size_t most = 8;
    std::vector<std::string> names;
    for (Kind const& kind : kinds) {
        auto const id = name(kind);
        std::string text = id.is_none() ? "0" : printable(program.symbols(id));
        if (std::find(names.begin(), names.end(), text) == names.end()) names.push_back(std::move(text));
        if (names.size() > most) break;
    }
    bool const is_cut = names.size() > most;
    if (is_cut) names.back() = "...";
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() && !is_cut ? " and " : ", ") + names[i];
    return text;
}

/// Why a receive admits none of the messages, of which there is at least one.
std::string why_none(Program const& program, Rcvi const& receive, std::vector<Kind> const& sent) {
    Selectors const sources{selectors_of(program.ctp, receive)->from, {}, {}, {}};
    std::string const beta = printable(program.symbols(receive.beta));
    auto const alpha = [](Kind const& k) { return k.alpha; };
    std::vector<Kind> from;
    std::copy_if(sent.begin(), sent.end(), std::back_inserter(from),
                 [&](Kind const& k) { return admits(&sources, k.alpha, k.n); });
    if (from.empty()) return fmt::format("what is sent to {} comes from {}", beta, all_of(program, sent, alpha));
    return fmt::format("what is sent to {} from {} has tag {}", beta, all_of(program, from, alpha),
                       all_of(program, from, [](Kind const& k) { return k.n; }));
}

} // namespace

Diagnostics warn_of_selectors(Program const& program, Source const& source) {
    Diagnostics result;
    if (program.ctp.selectors.empty()) return result;
    std::vector<Sent> sent(program.symbols.endpoints.size());
    for (LocatedCommand const& c : program.ctp.commands)
        if (auto const* const send = as_sndi(c.c)) sent[send->beta.index].add({send->alpha, tag_of(program, *send)});
    for (LocatedCommand const& c : program.ctp.commands) {
        if (result.size() == max_diagnostics) break;
        auto const* const receive = as_rcvi(c.c);
        if (receive == nullptr || !restricts(selectors_of(program.ctp, *receive))) continue;
        Sent const& to = sent[receive->beta.index];
        if (to.kinds().empty() || to.some_are_admitted(*selectors_of(program.ctp, *receive))) continue;
        Token const at = atom_at(source, c.offset, 2);
        result.push_back({Severity::warning,
                          "selector",
                          fmt::format("receive `{}` admits no message of the program: {}",
                                      printable(program.symbols(receive->a)), why_none(program, *receive, to.kinds())),
                          at.offset,
                          static_cast<std::uint32_t>(at.text.size()),
                          {}});
    }
    return result;
}

} // namespace matchpoint::grammar
