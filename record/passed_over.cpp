#include "record/passed_over.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace matchpoint::record {

namespace {

constexpr std::size_t most_questions = 10'000'000;

using Sources = std::optional<std::set<std::string>>; // none if it admits any
using Tags = std::optional<std::set<std::string>>;

/// Receives at one endpoint that admit the same.
struct Kind {
    Sources sources;
    Tags tags;
    draft::LocatedCommand const* first;

    bool admits(std::string const& source, std::string const& tag) const {
        return (!sources || sources->contains(source)) && (!tags || tags->contains(tag));
    }
};

/// What one rank sends to an endpoint: for each tag, where it is first and last sent.
struct SentFrom {
    struct Sent {
        std::size_t first, last;
    };
    std::map<std::string, Sent> tags;
    std::size_t sends = 0;
};

struct Mailbox {
    std::vector<Kind> kinds;
    std::map<std::string, SentFrom> channels; // by source
};

std::map<std::string, Mailbox> mailboxes_of(draft::Draft const& program) {
    std::map<std::string, Mailbox> result;
    std::map<std::tuple<std::string, Sources, Tags>, bool> known;
    for (draft::Thread const& thread : program.threads)
        for (draft::LocatedCommand const& at : thread)
            if (auto const* const s = as_sndi(at.c)) {
                SentFrom& channel = result[s->beta.text].channels[s->alpha.text];
                std::size_t const place = channel.sends++;
                auto const [sent, is_new] =
                    channel.tags.try_emplace(s->tag.text.empty() ? "0" : s->tag.text, SentFrom::Sent{place, place});
                sent->second.last = place;
            } else if (auto const* const r = as_rcvi(at.c)) {
                Kind kind{{}, {}, &at};
                if (r->sel.from) {
                    kind.sources.emplace();
                    for (auto const& source : *r->sel.from) kind.sources->insert(source.text);
                }
                if (r->sel.tags) {
                    kind.tags.emplace();
                    for (auto const& tag : *r->sel.tags) kind.tags->insert(tag.text);
                }
                if (known.try_emplace({r->beta.text, kind.sources, kind.tags}).second)
                    result[r->beta.text].kinds.push_back(std::move(kind));
            }
    return result;
}

/// Whether a receive of one kind passes a message over that one of the other kind admits, beside a message of another
/// rank.
bool pass_over(Mailbox const& e, Kind const& passing, Kind const& next) {
    // What both admit, and who sends it.
    std::set<std::string_view> senders;
    for (auto const& [source, channel] : e.channels)
        for (auto const& [tag, sent] : channel.tags)
            if (passing.admits(source, tag) && next.admits(source, tag)) senders.insert(source);
    return std::any_of(e.channels.begin(), e.channels.end(), [&](auto const& one) {
        auto const& [source, channel] = one;
        if (senders.size() < (senders.contains(source) ? 2U : 1U)) return false;
        std::size_t passed = SIZE_MAX, taken = 0;
        for (auto const& [tag, sent] : channel.tags) {
            if (passing.admits(source, tag))
                taken = std::max(taken, sent.last);
            else if (next.admits(source, tag))
                passed = std::min(passed, sent.first);
        }
        return passed < taken;
    });
}

} // namespace

std::optional<draft::LocatedCommand> passes_over(draft::Draft const& program) {
    for (auto const& [name, e] : mailboxes_of(program)) {
        std::size_t tags = 0;
        for (auto const& [source, channel] : e.channels) tags += channel.tags.size();
        bool const are_many = e.kinds.size() * e.kinds.size() * tags > most_questions;
        for (Kind const& passing : e.kinds) {
            if (!passing.tags || (passing.sources && passing.sources->size() == 1)) continue;
            for (Kind const& next : e.kinds)
                if (are_many || pass_over(e, passing, next)) return *passing.first;
        }
    }
    return std::nullopt;
}

} // namespace matchpoint::record
