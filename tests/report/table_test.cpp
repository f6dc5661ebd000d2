#include "report/table.hpp"

#include <gtest/gtest.h>

namespace matchpoint::report {
namespace {

Table const table{{"name", "of", "n"}, {{"a_b", "x, \"y\"", "7"}, {"\u00e4", "", "100"}}, 2};

TEST(Table, Text) {
    EXPECT_EQ(as_text(table, " "), " name  of        n\n"
                                   " a_b   x, \"y\"    7\n"
                                   " \u00e4             100\n");
}

TEST(Table, Csv) {
    EXPECT_EQ(as_csv(table), "name,of,n\n"
                             "a_b,\"x, \"\"y\"\"\",7\n"
                             "\u00e4,,100\n");
}

TEST(Table, Latex) {
    EXPECT_EQ(as_latex(table), "\\begin{tabular}{llr}\n\\toprule\nname & of & n \\\\\n\\midrule\n"
                               "\\texttt{a{\\char95}b} & \\texttt{x, \"y\"} & 7 \\\\\n\\texttt{\u00e4} &  & 100 "
                               "\\\\\n\\bottomrule\n\\end{tabular}\n");
}

} // namespace
} // namespace matchpoint::report
