# cmake -DPAGE=<folder> -DOUT=<header> -P EmbedPage.cmake: makes C++ strings of the parts of the page.
file(READ ${PAGE}/page.html html)
file(READ ${PAGE}/page.css css)
# The scripts share one scope, in which each can use what those before it declare.
set(js "\"use strict\";\n(() => {\n")
foreach(part base data state lanes labels sheet arrows diagram minimap panel search compare threads page)
  file(READ ${PAGE}/${part}.js text)
  string(APPEND js "${text}\n")
endforeach()
string(APPEND js "})();")
file(WRITE ${OUT} "// Made from report/page by cmake/EmbedPage.cmake.
#pragma once

#include <string_view>

namespace matchpoint::report::page {

inline constexpr std::string_view html = R\"PAGE(${html})PAGE\";
inline constexpr std::string_view css = R\"PAGE(${css})PAGE\";
inline constexpr std::string_view js = R\"PAGE(${js})PAGE\";

} // namespace matchpoint::report::page
")
