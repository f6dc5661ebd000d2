#include "validate/subject.hpp"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "encode/registry.hpp"
#include "smt_machine/s_expressions.hpp"

namespace matchpoint::validate {

namespace {

SubjectAnswer trouble(NoAnswer kind, std::string what) {
    SubjectAnswer answer;
    answer.trouble = kind;
    answer.what = std::move(what);
    return answer;
}

/// False if the word is no answer.
bool read_word(std::string_view word, SubjectAnswer& answer) {
    if (word == "sat" || word == "violated")
        answer.sat = true;
    else if (word == "unsat" || word == "safe" || word == "vacuous")
        answer.sat = false;
    else if (word == "unknown")
        answer.trouble = NoAnswer::solver, answer.what = "it says `unknown`";
    else
        return false;
    return true;
}

SubjectAnswer read_json(std::string_view text) {
    auto const json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object())
        return trouble(NoAnswer::nonsense, fmt::format("it printed what is not a JSON object: `{}`", in_short(text)));
    SubjectAnswer answer;
    for (char const* key : {"verdict", "answer", "status"}) {
        auto const it = json.find(key);
        if (it == json.end() || !it->is_string()) continue;
        if (!read_word(it->get<std::string>(), answer))
            return trouble(NoAnswer::nonsense, fmt::format("its {} is `{}`", key, in_short(it->get<std::string>())));
        if (auto const matches = json.find("matches"); matches != json.end() && matches->is_array())
            for (auto const& m : *matches)
                if (m.is_array() && m.size() == 2 && m[0].is_string() && m[1].is_string())
                    answer.matches.emplace_back(m[0].get<std::string>(), m[1].get<std::string>());
        return answer;
    }
    return trouble(NoAnswer::nonsense, fmt::format("its JSON object has no \"verdict\": `{}`", in_short(text)));
}

enum class Role { belongs_to_problem, asks_check_sat, dropped, forbidden };

/// What a command of a subject's SMT-LIB text means to us.
Role role_of(std::string_view command) {
    std::string_view const word = head_of_list(command);
    if (!command.starts_with('(')) return Role::forbidden;
    if (word == "check-sat") return Role::asks_check_sat;
    if (word == "push" || word == "pop" || word == "reset" || word == "check-sat-assuming") return Role::forbidden;
    if (word.starts_with("get-") || word == "exit" || word == "echo") return Role::dropped;
    bool const is_ours = word == "set-option" && (command.find(":produce-models") != std::string_view::npos ||
                                                  command.find(":print-success") != std::string_view::npos);
    return is_ours ? Role::dropped : Role::belongs_to_problem;
}

SubjectAnswer read_problem(std::string_view text) {
    SubjectAnswer answer;
    std::size_t questions = 0;
    Tokens tokens(text);
    for (std::size_t begin = 0; !tokens.at_end(); begin = tokens.position()) {
        auto const command = tokens.expression();
        if (!command)
            return trouble(NoAnswer::nonsense, fmt::format("its SMT-LIB ends in the middle of a command: `{}`",
                                                           in_short(text.substr(tokens.position()))));
        switch (role_of(*command)) {
        case Role::belongs_to_problem: // with the comments before it
            answer.problem.append(trimmed(text.substr(begin, tokens.position() - begin))).append("\n");
            break;
        case Role::asks_check_sat: ++questions; break;
        case Role::dropped: break;
        case Role::forbidden:
            return trouble(NoAnswer::nonsense,
                           fmt::format("one problem is wanted, and it printed `{}`", in_short(*command)));
        }
    }
    if (questions > 1) return trouble(NoAnswer::nonsense, "it asks (check-sat) more than once");
    if (questions == 0 && answer.problem.empty())
        return trouble(NoAnswer::nonsense, fmt::format("its problem has no commands: `{}`", in_short(text)));
    if (answer.problem.empty()) answer.problem = "(assert true)\n"; // it asks nothing of a run
    return answer;
}

std::string_view name(Buffering b) { return b == Buffering::zero ? "zero" : "infinite"; }

/// A subject whose problems we solve.
class SolvingSubject : public Subject {
public:
    explicit SolvingSubject(SubjectOptions const& options) : solver_(options.solver, {.time = options.time}) {}

protected:
    /// Completes an answer that is a problem.
    SubjectAnswer solved(SubjectAnswer subject) {
        if (subject.trouble != NoAnswer::none || subject.sat || subject.problem.empty()) return subject;
        Answer answer = solver_.check(subject.problem, {.model = true});
        subject.sat = is_sat(answer);
        if (auto* const sat = std::get_if<answer::Sat>(&answer)) subject.model = std::move(sat->model);
        if (!subject.sat) {
            subject.trouble = NoAnswer::solver;
            subject.what = to_string(answer, solver_.command());
        }
        return subject;
    }

private:
    CachingSolver solver_;
};

/// An encoder of encode/registry.hpp.
class EncoderSubject final : public SolvingSubject {
public:
    EncoderSubject(Encoder const& encoder, SubjectOptions const& options)
        : SolvingSubject(options), encoder_(&encoder), question_(options.question) {}

    SubjectAnswer ask(Case const& c, Buffering buffering) override {
        EncoderInput input{.messages = c.messages, .method = PairsMethod::overapprox};
        if (c.trace) input.trace = &*c.trace;
        auto const model = model_of(c, buffering, question_);
        if (model && encoder_->asks == Encoder::Asks::anything) input.model = &*model;
        EncoderOptions options{
            .buffering = buffering, .runs = question_.runs, .switches = question_.switches, .check_sat = false};
        if (encoder_->refuses(options)) options.runs = Runs::complete;
        auto problem = encoder_->encode(input, options);
        if (!problem) return trouble(NoAnswer::refused, problem.error());
        SubjectAnswer answer;
        answer.problem = std::move(*problem);
        return solved(std::move(answer));
    }

private:
    Encoder const* encoder_;
    Question question_;
};

class CommandSubject final : public SolvingSubject {
public:
    CommandSubject(SubjectOptions const& options, std::filesystem::path const& folder)
        : SolvingSubject(options), options_(options), ctp_(folder / "program.ctp"), pairs_(folder / "pairs.txt"),
          knows_buffering_(names_buffering(options.command)) {}

    /// A command that is told no buffering has one answer for both, and is run once.
    SubjectAnswer ask(Case const& c, Buffering buffering) override {
        if (knows_buffering_) return answer_of_command(c, buffering);
        if (last_.sat && last_buffering_ != buffering && last_text_ == c.text()) {
            last_.seconds = 0;
            return last_;
        }
        last_ = answer_of_command(c, buffering);
        last_buffering_ = buffering;
        last_text_ = c.text();
        return last_;
    }

private:
    SubjectAnswer answer_of_command(Case const& c, Buffering buffering) {
        bool file = false;
        std::vector<std::string> command = options_.command;
        for (std::size_t i = 1; i < command.size(); ++i) {
            if (replace(command[i], "{ctp}", ctp_.string())) {
                if (!std::exchange(file, true)) std::ofstream(ctp_) << c.text();
            }
            replace(command[i], "{buffering}", name(buffering));
            replace(command[i], "{runs}", std::string(to_string(options_.question.runs)));
            if (options_.question.model)
                replace(command[i], "{model}", std::string(to_string(*options_.question.model)));
            if (options_.question.switches)
                replace(command[i], "{switches}", std::to_string(*options_.question.switches));
            if (replace(command[i], "{pairs}", pairs_.string())) write_pairs(c.messages);
        }
        auto const begin = std::chrono::steady_clock::now();
        Printed const printed = run_external(command, std::string(file ? std::string_view() : c.text()),
                                             {.time = options_.time, .memory = options_.memory});
        if (printed.trouble != NoAnswer::none) return trouble(printed.trouble, printed.what);
        SubjectAnswer answer = read_answer(printed.text);
        answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (answer.trouble == NoAnswer::nonsense) answer.what += printed.complaint;
        return solved(std::move(answer));
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
    bool knows_buffering_;
    SubjectAnswer last_;
    std::string last_text_;
    Buffering last_buffering_ = Buffering::infinite;
};

} // namespace

bool names_buffering(std::vector<std::string> const& command) {
    return std::any_of(command.begin(), command.end(),
                       [](std::string const& word) { return word.find("{buffering}") != std::string::npos; });
}

SubjectAnswer read_answer(std::string_view printed) {
    std::string_view const text = trimmed(printed);
    if (text.empty())
        return trouble(NoAnswer::nonsense, printed.empty() ? "it printed nothing" : "it printed blanks only");
    if (text.front() == '{') return read_json(text);
    if (text.front() == '(' || text.front() == ';') return read_problem(text);
    SubjectAnswer answer;
    if (read_word(text, answer)) return answer;
    return trouble(NoAnswer::nonsense, fmt::format("it printed `{}`", in_short(text)));
}

std::unique_ptr<Subject> make_subject(SubjectOptions const& options, std::filesystem::path const& folder) {
    if (options.command.size() == 1)
        if (Encoder const* const encoder = find_encoder(options.command.front()))
            return std::make_unique<EncoderSubject>(*encoder, options);
    return std::make_unique<CommandSubject>(options, folder);
}

} // namespace matchpoint::validate
