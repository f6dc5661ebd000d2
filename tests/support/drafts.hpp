// Expressions of drafts for unit tests, read from text.
#pragma once

#include <string>
#include <string_view>

#include "programs/draft.hpp"
#include "tests/support/programs.hpp"

namespace matchpoint::test {

/// `text` by the grammar's parser. Variables need no definition.
inline draft::Expression expression(std::string_view text) {
    Source const source("test.ctp", "(([00 (assert " + std::string(text) + ")]))");
    return *draft::expression_of(draft::draft_of(parsed(source)).threads[0][0].c);
}

} // namespace matchpoint::test
