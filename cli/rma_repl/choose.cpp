// The commands that choose what comes next.

#include <random>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/progress.hpp"
#include "cli/rma_repl/repl.hpp"
#include "explain/words.hpp"
#include "rma/language/print.hpp"
#include "rma/machine/schedule.hpp"
#include "rma/search/check.hpp"

namespace matchpoint::cli {

void RmaRepl::choices(std::string const& arguments) {
    if (!arguments.empty() && arguments != "-a") throw misused("choices");
    auto const all = stepper_.choices();
    std::size_t widest = 0;
    for (auto const& c : all) widest = std::max(widest, c.word.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        out(fmt::format("{:>3}  {:<{}}  {}\n", i + 1, all[i].word, widest, all[i].text));
    if (all.empty()) out(fmt::format("nothing can come next: {}\n", ending()));
    if (arguments.empty() || stepper_.ended()) return;
    for (rma::ProcessIndex p = 0; p < program().processes.size(); ++p)
        if (auto const blocked = machine_.blocked(state(), p))
            out(fmt::format("  -  process {}: {}\n", program().pid(p), rma::in_words(machine_, *blocked)));
}

void RmaRepl::choose(std::string const& arguments) {
    if (arguments.empty()) throw misused("choose");
    std::size_t const n = number(arguments, "choice");
    need_choices();
    auto const all = stepper_.choices();
    if (n == 0 || n > all.size())
        throw Refused(fmt::format("there is no choice {}: there are {}, from 1", n, all.size()));
    for (rma::Transition const& t : all[n - 1].transitions)
        if (!told_step(&t)) return;
}

void RmaRepl::take(std::string const& arguments) {
    if (arguments.empty()) throw misused("take");
    auto const schedule = rma::parse_schedule(machine_.graph(), arguments);
    if (!schedule) throw Refused(schedule.error());
    need_choices();
    for (rma::ScheduleWord const& word : *schedule) {
        if (stepper_.ended())
            throw Refused(fmt::format("`{}` does not apply: the run has ended", printable(word.text)));
        auto const transitions = rma::transitions_of(machine_, state(), word);
        if (!transitions)
            throw Refused(fmt::format("`{}` does not apply: {}", printable(word.text), transitions.error()));
        for (rma::Transition const& t : *transitions)
            if (!told_step(&t)) return;
    }
}

void RmaRepl::process(std::string const& arguments) {
    if (arguments.empty()) throw misused("process");
    process_number(words(arguments)[0].substr(0, arguments.find('=')));
    take(arguments);
}

void RmaRepl::keep_choosing(std::function<std::size_t(std::size_t)> const& pick) {
    need_choices();
    while (true) {
        auto const all = stepper_.choices();
        if (all.empty()) return;
        for (rma::Transition const& t : all[pick(all.size())].transitions)
            if (!told_step(&t)) return;
    }
}

void RmaRepl::automatic(std::string const& arguments) {
    none(arguments, "auto");
    keep_choosing([](std::size_t) { return 0; });
}

void RmaRepl::random(std::string const& arguments) {
    std::size_t const seed = arguments.empty() ? std::random_device{}() : number(arguments, "seed");
    if (arguments.empty()) out(fmt::format("seed {}\n", seed));
    std::mt19937_64 engine(seed);
    keep_choosing([&](std::size_t n) { return static_cast<std::size_t>(engine() % n); });
}

void RmaRepl::search(std::string const& arguments) {
    none(arguments, "search");
    rma::CheckOptions options;
    options.model = machine_.model();
    options.engine = rma::Engine::search;
    auto result = rma::check_program(program(), options);
    if (result.verdict == rma::Verdict::unknown && !result.violation) {
        look_at_watch(); // Ctrl-C
        throw Refused(fmt::format("no run that goes wrong was found: {}", result.reason));
    }
    if (!result.violation) {
        out(fmt::format("no run goes wrong; {}\n", plural(result.states, "state")));
        return;
    }
    stepper_.follow(std::move(result.violation->run));
    out(fmt::format("planned: {}, from the beginning, that {} wrong\n", plural(stepper_.size(), "step"),
                    stepper_.size() == 1 ? "goes" : "go"));
}

} // namespace matchpoint::cli
