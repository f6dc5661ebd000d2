#include "check/lowered_check.hpp"

#include "check/engines.hpp"

namespace matchpoint::check {

namespace {

class Raising {
public:
    Raising(MessageIndex const& messages, Lowered const& lowered, Buffering buffering)
        : messages_(messages), lowered_(lowered), buffering_(buffering) {}

    void raise(CheckResult& result) {
        if (result.run) raise(*result.run);
        if (result.safe) raise(*result.safe);
        raise(result.deadlock);
        raise(result.fault);
        if (!disagrees_) return;
        result.trouble.push_back(
            {Trouble::Kind::wrong_answer, "an execution of the lowered program is none of the program"});
        result.verdict = Verdict::unknown;
        result.run.reset();
        result.safe.reset();
    }

private:
    void raise(Run& run) {
        run.schedule = lowered_.raised(run.schedule, run.extent == Extent::complete);
        run.matching = lowered_.raised(run.matching);
        Machine machine(messages_.code(), buffering_);
        disagrees_ |= machine::run(machine, run.schedule, run.extent).s != run.s;
    }

    void raise(Reached& reached) {
        if (reached.answer != Reached::Answer::yes) return;
        bool const is_fault = reached.fault.has_value();
        reached.schedule = lowered_.raised(reached.schedule, !is_fault);
        Machine machine(messages_.code(), buffering_);
        Outcome const outcome = machine::run(machine, reached.schedule, Extent::prefix);
        for (Channel const c : reached.schedule.trailing()) static_cast<void>(machine.apply(Deliver{c}));
        if (is_fault) reached.fault = outcome.error;
        bool const is_there = is_fault ? outcome.error.has_value() : !outcome.error && is_deadlock(machine);
        if (is_there) return;
        disagrees_ = true;
        reached = {};
    }

    MessageIndex const& messages_;
    Lowered const& lowered_;
    Buffering buffering_;
    bool disagrees_ = false;
};

} // namespace

CheckResult check_lowered(MessageIndex const& messages, Lowered const& lowered, CheckOptions options) {
    Buffering const buffering = options.buffering;
    options.buffering = lowered.buffering();
    CheckResult result = check(lowered.messages(), options);
    Raising(messages, lowered, buffering).raise(result);
    return result;
}

} // namespace matchpoint::check
