#include "check/leaves_path.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "check/confirmed.hpp"
#include "check/engines/engines.hpp"
#include "check/rebuilt_program.hpp"
#include "matching/relevance.hpp"

namespace matchpoint::check {

namespace {

/// The program in which every assumption is an assertion.
class Asserted : public RebuiltProgram {
public:
    explicit Asserted(IndexedProgram const& code) : RebuiltProgram(code.program()), of_(code) {
        for (Thread const& thread : code.ctp().threads) {
            for (std::uint32_t c = thread.first; c < thread.last; ++c) add_all({c});
            end_thread();
        }
        finish();
    }

    /// The way to the assumption that is false, from an execution that fails.
    Schedule way(Schedule const& failing, Buffering buffering) const {
        Schedule way;
        Machine machine(*code_, buffering);
        for (std::size_t i = 0; i < failing.size(); ++i) {
            Entry const entry = failing.entry(i);
            for (Channel const c : entry.m) way.move(*of_.find_channel((*code_)[c]));
            bool const goes_on = !machine.step(entry).is_stuck() && machine.state().s == Status::success;
            auto const& [rho, is_extra] = original_[entry.rho.index];
            Channel const peek = entry.peek.is_none() ? Channel{} : *of_.find_channel((*code_)[entry.peek]);
            if (!goes_on || !is_extra) way.step(rho, peek);
            if (!goes_on) break;
        }
        return way;
    }

private:
    struct Original {
        Location rho;
        bool is_extra; // the assertion in front of it
    };

    void add(Command const& c, Location original, bool is_extra = false) {
        std::string_view const name = of_.names()(original);
        RebuiltProgram::add(c, is_extra ? fmt::format("{}{{assumed}}", name) : std::string(name));
        original_.push_back({original, is_extra});
    }

    void add_all(Location rho) {
        spend(8);
        std::visit(overloaded{
                       [&](Assume const& c) { add(Assert{c.e}, rho); },
                       [&](Assert const& c) { add(Assert{or_true(c.e)}, rho); },
                       [&](Guarded const& c) {
                           if (!c.blocks && !is_true(c.e)) add(Assert{c.e}, rho, true);
                           add(c, rho);
                       },
                       [&](auto const& c) { add(c, rho); },
                   },
                   of_.command_at(rho));
    }

    bool is_true(Expression e) const {
        Node const& root = of_.ctp().nodes[e.root()];
        return root.kind == Node::Kind::value && of_.ctp().values[root.payload].is_true();
    }

    IndexedProgram const& of_;
    std::vector<Original> original_; // by location
};

CheckOptions options_to_ask(CheckOptions const& options, std::optional<std::chrono::milliseconds> left) {
    CheckOptions result = options;
    result.runs = Runs::executions;
    result.stops = false;
    result.leaves_path = false;
    result.switches = false;
    result.window = 0;
    result.time = left.value_or(beside_time);
    result.steps = std::min(options.steps, beside_steps);
    return result;
}

void ask(MessageIndex const& messages, CheckOptions const& options, std::optional<std::chrono::milliseconds> left,
         CheckResult& result) {
    Asserted const asserted(messages.code());
    CheckResult const answer = check(asserted.messages(), options_to_ask(options, left));
    auto const& known = result.trouble;
    for (Trouble const& t : answer.trouble) {
        bool const is_known = std::find(known.begin(), known.end(), t) != known.end();
        if (!is_known && (t.kind == Trouble::Kind::wrong_answer || answer.verdict == Verdict::unknown))
            result.trouble.push_back({t.kind, "leaves the path: " + t.what});
    }
    if (answer.verdict == Verdict::safe || answer.verdict == Verdict::vacuous)
        result.leaves_path.answer = Reached::Answer::no;
    if (answer.verdict != Verdict::violated) return;
    Machine machine(messages.code(), options.buffering);
    auto way = way_off_path(machine, asserted.way(answer.run->schedule, options.buffering));
    if (!way) throw std::logic_error("check: no execution leaves the path where one was said to");
    result.leaves_path = {Reached::Answer::yes, std::move(*way), {}};
}

} // namespace

void decide_leaving(MessageIndex const& messages, CheckOptions const& options,
                    std::optional<std::chrono::milliseconds> left, CheckResult& result) {
    if (result.leaves_path.answer != Reached::Answer::unknown) return;
    if (!has_assumptions(messages.code().ctp())) {
        result.leaves_path.answer = Reached::Answer::no;
        return;
    }
    try {
        ask(messages, options, left, result);
    } catch (LimitReached const& e) {
        result.trouble.push_back({Trouble::Kind::limit, e.what()});
    } catch (std::bad_alloc const&) {
        result.trouble.push_back({Trouble::Kind::limit, "out of memory"});
    }
}

} // namespace matchpoint::check
