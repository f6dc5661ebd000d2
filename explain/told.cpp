#include "explain/told.hpp"

#include <map>
#include <set>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "explain/words.hpp"
#include "grammar/selectors.hpp"

namespace matchpoint::explain {

namespace {

// Texts are made where they are needed, deep below the code that knows what the user wants: like a locale.
thread_local ToldByPlaces const* current = nullptr;

std::string ordinal(std::uint32_t n) {
    bool const is_teen = n % 100 >= 11 && n % 100 <= 13;
    char const* const end = is_teen ? "th" : n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
    return fmt::format("{}{}", n, end);
}

} // namespace

ToldByPlaces::ToldByPlaces(IndexedProgram const& code, std::string_view thread, bool is_on)
    : code_(is_on && has_places(code) ? &code : nullptr), thread_(thread), before_(current) {
    current = this;
    if (code_ == nullptr) return;
    std::set<std::string_view> names;
    auto const& files = code.names().files;
    for (std::uint32_t f = 0; f < files.size(); ++f)
        if (!names.insert(files[f].substr(files[f].rfind('/') + 1)).second) has_clash_ = true;
    auto const& issued_by = code.ctp().issued_by;
    nth_.assign(issued_by.size(), 1);
    is_shared_.assign(issued_by.size(), false);
    struct Line {
        std::uint32_t thread;
        std::uint32_t count = 0; // in the thread
        bool is_shared = false;
    };
    std::map<std::pair<bool, std::string>, Line> lines; // of receives, and of sends
    auto const each = [&](auto what) {
        for (std::uint32_t t = 0; t < code.ctp().threads.size(); ++t)
            for (std::uint32_t i = code.ctp().threads[t].first; i < code.ctp().threads[t].last; ++i) {
                Command const& c = code.command_at({i});
                auto const* const send = as_sndi(c);
                auto const* const receive = as_rcvi(c);
                if (send == nullptr && receive == nullptr) continue;
                what(t, send != nullptr ? send->a : receive->a,
                     lines[{send != nullptr, shown_place(code, Location{i})}]);
            }
    };
    each([&](std::uint32_t t, Action a, Line& line) {
        if (line.count > 0 && line.thread != t) line.is_shared = true;
        line.count = line.count > 0 && line.thread == t ? line.count + 1 : 1;
        line.thread = t;
        nth_[a.index] = line.count;
    });
    each([&](std::uint32_t, Action a, Line const& line) { is_shared_[a.index] = line.is_shared; });
}

ToldByPlaces::~ToldByPlaces() { current = before_; }

ToldByPlaces const* ToldByPlaces::of(IndexedProgram const& code) {
    return current != nullptr && current->code_ == &code ? current : nullptr;
}

std::string ToldByPlaces::place(Location rho) const {
    std::string const at = shown_place(*code_, rho);
    return at.empty() ? shown_name(*code_, rho) : at;
}

std::string ToldByPlaces::short_place(Location rho) const {
    std::string const at = place(rho);
    return has_clash_ ? at : at.substr(at.rfind('/') + 1);
}

std::string ToldByPlaces::action(Action a) const {
    std::string const at = short_place(code_->issued_at(a));
    return nth_[a.index] == 1 ? at : fmt::format("{} ({})", at, ordinal(nth_[a.index]));
}

std::string ToldByPlaces::action_of_thread(Action a) const {
    return fmt::format("{} of {} {}", action(a), thread_, code_->thread_of(code_->issued_at(a)));
}

std::string ToldByPlaces::match(Action a_r, Action a_s) const {
    return fmt::format("{} gets {}", receive(a_r), action_of_thread(a_s));
}

std::string ToldByPlaces::receive(Action a_r) const {
    return is_shared_[a_r.index] ? action_of_thread(a_r) : action(a_r);
}

std::string ToldByPlaces::endpoint(Endpoint beta) const {
    std::string name = shown(*code_, beta);
    std::string_view rest = name;
    auto const number = take_number<std::uint64_t>(rest);
    if (thread_ != "rank" || !number) return fmt::format("endpoint {}", name);
    return fmt::format("rank {}", *number % code_->ctp().threads.size());
}

std::string ToldByPlaces::command(Command const& c) const {
    IndexedProgram const& code = *code_;
    if (auto const* const send = as_sndi(c)) {
        std::string const tag = send->tag.is_none() ? "" : fmt::format(", tag {}", shown(code, send->tag));
        std::string_view const mode = send->mode == Mode::synchronous ? "synchronous " : "";
        return fmt::format("{}send {} to {}{}", mode, shown(code, send->e), endpoint(send->beta), tag);
    }
    auto const admitting = [&](std::string text, Selectors const* sel) {
        auto const list = [&](std::string_view what, auto const& ids, auto shown_id) {
            for (std::size_t i = 0; i < ids.size(); ++i)
                text += fmt::format("{}{}", i > 0 ? " or " : what, shown_id(ids[i]));
        };
        if (sel != nullptr && sel->from) list(" from ", *sel->from, [&](Endpoint alpha) { return endpoint(alpha); });
        if (sel != nullptr && sel->tags) list(", tag ", *sel->tags, [&](Tag n) { return shown(code, n); });
        return text;
    };
    if (auto const* const receive = as_rcvi(c)) return admitting("receive", selectors_of(code.ctp(), *receive));
    if (auto const* const probe = as_probe(c))
        return admitting(probe->matches ? "matched probe" : "probe", selectors_of(code.ctp(), *probe));
    if (auto const* const start = as_start(c)) return fmt::format("receive what {} matched", action(start->a));
    if (auto const* const wait = as_wait(c)) {
        Location const issued = code.issued_at(wait->a);
        bool const is_next =
            issued.index + 1 < code.ctp().commands.size() && &code.command_at({issued.index + 1}) == &c;
        if (is_next) return "wait"; // a blocking call
        if (auto const* const call = code.as_collective(wait->a))
            return fmt::format("wait for the {} of {}", mpi_function(code.ctp().call(*call)), action(wait->a));
        std::string_view const kind = code.as_rcvi(wait->a) != nullptr ? "receive" : "send";
        return fmt::format("wait for the {} of {}", kind, action(wait->a));
    }
    if (auto const* const call = as_collective(c)) return mpi_function(code.ctp().call(*call));
    // It was evaluated in the run, and the program does not know what it is about.
    if (auto const* const assertion = std::get_if<Assert>(&c))
        if (code.ctp().nodes[assertion->e.root()].kind == Node::Kind::value) return "assertion of the source";
    return {};
}

std::string shown_without_folders(IndexedProgram const& code, Location rho) {
    ToldByPlaces const* const told = ToldByPlaces::of(code);
    return told != nullptr && code.has(rho) ? told->short_place(rho) : shown(code, rho);
}

std::string shown_endpoint(IndexedProgram const& code, Endpoint beta) {
    ToldByPlaces const* const told = ToldByPlaces::of(code);
    return told != nullptr ? told->endpoint(beta) : fmt::format("endpoint {}", shown(code, beta));
}

std::string_view word_for_thread(IndexedProgram const& code) {
    ToldByPlaces const* const told = ToldByPlaces::of(code);
    return told == nullptr ? "thread" : told->thread();
}

} // namespace matchpoint::explain
