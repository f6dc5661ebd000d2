#include "programs/small_threads.hpp"

#include <iterator>
#include <utility>

namespace matchpoint::programs {

namespace {

bool is_check(Move::Kind kind) {
    using enum Move::Kind;
    return kind == assert_not || kind == assume_not || kind == divide || kind == assert_order || kind == assert_false ||
           kind == assume_false;
}

} // namespace

void Words::longer() {
    std::vector<Beginning> const shorter = std::move(beginnings_);
    beginnings_.clear();
    length_ = first_.size() - 1;
    if (length_ <= bound_.thread_commands)
        for (Beginning const& b : shorter) extend(b);
    std::vector<Word> whole;
    for (Beginning const& b : beginnings_)
        if (b.progress.waits_needed() == 0 && b.word.moves.back().kind != Move::Kind::increase) whole.push_back(b.word);
    std::stable_sort(whole.begin(), whole.end());
    std::size_t const first = words_.size();
    words_.insert(words_.end(), std::make_move_iterator(whole.begin()), std::make_move_iterator(whole.end()));
    next_size_.resize(words_.size());
    for (std::size_t w = words_.size(); w-- > first;)
        next_size_[w] = w + 1 < words_.size() && words_[w].same_size(words_[w + 1]) ? next_size_[w + 1]
                                                                                    : static_cast<std::uint32_t>(w + 1);
    first_.push_back(static_cast<std::uint32_t>(words_.size()));
}

void Words::extend(Beginning const& b) {
    using Kind = Move::Kind;
    Progress const& p = b.progress;
    Kind const last = b.word.moves.empty() ? Kind::receive : b.word.moves.back().kind;
    bool const behind_check = is_check(last);
    bool const behind_assignment = last == Kind::increase || last == Kind::begin;
    auto const endpoints = static_cast<std::uint8_t>(std::min<unsigned>(b.word.endpoints + 1U, bound_.endpoints));
    if (!behind_check && !behind_assignment && b.word.receives < bound_.receives)
        for (std::uint8_t e = 0; e < endpoints; ++e) {
            add(b, {Kind::receive, e});
            if (b.word.receives > 0) add(b, {Kind::receive, e, true});
        }
    if (!behind_check && b.word.sends < bound_.sends)
        for (std::uint8_t e = 0; e < endpoints; ++e) {
            if (!behind_assignment) add(b, {Kind::send, e});
            if (p.has_x()) add(b, {Kind::send, e, true});
        }
    for (std::uint8_t r = 0; r < p.requests.size() && !behind_assignment; ++r)
        if (!p.requests[r].waited && (!behind_check || p.would_complete(r))) add(b, {Kind::wait, r});
    if (b.word.locals == bound_.locals) return;
    if (b.word.moves.empty()) add(b, {Kind::begin});
    if (p.has_x())
        for (Kind const kind : {Kind::assert_not, Kind::assume_not, Kind::divide, Kind::increase}) add(b, {kind});
    else
        for (Kind const kind : {Kind::assert_false, Kind::assume_false}) add(b, {kind});
    if (p.has_y()) add(b, {Kind::assert_order});
}

void Words::add(Beginning const& b, Move move) {
    using Kind = Move::Kind;
    Beginning longer = b;
    Word& word = longer.word;
    Progress& p = longer.progress;
    word.moves.push_back(move);
    switch (move.kind) {
    case Kind::receive:
        ++word.receives;
        word.receives_at |= 1U << move.which;
        word.endpoints = std::max<std::uint8_t>(word.endpoints, static_cast<std::uint8_t>(move.which + 1));
        p.receive(move);
        break;
    case Kind::send:
        ++word.sends;
        word.endpoints = std::max<std::uint8_t>(word.endpoints, static_cast<std::uint8_t>(move.which + 1));
        word.sent.push_back(move.special ? p.variables[p.x()] : Origin{});
        p.send(move);
        break;
    case Kind::wait: p.wait(move); break;
    case Kind::assert_not:
    case Kind::assume_not:
    case Kind::divide:
        word.spoken.push_back(p.variables[p.x()]);
        ++word.locals;
        break;
    case Kind::increase:
        p.increase();
        ++word.locals;
        break;
    case Kind::begin:
        p.begin();
        ++word.locals;
        break;
    case Kind::assert_order:
    case Kind::assert_false:
    case Kind::assume_false: ++word.locals; break;
    }
    if (length_ + p.waits_needed() <= bound_.thread_commands) beginnings_.push_back(std::move(longer));
}

} // namespace matchpoint::programs
