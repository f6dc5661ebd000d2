#include "cli/commands/validate_rma.hpp"
#include "base/text.hpp"
#include "cli/limits.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/child_process.hpp"
#include "cli/cli.hpp"
#include "cli/commands/validate_findings.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "explain/words.hpp"
#include "rma/programs/small.hpp"
#include "validate/reducers/campaign.hpp"

namespace matchpoint::cli {

namespace {

namespace fs = std::filesystem;
using reducers::Found;
using reducers::Reading;

reducers::CampaignOptions campaign_of(ValidateOptions const& options, std::vector<std::string> corpus) {
    reducers::CampaignOptions campaign;
    campaign.reducer.command = options.encoder;
    campaign.reducer.limits.time = std::max(std::chrono::milliseconds(1), milliseconds(options.subject_time));
    campaign.reducer.limits.memory = std::uint64_t{options.memory} << 20U;
    campaign.level = options.level.value_or(campaign.level);
    campaign.random = options.cases;
    campaign.seed = options.seed;
    campaign.corpus = std::move(corpus);
    campaign.jobs = options.jobs;
    if (options.time) campaign.time = milliseconds(*options.time);
    campaign.most_findings = options.findings;
    campaign.interrupted = &base::interruption();
    return campaign;
}

// ---- in words

/// What the best readings say, a line for each one that is as good as the first.
std::string shown(std::vector<Reading> const& readings) {
    if (readings.empty()) return "  no literal reading of Table 2 is wrong about this program\n";
    Reading const& first = readings.front();
    std::string out;
    if (!reducers::is_explained(readings)) out += "  no explanation found; the closest:\n";
    for (Reading const& r : readings) {
        if (r.verdicts != first.verdicts || r.same != first.same || r.entries.size() != first.entries.size()) continue;
        out += fmt::format(
            "  as with {} read literally (docs/rma.md): unsound for the same of {} in {}, with the same final "
            "valuations in {}\n",
            names(r), plural(r.of, "program"), r.verdicts, r.same);
    }
    return out;
}

std::string shown(Found const& f) {
    std::string out = fmt::format("  missing: {}\n", f.missing);
    if (!f.run.empty()) out += fmt::format("  run: {}\n", f.run);
    return out + shown(f.readings);
}

std::string headline(Found const& f) {
    return fmt::format("unsound: {}{}\n", printable(f.origin, 4096),
                       f.like_it > 0 ? fmt::format(" and {} like it", plural(f.like_it, "more program")) : "");
}

/// How the reduction reads Table 2, if one reading gives all its answers.
std::string reading(reducers::Result const& r) {
    if (r.readings.empty()) return {};
    Reading const& best = r.readings.front();
    std::string const as = best.entries.empty() ? "ours" : fmt::format("Table 2 with {} read literally", names(best));
    return fmt::format("answers most like {}: the same final valuations in {} of a sample of {}\n", as, best.same,
                       plural(best.of, "program"));
}

std::string text_of(reducers::Result const& r) {
    reducers::Counts const& c = r.counts;
    std::string out = fmt::format("{}, {} of them violated; {} sound, {} unsound ({} as found before), {} unsettled\n",
                                  plural(c.cases, "program"), c.violated, c.sound, c.unsound, c.known, c.unsettled);
    out += fmt::format("imprecise: {} safe programs go wrong when reduced; {} have more final valuations\n",
                       c.imprecise, c.more);
    out += reading(r);
    for (auto const& [kind, what] : r.troubles)
        out += fmt::format("{}: {} times; {}\n", validate::to_string(kind), c.trouble[static_cast<std::size_t>(kind)],
                           printable(what, 4096));
    for (std::string const& file : r.unreadable) out += fmt::format("not a program: {}\n", printable(file, 4096));
    if (!r.stopped.empty()) out += fmt::format("stopped: {}\n", r.stopped);
    if (!r.complete) out += fmt::format("{} of {} programs were asked\n", r.programs, r.all);
    return out;
}

// ---- as JSON

Json json_of(std::vector<Reading> const& readings) {
    Json list = Json::array();
    for (Reading const& r : readings)
        list.push_back({{"literal", r.entries}, {"verdicts", r.verdicts}, {"same", r.same}, {"of", r.of}});
    return list;
}

Json json_of(reducers::Counts const& c) {
    Json json{{"cases", c.cases},         {"sound", c.sound},         {"unsound", c.unsound},
              {"known", c.known},         {"unsettled", c.unsettled}, {"violated", c.violated},
              {"imprecise", c.imprecise}, {"more", c.more},           {"trouble", Json::object()}};
    for (std::size_t t = 0; t < c.trouble.size(); ++t)
        if (c.trouble[t] > 0)
            json["trouble"][std::string(to_string(static_cast<validate::NoAnswer>(t)))] = c.trouble[t];
    return json;
}

Json json_of(Found const& f, Json folder) {
    return {{"origin", f.origin},
            {"like_it", f.like_it},
            {"program", f.program},
            {"smallest", f.smallest},
            {"reduced", f.reduced},
            {"missing", f.missing},
            {"run", f.run},
            {"readings", json_of(f.readings)},
            {"explained", reducers::is_explained(f.readings)},
            {"folder", std::move(folder)}};
}

class RmaCampaign {
public:
    RmaCampaign(ValidateOptions const& options, reducers::CampaignOptions campaign, Terminal& terminal)
        : options_(options), campaign_(std::move(campaign)), terminal_(terminal) {}

    ExitCode run() {
        reducers::Result result;
        try {
            result = reducers::run_campaign(campaign_, [this](reducers::Result const& r) { return progress(r); });
        } catch (std::runtime_error const& e) {
            progress_.clear();
            complain(terminal_, e.what(), ErrorKind::solver);
            return solver_failed;
        }
        progress_.clear();
        FileError const failed = write(result);
        terminal_.out(options_.format == Format::json ? json(result) : text(result));
        if (failed.empty()) return code_of(result);
        complain(terminal_, failed, ErrorKind::file);
        return output_failed;
    }

private:
    bool writes() const { return options_.output != "-"; }
    std::string folder(std::size_t i) const {
        return (fs::path(options_.output) / fmt::format("{:03}-unsound", i + 1)).string();
    }

    bool progress(reducers::Result const& r) {
        progress_.show(fmt::format("{} of {} programs, {} unsound, {:.0f} s{}", r.programs, r.all, r.counts.unsound,
                                   r.seconds,
                                   time_left(r.programs, r.all - r.programs, progress_.seconds(), options_.time)));
        return true;
    }

    /// Empty if every file could be written.
    FileError write(reducers::Result const& r) const {
        if (!writes() || options_.findings == 0) return {};
        remove_findings(options_.output);
        for (std::size_t i = 0; i < r.found.size(); ++i) {
            Found const& f = r.found[i];
            fs::path const path = folder(i);
            std::error_code ec;
            fs::create_directories(path, ec);
            if (ec) return fmt::format("cannot make {}: {}", printable(path.string(), 4096), ec.message());
            std::pair<char const*, std::string> const files[] = {
                {"program.rma", f.program},
                {"smallest.rma", f.smallest},
                {"reduced.rma", f.reduced},
                {"why.txt", headline(f) + "\n" + f.smallest + "\n" + shown(f)},
                {"again.sh", again()}};
            for (auto const& [name, text] : files)
                if (FileError failed = replace_file((path / name).string(), text); !failed.empty()) return failed;
            fs::permissions(path / "again.sh", fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                            fs::perm_options::add, ec);
        }
        return {};
    }

    std::string again() const {
        return fmt::format(
            "#!/bin/sh\n# The reduction of smallest.rma once more; exit code 20 if it is still unsound.\n"
            "here=$(CDPATH= cd -- \"$(dirname -- \"$0\")\" && pwd)\ncd {}\n"
            "exec \"${{MATCHPOINT:-matchpoint}}\" validate --rma --level 0 --cases 0 --findings 0 --corpus "
            "\"$here/smallest.rma\" --encoder-time {} --memory {} --output - -- {}\n",
            in_quotes(fs::current_path().string()), options_.subject_time, options_.memory,
            command_text(campaign_.reducer.command));
    }

    std::string text(reducers::Result const& r) const {
        std::string out;
        for (std::size_t i = 0; i < r.found.size(); ++i) {
            Found const& f = r.found[i];
            out += headline(f) + f.smallest + shown(f);
            if (writes()) out += fmt::format("  {}\n", printable(folder(i), 4096));
            out += "\n";
        }
        return out + text_of(r);
    }

    std::string json(reducers::Result const& r) const {
        Json report = report_of("validate-rma");
        report["reducer"] = campaign_.reducer.command;
        report["programs"] = r.programs;
        report["of"] = r.all;
        report["complete"] = r.complete;
        report["counts"] = json_of(r.counts);
        report["sources"] = r.sources;
        Json& troubles = report["troubles"] = Json::array();
        for (auto const& [kind, what] : r.troubles) troubles.push_back({{"kind", to_string(kind)}, {"what", what}});
        report["unreadable"] = r.unreadable;
        report["stopped"] = r.stopped;
        Json& findings = report["findings"] = Json::array();
        for (std::size_t i = 0; i < r.found.size(); ++i)
            findings.push_back(json_of(r.found[i], writes() ? Json(folder(i)) : Json()));
        report["readings"] = json_of(r.readings);
        report["seconds"] = r.seconds;
        return dump(report);
    }

    static ExitCode code_of(reducers::Result const& r) {
        reducers::Counts const& c = r.counts;
        if (c.unsound > 0) return disagrees;
        bool const all_sound = r.complete && c.sound == c.cases && (c.cases > 0 || r.programs == 0);
        if (base::interruption()) return all_sound ? holds : unknown;
        if (c.cases > 0 && c.sound == 0 && c.unsettled == 0) return solver_failed;
        return all_sound ? holds : unknown;
    }

    ValidateOptions const& options_;
    reducers::CampaignOptions campaign_;
    Terminal& terminal_;
    ProgressLine progress_{ProgressLine::Elsewhere::lines};
};

} // namespace

std::string contradiction_of_rma(ValidateOptions const& options) {
    std::pair<bool, char const*> const given[] = {{options.mpi, "--mpi"},
                                                  {options.mcapi, "--mcapi"},
                                                  {options.shared, "--shared"},
                                                  {options.hybrid, "--hybrid"},
                                                  {options.traces, "--traces"},
                                                  {options.switches.has_value(), "--switches"},
                                                  {options.model.has_value(), "--model"},
                                                  {options.runs.has_value(), "--runs"},
                                                  {options.solver.has_value(), "--solver"},
                                                  {options.shard.count > 1, "--shard"},
                                                  {!options.state.empty(), "--state"},
                                                  {!options.junit.empty(), "--junit"},
                                                  {options.skip_rules, "--skip-rules"},
                                                  {options.verbose, "--verbose"}};
    for (auto const& [is_given, name] : given)
        if (is_given) return fmt::format("--rma and {} exclude each other", name);
    if (options.level.value_or(0) > rma::SmallPrograms::most_statements)
        return fmt::format("with --rma, --level is at most {}", rma::SmallPrograms::most_statements);
    return {};
}

ExitCode validate_rma(ValidateOptions const& options, std::vector<std::string> corpus, Terminal& terminal) {
    reducers::CampaignOptions campaign = campaign_of(options, std::move(corpus));
    if (campaign.level == 0 && campaign.random == 0 && campaign.corpus.empty()) {
        complain(terminal, "there is nothing to ask: no small programs, no random ones, and no corpus",
                 ErrorKind::usage);
        return bad_input;
    }
    return RmaCampaign(options, std::move(campaign), terminal).run();
}

} // namespace matchpoint::cli
