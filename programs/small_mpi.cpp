#include "programs/small_mpi.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "programs/smaller.hpp"

namespace matchpoint::programs {

namespace {

using draft::Text;

std::vector<draft::Endpoint> sources_to(draft::Draft const& draft, draft::Endpoint const& beta) {
    std::vector<draft::Endpoint> sources;
    for (draft::Thread const& thread : draft.threads)
        for (draft::LocatedCommand const& c : thread)
            if (auto const* const send = as_sndi(c.c);
                send != nullptr && send->beta == beta &&
                std::find(sources.begin(), sources.end(), send->alpha) == sources.end())
                sources.push_back(send->alpha);
    return sources;
}

/// None; (from alpha) for each source; (tag 0); (tag 1).
draft::Selectors selectors(std::vector<draft::Endpoint> const& sources, std::uint32_t option) {
    draft::Selectors sel;
    if (option == 0) return sel;
    if (option <= sources.size())
        sel.from.emplace(1, sources[option - 1]);
    else
        sel.tags.emplace(1, draft::Tag(std::to_string(option - sources.size() - 1)));
    return sel;
}

/// Whether a wait for a receive completes no other. Then it does not matter to D3 and D5 which messages receives admit.
bool waits_complete_their_own(draft::Draft const& draft) {
    for (draft::Thread const& thread : draft.threads) {
        std::vector<RcviOf<Text> const*> pending;
        for (draft::LocatedCommand const& located : thread) {
            if (auto const* const receive = as_rcvi(located.c)) pending.push_back(receive);
            auto const* const wait = as_wait(located.c);
            if (wait == nullptr) continue;
            auto const own =
                std::find_if(pending.begin(), pending.end(), [&](auto const* r) { return r->a == wait->a; });
            if (own == pending.end()) continue; // for a send
            if (std::any_of(pending.begin(), own, [&](auto const* r) { return r->beta == (*own)->beta; })) return false;
            pending.erase(own);
        }
    }
    return true;
}

template <typename Choices>
bool is_asked_for_tags(Choices const& choices, draft::Endpoint const& beta) {
    return std::any_of(choices.begin(), choices.end(),
                       [&](auto const& c) { return c.asks_for_tags() && c.beta == beta; });
}

} // namespace

SmallMpiPrograms::SmallMpiPrograms(SmallBound const& bound, SmallMpi kinds, std::uint64_t every, std::uint64_t offset)
    : plain_(bound), kinds_(kinds), every_(every), next_number_(offset) {
    if (every == 0) throw std::invalid_argument("every 0th program");
}

std::optional<draft::Draft> SmallMpiPrograms::next() {
    while (next_number_ < end_ || next_plain()) {
        if (next_number_ >= end_) continue;
        while (next_options()) {
            if (!is_mpi() || has_idle_tag() || !obeys_the_rules() || count_++ != next_number_) continue;
            number_ = next_number_;
            next_number_ += std::min(every_, UINT64_MAX - next_number_);
            return made();
        }
        throw std::logic_error("small programs were counted wrongly");
    }
    return std::nullopt;
}

bool SmallMpiPrograms::next_plain() {
    count_ = end_;
    auto plain = plain_.next();
    if (!plain) return false;
    draft_ = std::move(*plain);
    choices_.clear();
    find_choices();
    find_selections();
    end_ += count_of_plain();
    return true;
}

void SmallMpiPrograms::find_choices() {
    for (std::uint32_t t = 0; t < draft_.threads.size(); ++t) {
        for (std::uint32_t c = 0; c < draft_.threads[t].size(); ++c) choose_at(t, c);
        if (kinds_.barrier && draft_.threads.size() > 1)
            choices_.push_back({Choice::Kind::place, t, 0, static_cast<std::uint32_t>(draft_.threads[t].size()) + 2U});
    }
}

void SmallMpiPrograms::choose_at(std::uint32_t thread, std::uint32_t command) {
    draft::Command const& c = draft_.threads[thread][command].c;
    if (auto const* const send = as_sndi(c)) {
        if (kinds_.selectors) choices_.push_back({Choice::Kind::tag, thread, command, 2, send->beta});
        if (kinds_.modes) choices_.push_back({Choice::Kind::mode, thread, command, 3});
    }
    if (auto const* const receive = as_rcvi(c); receive != nullptr && kinds_.selectors) {
        auto sources = sources_to(draft_, receive->beta);
        if (sources.empty()) return;
        auto const options = static_cast<std::uint32_t>(sources.size()) + 3U;
        choices_.push_back({Choice::Kind::selector, thread, command, options, receive->beta, std::move(sources)});
    }
}

/// A receive that selects may need another wait (D3, D5).
void SmallMpiPrograms::find_selections() {
    selections_.assign(1, true);
    if (!kinds_.selectors) return;
    std::size_t all = 1;
    for (Choice const& c : choices_)
        if (c.kind == Choice::Kind::selector) all *= c.options;
    bool const all_obey = waits_complete_their_own(draft_);
    selections_.assign(all, all_obey);
    for (std::size_t i = 0; i < all && !all_obey; ++i) {
        draft::Draft draft = draft_;
        std::size_t rest = i;
        for (Choice const& c : choices_) {
            if (c.kind != Choice::Kind::selector) continue;
            std::get<RcviOf<Text>>(draft.threads[c.thread][c.command].c).sel =
                selectors(c.sources, static_cast<std::uint32_t>(rest % c.options));
            rest /= c.options;
        }
        selections_[i] = draft::obeys_the_rules(draft);
    }
}

/// The place in selections_ of what is chosen.
std::size_t SmallMpiPrograms::selection() const {
    std::size_t i = 0;
    std::size_t radix = 1;
    for (Choice const& c : choices_) {
        if (c.kind != Choice::Kind::selector) continue;
        i += c.option * radix;
        radix *= c.options;
    }
    return i;
}

bool SmallMpiPrograms::obeys_the_rules() const { return selections_[selection()]; }

/// The number of programs that are made of the plain one. For each choice of selectors, tags, modes and places are
/// independent.
std::uint64_t SmallMpiPrograms::count_of_plain() {
    std::uint64_t modes = 1;
    std::uint64_t places = 1;
    std::uint64_t alone = 0; // places of which one thread has the barrier
    for (Choice const& c : choices_) {
        if (c.kind == Choice::Kind::mode) modes *= c.options;
        if (c.kind != Choice::Kind::place) continue;
        places *= c.options;
        alone += c.options - 1;
    }
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < selections_.size(); ++i) {
        if (!selections_[i]) continue;
        std::size_t rest = i;
        for (Choice& c : choices_) {
            if (c.kind != Choice::Kind::selector) continue;
            c.option = static_cast<std::uint32_t>(rest % c.options);
            rest /= c.options;
        }
        std::uint64_t tags = 1;
        for (Choice const& c : choices_)
            if (c.kind == Choice::Kind::tag && is_asked_for_tags(choices_, c.beta)) tags *= c.options;
        total += tags * modes * (places - alone);
    }
    for (Choice& c : choices_) c.option = 0;
    return total - 1; // the plain one
}

bool SmallMpiPrograms::next_options() {
    for (std::size_t i = choices_.size(); i-- > 0;) {
        if (++choices_[i].option < choices_[i].options) return true;
        choices_[i].option = 0;
    }
    return false;
}

bool SmallMpiPrograms::is_mpi() const {
    auto const chosen = [&](Choice::Kind kind) {
        return std::count_if(choices_.begin(), choices_.end(),
                             [&](Choice const& c) { return c.kind == kind && c.option != 0; });
    };
    auto const meeting = chosen(Choice::Kind::place);
    return meeting != 1 && chosen(Choice::Kind::selector) + chosen(Choice::Kind::mode) + meeting > 0;
}

/// Whether some send has a tag, and no receive at its destination asks for tags.
bool SmallMpiPrograms::has_idle_tag() const {
    return std::any_of(choices_.begin(), choices_.end(), [&](Choice const& c) {
        return c.kind == Choice::Kind::tag && c.option != 0 && !is_asked_for_tags(choices_, c.beta);
    });
}

draft::Draft SmallMpiPrograms::made() const {
    static constexpr Mode modes[] = {Mode::standard, Mode::synchronous, Mode::buffered};
    draft::Draft draft = draft_;
    for (Choice const& choice : choices_) {
        if (choice.kind == Choice::Kind::place) continue;
        draft::Command& c = draft.threads[choice.thread][choice.command].c;
        if (auto* const send = std::get_if<SndiOf<Text>>(&c); send != nullptr && choice.kind == Choice::Kind::mode)
            send->mode = modes[choice.option];
        else if (send != nullptr && choice.option != 0)
            send->tag = "1";
        if (auto* const receive = std::get_if<RcviOf<Text>>(&c); receive != nullptr)
            receive->sel = selectors(choice.sources, choice.option);
    }
    for (Choice const& choice : choices_) {
        if (choice.kind != Choice::Kind::place || choice.option == 0) continue;
        auto& thread = draft.threads[choice.thread];
        thread.insert(thread.begin() + (choice.option - 1), draft::barrier("B0"));
    }
    return draft;
}

std::uint64_t count_small_mpi_programs(SmallBound const& bound, SmallMpi kinds) {
    SmallMpiPrograms all(bound, kinds, UINT64_MAX, UINT64_MAX);
    while (all.next_plain()) {
    }
    return all.end_;
}

} // namespace matchpoint::programs
