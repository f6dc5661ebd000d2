#include <matchpoint/rma.hpp>

#include "api/impl.hpp"
#include "rma/language/parse.hpp"
#include "rma/language/print.hpp"
#include "rma/machine/schedule.hpp"
#include "rma/machine/stepper.hpp"
#include "rma/machine/words.hpp"
#include "rma/search/check.hpp"
#include "rma/search/explored.hpp"

namespace matchpoint::api::rma {

namespace room = remote;

/// Its members refer to each other.
class Program::Impl {
public:
    Impl(Source s, room::Program p) : source(std::move(s)), program(std::move(p)), graph(program), machine(graph) {}
    Impl(Impl const&) = delete;
    Impl& operator=(Impl const&) = delete;

    Source source;
    room::Program program;
    room::Graph graph;
    room::Machine machine;
};

Result<Program> Program::parse(std::string text, std::string name) {
    return parsed<Program>(std::move(text), std::move(name),
                           [](Source const& source) { return room::parse_rma(source); });
}

Result<Program> Program::read(std::filesystem::path const& file) { return api::read<Program>(file); }

std::string const& Program::name() const { return impl_->source.name(); }
std::string Program::print() const { return room::print(impl_->program); }
std::uint32_t Program::processes() const { return static_cast<std::uint32_t>(impl_->program.processes.size()); }

Result<Checked> check(Program const& program, CheckOptions const& options) {
    constexpr std::uint32_t most = room::MachineSystem::most_pending;
    if (options.pending < 1 || options.pending > most)
        return usage_error(fmt::format("`pending` has to be from 1 to {}", most));
    using Clock = std::chrono::steady_clock;
    auto const deadline = options.time ? std::optional(Clock::now() + *options.time) : std::nullopt;
    base::Watch const watch(
        [&] { return (deadline && Clock::now() > *deadline) || (options.cancelled && options.cancelled()); });
    return within_limits([&]() -> Result<Checked> {
        room::CheckOptions asked;
        asked.pending = options.pending;
        room::CheckResult const found = room::check_program(program.impl().program, asked);
        Checked result;
        result.verdict = found.verdict == room::Verdict::violated ? Verdict::violated
                         : found.verdict == room::Verdict::safe   ? Verdict::safe
                                                                  : Verdict::unknown;
        result.reason = found.reason;
        result.decided_by = found.decided_by;
        result.states = found.states;
        if (!found.violation) return result;
        result.run = room::print_schedule(program.impl().machine, found.violation->run);
        result.is_shortest = found.violation->is_shortest;
        return result;
    });
}

class Stepper::Impl {
public:
    explicit Impl(rma::Program const& p) : program(p), stepper(program.impl().machine) {}

    rma::Program program;
    room::Stepper stepper;
};

Stepper::Stepper(rma::Program program) : impl_(std::make_unique<Impl>(std::move(program))) {}
Stepper::Stepper(Stepper&&) noexcept = default;
Stepper& Stepper::operator=(Stepper&&) noexcept = default;
Stepper::~Stepper() = default;

std::size_t Stepper::at() const { return impl_->stepper.at(); }
bool Stepper::is_final() const { return impl_->stepper.is_final(); }
bool Stepper::is_violated() const { return impl_->stepper.violated(); }
std::string Stepper::memory() const {
    return room::print_memory(impl_->program.impl().program, impl_->stepper.state());
}
std::string Stepper::pending() const {
    return room::print_pending(impl_->program.impl().graph, impl_->stepper.state());
}
std::string Stepper::schedule() const { return room::print_schedule(impl_->stepper.machine(), impl_->stepper.path()); }

std::vector<Choice> Stepper::choices() const {
    std::vector<Choice> result;
    if (impl_->stepper.ended()) return result;
    for (room::Choice const& c : impl_->stepper.choices()) result.push_back({c.word, c.text});
    return result;
}

Result<bool> Stepper::take(std::string_view word) {
    if (impl_->stepper.ended()) return usage_error("the run has ended");
    auto const schedule = room::parse_schedule(impl_->program.impl().graph, word);
    if (!schedule) return usage_error(schedule.error());
    if (schedule->size() != 1) return usage_error("one word of a schedule was expected");
    return within_limits([&]() -> Result<bool> {
        auto const transitions =
            room::transitions_of(impl_->stepper.machine(), impl_->stepper.state(), schedule->front());
        if (!transitions) return usage_error(transitions.error());
        for (room::Transition const& t : *transitions) impl_->stepper.take(t);
        return true;
    });
}

bool Stepper::back(std::size_t steps) {
    if (steps > impl_->stepper.at()) return false;
    impl_->stepper.back(steps);
    return true;
}

bool Stepper::forward() {
    if (impl_->stepper.planned() == nullptr) return false;
    impl_->stepper.forward();
    return true;
}

} // namespace matchpoint::api::rma
