#include "cli/commands/validate_findings.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"
#include "explain/words.hpp"
#include "programs/draft.hpp"

namespace matchpoint::cli {

namespace fs = std::filesystem;
namespace {

constexpr std::array<char const*, 2> buffering_names{"infinite", "zero"};

/// The files of a finding.
constexpr std::array<char const*, 10> finding_files{"program.ctp",  "smallest.ctp", "theirs.smt2", "ours.smt2",
                                                    "fails.ctp",    "why.txt",      "again.sh",    "program.rma",
                                                    "smallest.rma", "reduced.rma"};

constexpr std::string_view no_answer = "no-answer-";
constexpr std::string_view unexplained = "unexplained";

void remove_folder(fs::path const& folder) {
    std::error_code ec;
    for (char const* const name : finding_files) fs::remove(folder / name, ec);
    fs::remove(folder, ec); // if it is empty
}

/// Whether a folder has the name of a finding: 001-unsound-infinite, or 001-unsound; or no-answer-crashed, unexplained.
bool is_finding(std::string_view name) {
    if (name.starts_with(no_answer) || name == unexplained) return true;
    std::size_t const digits = std::min(name.find_first_not_of("0123456789"), name.size());
    if (digits < 3) return false;
    if (name.substr(digits) == "-unsound") return true; // with --rma
    for (Kind const kind : {Kind::unsound, Kind::incomplete})
        for (char const* const buffering : buffering_names)
            if (name.substr(digits) == fmt::format("-{}-{}", to_string(kind), buffering)) return true;
    return false;
}

} // namespace

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
        append_item(out, plain ? word : in_quotes(word), " ");
    }
    return out;
}

std::string says(Kind kind) {
    return kind == Kind::unsound ? "The encoder says sat: some run fails. No run does."
                                 : "The encoder says unsat: no run fails. One does.";
}

void remove_findings(fs::path const& output) {
    std::error_code ec;
    std::vector<fs::path> folders;
    for (auto it = fs::directory_iterator(output, ec); !ec && it != fs::directory_iterator(); it.increment(ec))
        if (is_finding(it->path().filename().string()) && fs::is_directory(it->symlink_status(ec)))
            folders.push_back(it->path());
    for (fs::path const& folder : folders) remove_folder(folder);
}

bool is_in_a_finding(std::string const& file, fs::path const& output) {
    std::error_code ec;
    fs::path const path = fs::canonical(file, ec);
    if (ec) return false;
    fs::path const above = fs::canonical(output, ec);
    if (ec) return false;
    auto const [end, rest] = std::mismatch(above.begin(), above.end(), path.begin(), path.end());
    return end == above.end() && rest != path.end() && is_finding(rest->string());
}

std::string FindingFolders::folder(std::size_t number, Found const& f) const {
    return (fs::path(options_.output) / fmt::format("{:03}-{}-{}", number, to_string(f.kind), to_string(f.buffering)))
        .string();
}

FileError FindingFolders::write(std::size_t number, Found const& f) const {
    std::vector<std::pair<std::string, std::string>> files{
        {"program.ctp", f.program},
        {"smallest.ctp", fmt::format("; {}\n{}", says(f.kind), f.smallest)},
        {"why.txt", why(f)},
        {"again.sh", again("smallest.ctp", f.buffering, "exit code 20 if it still disagrees")},
    };
    if (!f.ours.empty()) files.emplace_back("ours.smt2", f.ours);
    if (!f.answer.problem.empty()) files.emplace_back("theirs.smt2", f.answer.problem + "(check-sat)\n");
    if (f.truth.run) files.emplace_back("fails.ctp", failing(f));
    return write_all(folder(number, f), files);
}

std::string FindingFolders::folder(validate::Unanswered const& u) const {
    std::string kind(to_string(u.kind));
    std::replace(kind.begin(), kind.end(), ' ', '-');
    return (fs::path(options_.output) / (kind.starts_with(no_answer) ? kind : fmt::format("{}{}", no_answer, kind)))
        .string();
}

FileError FindingFolders::write(validate::Unanswered const& u) const {
    std::vector<std::pair<std::string, std::string>> files{
        {"program.ctp", u.program},
        {"why.txt",
         fmt::format("{}, {} buffering: {}\n", to_string(u.kind), to_string(u.buffering), printable(u.what, 4096))},
        {"again.sh", again("program.ctp", u.buffering, "exit code 3 if it still gives no answer")}};
    if (!u.problem.empty()) files.emplace_back("theirs.smt2", u.problem + "(check-sat)\n");
    return write_all(folder(u), files);
}

std::string FindingFolders::folder_of_unexplained() const { return (fs::path(options_.output) / unexplained).string(); }

FileError FindingFolders::write(validate::Unexplained const& u) const {
    return write_all(
        folder_of_unexplained(),
        {{"program.ctp", u.program},
         {"why.txt", fmt::format("A wrong answer that is not explained. {}\n", printable(u.in_words(), 4096))},
         {"again.sh", again("program.ctp", u.buffering, "exit code 20 if it is still wrong")}});
}

FileError FindingFolders::remove_unexplained() const {
    remove_folder(folder_of_unexplained());
    return {};
}

FileError FindingFolders::write_all(fs::path const& folder,
                                    std::vector<std::pair<std::string, std::string>> const& files) {
    std::error_code ec;
    fs::create_directories(folder, ec);
    if (ec) return fmt::format("cannot make {}: {}", printable(folder.string(), 4096), ec.message());
    for (auto const& [name, text] : files)
        if (FileError failed = replace_file((folder / name).string(), text); !failed.empty()) return failed;
    fs::permissions(folder / "again.sh", fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add, ec);
    return {};
}

FileError FindingFolders::write_reason(std::size_t number, Found const& f) const {
    return replace_file((fs::path(folder(number, f)) / "why.txt").string(), why(f));
}

std::string FindingFolders::why(Found const& f) const {
    std::string out =
        fmt::format("{}, {} buffering, found on {}{}.\n{}\n\n{}\n", to_string(f.kind), to_string(f.buffering),
                    printable(f.origin, 4096),
                    f.like_it > 0 ? fmt::format(" and {} like it", plural(f.like_it, "more program")) : "",
                    says(f.kind), f.smallest);
    Question const& question = campaign_.subject.question;
    if (question.switches)
        out += fmt::format("Only failures with at most {} count.\n\n",
                           plural(*question.switches, "context switch", "context switches"));
    if (question.model)
        out += fmt::format("Only executions that the causal model {} predicts from the trace count.\n\n",
                           to_string(*question.model));
    out += f.kind == Kind::unsound ? "What the encoder misses:\n" : "What the encoder requires in excess:\n";
    out += shown(f.reason);
    if (!f.replay.empty()) out += "\n" + f.replay;
    if (f.kind == Kind::incomplete)
        out += "\nfails.ctp has a trace of it that fails: " + run_again(f) + "\n";
    else if (!campaign_.of_trace || question.model)
        out += fmt::format("\nAll executions: matchpoint explore smallest.ctp{}{}{}\n",
                           f.buffering == Buffering::zero ? " --buffering zero" : "",
                           question.model ? fmt::format(" --model {}", to_string(*question.model)) : "",
                           question.switches ? fmt::format(" --max-switches {}", *question.switches) : "");
    return out + fmt::format("\nThat there is {} failing run is known by {}.\n", f.kind == Kind::unsound ? "no" : "a",
                             f.truth.by);
}

std::string FindingFolders::run_again(Found const& f) const {
    return fmt::format("matchpoint run fails.ctp{}{}", f.buffering == Buffering::zero ? " --buffering zero" : "",
                       campaign_.subject.question.runs == Runs::executions ? " --prefix" : "");
}

std::string FindingFolders::question_options() const {
    Question const& question = campaign_.subject.question;
    std::string out = question.shared ? " --shared" : "";
    if (question.shared != (question.runs == Runs::executions))
        out += fmt::format(" --runs {}", to_string(question.runs));
    if (campaign_.hybrid) out += " --hybrid";
    if (question.switches) out += fmt::format(" --switches {}", *question.switches);
    if (question.model) return out + fmt::format(" --model {}", to_string(*question.model));
    return out + (campaign_.of_trace ? " --traces" : "");
}

std::string FindingFolders::again(std::string_view file, Buffering buffering, std::string_view about) const {
    return fmt::format("#!/bin/sh\n# The encoder on {0} once more; {1}.\n"
                       "here=$(CDPATH= cd -- \"$(dirname -- \"$0\")\" && pwd)\ncd {2}\n"
                       "exec \"${{MATCHPOINT:-matchpoint}}\" validate --level 0 --cases 0 --findings 0 --corpus "
                       "\"$here/{0}\" --buffering {3}{4} --encoder-time {5} --memory {6} --solver {7} --output - "
                       "-- {8}\n",
                       file, about, in_quotes(fs::current_path().string()), to_string(buffering), question_options(),
                       options_.subject_time, options_.memory, in_quotes(options_.solver.value_or("z3")),
                       command_text(campaign_.subject.command));
}

std::string FindingFolders::failing(Found const& f) const {
    auto const c = make_case(f.smallest, false);
    c->program.traces = {f.truth.run->trace(c->code)};
    draft::Draft draft = draft::draft_of(c->program);
    draft.comment = "The trace fails: " + run_again(f);
    return print(draft);
}

} // namespace matchpoint::cli
