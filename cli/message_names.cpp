#include "cli/message_names.hpp"

#include <fmt/format.h>

#include "base/source.hpp"
#include "cli/suggestion.hpp"

namespace matchpoint::cli {

Expected<std::uint32_t, std::string> message_named(MessageIndex const& messages, Role role, std::string_view name) {
    bool const receive = role == Role::receive;
    IndexedProgram const& code = messages.code();
    Names const& names = code.names().actions;
    auto const a = names.find(name);
    bool const is_probe = a && code.as_probe({*a}) != nullptr && !code.is_mprobe({*a});
    if (!a || is_probe || (receive ? code.as_rcvi({*a}) == nullptr : code.as_sndi({*a}) == nullptr))
        return Unexpected{fmt::format("there is no {} `{}`{}", receive ? "receive" : "send", printable(name),
                                      name_suggestion(name, names))};
    return receive ? messages.receive_number({*a}) : messages.send_number({*a});
}

std::optional<std::string> why_no_pair(MessageIndex const& messages, std::uint32_t r, std::uint32_t s) {
    auto const& receive = messages.receives()[r];
    auto const& send = messages.sends()[s];
    Endpoint const to = messages.beta_of(send);
    if (to == receive.beta) return std::nullopt;
    auto const& names = messages.code().names();
    return fmt::format("`{}` goes to endpoint {}, and `{}` receives at endpoint {}", printable(names(send.a)),
                       names(to), printable(names(receive.a)), names(receive.beta));
}

} // namespace matchpoint::cli
