#include "check/lowered_check.hpp"

#include <stdexcept>

#include "base/limits.hpp"
#include "check/confirmed.hpp"
#include "check/engines/engines.hpp"

namespace matchpoint::check {

namespace {

class Raising {
public:
    Raising(MessageIndex const& messages, Lowered const& lowered, CheckOptions const& options)
        : messages_(messages), lowered_(lowered), buffering_(options.buffering), runs_(options.runs) {}

    void raise(CheckResult& result) {
        if (result.run) raise(*result.run);
        if (result.safe) raise(*result.safe);
        try {
            raise(result.deadlock);
            raise(result.fault);
            raise_leaving(result.leaves_path);
        } catch (LimitReached const& e) { // it is not known
            result.trouble.push_back({Trouble::Kind::limit, e.what()});
            result.deadlock = result.fault = result.leaves_path = {};
        }
    }

private:
    void raise(Run& run) {
        run.schedule = lowered_.raised(run.schedule, run.extent == Extent::complete);
        run.matching = lowered_.raised(run.matching);
        Machine machine(messages_.code(), buffering_);
        check_that(machine::run(machine, run.schedule, run.extent).s == run.s);
    }

    void raise(Reached& reached) {
        if (reached.answer != Reached::Answer::yes) return;
        bool const is_fault = reached.fault.has_value();
        reached.schedule = lowered_.raised(reached.schedule, !is_fault);
        Machine machine(messages_.code(), buffering_);
        if (is_fault) reached.fault = fault_at_end(machine, reached.schedule, runs_);
        check_that(is_fault ? reached.fault.has_value() : ends_in_deadlock(machine, reached.schedule, runs_));
    }

    void raise_leaving(Reached& leaves_path) {
        if (leaves_path.answer != Reached::Answer::yes) return;
        Machine machine(messages_.code(), buffering_);
        auto way = way_off_path(machine, lowered_.raised(leaves_path.schedule, false));
        check_that(way.has_value());
        leaves_path.schedule = std::move(*way);
    }

    static void check_that(bool agrees) {
        if (!agrees) throw std::logic_error("check: an execution of the lowered program is none of the program");
    }

    MessageIndex const& messages_;
    Lowered const& lowered_;
    Buffering buffering_;
    Runs runs_;
};

} // namespace

CheckResult check_lowered(MessageIndex const& messages, Lowered const& lowered, CheckOptions options) {
    Raising raising(messages, lowered, options);
    options.buffering = lowered.buffering();
    CheckResult result = check_itself(lowered.messages(), options);
    raising.raise(result);
    return result;
}

} // namespace matchpoint::check
