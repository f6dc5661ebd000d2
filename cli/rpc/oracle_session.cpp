#include "cli/rpc/oracle_session.hpp"

#include <algorithm>
#include <new>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "check/oracle.hpp"
#include "cli/files.hpp"
#include "cli/terminal.hpp"
#include "encode/exact.hpp"
#include "grammar/discipline.hpp"
#include "grammar/parse.hpp"
#include "report/json.hpp"
#include "report/matching_words.hpp"
#include "report/words.hpp"

namespace matchpoint::cli {

namespace {

/// What is asked: objects with their keys in order, so that a large one is read in n log n.
using Incoming = nlohmann::json;

/// docs/oracle.md
enum ErrorCode : int {
    parse_error = -32700,
    invalid_request = -32600,
    no_such_method = -32601,
    invalid_parameters = -32602,
    internal_error = -32603,
    no_program = -32000,
    program_refused = -32001,
    limit_reached = -32002,
    cancelled = -32003,
    unreadable_file = -32004,
};

struct Failed {
    int code;
    std::string message;
    std::string data = {}; // JSON, or empty
};

[[noreturn]] void bad_parameter(std::string message) { throw Failed{invalid_parameters, std::move(message)}; }

/// Of well-formed UTF-8; what is not is replaced.
std::string json_text(std::string_view text) {
    return Incoming(text).dump(-1, ' ', false, Incoming::error_handler_t::replace);
}

/// Writes an object or an array as JSON: in one pass, whatever its size.
class Writer {
public:
    explicit Writer(std::string& out, char open = '{') : out_(out), close_(open == '{' ? '}' : ']') { out_ += open; }
    Writer(Writer const&) = delete;
    Writer& operator=(Writer const&) = delete;
    ~Writer() { out_ += close_; }

    /// For the value of a member, which the caller writes next. The key is an ASCII word, or JSON already.
    std::string& member(std::string_view key) {
        separate();
        out_ += '"';
        out_ += key;
        return out_ += "\":";
    }
    std::string& member_of(std::string_view key) {
        separate();
        out_ += key;
        return out_ += ':';
    }
    std::string& item() {
        separate();
        return out_;
    }
    void text(std::string_view key, std::string_view value) { member(key) += json_text(value); }
    void number(std::string_view key, std::uint64_t n) { member(key) += std::to_string(n); }
    void boolean(std::string_view key, bool b) { member(key) += b ? "true" : "false"; }

private:
    void separate() {
        if (!first_) out_ += ',';
        first_ = false;
    }

    std::string& out_;
    char close_;
    bool first_ = true;
};

/// No message of ours is nested more than six deep, and a parser's memory is not what a line's brackets should decide.
bool is_too_deep(std::string_view line) {
    constexpr int deepest = 64;
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        char const c = line[i];
        if (in_string) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            if (++depth > deepest) return true;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return false;
}

/// A discarded value if it is no JSON.
Incoming parsed(std::string_view line) { return Incoming::parse(line.begin(), line.end(), nullptr, false); }

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r\n") == std::string_view::npos; }

bool is_id(Incoming const& id) { return id.is_string() || id.is_number() || id.is_null(); }

std::string to_text(Incoming const& id) { return id.dump(-1, ' ', false, Incoming::error_handler_t::replace); }

bool is_request(Incoming const& message) {
    if (!message.is_object()) return false;
    auto const version = message.find("jsonrpc");
    auto const method = message.find("method");
    auto const id = message.find("id");
    auto const parameters = message.find("params");
    return version != message.end() && version->is_string() && version->get_ref<std::string const&>() == "2.0" &&
           method != message.end() && method->is_string() && (id == message.end() || is_id(*id)) &&
           (parameters == message.end() || parameters->is_structured());
}

void add_error(std::string& out, std::string_view id, Failed const& failed) {
    out += R"({"jsonrpc":"2.0","id":)";
    out += id;
    out += R"(,"error":)";
    {
        Writer error(out);
        error.member("code") += std::to_string(failed.code);
        error.text("message", failed.message);
        if (!failed.data.empty()) error.member("data") += failed.data;
    }
    out += '}';
}

/// A program that is there to be asked about.
struct Loaded {
    Source source;
    Program program;
    IndexedProgram code{program};
    MessageIndex messages{code};
    Oracle oracle;
    // Names as JSON.
    std::vector<std::string> receives;
    std::vector<std::string> sends;

    Loaded(Source s, Program p, Buffering buffering, std::atomic<bool> const& flag)
        : source(std::move(s)), program(std::move(p)), oracle(messages, buffering, &flag) {
        for (auto const& r : messages.receives()) receives.push_back(json_text(code.names()(r.a)));
        for (auto const& s_ : messages.sends()) sends.push_back(json_text(code.names()(s_.a)));
    }
};

} // namespace

// ---------------------------------------------------------------------------------------------------------------------
// Cancellation

void Cancellation::look(std::string_view lines) {
    // Most lines hold no such word, also if letters of it were escaped.
    if (lines.find("cancel") == std::string_view::npos && lines.find("\\u") == std::string_view::npos) return;
    auto const look_at = [&](Incoming const& message) {
        if (!is_request(message) || message["method"] != "cancel" || !message.contains("params")) return;
        auto const& parameters = message["params"];
        if (parameters.is_object() && parameters.contains("id") && is_id(parameters["id"]))
            cancel(to_text(parameters["id"]));
    };
    while (!lines.empty()) {
        std::size_t const end = std::min(lines.find('\n'), lines.size() - 1);
        std::string_view const line = lines.substr(0, end + 1);
        lines.remove_prefix(end + 1);
        if (is_too_deep(line)) continue;
        Incoming const message = parsed(line);
        if (message.is_array())
            std::for_each(message.begin(), message.end(), look_at);
        else
            look_at(message);
    }
}

void Cancellation::cancel(std::string const& id) {
    std::lock_guard const lock(mutex_);
    bool const is_running = running_ == id;
    told_[id] |= is_running;
    if (is_running) flag_ = true;
}

bool Cancellation::begin(std::string const& id) {
    std::lock_guard const lock(mutex_);
    flag_ = false;
    running_ = id;
    auto const it = told_.find(id);
    if (it == told_.end()) return true;
    it->second = true;
    return false;
}

void Cancellation::end() {
    std::lock_guard const lock(mutex_);
    flag_ = false;
    running_.reset();
}

bool Cancellation::was_in_time(std::string const& id) {
    std::lock_guard const lock(mutex_);
    auto const it = told_.find(id);
    if (it == told_.end()) return false;
    bool const result = it->second;
    told_.erase(it);
    return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Methods

class OracleSession::Implementation {
public:
    Implementation(Cancellation& cancellation, std::function<void()> before_search)
        : cancellation_(cancellation), before_search_(std::move(before_search)) {}

    bool is_over() const { return over_; }

    void answer(std::string_view line, std::string& out) {
        if (is_blank(line)) return;
        if (is_too_deep(line)) return add_error(out, "null", {limit_reached, "nested too deeply"});
        Incoming const message = parsed(line);
        if (message.is_discarded()) return add_error(out, "null", {parse_error, "this is no JSON"});
        if (!message.is_array()) {
            respond(message, out);
        } else if (message.empty()) {
            return add_error(out, "null", {invalid_request, "an empty batch"});
        } else {
            std::size_t const before = out.size();
            for (Incoming const& one : message) {
                std::size_t const begin = out.size();
                out += begin == before ? '[' : ',';
                respond(one, out);
                if (out.size() == begin + 1) out.resize(begin); // no answer
            }
            if (out.size() != before) out += ']';
        }
    }

private:
    using Parameters = Incoming::object_t;
    using Method = void (Implementation::*)(Parameters const&, std::string&);

    void respond(Incoming const& message, std::string& out) {
        if (!is_request(message)) {
            bool const has_id = message.is_object() && message.contains("id") && is_id(message["id"]);
            return add_error(
                out, has_id ? to_text(message["id"]) : "null",
                {invalid_request, R"(not a request: {"jsonrpc":"2.0","id":..,"method":"..","params":{..}})"});
        }
        auto const id = message.find("id");
        bool const wants_answer = id != message.end();
        std::string const id_text = wants_answer ? to_text(*id) : std::string();
        std::size_t const before = out.size();
        out += R"({"jsonrpc":"2.0","id":)";
        out += id_text;
        out += R"(,"result":)";
        try {
            call(message, id_text, wants_answer, out);
            out += '}';
            if (!wants_answer) out.resize(before);
        } catch (Failed const& failed) {
            out.resize(before);
            if (wants_answer) add_error(out, id_text, failed);
        }
    }

    /// Every trouble as a Failed, but that standard output cannot be written.
    void call(Incoming const& message, std::string const& id, bool wants_answer, std::string& out) {
        static std::unordered_map<std::string_view, Method> const methods{
            {"feasible", &Implementation::feasible}, {"order", &Implementation::order},
            {"trace", &Implementation::trace},       {"model", &Implementation::model},
            {"push", &Implementation::push},         {"pop", &Implementation::pop},
            {"assume", &Implementation::assume},     {"check", &Implementation::check},
            {"next", &Implementation::next},         {"pairs", &Implementation::pairs},
            {"encode", &Implementation::encoding},   {"program", &Implementation::names},
            {"load", &Implementation::load},         {"cancel", &Implementation::cancel},
            {"limits", &Implementation::limits},     {"shutdown", &Implementation::shutdown},
        };
        static Parameters const no_parameters;
        auto const& name = message["method"].get_ref<std::string const&>();
        auto const method = methods.find(name);
        if (method == methods.end())
            throw Failed{no_such_method, fmt::format("there is no method `{}`", printable(name))};
        auto const given = message.find("params");
        if (given != message.end() && !given->is_object()) bad_parameter("`params` has to be an object");
        Parameters const& parameters = given == message.end() ? no_parameters : given->get_ref<Parameters const&>();
        if (wants_answer && !cancellation_.begin(id)) {
            cancellation_.end();
            throw Failed{ErrorCode::cancelled, "cancelled"};
        }
        try {
            (this->*method->second)(parameters, out);
            cancellation_.end();
        } catch (Failed const&) {
            cancellation_.end();
            throw;
        } catch (OutputFailed const&) {
            throw;
        } catch (LimitReached const& e) {
            cancellation_.end();
            throw Failed{limit_reached, e.what()};
        } catch (std::bad_alloc const&) {
            cancellation_.end();
            throw Failed{limit_reached, "out of memory"};
        } catch (std::exception const& e) {
            cancellation_.end();
            throw Failed{internal_error, e.what()};
        }
    }

    // Parameters

    static void only(Parameters const& parameters, std::initializer_list<std::string_view> known) {
        for (auto const& [key, value] : parameters)
            if (std::find(known.begin(), known.end(), key) == known.end())
                bad_parameter(fmt::format("there is no parameter `{}`", printable(key)));
    }
    static Incoming const* find(Parameters const& parameters, std::string_view key) {
        auto const it = parameters.find(std::string(key));
        return it == parameters.end() ? nullptr : &it->second;
    }
    static Incoming const& need(Parameters const& parameters, std::string_view key) {
        Incoming const* const value = find(parameters, key);
        if (value == nullptr) bad_parameter(fmt::format("`{}` is missing", key));
        return *value;
    }
    static std::string const& need_text(Parameters const& parameters, std::string_view key) {
        Incoming const& value = need(parameters, key);
        if (!value.is_string()) bad_parameter(fmt::format("`{}` has to be a string", key));
        return value.get_ref<std::string const&>();
    }
    static bool flag(Parameters const& parameters, std::string_view key, bool otherwise) {
        Incoming const* const value = find(parameters, key);
        if (value == nullptr) return otherwise;
        if (!value->is_boolean()) bad_parameter(fmt::format("`{}` has to be true or false", key));
        return value->get<bool>();
    }
    /// One of a few words; the first if there is none.
    template <typename T>
    static T choice(Parameters const& parameters, std::string_view key,
                    std::initializer_list<std::pair<std::string_view, T>> words) {
        Incoming const* const value = find(parameters, key);
        if (value == nullptr) return words.begin()->second;
        std::string known;
        for (auto const& [word, meaning] : words) {
            if (*value == word) return meaning;
            known += (known.empty() ? "" : "|") + std::string(word);
        }
        bad_parameter(fmt::format("`{}` is none of {}", key, known));
    }
    static Oracle::Means means(Parameters const& parameters) {
        return choice<Oracle::Means>(parameters, "minimize",
                                     {{"rules", Oracle::Means::rules}, {"search", Oracle::Means::search}});
    }

    Loaded& loaded() {
        if (loaded_ == nullptr) throw Failed{no_program, "no program is loaded"};
        return *loaded_;
    }
    Oracle& oracle() { return loaded().oracle; }
    MessageIndex const& messages() { return loaded().messages; }

    /// By name, or by number (from 0, as `program` lists them).
    template <bool receive>
    std::uint32_t number_of(Incoming const& given) {
        constexpr std::string_view what = receive ? "receive" : "send";
        IndexedProgram const& code = messages().code();
        if (given.is_number_unsigned()) {
            std::size_t const count = receive ? messages().receives().size() : messages().sends().size();
            auto const n = given.get<std::uint64_t>();
            if (n >= count) bad_parameter(fmt::format("there is no {} {}: there are {}", what, n, count));
            return static_cast<std::uint32_t>(n);
        }
        if (!given.is_string()) bad_parameter(fmt::format("a {} is named by a string or a number", what));
        auto const& name = given.get_ref<std::string const&>();
        auto const a = code.names().actions.find(name);
        if (!a || (receive ? code.as_rcvi({*a}) == nullptr : code.as_sndi({*a}) == nullptr))
            bad_parameter(fmt::format("there is no {} `{}`", what, printable(name)));
        return receive ? messages().receive_number({*a}) : messages().send_number({*a});
    }
    std::vector<Pair> matches(Incoming const& given) {
        std::vector<Pair> result;
        result.reserve(given.size());
        if (given.is_object()) {
            for (auto const& [r, s] : given.get_ref<Parameters const&>())
                result.push_back({number_of<true>(Incoming(r)), number_of<false>(s)});
        } else if (given.is_array()) {
            for (Incoming const& pair : given) {
                if (!pair.is_array() || pair.size() != 2) bad_parameter("a match is [receive, send]");
                result.push_back({number_of<true>(pair[0]), number_of<false>(pair[1])});
            }
        } else {
            bad_parameter("matches are {receive: send, ..} or [[receive, send], ..]");
        }
        return result;
    }

    // Answers

    void add_matches(std::string& out, Matching const& m) {
        Writer object(out);
        for (std::uint32_t r = 0; r < m.size(); ++r)
            if (m[r] != unmatched) object.member_of(loaded_->receives[r]) += loaded_->sends[m[r]];
    }
    void add_pairs(std::string& out, std::vector<Pair> const& pairs) {
        Writer array(out, '[');
        for (Pair const& p : pairs) {
            std::string& item = array.item();
            item += '[';
            item += loaded_->receives[p.r];
            item += ',';
            item += loaded_->sends[p.s];
            item += ']';
        }
    }
    std::string name_of(Location rho) { return json_text(loaded_->code.names()(rho)); }
    std::string endpoint(Endpoint beta) {
        std::string_view const digits = loaded_->code.names()(beta);
        return digits.size() <= 15 ? std::string(digits) : json_text(digits); // 2^53 has 16
    }
    void add_trace(std::string& out, Schedule const& schedule) {
        Writer array(out, '[');
        for (std::size_t i = 0; i < schedule.size(); ++i) {
            Entry const entry = schedule.entry(i);
            Writer item(array.item(), '[');
            item.item() += name_of(entry.rho);
            for (Channel const c : entry.m)
                item.item() +=
                    fmt::format("[{},{}]", endpoint(loaded_->code[c].beta), endpoint(loaded_->code[c].alpha));
        }
    }
    void add_run(std::string& out, Run const& run, bool trace) {
        Writer answer(out);
        answer.text("answer", "feasible");
        answer.text("status", to_string(run.s));
        add_matches(answer.member("matches"), run.matching);
        if (trace) add_trace(answer.member("trace"), run.schedule);
    }
    void add_unknown(std::string& out, Oracle::Unknown const& unknown) {
        if (unknown.cancelled) throw Failed{ErrorCode::cancelled, "cancelled"};
        Writer answer(out);
        answer.text("answer", "unknown");
        answer.text("why", "steps");
        answer.number("steps", oracle().step_limit());
    }
    static void add_minimal(Writer& answer, Oracle::Means minimal) {
        if (minimal == Oracle::Means::none)
            answer.member("minimal") += "null";
        else
            answer.text("minimal", minimal == Oracle::Means::rules ? "rules" : "search");
    }

    static std::string_view word(Conflict::Kind kind) {
        switch (kind) {
        case Conflict::Kind::endpoints: return "endpoints";
        case Conflict::Kind::send_twice: return "send_twice";
        case Conflict::Kind::overtaking: return "overtaking";
        case Conflict::Kind::left_out: return "left_out";
        case Conflict::Kind::cycle: return "cycle";
        }
        return {};
    }
    std::string_view word(Oracle::Refusal const& refusal) {
        using Why = Oracle::Refusal::Why;
        switch (refusal.why) {
        case Why::rules: return word(refusal.conflict->kind);
        case Why::two_sends: return "two_sends";
        case Why::contradiction: return "contradiction";
        case Why::fault: return "fault";
        case Why::search: return "search";
        }
        return {};
    }
    std::string in_words(Oracle::Refusal const& refusal) {
        using Why = Oracle::Refusal::Why;
        IndexedProgram const& code = loaded_->code;
        auto const pair = [&](Pair const& p) {
            return fmt::format("{} = {}", shown(code, messages().receives()[p.r].a),
                               shown(code, messages().sends()[p.s].a));
        };
        switch (refusal.why) {
        case Why::rules: return explain(messages(), *refusal.conflict);
        case Why::two_sends:
            return fmt::format("{}, {}: a receive gets one send", pair(refusal.core.required[0]),
                               pair(refusal.core.required[1]));
        case Why::contradiction: return fmt::format("{} is required and forbidden", pair(refusal.core.required[0]));
        case Why::fault:
            return fmt::format("the divisor at {} is zero: {}", shown(code, refusal.fault->rho),
                               shown(code, code.command_at(refusal.fault->rho)));
        case Why::search: return "no complete run has these matches";
        }
        return {};
    }
    std::string smt_of(Oracle::Wanted const& core) {
        std::string required = "true";
        for (Pair const& p : core.required) required += ' ' + match_term(messages(), p);
        std::string forbidden = "false";
        for (Pair const& p : core.forbidden) forbidden += ' ' + match_term(messages(), p);
        return fmt::format("(assert (or (not (and true {})) {}))", required, forbidden);
    }
    void add_moment(std::string& out, Conflict::Moment const& moment) {
        if (!moment.instant) {
            out += name_of({moment.index});
            return;
        }
        Writer object(out);
        object.member("rendezvous") += loaded_->receives[moment.index];
    }
    void add_refusal(std::string& out, Oracle::Refusal const& refusal) {
        Writer answer(out);
        answer.text("answer", "infeasible");
        answer.text("why", word(refusal));
        answer.text("because", in_words(refusal));
        add_pairs(answer.member("core"), refusal.core.required);
        if (!refusal.core.forbidden.empty()) add_pairs(answer.member("forbidden"), refusal.core.forbidden);
        add_minimal(answer, refusal.minimal);
        add_pairs(answer.member("clause"), refusal.core.required);
        answer.text("smt", smt_of(refusal.core));
        if (refusal.conflict && refusal.conflict->left_out)
            answer.member("left_out") += loaded_->sends[*refusal.conflict->left_out];
        if (refusal.conflict && refusal.conflict->kind == Conflict::Kind::cycle) {
            Writer cycle(answer.member("cycle"), '[');
            for (Conflict::Edge const& e : refusal.conflict->cycle) {
                Writer edge(cycle.item());
                add_moment(edge.member("from"), e.from);
                add_moment(edge.member("to"), e.to);
                edge.text("why", to_string(e.why));
                if (e.pair)
                    edge.member("match") +=
                        fmt::format("[{},{}]", loaded_->receives[e.pair->r], loaded_->sends[e.pair->s]);
            }
        }
        if (refusal.fault) answer.member("location") += name_of(refusal.fault->rho);
    }
    void add(std::string& out, Oracle::Answer const& answer, bool trace) {
        if (auto const* const run = std::get_if<Run>(&answer))
            add_run(out, *run, trace);
        else if (auto const* const refusal = std::get_if<Oracle::Refusal>(&answer))
            add_refusal(out, *refusal);
        else
            add_unknown(out, std::get<Oracle::Unknown>(answer));
    }

    // The methods, in the order of docs/oracle.md

    void load(Parameters const& parameters, std::string& out) {
        only(parameters, {"file", "text", "buffering"});
        bool const is_file = find(parameters, "file") != nullptr;
        if (is_file == (find(parameters, "text") != nullptr)) bad_parameter("either `file` or `text`");
        auto const buffering =
            choice<Buffering>(parameters, "buffering", {{"infinite", Buffering::infinite}, {"zero", Buffering::zero}});
        std::string const& given = need_text(parameters, is_file ? "file" : "text");
        if (is_file && given == "-") bad_parameter("standard input is where requests come from");
        if (given.size() > Source::max_size) throw Failed{limit_reached, "the text is too long"};
        auto source = is_file ? read_source(given) : Expected<Source, FileError>(Source("<text>", given));
        if (!source) throw Failed{unreadable_file, source.error()};
        auto program = parse(*source);
        Diagnostics const diagnostics =
            program ? check_discipline(*program, &*source, Severity::error) : std::move(program).error();
        if (!diagnostics.empty()) {
            Json data = {{"diagnostics", to_json(diagnostics, *source)}};
            throw Failed{program_refused, headline(diagnostics.front(), *source),
                         data.dump(-1, ' ', false, Json::error_handler_t::replace)};
        }
        auto next = std::make_unique<Loaded>(std::move(*source), std::move(*program), buffering, cancellation_.flag());
        if (loaded_ != nullptr) next->oracle.limit_steps(oracle().step_limit());
        loaded_ = std::move(next);
        Writer answer(out);
        answer.text("buffering", to_string(buffering));
        answer.number("threads", loaded_->program.ctp.threads.size());
        answer.number("commands", loaded_->program.ctp.commands.size());
        answer.number("receives", messages().receives().size());
        answer.number("sends", messages().sends().size());
    }

    void names(Parameters const& parameters, std::string& out) {
        only(parameters, {});
        loaded();
        Writer answer(out);
        answer.text("buffering", to_string(oracle().buffering()));
        {
            Writer threads(answer.member("threads"), '[');
            for (Thread const& t : loaded_->program.ctp.threads) {
                Writer locations(threads.item(), '[');
                for (std::uint32_t i = t.first; i < t.last; ++i) locations.item() += name_of({i});
            }
        }
        {
            Writer receives(answer.member("receives"), '[');
            for (auto const& r : messages().receives()) {
                Writer receive(receives.item());
                receive.member("receive") += json_text(loaded_->code.names()(r.a));
                receive.member("location") += name_of(r.rho);
                receive.member("endpoint") += endpoint(r.beta);
                receive.member("completed_at") += name_of(r.nw);
            }
        }
        Writer sends(answer.member("sends"), '[');
        for (auto const& s : messages().sends()) {
            Writer send(sends.item());
            send.member("send") += json_text(loaded_->code.names()(s.a));
            send.member("location") += name_of(s.rho);
            send.member("from") += endpoint(loaded_->code[s.channel].alpha);
            send.member("to") += endpoint(messages().beta_of(s));
            send.member("wait") += s.wait.is_none() ? "null" : name_of(s.wait);
        }
    }

    void feasible(Parameters const& parameters, std::string& out) {
        only(parameters, {"matches", "trace", "minimize"});
        Oracle::Wanted wanted{matches(need(parameters, "matches")), {}};
        bool const trace = flag(parameters, "trace", true);
        Oracle::Means const minimize = means(parameters);
        // Nothing but yes: without a run where none is needed.
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
        add(out, oracle().feasible(wanted, minimize), trace);
    }

    void model(Parameters const& parameters, std::string& out) {
        only(parameters, {"model", "trace", "minimize"});
        Oracle::Means const minimize = means(parameters);
        bool const trace = flag(parameters, "trace", true);
        std::string const& model = need_text(parameters, "model");
        loaded();
        before_search_();
        auto const answer = oracle().feasible_model(model, minimize);
        if (!answer) bad_parameter(answer.error());
        add(out, *answer, trace);
    }

    void order(Parameters const& parameters, std::string& out) {
        only(parameters, {"locations", "trace", "minimize"});
        bool const with_trace = flag(parameters, "trace", true);
        Oracle::Means const minimize = means(parameters);
        Incoming const& given = need(parameters, "locations");
        if (!given.is_array()) bad_parameter("`locations` has to be an array");
        IndexedProgram const& code = loaded().code;
        std::vector<Location> sequence;
        std::vector<bool> seen(code.ctp().commands.size());
        for (Incoming const& name : given) {
            auto const rho =
                name.is_string() ? code.names().locations.find(name.get_ref<std::string const&>()) : std::nullopt;
            if (!rho || !code.has({*rho}))
                bad_parameter(fmt::format("there is no location {}", printable(to_text(name))));
            if (seen[*rho]) bad_parameter(fmt::format("{} stands there twice", printable(to_text(name))));
            seen[*rho] = true;
            sequence.push_back({*rho});
        }
        before_search_();
        auto const answer = oracle().order(sequence, minimize);
        if (auto const* const run = std::get_if<Run>(&answer)) return add_run(out, *run, with_trace);
        if (auto const* const unknown = std::get_if<Oracle::Unknown>(&answer)) return add_unknown(out, *unknown);
        add_refusal(out, std::get<Oracle::OrderRefusal>(answer));
    }

    void add_refusal(std::string& out, Oracle::OrderRefusal const& refusal) {
        using Why = Oracle::Standstill::Why;
        IndexedProgram const& code = loaded_->code;
        Writer answer(out);
        answer.text("answer", "infeasible");
        answer.text("why", refusal.standstill.empty() ? "search" : "counting");
        {
            Writer core(answer.member("core"), '[');
            for (auto const& [first, second] : refusal.core)
                core.item() += fmt::format("[{},{}]", name_of(first), name_of(second));
        }
        add_minimal(answer, refusal.minimal);
        Writer standstill(answer.member("standstill"), '[');
        for (Oracle::Standstill const& s : refusal.standstill) {
            Writer item(standstill.item());
            item.member("at") += name_of(s.at);
            if (s.why == Why::order) {
                item.member("before") += name_of(s.first);
                item.text("because", fmt::format("{} has to come before it", shown(code, s.first)));
                continue;
            }
            bool const is_receive = s.why == Why::messages;
            item.member("endpoint") += endpoint(s.beta);
            item.number("needed", s.needed);
            item.number("there", s.there);
            item.text("because", fmt::format("{} needs {} {} endpoint {}, and {} can come before it",
                                             shown(code, code.command_at(s.at)), s.needed,
                                             is_receive ? (s.needed == 1 ? "message to" : "messages to")
                                                        : (s.needed == 1 ? "receive at" : "receives at"),
                                             shown(code, s.beta), s.there));
        }
    }

    std::string endpoint_name(Incoming const& given) {
        if (given.is_number_unsigned()) return std::to_string(given.get<std::uint64_t>());
        std::string digits = given.is_string() ? given.get<std::string>() : std::string();
        if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
            bad_parameter("an endpoint is a number that is not negative, or a string of its digits");
        digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
        return digits;
    }

    void trace(Parameters const& parameters, std::string& out) {
        only(parameters, {"trace"});
        Incoming const& given = need(parameters, "trace");
        if (!given.is_array()) bad_parameter("`trace` has to be an array");
        std::vector<Oracle::TraceEntry> entries;
        for (Incoming const& entry : given) {
            if (!entry.is_array() || entry.empty() || !entry[0].is_string())
                bad_parameter("an entry is [location, [destination, source], ..]");
            auto& added = entries.emplace_back();
            added.rho = entry[0].get_ref<std::string const&>();
            for (std::size_t i = 1; i < entry.size(); ++i) {
                if (!entry[i].is_array() || entry[i].size() != 2) bad_parameter("a movement is [destination, source]");
                added.m.emplace_back(endpoint_name(entry[i][0]), endpoint_name(entry[i][1]));
            }
        }
        auto const replay = oracle().trace(entries);
        Writer answer(out);
        answer.text("answer", replay.error ? "infeasible" : "feasible");
        answer.text("status", to_string(replay.s));
        answer.boolean("well_formed", replay.well_formed);
        answer.number("steps", replay.steps);
        Matching m(messages());
        for (auto const& [a_r, a_s] : replay.matches) m[messages().receive_number(a_r)] = messages().send_number(a_s);
        add_matches(answer.member("matches"), m);
        if (!replay.error) return;
        Writer error(answer.member("error"));
        error.number("entry", replay.error->entry);
        error.member("location") += replay.error->location ? json_text(*replay.error->location) : "null";
        error.text("rule", replay.error->rule);
        error.text("reason", replay.error->reason);
        error.text("message", replay.error->message);
    }

    void add_levels(std::string& out) {
        Writer answer(out);
        answer.number("levels", oracle().levels());
        answer.number("required", oracle().assumed().required.size());
        answer.number("forbidden", oracle().assumed().forbidden.size());
    }
    void push(Parameters const& parameters, std::string& out) {
        only(parameters, {});
        oracle().push();
        add_levels(out);
    }
    void pop(Parameters const& parameters, std::string& out) {
        only(parameters, {});
        if (!oracle().pop()) bad_parameter("there is no level to go back to");
        add_levels(out);
    }
    void assume(Parameters const& parameters, std::string& out) {
        only(parameters, {"required", "forbidden"});
        Oracle::Wanted wanted;
        if (Incoming const* const given = find(parameters, "required")) wanted.required = matches(*given);
        if (Incoming const* const given = find(parameters, "forbidden")) wanted.forbidden = matches(*given);
        oracle().assume(wanted);
        add_levels(out);
    }
    void check(Parameters const& parameters, std::string& out) {
        only(parameters, {"trace", "minimize"});
        Oracle::Means const minimize = means(parameters);
        bool const trace = flag(parameters, "trace", true);
        loaded();
        before_search_();
        add(out, oracle().check(minimize), trace);
    }
    void next(Parameters const& parameters, std::string& out) {
        only(parameters, {"trace"});
        bool const trace = flag(parameters, "trace", true);
        loaded();
        before_search_();
        auto const next = oracle().next();
        if (!next)
            out += R"({"answer":"done"})";
        else if (auto const* const run = std::get_if<Run>(&*next))
            add_run(out, *run, trace);
        else
            add_unknown(out, std::get<Oracle::Unknown>(*next));
    }

    enum class Pairs { overapprox, tight, exact };
    static Pairs which(Parameters const& parameters, std::string_view key) {
        return choice<Pairs>(parameters, key,
                             {{"overapprox", Pairs::overapprox}, {"tight", Pairs::tight}, {"exact", Pairs::exact}});
    }
    /// None: unknown, which is answered.
    std::optional<MatchPairs> pairs_of(Pairs which, std::string& out) {
        switch (which) {
        case Pairs::overapprox: return overapprox(messages());
        case Pairs::tight: before_search_(); return oracle().possible();
        case Pairs::exact: break;
        }
        before_search_();
        auto exact = oracle().exact();
        if (auto* const pairs = std::get_if<MatchPairs>(&exact)) return std::move(*pairs);
        add_unknown(out, std::get<Oracle::Unknown>(exact));
        return std::nullopt;
    }
    void pairs(Parameters const& parameters, std::string& out) {
        only(parameters, {"method"});
        auto const found = pairs_of(which(parameters, "method"), out);
        if (!found) return;
        Writer answer(out);
        answer.number("count", found->size());
        Writer object(answer.member("pairs"));
        for (std::uint32_t r = 0; r < found->of.size(); ++r) {
            Writer sends(object.member_of(loaded_->receives[r]), '[');
            for (std::uint32_t const s : found->of[r]) sends.item() += loaded_->sends[s];
        }
    }
    void encoding(Parameters const& parameters, std::string& out) {
        only(parameters, {"pairs", "order", "asked", "check_sat", "cores", "models"});
        EncoderOptions options;
        options.buffering = oracle().buffering();
        options.asked = choice<encode::Asked>(
            parameters, "asked",
            {{"failure", encode::Asked::failure}, {"success", encode::Asked::success}, {"any", encode::Asked::any}});
        options.order = flag(parameters, "order", true);
        options.check_sat = flag(parameters, "check_sat", true);
        options.cores = flag(parameters, "cores", false);
        options.models = flag(parameters, "models", false);
        auto const found = pairs_of(which(parameters, "pairs"), out);
        if (!found) return;
        Writer answer(out);
        answer.text("smt", encode_exact(messages(), *found, options));
    }

    void limits(Parameters const& parameters, std::string& out) {
        only(parameters, {"steps"});
        if (Incoming const* const steps = find(parameters, "steps")) {
            if (!steps->is_number_unsigned() || steps->get<std::uint64_t>() == 0)
                bad_parameter("`steps` has to be a number from 1 on");
            oracle().limit_steps(steps->get<std::uint64_t>());
        }
        Writer answer(out);
        answer.number("steps", oracle().step_limit());
    }
    void cancel(Parameters const& parameters, std::string& out) {
        only(parameters, {"id"});
        Incoming const& id = need(parameters, "id");
        if (!is_id(id)) bad_parameter("`id` has to be a string, a number or null");
        Writer answer(out);
        answer.boolean("cancelled", cancellation_.was_in_time(to_text(id)));
    }
    void shutdown(Parameters const& parameters, std::string& out) {
        only(parameters, {});
        over_ = true;
        out += "null";
    }

    Cancellation& cancellation_;
    std::function<void()> before_search_;
    std::unique_ptr<Loaded> loaded_;
    std::optional<Matching> matching_;
    bool over_ = false;
};

OracleSession::OracleSession(Cancellation& cancellation, std::function<void()> before_search)
    : implementation_(std::make_unique<Implementation>(cancellation, std::move(before_search))) {}

OracleSession::~OracleSession() = default;

std::string OracleSession::answer(std::string_view line) {
    std::string out;
    try {
        implementation_->answer(line, out);
    } catch (std::bad_alloc const&) {
        out.clear();
        add_error(out, "null", {limit_reached, "out of memory"});
    }
    if (!out.empty()) out += '\n';
    return out;
}

std::string OracleSession::answer_too_long() const {
    std::string out;
    add_error(out, "null", {limit_reached, "the line is too long"});
    return out + '\n';
}

bool OracleSession::is_over() const { return implementation_->is_over(); }

} // namespace matchpoint::cli
