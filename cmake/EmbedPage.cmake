# cmake -DPAGE=<folder> -DOUT=<header> -P EmbedPage.cmake: makes C++ strings of the parts of the page.
file(READ ${PAGE}/page.html html)
file(READ ${PAGE}/page.css css)
file(READ ${PAGE}/page.js js)
file(WRITE ${OUT} "// Made from report/page by cmake/EmbedPage.cmake.
#pragma once

#include <string_view>

namespace matchpoint::report::page {

inline constexpr std::string_view html = R\"PAGE(${html})PAGE\";
inline constexpr std::string_view css = R\"PAGE(${css})PAGE\";
inline constexpr std::string_view js = R\"PAGE(${js})PAGE\";

} // namespace matchpoint::report::page
")
