#include "cli/commands/rma_flushes_state.hpp"

#include <algorithm>
#include <filesystem>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "base/source.hpp"
#include "rma/language/print.hpp"
#include "rma/machine/schedule.hpp"
#include "rma/programs/edit.hpp"

namespace matchpoint::cli {

namespace {

constexpr auto between_saves = std::chrono::seconds(1);

rma::Program with(rma::Program const& program, rma::Placement const& kept) {
    return rma::with_flushes(program, [&](std::size_t f) { return std::binary_search(kept.begin(), kept.end(), f); });
}

/// The transitions that the words of a schedule mean, from the initial state on.
std::optional<std::vector<rma::Transition>> run_of(rma::Program const& program, std::string const& words) {
    rma::Graph const graph(program);
    rma::Machine const machine(graph);
    auto const schedule = rma::parse_schedule(graph, words);
    if (!schedule) return std::nullopt;
    std::vector<rma::Transition> run;
    return rma::run_of(machine, *schedule, run) ? std::nullopt : std::optional(std::move(run));
}

} // namespace

FlushesState::FlushesState(std::string path, rma::Program const& program, rma::FlushOptions const& options,
                           std::string const& engine)
    : path_(std::move(path)), program_(program),
      identity_({{"program", rma::print(program)}, {"pending", options.pending}}) {
    if (options.values) identity_["values"] = {options.values->lo, options.values->hi};
    if (!engine.empty()) identity_["engine"] = engine;
}

FlushesState::~FlushesState() {
    try {
        write();
    } catch (std::bad_alloc const&) { // the file stays as it was
    }
}

std::string FlushesState::read() {
    std::error_code failed;
    if (path_.empty() || !std::filesystem::exists(path_, failed)) return "";
    auto const text = read_source(path_);
    if (!text) return text.error();
    report::Json const state = report::Json::parse(text->text(), nullptr, false);
    bool good = state.is_object() && state.value("identity", report::Json()) == identity_;
    try {
        if (good)
            good = std::all_of(state.at("decided").begin(), state.at("decided").end(),
                               [this](auto const& answer) { return take(answer); });
    } catch (report::Json::exception const&) {
        good = false;
    }
    if (good) return "";
    return fmt::format("{} is not the state of this search: it is of another program, or of other options",
                       printable(path_, 4096));
}

bool FlushesState::take(report::Json const& answer) {
    rma::Decision decision;
    decision.states = answer.at("states");
    auto const verdict = answer.at("verdict").get<std::string>();
    rma::Placement const placement = answer.at("flushes");
    for (auto const v : {rma::Verdict::violated, rma::Verdict::safe})
        if (verdict == rma::to_string(v)) decision.verdict = v;
    if (decision.verdict == rma::Verdict::violated) {
        auto run = run_of(with(program_, placement), answer.at("run"));
        if (!run) return false;
        decision.run = std::move(*run);
        decision.fails = answer.at("fails");
    }
    if (decision.verdict == rma::Verdict::unknown) decision.reason = answer.at("reason");
    decisions_[placement] = std::move(decision);
    return true;
}

std::optional<rma::Decision> FlushesState::known(rma::Placement const& placement) const {
    auto const found = decisions_.find(placement);
    return found == decisions_.end() ? std::nullopt : std::optional(found->second);
}

void FlushesState::keep(rma::Placement const& placement, rma::Decision const& decision) {
    if (path_.empty() || decision.is_late || !decisions_.emplace(placement, decision).second) return;
    is_written_ = false;
    auto const now = std::chrono::steady_clock::now();
    if (now < next_) return;
    write();
    next_ = now + between_saves;
}

report::Json FlushesState::json() const {
    report::Json decided = report::Json::array();
    for (auto const& [placement, decision] : decisions_) {
        report::Json answer = {
            {"flushes", placement}, {"verdict", rma::to_string(decision.verdict)}, {"states", decision.states}};
        if (decision.verdict == rma::Verdict::violated) {
            rma::Program const left = with(program_, placement);
            rma::Graph const graph(left);
            answer["run"] = rma::print_schedule(rma::Machine(graph), decision.run);
            answer["fails"] = decision.fails;
        }
        if (decision.verdict == rma::Verdict::unknown) answer["reason"] = decision.reason;
        decided.push_back(std::move(answer));
    }
    return {{"identity", identity_}, {"decided", std::move(decided)}};
}

FileError FlushesState::write() {
    if (path_.empty() || is_written_ || !failed_.empty()) return failed_;
    failed_ = replace_file(path_, report::dump(json()));
    is_written_ = failed_.empty();
    return failed_;
}

} // namespace matchpoint::cli
