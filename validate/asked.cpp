#include "validate/asked.hpp"

#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "smt_machine/smtlib.hpp"
#include "solve/child_process.hpp"
#include "validate/subject.hpp"

namespace matchpoint::validate {

namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::size_t output_limit = std::size_t{64} << 20U;

std::string_view trimmed(std::string_view text) {
    std::size_t const begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string in_short(std::string_view text) { return printable(trimmed(text), 120); }

Said trouble(NoAnswer kind, std::string what) {
    Said said;
    said.trouble = kind;
    said.what = std::move(what);
    return said;
}

/// Whether the word was one of the answers.
bool read_word(std::string_view word, Said& said) {
    if (word == "sat" || word == "violated")
        said.sat = true;
    else if (word == "unsat" || word == "safe" || word == "vacuous")
        said.sat = false;
    else if (word == "unknown")
        said.trouble = NoAnswer::solver, said.what = "it says `unknown`";
    else
        return false;
    return true;
}

Said read_json(std::string_view text) {
    auto const json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object())
        return trouble(NoAnswer::nonsense, fmt::format("it printed what is no JSON object: {}", in_short(text)));
    Said said;
    for (char const* key : {"verdict", "answer", "status"}) {
        auto const it = json.find(key);
        if (it == json.end() || !it->is_string()) continue;
        if (!read_word(it->get<std::string>(), said))
            return trouble(NoAnswer::nonsense, fmt::format("its {} is `{}`", key, in_short(it->get<std::string>())));
        if (auto const matches = json.find("matches"); matches != json.end() && matches->is_array())
            for (auto const& m : *matches)
                if (m.is_array() && m.size() == 2 && m[0].is_string() && m[1].is_string())
                    said.matches.emplace_back(m[0].get<std::string>(), m[1].get<std::string>());
        return said;
    }
    return trouble(NoAnswer::nonsense, fmt::format("its JSON object has no \"verdict\": {}", in_short(text)));
}

Said read_problem(std::string_view text) {
    Said said;
    std::size_t questions = 0;
    for (std::size_t at = 0; !trimmed(text.substr(at)).empty();) {
        std::size_t const end = end_of_expression(text, at);
        if (end == std::string_view::npos) {
            if (trimmed(text.substr(at)).front() == ';') break; // comments at the end
            return trouble(NoAnswer::nonsense,
                           fmt::format("its SMT-LIB ends in the middle of a command: {}", in_short(text.substr(at))));
        }
        std::string_view const command = trimmed(text.substr(at, end - at));
        at = end;
        std::size_t const open = first_of_expression(command);
        std::string_view const inside = trimmed(command.substr(open).substr(command[open] == '(' ? 1 : 0));
        std::string_view const word = inside.substr(0, inside.find_first_of(" \t\r\n();"));
        if (word == "check-sat") {
            ++questions;
            continue;
        }
        if (word == "push" || word == "pop" || word == "reset" || word == "check-sat-assuming" || command[open] != '(')
            return trouble(NoAnswer::nonsense,
                           fmt::format("one problem is wanted, and it printed {}", in_short(command.substr(open))));
        if (word.starts_with("get-") || word == "exit" || word == "echo") continue;
        if (word == "set-option" && (command.find(":produce-models", open) != std::string_view::npos ||
                                     command.find(":print-success", open) != std::string_view::npos))
            continue;
        said.problem.append(command).append("\n");
    }
    if (questions > 1) return trouble(NoAnswer::nonsense, "it asks (check-sat) more than once");
    if (questions == 0 && said.problem.empty())
        return trouble(NoAnswer::nonsense, fmt::format("its problem has no commands: {}", in_short(text)));
    if (said.problem.empty()) said.problem = "(assert true)\n"; // nothing is asked of a run
    return said;
}

std::string_view name(Buffering b) { return b == Buffering::zero ? "zero" : "infinite"; }

class Asked : public Subject {
public:
    explicit Asked(SubjectOptions const& options) : solver_(options.solver, {.time = options.time}) {}

protected:
    /// The solver's answer to the problem that was answered.
    Said solved(Said said) {
        if (said.trouble != NoAnswer::none || said.sat || said.problem.empty()) return said;
        Answer const answer = solver_.check(said.problem, {.model = true});
        if (auto const* sat = std::get_if<answer::Sat>(&answer)) {
            said.sat = true;
            said.model = sat->model;
        } else if (std::holds_alternative<answer::Unsat>(answer)) {
            said.sat = false;
        } else {
            said.trouble = NoAnswer::solver;
            said.what = to_string(answer, solver_.command());
        }
        return said;
    }

private:
    Answers solver_;
};

class NamedSubject final : public Asked {
public:
    NamedSubject(BuiltIn const& encoder, SubjectOptions const& options) : Asked(options), encoder_(&encoder) {}

    Said ask(Case const& c, Buffering buffering) override {
        Question question{.messages = c.messages, .buffering = buffering, .pairs = PairsMethod::overapprox};
        if (c.trace) question.trace = &*c.trace;
        auto problem = encoder_->encode(question);
        if (!problem) return trouble(NoAnswer::refused, problem.error());
        Said said;
        said.problem = std::move(*problem);
        return solved(std::move(said));
    }

private:
    BuiltIn const* encoder_;
};

class CommandSubject final : public Asked {
public:
    CommandSubject(SubjectOptions const& options, std::filesystem::path const& folder)
        : Asked(options), options_(options), ctp_(folder / "program.ctp"), pairs_(folder / "pairs.txt") {}

    Said ask(Case const& c, Buffering buffering) override {
        bool file = false;
        std::vector<std::string> command = options_.command;
        for (std::size_t i = 1; i < command.size(); ++i) {
            if (replace(command[i], "{ctp}", ctp_.string())) {
                if (!std::exchange(file, true)) std::ofstream(ctp_) << c.text();
            }
            replace(command[i], "{buffering}", name(buffering));
            if (replace(command[i], "{pairs}", pairs_.string())) write_pairs(c.messages);
        }
        using Clock = ChildProcess::Clock;
        ChildProcess child;
        if (std::string const what = child.start(command, options_.memory, output_limit); !what.empty())
            return trouble(NoAnswer::cannot_start, fmt::format("{}: {}", printable(command.front(), 120), what));
        auto const reply =
            child.finish(std::string(file ? std::string_view() : c.text()), Clock::now() + options_.time);
        using End = ChildProcess::Reply::End;
        auto const complaint = [&] {
            std::string_view last = trimmed(child.messages());
            last = trimmed(last.substr(std::min(last.size(), last.rfind('\n') + 1)));
            return last.empty() ? std::string() : fmt::format("; its standard error ends: {}", in_short(last));
        };
        if (reply.end == End::late)
            return trouble(NoAnswer::out_of_time,
                           fmt::format("no answer within {} s", static_cast<double>(options_.time.count()) / 1000));
        if (reply.end == End::too_long)
            return trouble(NoAnswer::too_long, fmt::format("printed more than {} MiB", output_limit >> 20U));
        int const code = child.exit_code().value_or(-1);
        // 10 and 20 are what many tools mean with them: something was found, nothing was.
        if (code != 0 && code != 10 && code != 20) {
            bool const memory = child.messages().find("emory") != std::string::npos ||
                                child.messages().find("bad_alloc") != std::string::npos;
            std::string const limit = memory ? fmt::format(" (it may have {} MiB)", options_.memory >> 20U) : "";
            return trouble(memory ? NoAnswer::out_of_memory : NoAnswer::crashed, child.status() + limit + complaint());
        }
        Said said = read_answer(reply.text);
        if (said.trouble == NoAnswer::nonsense) said.what += complaint();
        return solved(std::move(said));
    }

private:
    static bool replace(std::string& text, std::string_view what, std::string_view by) {
        bool found = false;
        for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
            text.replace(at, what.size(), by);
            found = true;
        }
        return found;
    }

    void write_pairs(MessageIndex const& messages) const {
        std::ofstream out(pairs_);
        MatchPairs const pairs = overapprox(messages);
        for (std::uint32_t r = 0; r < pairs.of.size(); ++r)
            for (std::uint32_t const s : pairs.of[r])
                out << messages.code().names()(messages.receives()[r].a) << ' '
                    << messages.code().names()(messages.sends()[s].a) << '\n';
    }

    SubjectOptions options_;
    std::filesystem::path ctp_;
    std::filesystem::path pairs_;
};

} // namespace

std::string_view to_string(NoAnswer t) {
    switch (t) {
    case NoAnswer::none: return "none";
    case NoAnswer::cannot_start: return "cannot be started";
    case NoAnswer::crashed: return "crashed";
    case NoAnswer::out_of_time: return "out of time";
    case NoAnswer::out_of_memory: return "out of memory";
    case NoAnswer::too_long: return "too much output";
    case NoAnswer::nonsense: return "nonsense";
    case NoAnswer::refused: return "no problem";
    case NoAnswer::solver: return "no answer from the solver";
    }
    return "";
}

Said read_answer(std::string_view printed) {
    std::string_view const text = trimmed(printed);
    if (text.empty()) return trouble(NoAnswer::nonsense, "it printed nothing");
    if (text.front() == '{') return read_json(text);
    if (text.front() == '(' || text.front() == ';') return read_problem(text);
    Said said;
    if (read_word(text, said)) return said;
    return trouble(NoAnswer::nonsense, fmt::format("it printed {}", in_short(text)));
}

std::unique_ptr<Subject> make_subject(SubjectOptions const& options, std::filesystem::path const& folder) {
    if (options.command.size() == 1)
        if (BuiltIn const* const encoder = find_built_in(options.command.front()))
            return std::make_unique<NamedSubject>(*encoder, options);
    return std::make_unique<CommandSubject>(options, folder);
}

} // namespace matchpoint::validate
