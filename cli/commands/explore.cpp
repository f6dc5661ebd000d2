#include <unistd.h>

#include <chrono>

#include <fmt/format.h>

#include "cli/files.hpp"
#include "cli/program_input.hpp"
#include "report/replay.hpp"
#include "report/words.hpp"

namespace matchpoint::cli {

namespace {

class ExploreCommand {
public:
    ExploreCommand(ExploreOptions const& options, Prepared const& subject, Terminal& terminal)
        : options_(options), s_(subject), terminal_(terminal), json_(options.format == Format::json),
          explorer_(subject.messages, explorer_options(options)), m_(subject.messages),
          left_over_(subject.messages.sends().size()) {
        exact_.of.resize(s_.messages.receives().size());
    }

    ExitCode run() {
        if (!json_) {
            std::string const sets = at_most_match_sets(s_.messages);
            terminal_.out(fmt::format("{}: {} buffering, at most {} match set{}\n", printable(s_.source.name(), 4096),
                                      to_string(options_.buffering), sets, sets == "1" ? "" : "s"));
        }
        std::uint64_t const limit = options_.limit.value_or(UINT64_MAX);
        std::string unknown_because;
        try {
            while (!explorer_.done() && explorer_.counts().executions < limit) {
                if (auto const end = explorer_.next(1'000'000)) found(*end);
                progress();
            }
        } catch (LimitReached const& e) {
            unknown_because = e.what();
        }
        if (progress_shown_) terminal_.err("\r\x1b[K");
        complete_ = explorer_.done() && unknown_because.empty();
        if (!unknown_because.empty()) complain(terminal_, unknown_because);
        json_ ? print_json() : print_text();
        return exit_code();
    }

private:
    static Explorer::Options explorer_options(ExploreOptions const& options) {
        Explorer::Options result;
        result.buffering = options.buffering;
        result.verdicts_only = options.verdicts;
        return result;
    }

    void found(End end) {
        IndexedProgram const& code = s_.code;
        switch (end) {
        case End::complete: {
            Status const status = explorer_.state().s;
            ++count_[static_cast<std::size_t>(status)];
            explorer_.matching(m_);
            std::vector<bool> received(left_over_.size());
            for (std::uint32_t r = 0; r < m_.size(); ++r) {
                received[m_[r]] = true;
                auto& sends = exact_.of[r];
                auto const it = std::lower_bound(sends.begin(), sends.end(), m_[r]);
                if (it == sends.end() || *it != m_[r]) sends.insert(it, m_[r]);
            }
            for (std::size_t i = 0; i < received.size(); ++i)
                if (!received[i]) left_over_[i] = true;
            if (json_) {
                outcomes_.push_back({{"status", to_string(status)},
                                     {"matches", to_json(s_.messages, m_)},
                                     {"trace", shown_trace(code, explorer_.schedule())}});
            } else {
                terminal_.out(fmt::format("{}: {}\n", to_string(status), shown(s_.messages, m_, SIZE_MAX)));
                terminal_.out(wrapped_trace(code, explorer_.schedule(), "  "));
            }
            return;
        }
        case End::deadlock: {
            ++deadlocks_;
            Replay replay(code, options_.buffering, explorer_.schedule());
            stuck("deadlock", replay.stuck_threads());
            return;
        }
        case End::fault:
            ++faults_;
            stuck("fault", {fmt::format("{} {}: {}", report::shown(code, *explorer_.fault()->rho),
                                        report::shown(code, code.command_at(*explorer_.fault()->rho)),
                                        explain(code, explorer_.state(), explorer_.fault()->stuck.reason))});
            return;
        case End::pruned: return;
        }
    }

    void stuck(std::string_view what, std::vector<std::string> const& why) {
        if (json_) {
            outcomes_.push_back(
                {{"status", what}, {"why", why}, {"trace", shown_trace(s_.code, explorer_.schedule())}});
            return;
        }
        terminal_.out(fmt::format("{}\n", what));
        for (std::string const& line : why) terminal_.out(fmt::format("  {}\n", line));
        terminal_.out(wrapped_trace(s_.code, explorer_.schedule(), "  "));
    }

    /// On a terminal, about twice a second.
    void progress() {
        if (!terminal_.err_has_color() && ::isatty(STDERR_FILENO) == 0) return;
        auto const now = std::chrono::steady_clock::now();
        if (now - last_progress_ < std::chrono::milliseconds(500)) return;
        last_progress_ = now;
        progress_shown_ = true;
        terminal_.err(fmt::format("\r\x1b[K{}, {}", plural(explorer_.counts().executions, "execution"),
                                  plural(explorer_.steps(), "machine step")));
    }

    std::string_view verdict() const {
        if (count_[1] > 0) return "violated";
        if (!complete_) return "unknown";
        return count_[0] > 0 ? "safe" : "vacuous";
    }
    ExitCode exit_code() const {
        if (count_[1] > 0) return failure;
        if (!complete_) return unknown;
        if (deadlocks_ > 0) return deadlock;
        if (faults_ > 0) return error;
        return count_[0] > 0 ? holds : infeasible;
    }

    std::vector<Action> orphans() const {
        std::vector<Action> result;
        for (std::size_t i = 0; i < left_over_.size(); ++i)
            if (left_over_[i]) result.push_back(s_.messages.sends()[i].a);
        return result;
    }

    void print_text() {
        IndexedProgram const& code = s_.code;
        terminal_.out(fmt::format("{}: {} ({} success, {} failure, {} infeasible), {}, {}\n",
                                  complete_ ? "complete" : "bounded", plural(runs(), "complete run"), count_[0],
                                  count_[1], count_[2], plural(deadlocks_, "deadlock"), plural(faults_, "fault")));
        if (!options_.verdicts) {
            terminal_.out("match pairs of these runs:\n");
            for (std::uint32_t r = 0; r < exact_.of.size(); ++r) {
                std::vector<Action> sends;
                for (std::uint32_t const s : exact_.of[r]) sends.push_back(s_.messages.sends()[s].a);
                terminal_.out(fmt::format("  {}: {}\n", report::shown(code, s_.messages.receives()[r].a),
                                          sends.empty() ? "nothing" : explain(code, sends, sends.size())));
            }
            if (auto const left = orphans(); !left.empty())
                terminal_.out(fmt::format("orphans of some of these runs: {}\n", explain(code, left, left.size())));
        }
        terminal_.out(
            fmt::format("verdict: {}; deadlock: {}; fault: {}\n", verdict(), answer(deadlocks_), answer(faults_)));
        terminal_.out(fmt::format("{}, {} with a choice\n", plural(explorer_.steps(), "machine step"),
                                  plural(explorer_.counts().states, "state")));
    }

    void print_json() {
        Json json;
        json["schema"] = {{"name", "matchpoint.explore"}, {"version", 1}};
        json["file"] = s_.source.name();
        json["sha256"] = sha256(s_.source.text());
        json["buffering"] = to_string(options_.buffering);
        json["complete"] = complete_;
        json["verdicts_only"] = options_.verdicts;
        json["at_most"] = at_most_match_sets(s_.messages);
        json["verdict"] = verdict();
        json["deadlock"] = answer(deadlocks_);
        json["fault"] = answer(faults_);
        json["executions"] = outcomes_;
        Json& pairs = json["pairs"] = Json::array();
        for (std::uint32_t r = 0; r < exact_.of.size(); ++r)
            for (std::uint32_t const s : exact_.of[r]) pairs.push_back(pair_to_json(s_.messages, {r, s}));
        Json& left = json["orphans"] = Json::array();
        for (Action const a : orphans()) left.push_back(s_.code.names()(a));
        json["steps"] = explorer_.steps();
        json["states"] = explorer_.counts().states;
        terminal_.out(dump(json));
    }

    std::string_view answer(std::uint64_t count) const { return count > 0 ? "yes" : complete_ ? "no" : "unknown"; }
    std::uint64_t runs() const { return count_[0] + count_[1] + count_[2]; }

    ExploreOptions const& options_;
    Prepared const& s_;
    Terminal& terminal_;
    bool json_;
    Explorer explorer_;
    Matching m_;
    MatchPairs exact_;
    std::vector<bool> left_over_; // send: some run leaves it unmatched
    std::uint64_t count_[3] = {};
    std::uint64_t deadlocks_ = 0;
    std::uint64_t faults_ = 0;
    Json outcomes_ = Json::array();
    bool complete_ = false;
    bool progress_shown_ = false;
    std::chrono::steady_clock::time_point last_progress_ = std::chrono::steady_clock::now();
};

} // namespace

ExitCode explore_command(ExploreOptions const& options, Terminal& terminal) {
    auto const read = read_prepared(options.file, terminal);
    if (auto const* const code = std::get_if<ExitCode>(&read)) return *code;
    return ExploreCommand(options, *std::get<std::unique_ptr<Prepared>>(read), terminal).run();
}

} // namespace matchpoint::cli
