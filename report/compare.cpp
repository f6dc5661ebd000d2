#include "report/compare.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "explain/words.hpp"

namespace matchpoint::report {

namespace {

/// The messages that a row sends, delivers and receives, and the receives that it posts.
std::vector<std::pair<Diagram::Point::Kind, std::pair<Action, Action>>> what_happens(Diagram const& d,
                                                                                     std::uint32_t row) {
    using Kind = Diagram::Point::Kind;
    std::vector<std::pair<Kind, std::pair<Action, Action>>> result;
    for (Diagram::Point const& p : d.points_of(row)) {
        if (p.kind == Kind::sent || p.kind == Kind::delivered) {
            result.push_back({p.kind, {d.messages[p.index].a_s, {}}});
            continue;
        }
        Diagram::Receive const& r = d.receives[p.index];
        bool const gets = p.kind == Kind::completed && r.message != Diagram::none;
        result.push_back({p.kind, {gets ? d.messages[r.message].a_s : Action{}, r.a_r}});
    }
    return result;
}

bool rows_differ(Diagram const& a, Diagram const& b, std::uint32_t r) {
    return a.rows[r].rho != b.rows[r].rho || a.rows[r].kind != b.rows[r].kind ||
           what_happens(a, r) != what_happens(b, r);
}

std::optional<std::uint32_t> first_row(Diagram const& a, Diagram const& b) {
    auto const shorter = static_cast<std::uint32_t>(std::min(a.rows.size(), b.rows.size()));
    std::uint32_t r = 0;
    while (r < shorter && !rows_differ(a, b, r)) ++r;
    if (r == a.rows.size() && r == b.rows.size()) return std::nullopt;
    return r;
}

/// The receives of a run, found by their names.
class Receives {
public:
    explicit Receives(Diagram const& d) : d_(d) {
        for (std::uint32_t i = 0; i < d.receives.size(); ++i) index_.emplace(d.receives[i].a_r.index, i);
    }
    std::map<std::uint32_t, std::uint32_t> const& all() const { return index_; }

    /// None if there is no message.
    std::optional<Action> message(std::uint32_t receive) const {
        auto const found = index_.find(receive);
        if (found == index_.end() || d_.receives[found->second].message == Diagram::none) return std::nullopt;
        return d_.messages[d_.receives[found->second].message].a_s;
    }
    /// The row that completes a receive; if none does, the one that posts it.
    void mark(std::vector<std::uint32_t>& rows, std::uint32_t receive) const {
        auto const found = index_.find(receive);
        if (found == index_.end()) return;
        Diagram::Receive const& r = d_.receives[found->second];
        rows.push_back(r.completed == Diagram::none ? r.posted : r.completed);
    }

private:
    Diagram const& d_;
    std::map<std::uint32_t, std::uint32_t> index_;
};

void in_order(std::vector<std::uint32_t>& rows) {
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
}

/// "02 (main.c:3) here": what the run does at the row.
std::string at(Diagram const& d, IndexedProgram const& code, std::uint32_t row) {
    if (row >= d.rows.size()) return "its end";
    return d.rows[row].rho.is_none() ? "no command" : shown(code, d.rows[row].rho);
}

} // namespace

RunDifference compare(Diagram const& here, Diagram const& there, IndexedProgram const& code) {
    RunDifference result;
    result.first = first_row(here, there);
    if (result.first && *result.first < here.rows.size()) result.here.push_back(*result.first);
    if (result.first && *result.first < there.rows.size()) result.there.push_back(*result.first);
    Receives const a(here);
    Receives const b(there);
    auto const name = [&](std::optional<Action> send) { return send ? shown(code, *send) : "nothing"; };
    auto const add = [&](std::uint32_t receive) {
        auto const x = a.message(receive);
        auto const y = b.message(receive);
        if (x == y) return;
        result.sentences.push_back(
            fmt::format("{} gets {} here, {} there", shown_receive(code, Action{receive}), name(x), name(y)));
        a.mark(result.here, receive);
        b.mark(result.there, receive);
    };
    for (auto const& [receive, index] : a.all()) add(receive);
    for (auto const& [receive, index] : b.all())
        if (!a.all().contains(receive)) add(receive);
    in_order(result.here);
    in_order(result.there);
    return result;
}

std::string first_difference(RunDifference const& d, Diagram const& here, Diagram const& there,
                             IndexedProgram const& code) {
    if (!d.first) return "The runs do not differ.";
    std::string const x = at(here, code, *d.first);
    std::string const y = at(there, code, *d.first);
    std::string const what = x == y ? x : fmt::format("{} here, {} there", x, y);
    return fmt::format("The runs differ first at entry {}: {}", *d.first, what);
}

} // namespace matchpoint::report
