#include "rma/machine/picture.hpp"

#include <algorithm>
#include <deque>

#include <fmt/format.h>

#include "base/columns.hpp"
#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "base/text.hpp"
#include "explain/words.hpp"
#include "rma/language/print.hpp"
#include "rma/machine/evaluate.hpp"
#include "rma/machine/schedule.hpp"
#include "rma/machine/words.hpp"

namespace matchpoint::rma {

namespace {

using Bar = LanePicture::Bar;
using Mark = LanePicture::Mark;

class PictureMaker {
public:
    PictureMaker(Machine const& machine, std::string const& name)
        : m_(machine), p_(machine.program()), state_(machine.initial()), slots_(p_.processes.size()),
          waits_(p_.processes.size(), none), holds_(waits_), reads_(m_.graph().remotes().size()),
          writes_(reads_.size()) {
        name_ = name;
        std::vector<bool> has_card(p_.processes.size());
        if (m_.model() == Model::rma)
            for (Remote const& s : m_.graph().remotes()) has_card[s.process] = true;
        for (ProcessIndex p = 0; p < p_.processes.size(); ++p)
            picture_.lanes.push_back(
                {fmt::format("process {}", p_.pid(p)), has_card[p] ? "card" : "", has_card[p] ? 1U : 0U});
        look_at_invariants();
        look_at_processes(none);
    }

    void add(Transition const& t) {
        spend(p_.variables.size() + state_.R.size() + state_.W.size());
        State const before = state_;
        auto const r = static_cast<std::uint32_t>(picture_.rows.size());
        Effect const effect = m_.apply(state_, t);
        picture_.rows.push_back({word_of(m_, before, t), {0}});
        LanePicture::Row& row = picture_.rows.back();
        row.story = story(before, t, effect);
        if (effect == Effect::failed) row.mark = Mark::failed;
        if (effect == Effect::discarded || effect == Effect::faulted) row.mark = Mark::ended;
        if (row.mark != Mark::step) note(r, row.story);
        std::visit(overloaded{
                       [&](ProcessStep const& x) { step(r, before, x); },
                       [&](NicRead const& x) { read(r, before, x.s); },
                       [&](NicWrite const& x) { write(r, x); },
                       [&](NicAtomic const& x) { read(r, before, x.s); },
                   },
                   t);
        ended_ = ended_ || row.mark == Mark::ended;
        look_at_invariants();
        look_at_processes(r);
    }

    LanePicture picture() {
        bool const is_final = m_.is_final(state_);
        std::string_view const how = ended_ ? "it ends there" : is_final ? "a final state" : "so far";
        picture_.title = fmt::format("{}{}, {}: {}", name_, m_.model() == Model::sc ? " (sc)" : "",
                                     plural(picture_.rows.size(), "step"), how);
        for (Property const& property : p_.properties)
            if (is_final && property.is_final) look_at(property);
        for (ProcessIndex p = 0; !ended_ && p < p_.processes.size(); ++p)
            if (auto const blocked = m_.blocked(state_, p); blocked && blocked->why != Blocked::Why::finished)
                picture_.notes.push_back(fmt::format("process {}: {}", p_.pid(p), in_words(m_, *blocked)));
        // A line ends between two variables only.
        std::string memory;
        for (char const c : print_memory(p_, state_)) {
            bool const is_inside = c == ' ' && !memory.empty() && memory.back() != ',';
            memory += is_inside ? base::no_break_space : std::string_view(&c, 1);
        }
        picture_.notes.push_back("memory: " + memory);
        // Bars begin in the order of time.
        auto const begin = [](Bar const& bar) { return bar.from == none ? 0 : bar.from + 1; };
        std::stable_sort(picture_.bars.begin(), picture_.bars.end(),
                         [&](Bar const& a, Bar const& b) { return begin(a) < begin(b); });
        picture_.legend = {
            "● a step of a process   ✗ something does not hold   ■ the run ends   bar on a process: it is at a "
            "flush that waits; narrow: it is inside of an atomic",
            "bar on a card: an operation; dashed until it is read, then with the value until that is written   "
            "arrow: what is read (○) and written (●)"};
        return std::move(picture_);
    }

private:
    static constexpr std::uint32_t none = LanePicture::none;

    /// What is pending: its bar, whose place it keeps until it has landed.
    struct Pending {
        std::uint32_t bar;
        std::uint32_t slot;
        Value val = {}; // once it was read
    };

    std::string story(State const& before, Transition const& t, Effect effect) const {
        std::string const text = narrate(m_, before, t, effect, state_);
        std::size_t const rule = std::min(text.find(' '), text.size());
        return fmt::format("{} {}", text.substr(0, rule),
                           text.substr(std::min(text.find_first_not_of(' ', rule), text.size())));
    }

    void note(std::uint32_t row, std::string const& text) {
        picture_.notes.push_back(fmt::format("step {}: {}", row + 1, text));
    }

    std::string equation(Variable x, Value const& v) const {
        return fmt::format("{} = {}", p_.symbols(x), v.to_string());
    }

    /// What a step of a process changed in memory; of a condition, where it leads.
    std::string result(State const& before, ProcessIndex p) const {
        std::string text;
        for (std::uint32_t x = 0; x < state_.M.size(); ++x)
            if (!(state_.M[x] == before.M[x])) append_item(text, equation({x}, state_.M[x]));
        StatementKind const& c = m_.next(before, p).c;
        if (std::holds_alternative<If>(c) || std::holds_alternative<While>(c))
            return state_.pc[p] == m_.graph().at(before.pc[p]).next ? "true" : "false";
        return text;
    }

    void step(std::uint32_t r, State const& before, ProcessStep const& t) {
        LanePicture::Row& row = picture_.rows[r];
        row.at = {t.p};
        row.text = next_text(m_, before, t.p);
        if (row.mark != Mark::ended) row.result = result(before, t.p);
        RemoteIndex const s = m_.graph().at(before.pc[t.p]).remote;
        if (s == no_index || m_.model() == Model::sc) return;
        // It takes the first free slot of the card.
        std::vector<bool>& used = slots_[t.p];
        auto const slot = static_cast<std::uint32_t>(std::find(used.begin(), used.end(), false) - used.begin());
        if (slot == used.size()) used.push_back(false);
        used[slot] = true;
        picture_.lanes[t.p].slots = std::max(picture_.lanes[t.p].slots, slot + 1);
        reads_[s].push_back({begin_bar(Bar::Kind::first, {t.p, slot}, r), slot});
        Bar& bar = picture_.bars.back();
        bar.name = name_of(m_.graph(), s);
        bar.story = fmt::format("{}: {}", bar.name, row.text);
    }

    /// nic_r, or nic_a, which writes what it has read as well. Of equal operations it is the oldest one.
    void read(std::uint32_t r, State const& before, RemoteIndex s) {
        Remote const& remote = m_.graph().remotes()[s];
        Pending operation = std::move(reads_[s].front());
        reads_[s].pop_front();
        operation.val = before.M[remote.src.index];
        LanePicture::Spot const card{remote.process, operation.slot};
        LanePicture::Spot const owner{p_[remote.src].process};
        picture_.rows[r].at = card;
        picture_.rows[r].is_first = remote.fetches;
        picture_.bars[operation.bar].to = r;
        picture_.bars[operation.bar].story += fmt::format(", read at step {}", r + 1);
        std::string text = equation(remote.src, operation.val);
        if (remote.is_atomic()) text += " → " + state_.M[remote.src.index].to_string();
        picture_.arrows.push_back({r, remote.is_atomic() ? card : owner, remote.is_atomic() ? owner : card, text});
        if (!remote.fetches) {
            slots_[remote.process][operation.slot] = false;
            return;
        }
        operation.bar = begin_bar(Bar::Kind::second, card, r);
        picture_.bars.back().story =
            fmt::format("{}: {} is on its way", name_of(m_.graph(), s), equation(remote.trg, operation.val));
        writes_[s].push_back(std::move(operation));
    }

    void write(std::uint32_t r, NicWrite const& t) {
        Remote const& remote = m_.graph().remotes()[t.s];
        auto& all = writes_[t.s];
        auto const operation = std::find_if(all.begin(), all.end(), [&](Pending const& w) { return w.val == t.val; });
        LanePicture::Spot const card{remote.process, operation->slot};
        picture_.rows[r].at = card;
        picture_.bars[operation->bar].to = r;
        picture_.arrows.push_back({r, card, {p_[remote.trg].process}, equation(remote.trg, t.val)});
        slots_[remote.process][operation->slot] = false;
        all.erase(operation);
    }

    std::uint32_t begin_bar(Bar::Kind kind, LanePicture::Spot at, std::uint32_t from) {
        picture_.bars.push_back({kind, at, from, none});
        return static_cast<std::uint32_t>(picture_.bars.size() - 1);
    }

    /// Which processes wait at a flush, and which is inside of an `atomic`.
    void look_at_processes(std::uint32_t r) {
        auto const change = [&](std::uint32_t& bar, bool is, Bar::Kind kind, ProcessIndex p, std::string const& story) {
            if (is == (bar != none)) return;
            if (!is) {
                picture_.bars[bar].to = r;
                bar = none;
                return;
            }
            bar = begin_bar(kind, {p}, r);
            picture_.bars[bar].story = story;
        };
        for (ProcessIndex p = 0; p < p_.processes.size(); ++p) {
            bool const is_inside = m_.graph().inside(p, state_.pc[p]);
            change(holds_[p], is_inside, Bar::Kind::holds, p, "inside of an atomic: no other process steps");
            Flush const* const flush =
                state_.pc[p] == m_.graph().end(p) ? nullptr : std::get_if<Flush>(&m_.next(state_, p).c);
            bool const waits =
                flush != nullptr && m_.model() == Model::rma && flush_waits(m_.graph(), state_, p, flush->pid);
            change(waits_[p], waits, Bar::Kind::waits, p,
                   waits ? in_words(m_, {Blocked::Why::flush, no_index, awaited(m_.graph(), state_, p, flush->pid)})
                         : "");
        }
    }

    void look_at_invariants() {
        for (Property const& property : p_.properties)
            if (!property.is_final) look_at(property);
    }

    /// A property is told of once.
    void look_at(Property const& property) {
        auto const v = evaluate(m_.graph(), state_, property.e);
        if (v && v->is_true()) return;
        auto const number = static_cast<std::size_t>(&property - p_.properties.data());
        if (std::find(told_.begin(), told_.end(), number) != told_.end()) return;
        told_.push_back(number);
        if (!picture_.rows.empty() && picture_.rows.back().mark == Mark::step) picture_.rows.back().mark = Mark::failed;
        std::string const what = v ? "does not hold" : "divides by zero";
        picture_.notes.push_back(
            fmt::format("after {}: {} {}", plural(picture_.rows.size(), "step"), print(p_, property), what));
    }

    Machine const& m_;
    Program const& p_;
    State state_;
    LanePicture picture_;
    std::string name_;
    bool ended_ = false;                     // by a false assumption, or a zero divisor
    std::vector<std::vector<bool>> slots_;   // of each card, which are taken
    std::vector<std::uint32_t> waits_;       // of each process, the bar that is open
    std::vector<std::uint32_t> holds_;       // the same for `atomic`
    std::vector<std::deque<Pending>> reads_; // of each remote statement, the oldest first
    std::vector<std::deque<Pending>> writes_;
    std::vector<std::size_t> told_; // the properties that did not hold
};

} // namespace

LanePicture picture_of(Machine const& machine, std::span<Transition const> run, std::string const& name) {
    PictureMaker maker(machine, name);
    for (Transition const& t : run) maker.add(t);
    return maker.picture();
}

} // namespace matchpoint::rma
