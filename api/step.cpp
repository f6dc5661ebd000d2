#include <matchpoint/step.hpp>

#include <stdexcept>

#include "api/impl.hpp"
#include "executions/stepper.hpp"
#include "explain/words.hpp"

namespace matchpoint::api {

class Stepper::Impl {
public:
    Impl(Program const& p, Buffering b) : program(p), buffering(b), stepper(code(), in_room(b)) {}

    IndexedProgram const& code() const { return program.impl().code; }

    /// For what cannot be done while the machine applies a rule. Throws std::logic_error.
    executions::Stepper& between_rules() {
        if (is_telling) throw std::logic_error("Stepper: it cannot be moved by its own observer");
        return stepper;
    }

    /// None if it is about a message that is not the oldest one of its channel; then it cannot be taken.
    std::optional<machine::Transition> in_room_of(Transition const& t) {
        bool const executes = t.kind == Transition::Kind::execute;
        if (executes && !t.sees) return machine::Execute{checked(code(), t.command)};
        Action const a = send_of(code(), executes ? *t.sees : t.command);
        machine::Channel const c = code().channel_of(a);
        auto const pending = machine::Pnd_s(code(), stepper.state(), c);
        if (pending.empty() || pending.front().a != a) return std::nullopt;
        if (executes) return machine::Execute{checked(code(), t.command), c};
        return machine::Deliver{c};
    }
    Command oldest(machine::Channel c) const {
        return command(code().issued_at(machine::Pnd_s(code(), stepper.state(), c).front().a));
    }
    Transition of_room(machine::Transition const& t) const {
        if (auto const* const next = std::get_if<machine::Execute>(&t))
            return {Transition::Kind::execute, command(next->rho),
                    next->peek.is_none() ? std::nullopt : std::optional(oldest(next->peek))};
        return {Transition::Kind::deliver, oldest(std::get<machine::Deliver>(t).channel), {}};
    }
    std::string not_the_oldest(Transition const& t) const {
        return fmt::format("{} is not the oldest message in transit of its channel",
                           explain::shown(code(), send_of(code(), t.sees.value_or(t.command))));
    }
    /// In words, of the state before it.
    std::string words(machine::Stuck const& stuck) { return explain::in_words(code(), stepper.state(), stuck.reason); }

    Program program;
    Buffering buffering;
    executions::Stepper stepper;
    std::unique_ptr<Telling> telling;
    bool is_telling = false;
};

Stepper::Stepper(Program program, Buffering buffering) : impl_(std::make_unique<Impl>(std::move(program), buffering)) {}
Stepper::Stepper(Execution const& execution) : Stepper(execution.program(), execution.buffering()) {
    impl_->stepper.plan(execution.impl().schedule);
}
Stepper::Stepper(Stepper&&) noexcept = default;
Stepper& Stepper::operator=(Stepper&&) noexcept = default;
Stepper::~Stepper() = default;

Program const& Stepper::program() const { return impl_->program; }
std::size_t Stepper::at() const { return impl_->stepper.at().steps; }
Status Stepper::status() const { return of_room(impl_->stepper.state().s); }
bool Stepper::has_ended() const { return impl_->stepper.ended(); }

std::optional<Value> Stepper::value(std::string_view variable) const {
    auto const x = impl_->code().names().variables.find(variable);
    return x ? of_room(impl_->stepper.state().h[*x]) : std::nullopt;
}

std::optional<Command> Stepper::next(std::uint32_t thread) const {
    std::uint32_t const next = impl_->stepper.state().ctp.at(thread);
    return next < impl_->code().ctp().threads[thread].last ? std::optional(Command{next}) : std::nullopt;
}

std::vector<Match> Stepper::matches() const {
    std::vector<Match> result;
    for (machine::Match const& m : machine::match_set(impl_->code(), impl_->stepper.state()))
        result.push_back(match(impl_->code(), m.a_r, m.a_s));
    return result;
}

std::vector<Transition> Stepper::choices() {
    std::vector<Transition> result;
    for (auto const& choice : impl_->between_rules().choices()) result.push_back(impl_->of_room(choice.what));
    return result;
}

std::optional<std::string> Stepper::why_not(Transition const& t) {
    auto const what = impl_->in_room_of(t);
    if (!what) return impl_->not_the_oldest(t);
    auto const stuck = impl_->between_rules().why_not(*what);
    return stuck ? std::optional(impl_->words(*stuck)) : std::nullopt;
}

Result<Status> Stepper::take(Transition const& t) {
    auto const what = impl_->in_room_of(t);
    if (!what) return usage_error(impl_->not_the_oldest(t));
    return within_limits([&]() -> Result<Status> {
        if (auto const stuck = impl_->between_rules().choose(*what)) return usage_error(impl_->words(*stuck));
        return status();
    });
}

Result<bool> Stepper::forward() {
    executions::Stepper& stepper = impl_->between_rules();
    return within_limits([&]() -> Result<bool> { return stepper.has_next() && stepper.step(); });
}

bool Stepper::back() { return impl_->between_rules().back(); }
void Stepper::jump(std::size_t commands) { impl_->between_rules().jump(commands); }

Execution Stepper::execution() const {
    return execution_of(impl_->program, impl_->stepper.path(), Extent::prefix, impl_->buffering);
}

void Stepper::observe(Observer observer) {
    executions::Stepper& stepper = impl_->between_rules();
    stepper.observe(nullptr);
    impl_->telling.reset();
    if (!observer) return;
    auto tell = [&impl = *impl_, observer = std::move(observer)](Event const& e) {
        impl.is_telling = true;
        observer(e);
        impl.is_telling = false;
    };
    impl_->telling = std::make_unique<Telling>(impl_->code(), std::move(tell));
    stepper.observe(impl_->telling.get());
}

} // namespace matchpoint::api
