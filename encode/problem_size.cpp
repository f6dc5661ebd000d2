#include "encode/problem_size.hpp"

#include <algorithm>
#include <utility>

namespace matchpoint::encode {

namespace {

bool is_comparison(std::string_view f) {
    return f == "=" || f == "<" || f == "<=" || f == ">" || f == ">=" || f == "distinct";
}

} // namespace

ProblemSize::Counts& ProblemSize::Counts::operator+=(Counts const& more) {
    declarations += more.declarations;
    definitions += more.definitions;
    assertions += more.assertions;
    clauses += more.clauses;
    atoms += more.atoms;
    terms += more.terms;
    return *this;
}

ProblemSize::Counts ProblemSize::total() const {
    Counts all;
    for (Class const& c : classes_) all += c.counts;
    return all;
}

std::vector<ProblemSize::Class> ProblemSize::classes() const {
    std::vector<Class> result;
    for (Class const& c : classes_)
        if (!(c.counts == Counts())) result.push_back(c);
    return result;
}

void ProblemSize::add(std::string_view text) {
    bytes_ += text.size();
    for (char const c : text) {
        switch (in_) {
        case In::comment:
            if (c == '\n') {
                if (open_.empty()) begin_class();
                word_.clear();
                in_ = In::text;
            } else {
                word_ += c;
            }
            continue;
        case In::string: // `""` in a string ends it and begins the next one
            if (c == '"') in_ = In::text;
            continue;
        case In::symbol:
            if (c == '|') in_ = In::text;
            continue;
        case In::text: break;
        }
        bool const is_word = c != '(' && c != ')' && c != ' ' && c != '\n' && c != ';' && c != '"';
        if (is_word)
            word_ += c;
        else
            end_word();
        if (c == ';') in_ = In::comment;
        if (c == '"') in_ = In::string;
        if (c == '|') in_ = In::symbol;
        if (c == ')' && !open_.empty()) open_.pop_back();
        if (c == '(') begin_list();
    }
}

/// What is inside of a conjunction, and no conjunction itself, is a clause.
void ProblemSize::element() {
    if (open_.empty() || !open_.back().is_conjunction) return;
    if (!open_.back().is_annotated || !open_.back().has_element) ++classes_[class_].counts.clauses;
    open_.back().has_element = true;
}

void ProblemSize::begin_list() {
    if (!open_.empty()) open_.back().has_head = true; // if a list comes first, there is no head
    open_.push_back({.is_term = !open_.empty() && open_.back().is_term});
}

/// A word is the head of a list, or an element of one.
void ProblemSize::end_word() {
    if (word_.empty()) return;
    std::string const word = std::exchange(word_, {});
    if (open_.empty()) return;
    List& list = open_.back();
    if (std::exchange(list.has_head, true)) return element();
    Counts& counts = classes_[class_].counts;
    if (open_.size() == 1) {
        if (word == "declare-const" || word == "declare-fun") ++counts.declarations;
        if (word == "define-fun") ++counts.definitions;
        if (word == "assert") ++counts.assertions;
        list.is_term = word == "define-fun" || word == "assert";
        list.is_conjunction = word == "assert";
        return;
    }
    List& outer = open_[open_.size() - 2];
    bool const is_first = !outer.is_annotated || !outer.has_element;
    if (outer.is_conjunction && is_first && (word == "and" || word == "!")) {
        list.is_conjunction = true;
        list.is_annotated = word == "!";
        outer.has_element = true;
    } else if (outer.is_conjunction) {
        open_.pop_back();
        element();
        open_.push_back({.has_head = true, .is_term = true});
    }
    if (!open_.back().is_term || word == "!") return;
    ++counts.terms;
    if (is_comparison(word)) ++counts.atoms;
}

void ProblemSize::begin_class() {
    std::string_view name = word_;
    name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
    auto const known = std::find_if(classes_.begin(), classes_.end(), [&](Class const& c) { return c.name == name; });
    class_ = static_cast<std::size_t>(known - classes_.begin());
    if (known == classes_.end()) classes_.push_back({std::string(name), {}});
}

} // namespace matchpoint::encode
