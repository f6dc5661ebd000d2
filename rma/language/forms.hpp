// A text as nested lists of atoms, for what is read as a whole: the reduced language (parse_reduced.hpp), and programs
// that are made smaller (smaller.hpp).
//
//   Forms const forms = *read_forms(source);
//   for (std::uint32_t i = forms.first(0); i < forms.end(0); i = forms.end(i)) std::cout << forms.text(i);
//
// The forms are in one vector in the order of the text, a list before its parts, so nothing recurses on their depth.
#pragma once

#include <string_view>
#include <vector>

#include "base/diagnostics.hpp"
#include "base/expected.hpp"

namespace matchpoint::rma {

struct Form {
    std::string_view text; // of a list: with its brackets
    std::uint32_t end;     // after its parts; of an atom, the next form
    bool is_list;
};

class Forms {
public:
    /// The source has to outlive it.
    Forms(Source const& source, std::vector<Form> forms) : begin_(source.text().data()), forms_(std::move(forms)) {}

    std::uint32_t size() const { return static_cast<std::uint32_t>(forms_.size()); }
    /// The first part of a list.
    static std::uint32_t first(std::uint32_t i) { return i + 1; }
    std::uint32_t end(std::uint32_t i) const { return forms_[i].end; }
    bool is_list(std::uint32_t i) const { return forms_[i].is_list; }
    bool is_empty(std::uint32_t i) const { return end(i) == first(i); }
    std::string_view text(std::uint32_t i) const { return forms_[i].text; }
    /// Whether it is this atom.
    bool is(std::uint32_t i, std::string_view atom) const { return !is_list(i) && text(i) == atom; }
    /// The atom that a list begins with. Empty if there is none.
    std::string_view head(std::uint32_t i) const {
        return is_list(i) && !is_empty(i) && !is_list(first(i)) ? text(first(i)) : std::string_view();
    }
    /// The number of parts of a list.
    std::size_t parts(std::uint32_t i) const {
        std::size_t n = 0;
        for (std::uint32_t k = first(i); k < end(i); k = end(k)) ++n;
        return n;
    }
    Offset offset(std::uint32_t i) const { return static_cast<Offset>(text(i).data() - begin_); }

private:
    char const* begin_;
    std::vector<Form> forms_;
};

/// All forms of a text, or the first bracket or character that has no place. Time: linear.
Expected<Forms, Diagnostics> read_forms(Source const& source);

} // namespace matchpoint::rma
