#include "matching/message_index.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>

#include "grammar/common_endpoints.hpp"
#include "grammar/selectors.hpp"
#include "matching/ready_sends.hpp"

namespace matchpoint::matching {

namespace {

/// Numbers grouped by a key below `keys`, in their own order within a group.
template <typename KeyOf>
void group(std::uint32_t count, std::uint32_t keys, KeyOf key_of, std::vector<std::uint32_t>& first,
           std::vector<std::uint32_t>& items) {
    first.assign(keys + 1, 0);
    for (std::uint32_t i = 0; i < count; ++i) ++first[key_of(i) + 1];
    for (std::uint32_t k = 0; k < keys; ++k) first[k + 1] += first[k];
    items.resize(count);
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t i = 0; i < count; ++i) items[next[key_of(i)]++] = i;
}

} // namespace

MessageIndex::MessageIndex(IndexedProgram const& code)
    : code_(&code), number_(code.ctp().issued_by.size()), sends_to_(code.endpoints().size()),
      owner_(code.endpoints().size(), thread_none) {
    auto const& commands = code.ctp().commands;
    auto const own = [&](Endpoint e, std::uint32_t rho) {
        std::uint32_t const thread = code.thread_of({rho});
        if (owner_[e.index] != thread_none && owner_[e.index] != thread && code.ctp().shared.empty())
            throw std::logic_error("MessageIndex: an endpoint of two threads (rule D1)");
        owner_[e.index] = thread;
    };
    std::vector<std::uint32_t> posted(code.endpoints().size());
    std::vector<std::uint32_t> sent(code.channels().size());
    auto const receive = [&](Action a, Endpoint beta, std::uint32_t rho) {
        own(beta, rho);
        number_[a.index] = static_cast<std::uint32_t>(receives_.size());
        receives_.push_back({a, {rho}, beta, posted[beta.index]++, {}});
    };
    for (std::uint32_t rho = 0; rho < commands.size(); ++rho) {
        if (Probe const* const probe = as_probe(commands[rho].c)) {
            own(probe->beta, rho);
            if (probe->matches) receive(probe->a, probe->beta, rho);
        }
        visit_message(
            commands[rho].c,
            [&](Sndi const& s) {
                own(s.alpha, rho);
                Channel const c = code.channel_of(s.a);
                number_[s.a.index] = static_cast<std::uint32_t>(sends_.size());
                sends_.push_back({s.a, {rho}, c, sent[c.index]++, {}});
                ++sends_to_[s.beta.index];
            },
            [&](Rcvi const& r) { receive(r.a, r.beta, rho); });
    }
    auto const endpoints = static_cast<std::uint32_t>(code.endpoints().size());
    auto const channels = static_cast<std::uint32_t>(code.channels().size());
    group(
        static_cast<std::uint32_t>(receives_.size()), endpoints,
        [&](std::uint32_t i) { return receives_[i].beta.index; }, receives_at_.first, receives_at_.items);
    group(
        static_cast<std::uint32_t>(sends_.size()), channels, [&](std::uint32_t i) { return sends_[i].channel.index; },
        sends_of_.first, sends_of_.items);
    std::vector<std::uint32_t> used; // channels with sends: a trace may name others
    for (std::uint32_t c = 0; c < channels; ++c)
        if (sent[c] > 0) used.push_back(c);
    std::vector<std::uint32_t> order;
    group(
        static_cast<std::uint32_t>(used.size()), endpoints,
        [&](std::uint32_t i) { return code[Channel{used[i]}].beta.index; }, first_channel_, order);
    for (std::uint32_t const i : order) channels_to_.push_back({used[i]});
    nearest_enclosing_waits();
    may_lack_receives_ =
        code.has_ready_sends() && (grammar::has_common_endpoints(code.ctp(), endpoints) || !all_find_receives(*this));
}

/// The first wait after a receive that is for it or for a later receive at its endpoint that admits no more than it.
/// Going backwards through the ordinals of an endpoint, that is the earliest wait so far of such receives.
void MessageIndex::nearest_enclosing_waits() {
    auto const& commands = code_->ctp().commands;
    std::vector<Location> own(receives_.size()); // each receive's own wait
    for (std::uint32_t rho = 0; rho < commands.size(); ++rho) {
        auto const* const wait = code_->wait_for_message({rho});
        if (wait == nullptr) continue;
        if (code_->as_rcvi(wait->a) != nullptr)
            own[receive_number(wait->a)] = {rho};
        else
            sends_[send_number(wait->a)].wait = {rho};
    }
    // The receives of an endpoint that admit the same messages are of one class.
    boost::unordered_flat_map<std::string, Location> earliest; // of each class, the earliest wait after this receive
    std::map<Location, Selectors const*> classes;              // those waits, in their order
    for (std::uint32_t beta = 0; beta < code_->endpoints().size(); ++beta) {
        auto const at = receives_at({beta});
        std::uint32_t thread = thread_none;
        for (std::size_t i = at.size(); i-- > 0;) {
            Receive& r = receives_[at[i]];
            if (std::uint32_t const of_receive = code_->thread_of(r.rho);
                std::exchange(thread, of_receive) != of_receive) {
                earliest.clear();
                classes.clear();
            }
            Selectors const* const sel = selectors_of(code_->ctp(), *code_->as_rcvi(r.a));
            if (code_->is_mprobe(r.a)) { // completed by its own wait, which completes nothing else
                r.nw = own[at[i]];
                continue;
            }
            // A later receive's wait comes after that receive (D2), and so after this one.
            if (Location const w = own[at[i]]; !w.is_none()) {
                auto const [of_class, is_new] = earliest.try_emplace(admitted_by(sel), w);
                if (!is_new && w < of_class->second) {
                    classes.erase(of_class->second);
                    of_class->second = w;
                }
                if (of_class->second == w) classes.emplace(w, sel);
            }
            auto const first = std::find_if(classes.begin(), classes.end(),
                                            [&](auto const& c) { return admits_all_of(sel, c.second); });
            if (first == classes.end())
                throw std::logic_error("MessageIndex: a receive without nearest-enclosing wait (rule D3)");
            r.nw = first->first;
        }
    }
}

} // namespace matchpoint::matching
