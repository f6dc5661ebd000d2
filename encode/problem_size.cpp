#include "encode/problem_size.hpp"

namespace matchpoint::encode {

void ProblemSize::add(std::string_view text) {
    bytes_ += text.size();
    for (char const c : text) {
        switch (in_) {
        case In::comment:
            if (c == '\n') in_ = In::text;
            continue;
        case In::string: // `""` in a string ends it and begins the next one
            if (c == '"') in_ = In::text;
            continue;
        case In::symbol:
            if (c == '|') in_ = In::text;
            continue;
        case In::text: break;
        }
        bool const is_word = c != '(' && c != ')' && c != ' ' && c != '\n' && c != ';' && c != '"' && c != '|';
        if (in_command_name_ && is_word) command_ += c;
        if (in_command_name_ && !is_word) count_command();
        if (c == ';') in_ = In::comment;
        if (c == '"') in_ = In::string;
        if (c == '|') in_ = In::symbol;
        if (c == ')') --depth_;
        if (c == '(' && depth_++ == 0) in_command_name_ = true;
    }
}

void ProblemSize::count_command() {
    if (command_ == "declare-const" || command_ == "declare-fun") ++declarations_;
    if (command_ == "define-fun") ++definitions_;
    if (command_ == "assert") ++assertions_;
    command_.clear();
    in_command_name_ = false;
}

} // namespace matchpoint::encode
