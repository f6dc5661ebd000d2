#include "cli/rpc/oracle_session.hpp"

#include <new>

#include "base/nearest_name.hpp"
#include "base/value.hpp"
#include "cli/rpc/json_rpc.hpp"
#include "cli/rpc/oracle_requests.hpp"
#include "cli/terminal.hpp"

namespace matchpoint::cli {

namespace {

/// Ends the request, however it ends.
class Work {
public:
    explicit Work(Cancellation& cancellation) : cancellation_(cancellation) {}
    Work(Work const&) = delete;
    Work& operator=(Work const&) = delete;
    ~Work() { cancellation_.end(); }

private:
    Cancellation& cancellation_;
};

/// Answers the messages of one line.
class Responder {
public:
    Responder(Cancellation& cancellation, OracleRequests& requests, std::string& out)
        : cancellation_(cancellation), requests_(requests), out_(out) {}

    void answer(std::string_view line) {
        if (is_blank(line)) return;
        if (is_too_deep(line)) return add_error(out_, "null", {limit_reached, "nested too deeply"});
        auto const [message, twice] = parsed(line);
        if (message.is_discarded()) return add_error(out_, "null", {parse_error, why_not_json(line)});
        if (!twice.empty())
            add_error(out_, id_or_null(message),
                      {invalid_request, fmt::format("`{}` is twice in one object", printable(twice))});
        else if (!message.is_array())
            respond(message);
        else if (message.empty())
            add_error(out_, "null", {invalid_request, "an empty batch"});
        else
            respond_to_batch(message);
    }

private:
    static std::string id_or_null(Incoming const& message) {
        bool const has_id = message.is_object() && message.contains("id") && is_id(message["id"]);
        return has_id ? to_text(message["id"]) : "null";
    }

    void respond_to_batch(Incoming const& batch) {
        std::size_t const before = out_.size();
        for (Incoming const& message : batch) {
            std::size_t const begin = out_.size();
            out_ += begin == before ? '[' : ',';
            respond(message);
            if (out_.size() == begin + 1) out_.resize(begin); // no answer
        }
        if (out_.size() != before) out_ += ']';
    }

    void respond(Incoming const& message) {
        if (!is_request(message))
            return add_error(
                out_, id_or_null(message),
                {invalid_request, R"(not a request: {"jsonrpc":"2.0","id":..,"method":"..","params":{..}})"});
        // A request without an id wants no answer.
        auto const id = message.find("id");
        auto const id_text = id == message.end() ? std::nullopt : std::optional(to_text(*id));
        std::size_t const before = out_.size();
        out_ += R"({"jsonrpc":"2.0","id":)";
        out_ += id_text.value_or("");
        out_ += R"(,"result":)";
        try {
            call(message, id_text);
            out_ += '}';
            if (!id_text) out_.resize(before);
        } catch (RequestError const& error) {
            out_.resize(before);
            if (id_text) add_error(out_, *id_text, error);
        }
    }

    /// Throws RequestError, or OutputFailed.
    void call(Incoming const& message, std::optional<std::string> const& id) {
        static Parameters::Object const no_parameters;
        auto const& name = message["method"].get_ref<std::string const&>();
        OracleRequests::Request const* const request = OracleRequests::find(name);
        if (request == nullptr)
            throw RequestError{no_such_method, fmt::format("there is no method `{}`{}", printable(name),
                                                           one_of(name, OracleRequests::names()))};
        auto const given = message.find("params");
        if (given != message.end() && !given->is_object()) bad_parameter("`params` has to be an object");
        Parameters const parameters(given == message.end() ? no_parameters
                                                           : given->get_ref<Parameters::Object const&>());
        Work const work(cancellation_);
        if (id && cancellation_.begin(*id) == Cancellation::Turn::cancelled)
            throw RequestError{ErrorCode::cancelled, "cancelled"};
        try {
            requests_.handle(*request, parameters, out_);
        } catch (RequestError const&) {
            throw;
        } catch (OutputFailed const&) {
            throw;
        } catch (LimitReached const& e) {
            throw RequestError{limit_reached, e.what()};
        } catch (std::bad_alloc const&) {
            throw RequestError{limit_reached, "out of memory"};
        } catch (std::exception const& e) {
            throw RequestError{internal_error, e.what()};
        }
    }

    Cancellation& cancellation_;
    OracleRequests& requests_;
    std::string& out_;
};

} // namespace

OracleSession::OracleSession(Cancellation& cancellation, std::function<void()> before_search)
    : cancellation_(cancellation), requests_(std::make_unique<OracleRequests>(cancellation, std::move(before_search))) {
}

OracleSession::~OracleSession() = default;

std::string OracleSession::answer(std::string_view line) {
    std::string out;
    try {
        Responder(cancellation_, *requests_, out).answer(line);
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

bool OracleSession::is_over() const { return requests_->is_over(); }

} // namespace matchpoint::cli
