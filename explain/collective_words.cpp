#include "explain/collective_words.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/source.hpp"
#include "explain/ahead.hpp"
#include "explain/told.hpp"
#include "explain/words.hpp"

namespace matchpoint::explain {

namespace {

Collective const& collective_at(IndexedProgram const& code, Location call) {
    return std::get<Collective>(code.command_at(call));
}

class WrittenText {
public:
    WrittenText& operator<<(std::string_view part) {
        text_ += part;
        return *this;
    }
    std::string take() { return std::move(text_); }

private:
    std::string text_;
};

/// " (root 0) (count 3)"
std::string shown_parts(CollectiveCall const& call) {
    constexpr std::size_t longest = 200;
    WrittenText text;
    print_call(text, call);
    std::string const all = text.take();
    return printable(std::string_view(all).substr(to_string(call.kind).size() + 1), longest);
}

std::string shown_call(IndexedProgram const& code, Location call, bool with_parts) {
    Collective const& c = collective_at(code, call);
    CollectiveCall const& said = code.ctp().call(c);
    std::string const parts = with_parts ? shown_parts(said) : "";
    if (auto const* const told = ToldByPlaces::of(code))
        return fmt::format("{}{} ({})", mpi_function(said), parts, told->short_place(call));
    std::string const at = shown_place(code, call);
    return fmt::format("{} {}{} ({})", shown_kind(said), shown(code, c.a), parts,
                       at.empty() ? shown_name(code, call) : at);
}

} // namespace

std::string shown_call(IndexedProgram const& code, Location call) { return shown_call(code, call, false); }

std::string shown_mismatch(IndexedProgram const& code, Location call, Location other) {
    auto const& a = code.ctp().call(collective_at(code, call));
    auto const& b = code.ctp().call(collective_at(code, other));
    bool const with_parts = shown_kind(a) == shown_kind(b);
    if (code.thread_of(other) < code.thread_of(call)) std::swap(call, other);
    auto const told = [&](Location rho) {
        return fmt::format("{} in {}", shown_call(code, rho, with_parts), shown_thread(code, code.thread_of(rho)));
    };
    return fmt::format("collective {} of {}: {}, {}", code.collectives()->number(call),
                       printable(code.names()(collective_at(code, call).comm)), told(call), told(other));
}

namespace {

/// "thread 0, and thread 0 is at 02": a member that has not called.
std::string shown_absence(IndexedProgram const& code, State const& state, Location call, std::uint32_t thread) {
    auto const members = code.collectives()->members(call);
    auto const member = std::find_if(members.begin(), members.end(), [&](auto const& m) { return m.thread == thread; });
    std::string const who = shown_thread(code, thread);
    std::string why;
    if (member->rho.is_none() && ToldByPlaces::of(code) != nullptr && only_waits(code, state, thread))
        why = "had come to no such call when it got stuck";
    else if (member->rho.is_none())
        why = ToldByPlaces::of(code) != nullptr ? "has no such call in the recording" : "has no such call";
    else if (state.ctp[thread] == code.ctp().threads[thread].last)
        why = "is finished";
    else
        why = fmt::format("is at {}", shown(code, Location{state.ctp[thread]}));
    return fmt::format("{}, and {} {}", who, who, why);
}

/// "bcast K2 (13) of w"
std::string shown_call_of(IndexedProgram const& code, Location call) {
    return fmt::format("{} of {}", shown_call(code, call, false),
                       printable(code.names()(collective_at(code, call).comm)));
}

} // namespace

std::string shown_need(IndexedProgram const& code, State const& state, Location call, std::uint32_t thread) {
    return fmt::format("{} needs {}", shown_call_of(code, call), shown_absence(code, state, call, thread));
}

std::string may_wait(IndexedProgram const& code, State const& state, Location call) {
    auto const absent = code.collectives()->missing(state, call, Buffering::zero);
    if (!absent) return {};
    return fmt::format("{} may wait for {}", shown_call_of(code, call), shown_absence(code, state, call, *absent));
}

} // namespace matchpoint::explain
