#include "cli/commands/validate_report.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "base/diagnostics.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "cli/commands/validate_state.hpp"
#include "cli/output.hpp"
#include "encode/registry.hpp"
#include "explain/words.hpp"
#include "grammar/discipline.hpp"
#include "grammar/parse.hpp"
#include "report/draw.hpp"

namespace matchpoint::cli {

namespace {

/// Seconds for an answer, from which on a hint says how to save time.
constexpr double slow = 0.8;

/// Anything on one line of XML, which has no place for U+FFFE and U+FFFF.
std::string xml_line(std::string_view text) {
    std::string out = xml(printable(text, 4096));
    for (char const last : {'\xbe', '\xbf'})
        for (std::size_t at = 0; (at = out.find(std::string("\xef\xbf") + last, at)) != std::string::npos;)
            out.replace(at, 3, last == '\xbe' ? "\\ufffe" : "\\uffff");
    return out;
}

} // namespace

std::string report_junit(CampaignOptions const& campaign, validate::Result const& r) {
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
        for (auto const& t : r.troubles)
            if (std::uint64_t const n = c.trouble[static_cast<std::size_t>(t.kind)]; n > 0)
                why += fmt::format("{} {}: {}\n", n, to_string(t.kind), xml_line(t.what));
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
            xml(shown(f.reason)));
    return out + "</testsuite>\n</testsuites>\n";
}

namespace {

/// "some run fails", "no run fails", about what is asked.
std::string outcome(CampaignOptions const& campaign, bool sat) {
    Question const& question = campaign.subject.question;
    if (campaign.of_trace && !question.model) return sat ? "the run fails" : "the run does not fail";
    return fmt::format("{} {} fails", sat ? "some" : "no", question.runs == Runs::executions ? "execution" : "run");
}

std::string disagreement(CampaignOptions const& campaign, Found const& f) {
    bool const theirs = f.kind == Kind::unsound;
    auto const word = [](bool sat) { return sat ? "sat" : "unsat"; };
    return fmt::format("your encoder says {} ({}); the semantics says {} ({}), {} buffering\n", word(theirs),
                       outcome(campaign, theirs), word(!theirs), outcome(campaign, !theirs), to_string(f.buffering));
}

bool has_word(CampaignOptions const& campaign, std::string_view placeholder) {
    auto const& words = campaign.subject.command;
    return std::any_of(words.begin(), words.end(),
                       [&](std::string const& word) { return word.find(placeholder) != std::string::npos; });
}

bool is_built_in(CampaignOptions const& campaign) {
    auto const& words = campaign.subject.command;
    return words.size() == 1 && find_encoder(words.front()) != nullptr;
}

/// Whether the encoder is asked the same about both bufferings.
bool cannot_know_buffering(CampaignOptions const& campaign) {
    return campaign.bufferings.size() == 2 && !is_built_in(campaign) &&
           !validate::names_buffering(campaign.subject.command);
}

/// Whether a wrong answer is right under the other buffering, and the encoder does not know which one is asked about.
bool is_unaware_of_buffering(CampaignOptions const& campaign, Found const& f) {
    if (!cannot_know_buffering(campaign)) return false;
    auto const c = make_case(f.smallest, campaign.of_trace);
    return c && validate::depends_on_buffering(*c, {.buffering = f.buffering, .question = campaign.subject.question});
}

bool reads_standard_input(CampaignOptions const& campaign) {
    return !is_built_in(campaign) && !has_word(campaign, "{ctp}");
}

std::string found_text(CampaignOptions const& campaign, Found const& f, bool verbose) {
    constexpr std::string_view unaware =
        "its command has no {buffering}, so it is asked the same about both (--buffering asks about one)\n";
    std::string out = disagreement(campaign, f) + f.smallest;
    bool const is_explained = validate::is_explained(f.reason);
    // If no change of the rules explains the answers, this does.
    bool const is_unaware = is_unaware_of_buffering(campaign, f);
    bool const is_cause = is_unaware && !is_explained;
    if (!is_cause) out += validate::cause(f.reason);
    if (is_cause)
        out += fmt::format("  possible cause: {}", unaware);
    else if (f.reason.always)
        out += reads_standard_input(campaign) ? "    its command has no {ctp}, so the program is its standard input\n"
                                              : "";
    else if (f.buffering == Buffering::zero && is_unaware)
        out += fmt::format("    {}", unaware);
    out += fmt::format("  found on {}{}\n", printable(f.origin, 4096),
                       f.like_it > 0 ? fmt::format(" and {} like it", plural(f.like_it, "more program")) : "");
    return verbose ? out + fmt::format("  {}:\n", to_string(f.kind)) + shown(f.reason) : out;
}

/// How many answers are right, in one line.
std::string summary(CampaignOptions const& campaign, validate::Result const& r) {
    std::uint64_t cases = 0, right = 0, wrong = 0, known = 0;
    for (Counts const& c : r.counts)
        cases += c.cases, right += c.agrees, wrong += c.wrong[0] + c.wrong[1], known += c.known;
    std::string_view how;
    if (campaign.bufferings.size() == 2)
        how = cannot_know_buffering(campaign) ? ", and each answer compared with both bufferings"
                                              : ", each about both bufferings";
    std::size_t const left_out = r.unreadable.size();
    std::string out =
        fmt::format("{} of {} asked{}{}: {} right, {} wrong", r.programs - left_out, plural(r.all, "program"), how,
                    left_out > 0 ? fmt::format(", {} left out", left_out) : "", plural(right, "answer"), wrong);
    if (std::uint64_t const rest = cases - right - wrong; rest > 0)
        out += fmt::format(", {} missing or not known", rest);
    if (known > 0)
        out += fmt::format("; {} of the wrong ones follow{} from what was found before them", known,
                           known == 1 ? "s" : "");
    // Its program is not done, and none of its answers is counted.
    if (r.unexplained) out += "; a further program has a wrong answer that is not explained";
    return out + "\n";
}

std::string counts_text(CampaignOptions const& campaign, validate::Result const& r) {
    std::string out;
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
    return out;
}

double mean(Slowness const& slowness) {
    return slowness.answers == 0 ? 0 : slowness.seconds / static_cast<double>(slowness.answers);
}

/// How many findings have a cause, and what the others need, if there was no time for them.
std::string causes_text(CampaignOptions const& campaign, validate::Result const& r) {
    auto const explained = std::count_if(r.found.begin(), r.found.end(), [&](Found const& f) {
        return validate::is_explained(f.reason) || is_unaware_of_buffering(campaign, f);
    });
    bool const is_cut_short =
        std::any_of(r.found.begin(), r.found.end(), [](Found const& f) { return f.reason.is_cut_short; });
    if (!campaign.time || !is_cut_short) return {};
    std::string out = fmt::format("a cause is known for {} of {}", explained, plural(r.found.size(), "finding"));
    if (r.seconds_missing < 1) return out + "\n";
    double const whole = std::chrono::duration<double>(*campaign.time).count() + 2 * r.seconds_missing;
    if (mean(r.slowness) > 0) out += fmt::format("; at {:.2f} s an answer", mean(r.slowness));
    return out + fmt::format(", about {:.0f} s more are needed for causes, which get half of the time: --time {:.0f}\n",
                             r.seconds_missing, std::ceil(whole / 10) * 10);
}

/// For a command that takes long to start. A process of its own answers each question.
std::string hint_for_slowness(CampaignOptions const& campaign, Slowness const& slowness) {
    if (mean(slowness) < slow) return {};
    return fmt::format(
        "hint: your encoder takes {:.1f} s for an answer on average; docs/validate.md, \"A slow encoder\", "
        "says how to start it once{}\n",
        mean(slowness), campaign.jobs == 1 ? ", and `--jobs` runs several at the same time" : "");
}

std::string hint_for_nonsense(validate::Result const& r) {
    bool const some =
        std::any_of(r.troubles.begin(), r.troubles.end(), [](auto const& t) { return t.kind == NoAnswer::nonsense; });
    return some ? "hint: an encoder prints an SMT-LIB problem, or `sat` or `unsat`, or a JSON object with a "
                  "\"verdict\", "
                  "and nothing else\n"
                : "";
}

/// What the programs were like.
std::string programs_text(validate::Result const& r) {
    std::string out, sources;
    for (auto const& [s, n] : r.sources) sources += fmt::format("{}{} {}", sources.empty() ? "" : ", ", n, s);
    out += fmt::format("programs: {} of {}{}{}\n", r.programs, r.all, sources.empty() ? "" : ": ", sources);
    if (r.sizes.empty()) return out;
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
    return out + line + "\n";
}

/// "broken.ctp:1:3: error[syntax]: ...", "shared.ctp has shared variables ...": why a file of the corpus was not asked
/// about, as far as the file says it now.
std::string why_left_out(std::string const& file, CampaignOptions const& campaign) {
    auto const text = read_file(file);
    if (!text) return text.error();
    Source const source(file, *text);
    auto const program = parse(source);
    if (!program) return headline(program.error().front(), source);
    Diagnostics const broken = check_discipline(*program, &source, Severity::error, 1);
    if (!broken.empty()) return headline(broken.front(), source);
    std::string const name = printable(file, 4096);
    if (campaign.of_trace && program->traces.empty()) return name + " has no trace";
    if (!campaign.shared && IndexedProgram(*program).shares())
        return name + " has shared variables or guarded assignments, which are for `--shared`";
    return name + " has changed since";
}

} // namespace

std::string report_text(CampaignOptions const& campaign, validate::Result const& r, FindingFolders const& folders,
                        bool written, bool verbose) {
    std::string out;
    for (std::size_t i = 0; i < r.found.size(); ++i) {
        out += found_text(campaign, r.found[i], verbose);
        if (written) out += fmt::format("  {}\n", printable(folders.folder(i + 1, r.found[i]), 4096));
        out += "\n";
    }
    if (verbose) out += counts_text(campaign, r);
    for (auto const& t : r.troubles) {
        std::uint64_t n = 0;
        for (Counts const& c : r.counts) n += c.trouble[static_cast<std::size_t>(t.kind)];
        out += fmt::format("{}{}: {}\n", to_string(t.kind), n > 1 ? fmt::format(" ({} times)", n) : "",
                           printable(t.what, 300));
        if (written && !t.program.empty()) out += fmt::format("  {}\n", printable(folders.folder(t), 4096));
    }
    for (std::string const& file : r.unreadable) out += fmt::format("left out: {}\n", why_left_out(file, campaign));
    if (!r.stopped.empty()) out += fmt::format("stopped: {}\n", r.stopped);
    if (r.unexplained && written) out += fmt::format("  {}\n", printable(folders.folder_of_unexplained(), 4096));
    if (r.has_unexamined)
        out += "not explained: further wrong answers, because half of --time was spent on those above\n";
    out += causes_text(campaign, r);
    out += verbose ? programs_text(r) : summary(campaign, r);
    return out + hint_for_nonsense(r) + hint_for_slowness(campaign, r.slowness);
}

Json report_json(CampaignOptions const& campaign, validate::Result const& r, FindingFolders const& folders,
                 bool written) {
    Json report = report_of("validate");
    report["encoder"] = campaign.subject.command;
    Json& bufferings = report["bufferings"] = Json::array();
    for (Buffering const b : campaign.bufferings) bufferings.push_back(to_string(b));
    report.update(json_of(r));
    report["stopped"] = r.stopped;
    std::size_t number = 0;
    for (Json& f : report["findings"]) {
        f["folder"] = written ? Json(folders.folder(number + 1, r.found[number])) : Json();
        ++number;
    }
    return report;
}

} // namespace matchpoint::cli
