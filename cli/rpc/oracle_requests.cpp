#include "cli/rpc/oracle_requests.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "base/columns.hpp"
#include "base/overloaded.hpp"
#include "cli/build_info.hpp"
#include "cli/program_input.hpp"
#include "cli/suggestion.hpp"
#include "explain/words.hpp"
#include "record/provenance.hpp"
#include "report/json.hpp"

namespace matchpoint::cli {

std::vector<OracleRequests::Request> const& OracleRequests::table() {
    using Requests = OracleRequests;
    static std::vector<Request> const all{
        {"load", {"file", "text", "buffering"}, &Requests::load},
        {"program", {}, &Requests::program},
        {"pairs", {"method"}, &Requests::pairs},
        {"encode",
         {"pairs", "forbidden", "encoding", "order", "asked", "runs", "check_sat", "cores", "models"},
         &Requests::encode},
        {"feasible", {"matches", "trace", "minimize"}, &Requests::feasible},
        {"model", {"model", "trace", "minimize"}, &Requests::model},
        {"can_fail", {"runs", "trace"}, &Requests::can_fail},
        {"order", {"locations", "trace", "minimize"}, &Requests::order},
        {"trace", {"trace"}, &Requests::trace},
        {"push", {}, &Requests::push},
        {"pop", {}, &Requests::pop},
        {"assume", {"required", "forbidden"}, &Requests::assume},
        {"check", {"trace", "minimize"}, &Requests::check},
        {"next", {"trace"}, &Requests::next},
        {"version", {}, &Requests::version},
        {"limits", {"steps"}, &Requests::limits},
        {"wait", {"seconds"}, &Requests::wait},
        {"cancel", {"id"}, &Requests::cancel},
        {"shutdown", {}, &Requests::shutdown},
    };
    return all;
}

std::vector<std::string_view> OracleRequests::names() {
    std::vector<std::string_view> result;
    for (Request const& request : table()) result.push_back(request.name);
    return result;
}

std::string OracleRequests::overview() {
    std::string text;
    for (Request const& request : table()) {
        std::string line = fmt::format("  {:<12}{}", request.name, fmt::join(request.parameters, ", "));
        line.erase(line.find_last_not_of(' ') + 1);
        text += base::wrapped(line + "\n", 80);
    }
    return text + R"(
Values of parameters, the default first; `docs/oracle.md` says more:
  buffering   infinite, zero
  method      overapprox, tight, exact; pairs of encode likewise, or a list
  encoding    exact, fusion, order-based, schedule, section5, section5-zero,
              short-paper
  asked       failure, success, any
  runs        of encode: complete, executions; of can_fail: executions, complete
  minimize    rules, search
  order, check_sat, trace   true, false
  cores, models             false, true
)";
}

OracleRequests::Request const* OracleRequests::find(std::string_view name) {
    auto const found =
        std::find_if(table().begin(), table().end(), [&](Request const& request) { return request.name == name; });
    return found == table().end() ? nullptr : &*found;
}

void OracleRequests::handle(Request const& request, Parameters const& parameters, std::string& out) {
    parameters.only(request.parameters);
    (this->*request.run)(parameters, out);
}

Loaded& OracleRequests::loaded() {
    if (loaded_ == nullptr) throw RequestError{no_program, "no program is loaded"};
    return *loaded_;
}

// ---------------------------------------------------------------------------------------------------------------------
// Parameters

namespace {

Oracle::Means minimize_of(Parameters const& parameters) {
    return parameters.choice<Oracle::Means>("minimize",
                                            {{"rules", Oracle::Means::rules}, {"search", Oracle::Means::search}});
}

bool trace_of(Parameters const& parameters) { return parameters.flag("trace", true); }

/// The canonical form of an endpoint or a tag: digits without leading zeros.
std::string name_of_number(Incoming const& given, std::string_view what) {
    if (auto const n = whole_number(given)) return std::to_string(*n);
    std::string digits = given.is_string() ? given.get<std::string>() : std::string();
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
        bad_parameter(fmt::format("{} is a number that is not negative, or a string of its digits", what));
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
    return digits;
}

Oracle::TraceEntry trace_entry(Incoming const& given) {
    if (!given.is_array() || given.empty() || !given[0].is_string())
        bad_parameter("an entry is [location, [destination, source], ..]; a movement can name a tag, too");
    Oracle::TraceEntry entry;
    entry.rho = given[0].get_ref<std::string const&>();
    for (std::size_t i = 1; i < given.size(); ++i) {
        bool const is_peek = given[i].is_array() && !given[i].empty() && given[i][0] == "peek";
        std::size_t const first = is_peek ? 1 : 0;
        if (!given[i].is_array() || given[i].size() < first + 2 || given[i].size() > first + 3)
            bad_parameter("a movement is [destination, source] or [destination, source, tag]");
        if (is_peek && i + 1 != given.size()) bad_parameter("a peek is the last part of an entry");
        Oracle::TraceEntry::Movement m{
            name_of_number(given[i][first], "an endpoint"), name_of_number(given[i][first + 1], "an endpoint"),
            given[i].size() == first + 3 ? name_of_number(given[i][first + 2], "a tag") : ""};
        if (is_peek)
            entry.peek = std::move(m);
        else
            entry.m.push_back(std::move(m));
    }
    return entry;
}

} // namespace

/// By name, or by its number in the answer to `program`, from 0.
std::uint32_t OracleRequests::number_of(Role role, Incoming const& given) {
    bool const receive = role == Role::receive;
    std::string_view const what = receive ? "receive" : "send";
    if (auto const n = whole_number(given)) {
        std::size_t const count = receive ? messages().receives().size() : messages().sends().size();
        if (*n >= count) bad_parameter(fmt::format("there is no {} {}: there are {}", what, *n, count));
        return static_cast<std::uint32_t>(*n);
    }
    if (!given.is_string()) bad_parameter(fmt::format("a {} is named by a string, or by an integer from 0 on", what));
    auto const number = message_named(messages(), role, given.get_ref<std::string const&>());
    if (!number) bad_parameter(number.error());
    return *number;
}

std::vector<Pair> OracleRequests::matches(Incoming const& given) {
    std::vector<Pair> result;
    result.reserve(given.size());
    if (given.is_object()) {
        for (auto const& [r, s] : given.get_ref<Parameters::Object const&>())
            result.push_back({number_of(Role::receive, Incoming(r)), number_of(Role::send, s)});
    } else if (given.is_array()) {
        for (Incoming const& pair : given) {
            if (!pair.is_array() || pair.size() != 2) bad_parameter("a match is [receive, send]");
            result.push_back({number_of(Role::receive, pair[0]), number_of(Role::send, pair[1])});
        }
    } else {
        bad_parameter("matches are {receive: send, ..} or [[receive, send], ..]");
    }
    return result;
}

std::vector<Location> OracleRequests::locations(Incoming const& given) {
    std::vector<Location> result;
    std::vector<bool> seen(loaded().code.ctp().commands.size());
    for (Incoming const& name : given) {
        Location const rho = location(name);
        if (seen[rho.index]) bad_parameter(fmt::format("{} is there twice", printable(to_text(name))));
        seen[rho.index] = true;
        result.push_back(rho);
    }
    return result;
}

Location OracleRequests::location(Incoming const& given) {
    IndexedProgram const& code = loaded().code;
    if (!given.is_string()) bad_parameter(fmt::format("there is no location {}", printable(to_text(given))));
    auto const& name = given.get_ref<std::string const&>();
    Names const& names = code.names().locations;
    auto const rho = names.find(name);
    if (!rho || !code.has({*rho}))
        bad_parameter(fmt::format("there is no location `{}`{}", printable(name), name_suggestion(name, names)));
    return {*rho};
}

// ---------------------------------------------------------------------------------------------------------------------
// Programs

namespace {

/// None if there is an oracle for the program.
std::optional<std::string> refusal_of(Program const& program, Buffering buffering) {
    IndexedProgram const code(program);
    if (code.is_plain()) return std::nullopt;
    return Oracle::refuses(MessageIndex(code), buffering);
}

} // namespace

void OracleRequests::load(Parameters const& parameters, std::string& out) {
    bool const is_file = parameters.find("file") != nullptr;
    if (is_file == (parameters.find("text") != nullptr)) bad_parameter("either `file` or `text`");
    auto const buffering =
        parameters.choice<Buffering>("buffering", {{"infinite", Buffering::infinite}, {"zero", Buffering::zero}});
    std::string const& given = parameters.need_text(is_file ? "file" : "text");
    if (is_file && given == "-") bad_parameter("standard input is where requests come from");
    if (given.size() > Source::max_size) throw RequestError{limit_reached, "the text is too long"};
    auto source = is_file ? read_source(given) : Expected<Source, FileError>(Source("<text>", given));
    if (!source) throw RequestError{unreadable_file, source.error()};
    ProgramInput input = examine(std::move(*source), Discipline::as_errors);
    if (has_error(input.diagnostics))
        throw RequestError{program_refused, headline(input.diagnostics.front(), input.source),
                           compact({{"diagnostics", to_json(input.diagnostics, input.source)}})};
    if (auto const why = refusal_of(*input.program, buffering))
        throw RequestError{program_refused, "the oracle cannot answer for this program: " + *why,
                           compact({{"diagnostics", Json::array()}})};
    auto next =
        std::make_unique<Loaded>(std::move(input.source), std::move(*input.program), buffering, cancellation_.flag());
    if (loaded_ != nullptr) next->oracle.limit_steps(oracle().step_limit());
    loaded_ = std::move(next);
    Writer answer(out);
    answer.text("buffering", to_string(buffering));
    answer.number("threads", loaded_->program.ctp.threads.size());
    answer.number("commands", loaded_->program.ctp.commands.size());
    answer.number("receives", messages().receives().size());
    answer.number("sends", messages().sends().size());
    std::string const not_known = record::not_known(messages().code(), loaded_->source.text());
    if (!not_known.empty()) answer.text("not_known", not_known);
}

void OracleRequests::program(Parameters const&, std::string& out) { writer(out).names(); }

namespace {

PairsMethod method_of(Parameters const& parameters, std::string_view key) {
    return parameters.choice<PairsMethod>(
        key, {{"overapprox", PairsMethod::overapprox}, {"tight", PairsMethod::tight}, {"exact", PairsMethod::exact}});
}

} // namespace

std::optional<MatchPairs> OracleRequests::find_pairs(PairsMethod method, std::string& out) {
    if (method == PairsMethod::overapprox) return pairs_by(messages(), oracle().buffering(), method);
    before_search_();
    if (method == PairsMethod::tight) return oracle().possible();
    return std::visit(overloaded{
                          [](MatchPairs&& pairs) { return std::optional(std::move(pairs)); },
                          [&](Oracle::Unknown const& unknown) {
                              writer(out).unknown(unknown);
                              return std::optional<MatchPairs>();
                          },
                      },
                      oracle().exact());
}

void OracleRequests::pairs(Parameters const& parameters, std::string& out) {
    if (auto const pairs = find_pairs(method_of(parameters, "method"), out)) writer(out).pairs(*pairs);
}

/// {receive: [send, ..], ..}, as the answer to `pairs` has them.
MatchPairs OracleRequests::given_pairs(Incoming const& given) {
    MatchPairs pairs;
    pairs.of.resize(messages().receives().size());
    for (auto const& [receive, sends] : given.get_ref<Parameters::Object const&>()) {
        if (!sends.is_array()) bad_parameter("`pairs` is a method, or {receive: [send, ..], ..}");
        std::uint32_t const r = number_of(Role::receive, Incoming(receive));
        std::set<std::uint32_t> numbers;
        for (Incoming const& send : sends) {
            std::uint32_t const s = number_of(Role::send, send);
            if (auto const wrong = why_no_pair(messages(), r, s)) bad_parameter(*wrong);
            numbers.insert(s);
        }
        pairs.of[r].assign(numbers.begin(), numbers.end());
    }
    return pairs;
}

/// The encoder of all executions that is asked for, if it takes the program and the options.
encode::Encoder const& OracleRequests::encoding_of(Parameters const& parameters, EncoderOptions const& options) {
    std::string const name = parameters.find("encoding") == nullptr ? "exact" : parameters.need_text("encoding");
    Encoder const* const encoder = find_encoder(name);
    if (encoder == nullptr || encoder->is_of_one_trace())
        bad_parameter(fmt::format("`encoding`: there is no encoder `{}` of all executions", printable(name)));
    if (auto const why = encoder->refuses(messages())) throw RequestError{program_refused, *why};
    if (auto const why = encoder->refuses(messages(), options)) bad_parameter("`encoding`: " + *why);
    return *encoder;
}

void OracleRequests::encode(Parameters const& parameters, std::string& out) {
    EncoderOptions options;
    options.buffering = oracle().buffering();
    options.asked = parameters.choice<encode::Asked>(
        "asked",
        {{"failure", encode::Asked::failure}, {"success", encode::Asked::success}, {"any", encode::Asked::any}});
    options.runs = parameters.choice<Runs>("runs", {{"complete", Runs::complete}, {"executions", Runs::executions}});
    options.order = parameters.flag("order", true);
    if (!options.order && messages().code().shares())
        bad_parameter("`order`: false is not for programs with shared variables");
    if (!options.order && options.runs == Runs::executions)
        bad_parameter("`order`: false goes with `runs`: \"complete\" only");
    options.check_sat = parameters.flag("check_sat", true);
    options.cores = parameters.flag("cores", false);
    options.models = parameters.flag("models", false);
    Encoder const& encoder = encoding_of(parameters, options);
    Incoming const* const given = parameters.find("pairs");
    Incoming const* const forbidden = parameters.find("forbidden");
    bool const has_list = given != nullptr && given->is_object();
    PairsMethod const method = has_list ? PairsMethod::tight : method_of(parameters, "pairs");
    if ((has_list || forbidden != nullptr) && (options.runs == Runs::executions || !messages().code().is_plain()))
        bad_parameter("a list of `pairs`, and `forbidden`, are for complete runs of programs without shared variables, "
                      "selectors, modes and barriers");
    encode::EncoderInput input{
        .messages = messages(), .method = method, .budget = Budget{.steps = oracle().step_limit()}};
    std::optional<MatchPairs> pairs;
    if (messages().code().is_plain()) {
        pairs = has_list                           ? given_pairs(*given)
                : options.runs == Runs::executions ? tight_on_path(messages(), options.buffering)
                                                   : find_pairs(method, out);
        if (!pairs) return;
        if (forbidden != nullptr)
            for (Pair const p : matches(*forbidden)) std::erase(pairs->of[p.r], p.s);
        input.pairs = &*pairs;
    }
    auto const problem = encoder.encode(input, options);
    if (!problem) return writer(out).unknown(Oracle::Unknown{false}); // not within the limit
    Writer answer(out);
    answer.text("smt", *problem);
}

// ---------------------------------------------------------------------------------------------------------------------
// Questions

void OracleRequests::feasible(Parameters const& parameters, std::string& out) {
    Oracle::Wanted const wanted{matches(parameters.need("matches")), {}};
    bool const trace = trace_of(parameters);
    Oracle::Means const minimize = minimize_of(parameters);
    // If neither a trace nor a search is needed, and the answer is yes, no run is needed either.
    if (!matching_ || matching_->size() != messages().receives().size()) matching_.emplace(messages());
    matching_->clear();
    bool once = true;
    for (Pair const& p : wanted.required) {
        once &= (*matching_)[p.r] == unmatched;
        (*matching_)[p.r] = p.s;
    }
    bool const complete = once && wanted.required.size() == matching_->size();
    if (complete && !trace && oracle().is_feasible(*matching_)) {
        out += R"({"answer":"feasible"})";
        return;
    }
    if (!complete || minimize == Oracle::Means::search) before_search_();
    writer(out).answer(oracle().feasible(wanted, minimize), trace);
}

void OracleRequests::model(Parameters const& parameters, std::string& out) {
    Oracle::Means const minimize = minimize_of(parameters);
    bool const trace = trace_of(parameters);
    std::string const& model = parameters.need_text("model");
    loaded();
    before_search_();
    auto const answer = oracle().feasible_model(model, minimize);
    if (!answer) bad_parameter(answer.error());
    writer(out).answer(*answer, trace);
}

void OracleRequests::can_fail(Parameters const& parameters, std::string& out) {
    bool const trace = trace_of(parameters);
    auto const runs = parameters.choice<Runs>("runs", {{"executions", Runs::executions}, {"complete", Runs::complete}});
    loaded();
    before_search_();
    std::visit(overloaded{
                   [&](Oracle::Failing const& failing) { writer(out).failing(failing, trace); },
                   [&](Oracle::Unknown const& unknown) { writer(out).unknown(unknown); },
               },
               oracle().can_fail(runs, record::not_known(messages().code(), loaded_->source.text())));
}

void OracleRequests::order(Parameters const& parameters, std::string& out) {
    bool const trace = trace_of(parameters);
    Oracle::Means const minimize = minimize_of(parameters);
    std::vector<Location> const sequence = locations(parameters.need_array("locations"));
    before_search_();
    writer(out).answer(oracle().order(sequence, minimize), trace);
}

void OracleRequests::trace(Parameters const& parameters, std::string& out) {
    std::vector<Oracle::TraceEntry> entries;
    for (Incoming const& entry : parameters.need_array("trace")) {
        entries.push_back(trace_entry(entry));
        static_cast<void>(location(entry[0])); // it is one of the program
    }
    writer(out).replay(oracle().trace(entries));
}

// ---------------------------------------------------------------------------------------------------------------------
// Assumptions

void OracleRequests::add_levels(std::string& out) {
    Writer answer(out);
    answer.number("levels", oracle().levels());
    answer.number("required", oracle().assumed().required.size());
    answer.number("forbidden", oracle().assumed().forbidden.size());
}

void OracleRequests::push(Parameters const&, std::string& out) {
    oracle().push();
    add_levels(out);
}

void OracleRequests::pop(Parameters const&, std::string& out) {
    if (!oracle().pop()) bad_parameter("there is no level to go back to");
    add_levels(out);
}

void OracleRequests::assume(Parameters const& parameters, std::string& out) {
    Oracle::Wanted wanted;
    if (Incoming const* const given = parameters.find("required")) wanted.required = matches(*given);
    if (Incoming const* const given = parameters.find("forbidden")) wanted.forbidden = matches(*given);
    oracle().assume(wanted);
    add_levels(out);
}

void OracleRequests::check(Parameters const& parameters, std::string& out) {
    Oracle::Means const minimize = minimize_of(parameters);
    bool const trace = trace_of(parameters);
    loaded();
    before_search_();
    writer(out).answer(oracle().check(minimize), trace);
}

void OracleRequests::next(Parameters const& parameters, std::string& out) {
    bool const trace = trace_of(parameters);
    loaded();
    before_search_();
    auto const next = oracle().next();
    if (!next) {
        out += R"({"answer":"done"})";
        return;
    }
    std::visit(overloaded{
                   [&](Run const& run) { writer(out).run(run, trace); },
                   [&](Oracle::Unknown const& unknown) { writer(out).unknown(unknown); },
               },
               *next);
}

// ---------------------------------------------------------------------------------------------------------------------
// The session

void OracleRequests::version(Parameters const&, std::string& out) {
    constexpr std::uint64_t protocol = 1; // grows when an old client no longer understands an answer
    Writer answer(out);
    answer.text("version", build_info::version);
    if (build_info::commit.empty())
        answer.member("commit") += "null";
    else
        answer.text("commit", build_info::commit);
    answer.number("protocol", protocol);
}

void OracleRequests::limits(Parameters const& parameters, std::string& out) {
    if (Incoming const* const steps = parameters.find("steps")) {
        auto const n = whole_number(*steps);
        if (!n || *n == 0) bad_parameter("`steps` has to be an integer from 1 on");
        oracle().limit_steps(*n);
    }
    Writer answer(out);
    answer.number("steps", oracle().step_limit());
}

/// A request that lasts, whatever the program: clients try out with it how they cancel.
void OracleRequests::wait(Parameters const& parameters, std::string& out) {
    constexpr double most = 3600;
    Incoming const& given = parameters.need("seconds");
    if (!given.is_number() || given.get<double>() <= 0 || given.get<double>() > most)
        bad_parameter(fmt::format("`seconds` has to be a number above 0, and at most {}", most));
    before_search_();
    using Clock = std::chrono::steady_clock;
    auto const end = Clock::now() + std::chrono::duration<double>(given.get<double>());
    while (Clock::now() < end) {
        if (cancellation_.flag()) throw RequestError{ErrorCode::cancelled, "cancelled"};
        std::this_thread::sleep_for(
            std::min<std::chrono::duration<double>>(end - Clock::now(), std::chrono::milliseconds(5)));
    }
    Writer answer(out);
    answer.member("waited") += to_text(given);
}

void OracleRequests::cancel(Parameters const& parameters, std::string& out) {
    Incoming const& id = parameters.need("id");
    if (!is_id(id)) bad_parameter("`id` has to be a string, a number or null");
    Writer answer(out);
    answer.boolean("cancelled", cancellation_.was_in_time(to_text(id)));
}

void OracleRequests::shutdown(Parameters const&, std::string& out) {
    over_ = true;
    out += "null";
}

} // namespace matchpoint::cli
