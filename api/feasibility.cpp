#include <matchpoint/feasibility.hpp>

#include <stdexcept>

#include "api/impl.hpp"
#include "base/overloaded.hpp"
#include "check/oracle/oracle.hpp"
#include "record/provenance.hpp"

namespace matchpoint::api {

using Oracle = check::Oracle;

class Feasibility::Impl {
public:
    Impl(Program const& p, Buffering b, std::atomic<bool> const* cancelled)
        : program(p), buffering(b), oracle(messages(), in_room(b), cancelled) {}

    MessageIndex const& messages() const { return *program.impl().messages; }

    Oracle::Wanted wanted(Wanted const& w) const {
        Oracle::Wanted result;
        for (Match const& m : w.required) result.required.push_back(pair(messages(), m));
        for (Match const& m : w.forbidden) result.forbidden.push_back(pair(messages(), m));
        return result;
    }
    Execution execution(executions::Run const& run) const { return execution_of(program, run, buffering); }
    Unknown unknown(Oracle::Unknown const& u) const {
        return {u.cancelled ? "it was cancelled" : u.why.empty() ? "the steps were used up" : u.why};
    }

    Answer answer(Oracle::Answer const& a) const {
        return std::visit(overloaded{
                              [&](executions::Run const& run) -> Answer { return execution(run); },
                              [&](Oracle::Refusal const& r) -> Answer { return refusal(r); },
                              [&](Oracle::Unknown const& u) -> Answer { return unknown(u); },
                          },
                          a);
    }

    Refusal refusal(Oracle::Refusal const& r) const {
        Refusal result{{}, r.minimal != Oracle::Means::none, check::in_words(messages(), r), oracle.excluding(r.core)};
        for (matching::Pair const p : r.core.required) result.core.required.push_back(match(messages(), p));
        for (matching::Pair const p : r.core.forbidden) result.core.forbidden.push_back(match(messages(), p));
        return result;
    }

    /// What f() answers, or Unknown if it reached a limit.
    template <typename A, typename F>
    A asked(F f) {
        try {
            return f();
        } catch (base::LimitReached const& e) {
            return Unknown{e.what()};
        }
    }

    Program program;
    Buffering buffering;
    Oracle oracle;
};

Feasibility::Feasibility(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Feasibility::Feasibility(Feasibility&&) noexcept = default;
Feasibility& Feasibility::operator=(Feasibility&&) noexcept = default;
Feasibility::~Feasibility() = default;

Result<Feasibility> Feasibility::of(Program const& program, Buffering buffering, std::atomic<bool> const* cancelled) {
    if (auto error = undisciplined(program)) return std::move(*error);
    if (auto const refusal = Oracle::refuses(*program.impl().messages, in_room(buffering)))
        return usage_error(*refusal);
    return within_limits(
        [&]() -> Result<Feasibility> { return Feasibility(std::make_unique<Impl>(program, buffering, cancelled)); });
}

void Feasibility::limit_steps(std::uint64_t steps) { impl_->oracle.limit_steps(steps); }

Feasibility::Answer Feasibility::ask(Wanted const& wanted) {
    return impl_->asked<Answer>([&] { return impl_->answer(impl_->oracle.feasible(impl_->wanted(wanted))); });
}

Result<Feasibility::Answer> Feasibility::ask_model(std::string_view model) {
    return within_limits([&]() -> Result<Answer> {
        auto const answer = impl_->oracle.feasible_model(model);
        if (!answer) return Error{Error::Kind::input, answer.error(), {}};
        return impl_->answer(*answer);
    });
}

std::string Feasibility::term(Match const& match) const { return impl_->oracle.term(pair(impl_->messages(), match)); }

std::variant<Execution, Feasibility::OrderRefusal, Feasibility::Unknown>
Feasibility::order(std::span<Command const> commands) {
    using Ordered = std::variant<Execution, OrderRefusal, Unknown>;
    std::vector<Location> sequence;
    std::vector<bool> is_there(impl_->program.impl().program.ctp.commands.size());
    for (Command const c : commands) {
        Location const rho = checked(impl_->program.impl().code, c);
        if (is_there[rho.index]) throw std::logic_error("Feasibility::order: a command is there twice");
        is_there[rho.index] = true;
        sequence.push_back(rho);
    }
    return impl_->asked<Ordered>([&] {
        return std::visit(overloaded{
                              [&](executions::Run const& run) -> Ordered { return impl_->execution(run); },
                              [&](Oracle::OrderRefusal const& r) -> Ordered {
                                  OrderRefusal result{{}, r.minimal != Oracle::Means::none};
                                  for (Oracle::Before const& b : r.core)
                                      result.core.emplace_back(command(b.first), command(b.second));
                                  return result;
                              },
                              [&](Oracle::Unknown const& u) -> Ordered { return impl_->unknown(u); },
                          },
                          impl_->oracle.order(sequence));
    });
}

std::variant<std::optional<Execution>, Feasibility::Unknown> Feasibility::can_fail(bool complete_runs) {
    using Failing = std::variant<std::optional<Execution>, Unknown>;
    return impl_->asked<Failing>([&]() -> Failing {
        auto const runs = complete_runs ? executions::Runs::complete : executions::Runs::executions;
        auto const& program = impl_->program.impl();
        auto const answer = impl_->oracle.can_fail(runs, record::not_known(program.code, program.source.text()));
        if (auto const* const u = std::get_if<Oracle::Unknown>(&answer)) return impl_->unknown(*u);
        auto const& run = std::get<Oracle::Failing>(answer).run;
        return run ? std::optional(impl_->execution(*run)) : std::nullopt;
    });
}

void Feasibility::push() { impl_->oracle.push(); }
bool Feasibility::pop() { return impl_->oracle.pop(); }
void Feasibility::assume(Wanted const& wanted) { impl_->oracle.assume(impl_->wanted(wanted)); }

Feasibility::Answer Feasibility::check() {
    return impl_->asked<Answer>([&] { return impl_->answer(impl_->oracle.check()); });
}

std::variant<std::optional<Execution>, Feasibility::Unknown> Feasibility::next() {
    using Next = std::variant<std::optional<Execution>, Unknown>;
    return impl_->asked<Next>([&]() -> Next {
        auto const answer = impl_->oracle.next();
        if (!answer) return std::nullopt;
        if (auto const* const u = std::get_if<Oracle::Unknown>(&*answer)) return impl_->unknown(*u);
        return impl_->execution(std::get<executions::Run>(*answer));
    });
}

} // namespace matchpoint::api
