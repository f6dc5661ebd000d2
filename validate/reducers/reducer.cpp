#include "validate/reducers/reducer.hpp"

#include <algorithm>
#include <fstream>
#include <utility>

#include "rma/language/print.hpp"
#include "rma/search/reduced_text.hpp"

namespace matchpoint::validate::reducers {

namespace {

class OurReducer final : public Reducer {
public:
    OurReducer(rma::Literal const& literal, OutcomeLimits const& limits) : literal_(literal), limits_(limits) {}

    /// Through its text, as if it were somebody's.
    Reply ask(rma::Program const& program) override {
        Reply reply;
        rma::Graph const graph(program);
        if (auto const why = rma::why_not_literal(graph, literal_); !why.empty()) {
            reply.trouble = NoAnswer::refused;
            reply.what = why;
            return reply;
        }
        reply.printed = rma::print_reduced(graph, literal_);
        reply.outcome = run_reduced(reply.printed, program, limits_).outcome;
        return reply;
    }

private:
    rma::Literal literal_;
    OutcomeLimits limits_;
};

class CommandReducer final : public Reducer {
public:
    CommandReducer(ReducerOptions const& options, std::filesystem::path const& folder)
        : options_(options), file_(folder / "program.rma") {}

    Reply ask(rma::Program const& program) override {
        std::string const text = rma::print(program);
        std::vector<std::string> command = options_.command;
        bool in_file = false;
        for (std::size_t i = 1; i < command.size(); ++i)
            in_file = replace(command[i], "{rma}", file_.string()) || in_file;
        if (in_file) std::ofstream(file_) << text;
        Printed printed = run_external(command, in_file ? std::string() : text, options_.limits);
        Reply reply;
        reply.trouble = printed.trouble;
        reply.what = std::move(printed.what);
        if (reply.trouble != NoAnswer::none) return reply;
        if (trimmed(printed.text).empty()) return nonsense("it printed nothing" + printed.complaint);
        Reduced reduced = run_reduced(printed.text, program, options_.outcome);
        if (!reduced.wrong.empty()) return nonsense(reduced.wrong + printed.complaint);
        reply.printed = std::move(printed.text);
        reply.outcome = std::move(reduced.outcome);
        return reply;
    }

private:
    static Reply nonsense(std::string what) {
        Reply reply;
        reply.trouble = NoAnswer::nonsense;
        reply.what = std::move(what);
        return reply;
    }

    ReducerOptions options_;
    std::filesystem::path file_;
};

} // namespace

std::optional<rma::Literal> built_in(std::string_view name) {
    rma::Literal literal;
    if (name == "exact") return literal;
    constexpr std::string_view prefix = "literal-";
    if (!name.starts_with(prefix)) return std::nullopt;
    for (name.remove_prefix(prefix.size()); !name.empty();) {
        std::size_t const end = std::min(name.find('-'), name.size());
        if (!rma::set_literal(literal, name.substr(0, end))) return std::nullopt;
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    return literal;
}

std::unique_ptr<Reducer> make_reducer(ReducerOptions const& options, std::filesystem::path const& folder) {
    if (options.command.size() == 1)
        if (auto const literal = built_in(options.command.front()))
            return std::make_unique<OurReducer>(*literal, options.outcome);
    return std::make_unique<CommandReducer>(options, folder);
}

} // namespace matchpoint::validate::reducers
