#include "cli/rpc/json_rpc.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/ranges.h>

#include "base/nearest_name.hpp"
#include "base/source.hpp"

namespace matchpoint::cli {

void bad_parameter(std::string message) { throw RequestError{invalid_parameters, std::move(message)}; }

// ---------------------------------------------------------------------------------------------------------------------
// Reading

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

namespace {

/// Makes a value of what the parser reads. Incoming::parse keeps the last of two equal keys, and says nothing.
class Reader final : public nlohmann::json_sax<Incoming> {
public:
    explicit Reader(Parsed& to) : result_(to) {}

    bool null() override { return add(nullptr); }
    bool boolean(bool b) override { return add(b); }
    bool number_integer(number_integer_t n) override { return add(n); }
    bool number_unsigned(number_unsigned_t n) override { return add(n); }
    bool number_float(number_float_t n, string_t const&) override { return add(n); }
    bool string(string_t& text) override { return add(std::move(text)); }
    bool binary(binary_t&) override { return false; } // JSON has none
    bool start_object(std::size_t) override { return open(Incoming::object()); }
    bool start_array(std::size_t) override { return open(Incoming::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& key) override {
        auto const [member, is_new] = open_.back()->get_ref<Incoming::object_t&>().try_emplace(std::move(key));
        if (!is_new && result_.twice.empty()) result_.twice = member->first;
        member_ = &member->second;
        return true;
    }
    bool parse_error(std::size_t, std::string const&, nlohmann::detail::exception const&) override { return false; }

private:
    Incoming* put(Incoming value) {
        Incoming& place = open_.empty()              ? result_.value
                          : open_.back()->is_array() ? open_.back()->emplace_back(nullptr)
                                                     : *member_;
        place = std::move(value);
        return &place;
    }
    bool add(Incoming value) { return put(std::move(value)) != nullptr; }
    bool open(Incoming value) {
        open_.push_back(put(std::move(value)));
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    Parsed& result_;
    std::vector<Incoming*> open_; // the objects and arrays that are not closed yet
    Incoming* member_ = nullptr;  // what the last key is for
};

} // namespace

Parsed parsed(std::string_view line) {
    Parsed result{nullptr};
    Reader reader(result);
    if (!Incoming::sax_parse(line.begin(), line.end(), &reader)) return {Incoming(Incoming::value_t::discarded)};
    return result;
}

std::string why_not_json(std::string_view line) {
    try {
        [[maybe_unused]] Incoming const value = Incoming::parse(line.begin(), line.end());
    } catch (Incoming::parse_error const& e) {
        // "[json.exception.parse_error.101] parse error at line 1, column 3: syntax error while ...: reason"
        std::string_view what = e.what();
        if (std::size_t const colon = what.find(": "); colon != std::string_view::npos) what.remove_prefix(colon + 2);
        std::size_t const at = std::min(e.byte == 0 ? std::size_t{0} : e.byte - 1, line.size());
        return fmt::format("this is not JSON, at column {}: {} (each line is one request)",
                           count_code_points(line.substr(0, at)) + 1, printable(what, 160));
    } catch (Incoming::exception const&) {
        return "this is not JSON: a number is too large (each line is one request)";
    }
    return "this is not JSON";
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r\n") == std::string_view::npos; }

std::optional<std::uint64_t> whole_number(Incoming const& value) {
    if (value.is_number_unsigned()) return value.get<std::uint64_t>();
    constexpr double most = 9'007'199'254'740'992; // 2^53: a double has every integer up to here
    if (!value.is_number_float()) return std::nullopt;
    auto const n = value.get<double>();
    if (!(n >= 0 && n <= most) || n != std::floor(n)) return std::nullopt;
    return static_cast<std::uint64_t>(n);
}

bool is_id(Incoming const& value) { return value.is_string() || value.is_number() || value.is_null(); }

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

std::string one_of(std::string_view word, std::span<std::string_view const> known) {
    std::string near = did_you_mean(word, known);
    if (!near.empty()) return near;
    return known.empty() ? "; there are none" : fmt::format("; there are {}", fmt::join(known, ", "));
}

void Parameters::only(std::span<std::string_view const> known) const {
    for (auto const& [key, value] : object_)
        if (std::find(known.begin(), known.end(), key) == known.end())
            bad_parameter(fmt::format("there is no parameter `{}`{}", printable(key), one_of(key, known)));
}

Incoming const* Parameters::find(std::string_view key) const {
    auto const it = object_.find(std::string(key));
    return it == object_.end() ? nullptr : &it->second;
}

Incoming const& Parameters::need(std::string_view key) const {
    Incoming const* const value = find(key);
    if (value == nullptr) bad_parameter(fmt::format("`{}` is missing", key));
    return *value;
}

std::string const& Parameters::need_text(std::string_view key) const {
    Incoming const& value = need(key);
    if (!value.is_string()) bad_parameter(fmt::format("`{}` has to be a string", key));
    return value.get_ref<std::string const&>();
}

Incoming const& Parameters::need_array(std::string_view key) const {
    Incoming const& value = need(key);
    if (!value.is_array()) bad_parameter(fmt::format("`{}` has to be an array", key));
    return value;
}

bool Parameters::flag(std::string_view key, bool otherwise) const {
    Incoming const* const value = find(key);
    if (value == nullptr) return otherwise;
    if (!value->is_boolean()) bad_parameter(fmt::format("`{}` has to be true or false", key));
    return value->get<bool>();
}

// ---------------------------------------------------------------------------------------------------------------------
// Writing

std::string to_text(Incoming const& value) { return value.dump(-1, ' ', false, Incoming::error_handler_t::replace); }

std::string json_text(std::string_view text) { return to_text(Incoming(text)); }

void Writer::separate() {
    if (!first_) out_ += ',';
    first_ = false;
}

std::string& Writer::member(std::string_view key) {
    separate();
    out_ += '"';
    out_ += key;
    return out_ += "\":";
}

std::string& Writer::member_of(std::string_view key) {
    separate();
    out_ += key;
    return out_ += ':';
}

std::string& Writer::item() {
    separate();
    return out_;
}

void add_error(std::string& out, std::string_view id, RequestError const& error) {
    out += R"({"jsonrpc":"2.0","id":)";
    out += id;
    out += R"(,"error":)";
    {
        Writer object(out);
        object.member("code") += std::to_string(error.code);
        object.text("message", error.message);
        if (!error.data.empty()) object.member("data") += error.data;
    }
    out += '}';
}

} // namespace matchpoint::cli
