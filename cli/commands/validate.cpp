#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "cli/files.hpp"
#include "cli/program_input.hpp"
#include "encode/registry.hpp"
#include "programs/draft.hpp"
#include "report/draw.hpp"
#include "report/replay.hpp"
#include "report/words.hpp"
#include "validate/campaign.hpp"

namespace matchpoint::cli {

namespace {

namespace fs = std::filesystem;
using namespace matchpoint::validate;

constexpr std::array<char const*, 2> buffering_names{"infinite", "zero"};

std::string in_quotes(std::string const& word) {
    std::string out = "'";
    for (char const c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string command_text(std::vector<std::string> const& command) {
    std::string out;
    for (std::string const& word : command) {
        bool const plain =
            !word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                    "0123456789_-+=./,:@%{}") == std::string::npos;
        out += (out.empty() ? "" : " ") + (plain ? word : in_quotes(word));
    }
    return out;
}

/// Files of a corpus: those that are named, and all .ctp below folders, in the order of their names.
Expected<std::vector<std::string>, std::string> corpus_files(std::vector<std::string> const& paths) {
    std::vector<std::string> files;
    for (std::string const& path : paths) {
        std::error_code ec;
        if (!fs::is_directory(path, ec)) {
            if (!fs::exists(path, ec))
                return Unexpected{fmt::format("cannot read {}: No such file or directory", printable(path, 4096))};
            files.push_back(path);
            continue;
        }
        std::vector<std::string> below;
        for (auto it = fs::recursive_directory_iterator(path, ec); !ec && it != fs::recursive_directory_iterator();
             it.increment(ec))
            if (it->path().extension() == ".ctp") below.push_back(it->path().string());
        if (ec) return Unexpected{fmt::format("cannot read {}: {}", printable(path, 4096), ec.message())};
        std::sort(below.begin(), below.end());
        files.insert(files.end(), below.begin(), below.end());
    }
    return files;
}

// ---- What is kept between runs ----

Json identity(ValidateOptions const& options, CampaignOptions const& campaign) {
    Json bufferings = Json::array();
    for (Buffering const b : campaign.bufferings) bufferings.push_back(to_string(b));
    return {{"encoder", campaign.subject.command},
            {"buffering", bufferings},
            {"traces", campaign.of_trace},
            {"level", campaign.level},
            {"cases", campaign.random},
            {"seed", campaign.seed},
            {"corpus", campaign.corpus},
            {"shard", campaign.shard},
            {"shards", campaign.shards},
            {"solver", options.solver.value_or("z3")}};
}

Json to_json(Counts const& c) {
    Json trouble = Json::object();
    for (std::size_t t = 1; t < trouble_count; ++t)
        if (c.trouble[t] > 0) trouble[std::string(to_string(static_cast<NoAnswer>(t)))] = c.trouble[t];
    return {{"cases", c.cases},         {"agrees", c.agrees}, {"unsound", c.wrong[0]}, {"incomplete", c.wrong[1]},
            {"unsettled", c.unsettled}, {"known", c.known},   {"failing", c.failing},  {"trouble", trouble}};
}

Counts counts_of(Json const& j) {
    Counts c;
    c.cases = j.at("cases"), c.agrees = j.at("agrees"), c.wrong = {j.at("unsound"), j.at("incomplete")};
    c.unsettled = j.at("unsettled"), c.known = j.at("known"), c.failing = j.at("failing");
    for (std::size_t t = 1; t < trouble_count; ++t)
        c.trouble[t] = j.at("trouble").value(std::string(to_string(static_cast<NoAnswer>(t))), std::uint64_t{0});
    return c;
}

Json to_json(validate::Result const& r) {
    Json found = Json::array();
    for (Found const& f : r.found) {
        Json why = Json::array();
        for (Explanation const& e : f.why) {
            Json changes = Json::array();
            for (ChangeInfo const& i : validate::changes())
                if (e.changes[static_cast<std::size_t>(i.change)])
                    changes.push_back({{"rule", to_string(i.rule)},
                                       {"direction", i.direction == Direction::weaker ? "missing" : "too much"},
                                       {"change", i.name},
                                       {"errata", i.errata}});
            why.push_back({{"changes", changes}, {"agrees", e.agrees}, {"of", e.of}});
        }
        found.push_back({{"kind", to_string(f.kind)},
                         {"buffering", to_string(f.buffering)},
                         {"origin", f.origin},
                         {"smallest", f.smallest},
                         {"shape", f.shape},
                         {"like_it", f.like_it},
                         {"why", why}});
    }
    Json sizes = Json::object(), traits = Json::object(), sources = Json::object(), troubles = Json::array();
    for (auto const& [n, count] : r.sizes) sizes[std::to_string(n)] = count;
    for (auto const& [t, count] : r.traits) traits[t] = count;
    for (auto const& [s, count] : r.sources) sources[s] = count;
    for (auto const& [t, what] : r.troubles) troubles.push_back({{"kind", to_string(t)}, {"what", what}});
    return {{"programs", r.programs},
            {"of", r.all},
            {"complete", r.complete},
            {"infinite", to_json(r.counts[0])},
            {"zero", to_json(r.counts[1])},
            {"sources", sources},
            {"sizes", sizes},
            {"traits", traits},
            {"troubles", troubles},
            {"unreadable", r.unreadable},
            {"disagreement", r.disagreement},
            {"findings", found},
            {"seconds", r.seconds}};
}

Result result_of(Json const& j) {
    validate::Result r;
    r.programs = j.at("programs");
    r.counts = {counts_of(j.at("infinite")), counts_of(j.at("zero"))};
    for (auto const& [n, count] : j.at("sizes").items()) r.sizes[std::stoul(n)] = count;
    for (auto const& [t, count] : j.at("traits").items()) r.traits[t] = count;
    for (auto const& [s, count] : j.at("sources").items()) r.sources[s] = count;
    for (Json const& t : j.at("troubles"))
        for (std::size_t k = 1; k < trouble_count; ++k)
            if (to_string(static_cast<NoAnswer>(k)) == t.at("kind").get<std::string>())
                r.troubles.emplace_back(static_cast<NoAnswer>(k), t.at("what"));
    r.unreadable = j.at("unreadable").get<std::vector<std::string>>();
    r.seconds = j.at("seconds");
    for (Json const& f : j.at("findings")) {
        Found found{.kind = f.at("kind") == "unsound" ? Kind::unsound : Kind::incomplete,
                    .buffering = f.at("buffering") == "zero" ? Buffering::zero : Buffering::infinite,
                    .origin = f.at("origin")};
        found.smallest = f.at("smallest"), found.shape = f.at("shape"), found.like_it = f.at("like_it");
        for (Json const& e : f.at("why")) {
            Explanation why{.agrees = e.at("agrees"), .of = e.at("of")};
            for (Json const& c : e.at("changes"))
                for (ChangeInfo const& i : validate::changes())
                    if (to_string(i.rule) == c.at("rule").get<std::string>() &&
                        i.name == c.at("change").get<std::string>())
                        why.changes |= only(i.change);
            found.why.push_back(why);
        }
        r.found.push_back(std::move(found));
    }
    return r;
}

/// What a campaign with this identity kept; none: the text is something else.
std::optional<validate::Result> state_of(std::string_view text, Json const& id) {
    Json const state = Json::parse(text, nullptr, false);
    if (!state.is_object() || state.value("identity", Json()) != id || !state.contains("result")) return std::nullopt;
    try {
        return result_of(state.at("result"));
    } catch (Json::exception const&) {
        return std::nullopt;
    }
}

// ---- A finding's folder ----

/// What may be in it.
constexpr std::array<char const*, 7> finding_files{"program.ctp", "smallest.ctp", "theirs.smt2", "ours.smt2",
                                                   "fails.ctp",   "why.txt",      "again.sh"};

/// Whether it is called as one: 001-unsound-infinite.
bool is_finding(std::string_view name) {
    std::size_t const digits = std::min(name.find_first_not_of("0123456789"), name.size());
    if (digits < 3) return false;
    for (Kind const kind : {Kind::unsound, Kind::incomplete})
        for (char const* const buffering : buffering_names)
            if (name.substr(digits) == fmt::format("-{}-{}", to_string(kind), buffering)) return true;
    return false;
}

/// Takes away the findings of a campaign before, so that none of them is taken for one of this campaign. What somebody put
/// there stays, in their folders too.
void remove_findings(fs::path const& output) {
    std::error_code ec;
    std::vector<fs::path> folders;
    for (auto it = fs::directory_iterator(output, ec); !ec && it != fs::directory_iterator(); it.increment(ec))
        if (is_finding(it->path().filename().string()) && fs::is_directory(it->symlink_status(ec)))
            folders.push_back(it->path());
    for (fs::path const& folder : folders) {
        for (char const* const name : finding_files) fs::remove(folder / name, ec);
        fs::remove(folder, ec); // if it is empty
    }
}

std::string says(Kind kind) {
    return kind == Kind::unsound ? "The encoder says sat: some run fails. No run does."
                                 : "The encoder says unsat: no run fails. One does.";
}

class Dossier {
public:
    Dossier(ValidateOptions const& options, CampaignOptions const& campaign) : options_(options), campaign_(campaign) {}

    std::string folder(std::size_t number, Found const& f) const {
        return (fs::path(options_.output) /
                fmt::format("{:03}-{}-{}", number, to_string(f.kind), to_string(f.buffering)))
            .string();
    }

    /// Empty: done.
    FileError write(std::size_t number, Found const& f) const {
        fs::path const path = folder(number, f);
        std::error_code ec;
        fs::create_directories(path, ec);
        if (ec) return fmt::format("cannot make {}: {}", printable(path.string(), 4096), ec.message());
        std::vector<std::pair<std::string, std::string>> files{
            {"program.ctp", f.program}, {"smallest.ctp", fmt::format("; {}\n{}", says(f.kind), f.smallest)},
            {"ours.smt2", f.ours},      {"why.txt", why(f)},
            {"again.sh", again(f)},
        };
        if (!f.answer.problem.empty()) files.emplace_back("theirs.smt2", f.answer.problem + "(check-sat)\n");
        if (f.truth.run) files.emplace_back("fails.ctp", failing(f));
        for (auto const& [name, text] : files)
            if (FileError failed = replace_file((path / name).string(), text); !failed.empty()) return failed;
        fs::permissions(path / "again.sh", fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                        fs::perm_options::add, ec);
        return {};
    }

private:
    std::string why(Found const& f) const {
        std::string out =
            fmt::format("{}, {} buffering, found on {}{}.\n{}\n\n{}\n", to_string(f.kind), to_string(f.buffering),
                        printable(f.origin, 4096),
                        f.like_it > 0 ? fmt::format(" and {} like it", plural(f.like_it, "more program")) : "",
                        says(f.kind), f.smallest);
        out += f.kind == Kind::unsound ? "What the encoder misses:\n" : "What the encoder asks too much:\n";
        out += shown(f.why);
        if (!f.replay.empty()) out += "\n" + f.replay;
        if (f.kind == Kind::incomplete)
            out += "\nfails.ctp has a trace of it that fails: matchpoint run fails.ctp" +
                   std::string(f.buffering == Buffering::zero ? " --buffering zero" : "") + "\n";
        else if (!campaign_.of_trace)
            out += "\nAll executions: matchpoint explore smallest.ctp" +
                   std::string(f.buffering == Buffering::zero ? " --buffering zero" : "") + "\n";
        return out + fmt::format("\nThat there is {} failing run is known by {}.\n",
                                 f.kind == Kind::unsound ? "no" : "a", f.truth.by);
    }

    std::string again(Found const& f) const {
        return fmt::format(
            "#!/bin/sh\n# The encoder on smallest.ctp once more; exit code 20 if it still disagrees.\n"
            "here=$(CDPATH= cd -- \"$(dirname -- \"$0\")\" && pwd)\ncd {}\n"
            "exec \"${{MATCHPOINT:-matchpoint}}\" validate --level 0 --cases 0 --findings 0 --corpus "
            "\"$here/smallest.ctp\" --buffering {}{} --encoder-time {} --memory {} --solver {} --output - "
            "-- {}\n",
            in_quotes(fs::current_path().string()), to_string(f.buffering), campaign_.of_trace ? " --traces" : "",
            options_.subject_time, options_.memory, in_quotes(options_.solver.value_or("z3")),
            command_text(campaign_.subject.command));
    }

    std::string failing(Found const& f) const {
        auto const c = make_case(f.smallest, false);
        c->program.traces = {f.truth.run->trace(c->code)};
        draft::Draft draft = draft::draft_of(c->program);
        draft.comment = "The trace fails: matchpoint run fails.ctp" +
                        std::string(f.buffering == Buffering::zero ? " --buffering zero" : "");
        return print(std::move(draft));
    }

    ValidateOptions const& options_;
    CampaignOptions const& campaign_;
};

// ---- Reports ----

/// Anything on one line of XML, which has no place for U+FFFE and U+FFFF.
std::string xml_line(std::string_view text) {
    std::string out = xml(printable(text, 4096));
    for (char const last : {'\xbe', '\xbf'})
        for (std::size_t at = 0; (at = out.find(std::string("\xef\xbf") + last, at)) != std::string::npos;)
            out.replace(at, 3, last == '\xbe' ? "\\ufffe" : "\\uffff");
    return out;
}

/// JUnit's XML: a test case for each buffering, which fails if there are wrong answers, and is an error if some are missing;
/// and one for each finding, which fails.
std::string junit(CampaignOptions const& campaign, validate::Result const& r) {
    std::string const subject = xml_line(command_text(campaign.subject.command));
    std::string cases;
    std::size_t errors = 0, failures = r.found.size();
    for (Buffering const b : campaign.bufferings) {
        Counts const& c = r.counts[b == Buffering::zero];
        cases += fmt::format("<testcase classname=\"{}\" name=\"{} buffering: {} of {} cases agree\"", subject,
                             to_string(b), c.agrees, c.cases);
        if (c.wrong[0] + c.wrong[1] > 0) {
            ++failures;
            cases +=
                fmt::format("><failure message=\"{} unsound, {} incomplete\"/></testcase>\n", c.wrong[0], c.wrong[1]);
            continue;
        }
        if (c.agrees == c.cases && r.complete) {
            cases += "/>\n";
            continue;
        }
        ++errors;
        std::string why = r.complete ? "" : fmt::format("{} of {} programs were asked\n", r.programs, r.all);
        for (auto const& [kind, what] : r.troubles)
            if (c.trouble[static_cast<std::size_t>(kind)] > 0)
                why += fmt::format("{} {}: {}\n", c.trouble[static_cast<std::size_t>(kind)], to_string(kind),
                                   xml_line(what));
        cases += fmt::format("><error message=\"not all cases were asked or answered\">{}</error></testcase>\n", why);
    }
    std::string out = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                                  "<testsuite name=\"matchpoint validate\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
                                  "skipped=\"0\" time=\"{:.1f}\">\n",
                                  campaign.bufferings.size() + r.found.size(), failures, errors, r.seconds);
    out += cases;
    for (Found const& f : r.found)
        out += fmt::format(
            "<testcase classname=\"{}\" name=\"{}, {} buffering, {}\"><failure message=\"{}\">{}{}</failure>"
            "</testcase>\n",
            subject, to_string(f.kind), to_string(f.buffering), xml_line(f.origin), xml(says(f.kind)), xml(f.smallest),
            xml(shown(f.why)));
    return out + "</testsuite>\n</testsuites>\n";
}

std::string shown(CampaignOptions const& campaign, validate::Result const& r, Dossier const& dossier, bool written) {
    std::string out;
    for (std::size_t i = 0; i < r.found.size(); ++i) {
        Found const& f = r.found[i];
        out += fmt::format("{}, {} buffering: {}{}\n", to_string(f.kind), to_string(f.buffering),
                           printable(f.origin, 4096),
                           f.like_it > 0 ? fmt::format(" and {} like it", plural(f.like_it, "more program")) : "");
        out += f.smallest;
        out += shown(f.why);
        if (written) out += fmt::format("  {}\n", printable(dossier.folder(i + 1, f), 4096));
        out += "\n";
    }
    for (Buffering const b : campaign.bufferings) {
        Counts const& c = r.counts[b == Buffering::zero];
        out += fmt::format("{}: {}, a run fails in {}; {} agree", to_string(b), plural(c.cases, "case"), c.failing,
                           c.agrees);
        for (std::size_t k = 0; k < 2; ++k)
            if (c.wrong[k] > 0) out += fmt::format(", {} {}", c.wrong[k], to_string(static_cast<Kind>(k)));
        for (std::size_t t = 1; t < trouble_count; ++t)
            if (c.trouble[t] > 0) out += fmt::format(", {} {}", c.trouble[t], to_string(static_cast<NoAnswer>(t)));
        if (c.unsettled > 0) out += fmt::format(", {} that we cannot settle", c.unsettled);
        if (c.known > 0)
            out += fmt::format("\n  {} of the wrong answers follow from what was found before them", c.known);
        out += "\n";
    }
    for (auto const& [kind, what] : r.troubles) out += fmt::format("{}: {}\n", to_string(kind), printable(what, 300));
    for (std::string const& file : r.unreadable)
        out +=
            fmt::format("left out: {} breaks a rule{}\n", printable(file), campaign.of_trace ? " or has no trace" : "");
    std::string sources;
    for (auto const& [s, n] : r.sources) sources += fmt::format("{}{} {}", sources.empty() ? "" : ", ", n, s);
    out += fmt::format("programs: {} of {}{}{}\n", r.programs, r.all, sources.empty() ? "" : ": ", sources);
    if (!r.sizes.empty()) {
        out += fmt::format("commands: {} to {}\n", r.sizes.begin()->first, r.sizes.rbegin()->first);
        std::string line = "with:";
        for (auto const& [t, n] : r.traits) {
            std::string const next = fmt::format("{} {} {}", line == "with:" || line.back() == ' ' ? "" : ",", n, t);
            if (line.size() + next.size() > 79) {
                out += line + ",\n";
                line = fmt::format("      {} {}", n, t);
            } else {
                line += next;
            }
        }
        out += line + "\n";
    }
    return out;
}

/// docs/schema/validate.schema.json
Json report(CampaignOptions const& campaign, validate::Result const& r, Dossier const& dossier, bool written) {
    Json report;
    report["schema"] = {{"name", "matchpoint.validate"}, {"version", 1}};
    report["encoder"] = campaign.subject.command;
    Json& bufferings = report["bufferings"] = Json::array();
    for (Buffering const b : campaign.bufferings) bufferings.push_back(to_string(b));
    report.update(to_json(r));
    std::size_t number = 0;
    for (Json& f : report["findings"]) {
        f["folder"] = written ? Json(dossier.folder(number + 1, r.found[number])) : Json();
        ++number;
    }
    return report;
}

ExitCode exit_code(validate::Result const& r) {
    if (!r.disagreement.empty()) return internal;
    std::uint64_t wrong = 0, cases = 0, agrees = 0;
    for (Counts const& c : r.counts) wrong += c.wrong[0] + c.wrong[1], cases += c.cases, agrees += c.agrees;
    if (wrong > 0) return disagrees;
    if (cases > 0 && agrees == 0) return solver_failed;
    // A corpus of which nothing could be asked says nothing.
    return agrees == cases && r.complete && (cases > 0 || r.programs == 0) ? holds : unknown;
}

} // namespace

ExitCode validate_command(ValidateOptions const& options, Terminal& terminal) {
    CampaignOptions campaign;
    campaign.subject.command = options.encoder;
    auto solver = solver_command(options.solver.value_or("z3"));
    if (!solver) {
        complain(terminal, "--solver: " + solver.error());
        return bad_input;
    }
    campaign.subject.solver = *solver;
    campaign.subject.time = std::chrono::milliseconds(std::max(1L, static_cast<long>(options.subject_time * 1000)));
    campaign.subject.memory = options.memory << 20U;
    campaign.bufferings = options.bufferings;
    campaign.of_trace = options.traces;
    if (options.encoder.size() == 1)
        if (Encoder const* const encoder = find_encoder(options.encoder.front())) {
            std::erase_if(campaign.bufferings, [&](Buffering b) { return !encoder->handles(b); });
            campaign.of_trace = campaign.of_trace || encoder->is_of_one_trace();
            if (campaign.bufferings.empty()) {
                complain(terminal, fmt::format("{} does not speak of {} buffering", encoder->name,
                                               to_string(options.bufferings.front())));
                return bad_input;
            }
        }
    campaign.level = options.level;
    campaign.random = options.cases;
    campaign.seed = options.seed;
    auto corpus = corpus_files(options.corpus);
    if (!corpus) {
        complain(terminal, corpus.error());
        return bad_input;
    }
    campaign.corpus = std::move(*corpus);
    if (campaign.level == 0 && campaign.random == 0 && campaign.corpus.empty()) {
        complain(terminal, "there is nothing to ask: no small programs, no random ones, and no corpus");
        return bad_input;
    }
    campaign.shard = options.shard.first;
    campaign.shards = options.shard.second;
    campaign.jobs = options.jobs;
    campaign.most_findings = options.findings;
    if (options.time) campaign.time = std::chrono::milliseconds(static_cast<long>(*options.time * 1000));

    validate::Result before;
    Json const id = Json::parse(dump(identity(options, campaign))); // as it is read: a file's name need not be UTF-8
    if (std::error_code ec; !options.state.empty() && fs::exists(options.state, ec)) {
        auto const text = read_source(options.state);
        if (!text) {
            complain(terminal, text.error());
            return bad_input;
        }
        auto state = state_of(text->text(), id);
        if (!state) {
            complain(terminal, fmt::format("{} is not the state of this campaign: other options made it",
                                           printable(options.state, 4096)));
            return bad_input;
        }
        before = std::move(*state);
    }

    Dossier const dossier(options, campaign);
    bool const write = options.output != "-";
    std::size_t written = before.found.size(), kept = written;
    FileError failed;
    auto last = std::chrono::steady_clock::now();
    bool const on_terminal = ::isatty(STDERR_FILENO) == 1;
    bool progress_shown = false;
    bool is_new = before.programs == 0;
    auto const keep = [&](validate::Result const& r) {
        // Not before something was asked: an encoder that cannot be started has found nothing else.
        if (write && options.findings > 0 && std::exchange(is_new, false)) remove_findings(options.output);
        for (; write && failed.empty() && written < r.found.size(); ++written)
            failed = dossier.write(written + 1, r.found[written]);
        if (!options.state.empty() && failed.empty())
            failed = replace_file(options.state, dump(Json{{"identity", id}, {"result", to_json(r)}}));
        kept = r.found.size();
    };
    auto const progress = [&](validate::Result const& r) {
        auto const now = std::chrono::steady_clock::now();
        if (now - last < std::chrono::seconds(1) && r.found.size() == kept) return true;
        last = now;
        keep(r);
        if (on_terminal) {
            std::uint64_t wrong = 0;
            for (Counts const& c : r.counts) wrong += c.wrong[0] + c.wrong[1];
            terminal.err(
                fmt::format("\r\x1b[K{} of {} programs, {} wrong, {:.0f} s", r.programs, r.all, wrong, r.seconds));
            progress_shown = true;
        }
        return failed.empty();
    };

    validate::Result result;
    try {
        result = run_campaign(campaign, progress, std::move(before));
    } catch (std::runtime_error const& e) {
        if (progress_shown) terminal.err("\r\x1b[K");
        complain(terminal, e.what());
        return solver_failed;
    }
    if (progress_shown) terminal.err("\r\x1b[K");
    keep(result);
    if (!result.disagreement.empty()) {
        complain(terminal, "matchpoint disagrees with itself; this is a bug in it, and not in the encoder:\n" +
                               result.disagreement);
        if (write) {
            std::error_code ec;
            fs::create_directories(options.output, ec);
            if (FileError const e =
                    replace_file((fs::path(options.output) / "disagreement.txt").string(), result.disagreement);
                !e.empty())
                complain(terminal, e);
        }
    }
    if (!options.junit.empty() && failed.empty()) failed = replace_file(options.junit, junit(campaign, result));
    terminal.out(options.format == Format::json ? dump(report(campaign, result, dossier, write))
                                                : shown(campaign, result, dossier, write));
    if (!failed.empty()) {
        complain(terminal, failed);
        return output_failed;
    }
    return exit_code(result);
}

} // namespace matchpoint::cli
