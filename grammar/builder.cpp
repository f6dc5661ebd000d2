#include "grammar/builder.hpp"

namespace matchpoint::grammar {

Builder::Builder(Source const& source, Resumption const& from) : Builder(source, ParseOptions{}) {
    deepest_ = begin_ + from.at;
    brackets_ = from.open;
    program_.ctp.open = from.ctp_open;
    program_.ctp.close = from.ctp_close;
    if (from.place == Place::thread) program_.ctp.threads.emplace_back();
    if (from.place == Place::trace) program_.traces.emplace_back();
}

SyntaxFailure Builder::failure() const {
    return {text(), offset(deepest_), wanted_, brackets_, program_.ctp.open, program_.ctp.close};
}

Diagnostic Builder::limit_reached(LimitReached const& limit) const {
    Diagnostic d;
    d.rule = "limit";
    d.message = limit.what();
    d.offset = offset(last_integer_);
    return d;
}

} // namespace matchpoint::grammar
