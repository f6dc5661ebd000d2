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

} // namespace

SmallMpiPrograms::SmallMpiPrograms(SmallBound const& bound, SmallMpi kinds, std::uint64_t every, std::uint64_t offset)
    : plain_(bound), kinds_(kinds), every_(every), next_number_(offset) {
    if (every == 0) throw std::invalid_argument("every 0th program");
}

std::optional<draft::Draft> SmallMpiPrograms::next() {
    while (next_options() || next_plain()) {
        if (!is_mpi()) continue;
        std::optional<draft::Draft> draft = made();
        if (!draft || count_++ != next_number_) continue;
        number_ = next_number_;
        next_number_ += every_;
        return draft;
    }
    return std::nullopt;
}

bool SmallMpiPrograms::next_plain() {
    auto plain = plain_.next();
    if (!plain) return false;
    draft_ = std::move(*plain);
    choices_.clear();
    find_choices();
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
    if (as_sndi(c) != nullptr) {
        if (kinds_.selectors) choices_.push_back({Choice::Kind::tag, thread, command, 2});
        if (kinds_.modes) choices_.push_back({Choice::Kind::mode, thread, command, 3});
    }
    if (auto const* const receive = as_rcvi(c); receive != nullptr && kinds_.selectors) {
        auto sources = sources_to(draft_, receive->beta);
        if (sources.empty()) return;
        auto const options = static_cast<std::uint32_t>(sources.size()) + 3U;
        choices_.push_back({Choice::Kind::selector, thread, command, options, 0, std::move(sources)});
    }
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
bool SmallMpiPrograms::has_idle_tag(draft::Draft const& draft) const {
    auto const asks_for_tags = [&](draft::Endpoint const& beta) {
        return std::any_of(choices_.begin(), choices_.end(), [&](Choice const& c) {
            if (c.kind != Choice::Kind::selector) return false;
            auto const& receive = std::get<RcviOf<Text>>(draft.threads[c.thread][c.command].c);
            return receive.beta == beta && receive.sel.tags;
        });
    };
    return std::any_of(choices_.begin(), choices_.end(), [&](Choice const& c) {
        return c.kind == Choice::Kind::tag && c.option != 0 &&
               !asks_for_tags(std::get<SndiOf<Text>>(draft.threads[c.thread][c.command].c).beta);
    });
}

/// None: it is not among them.
std::optional<draft::Draft> SmallMpiPrograms::made() const {
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
    if (has_idle_tag(draft)) return std::nullopt;
    for (Choice const& choice : choices_) {
        if (choice.kind != Choice::Kind::place || choice.option == 0) continue;
        auto& thread = draft.threads[choice.thread];
        thread.insert(thread.begin() + (choice.option - 1), draft::barrier("B0"));
    }
    // Who selects may need another wait (D3).
    if (kinds_.selectors && !draft::obeys_the_rules(draft)) return std::nullopt;
    return draft;
}

} // namespace matchpoint::programs
