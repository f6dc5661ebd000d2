#include "rma/language/forms.hpp"

#include <fmt/format.h>

#include "grammar/messages/lexer.hpp"

namespace matchpoint::rma {

namespace {

Unexpected<Diagnostics> wrong(std::string message, Offset at, std::size_t length) {
    Diagnostic d;
    d.rule = "syntax";
    d.message = std::move(message);
    d.offset = at;
    d.length = static_cast<std::uint32_t>(std::max<std::size_t>(length, 1));
    return Unexpected<Diagnostics>{Diagnostics{std::move(d)}};
}

} // namespace

Expected<Forms, Diagnostics> read_forms(Source const& source) {
    if (auto fault = encoding_fault(source)) return Unexpected{Diagnostics{std::move(*fault)}};
    std::string_view const text = source.text();
    Lexer lexer(text, static_cast<Offset>(byte_order_mark_size(text)));
    std::vector<Form> forms;
    std::vector<std::uint32_t> open;
    for (Token token = lexer.next(); !token.text.empty(); token = lexer.next()) {
        auto const next = static_cast<std::uint32_t>(forms.size());
        if (is_open(token)) {
            open.push_back(next);
            forms.push_back({token.text, next + 1, true});
        } else if (is_close(token)) {
            if (open.empty() || closing(forms[open.back()].text[0]) != token.text[0])
                return wrong(fmt::format("`{}` closes nothing", token.text), token.offset, 1);
            Form& list = forms[open.back()];
            list.end = next;
            list.text = {list.text.data(), static_cast<std::size_t>(token.text.data() + 1 - list.text.data())};
            open.pop_back();
        } else if (is_atom(token)) {
            forms.push_back({token.text, next + 1, false});
        } else {
            return wrong(fmt::format("`{}` has no place here", printable(token.text)), token.offset, token.text.size());
        }
    }
    if (!open.empty()) {
        Offset const at = static_cast<Offset>(forms[open.back()].text.data() - text.data());
        return wrong("this bracket is not closed", at, 1);
    }
    return Forms(source, std::move(forms));
}

} // namespace matchpoint::rma
