// Importers on our files (tests/golden/import_*.md shows what each becomes), and on damaged ones.
#include "importers/import.hpp"

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include "grammar/parse.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::importers {

namespace {

struct File {
    std::string name;
    std::string text;
    Format format;
};

std::vector<File> const& files() {
    static std::vector<File> const all = [] {
        std::vector<File> found;
        std::filesystem::path const folder = test::source_dir() / "tests/importers";
        for (Format const format : {Format::mp, Format::mercury, Format::transitions})
            for (auto const& entry : std::filesystem::directory_iterator(folder / description(format).name)) {
                std::ifstream in(entry.path(), std::ios::binary);
                std::ostringstream text;
                text << in.rdbuf();
                found.push_back({entry.path().filename(), text.str(), format});
            }
        std::sort(found.begin(), found.end(), [](File const& a, File const& b) { return a.name < b.name; });
        return found;
    }();
    return all;
}

/// A program that parses and is equal to its draft, or an error. Those about a whole file have no place.
void expect_program_or_error(std::string const& text, Format format, std::optional<Value> const& undefined = {}) {
    Source const source("file", text);
    Import const result = import_program({&source, 1}, format, undefined);
    ASSERT_EQ(result.reports.size(), 1u);
    bool const refused = has_error(result.reports[0]);
    ASSERT_EQ(result.draft.has_value(), !refused) << text;
    for (Diagnostic const& d : result.reports[0]) {
        EXPECT_FALSE(d.message.empty());
        EXPECT_TRUE(d.offset <= text.size() || d.message.starts_with("this is not")) << d.message << "\n" << text;
    }
    if (refused) {
        EXPECT_NE(render(result.reports[0], source).find("error["), std::string::npos);
        return;
    }
    Source const printed("printed", draft::print(*result.draft));
    auto const program = parse(printed);
    ASSERT_TRUE(program) << render(program.error(), printed) << text;
    EXPECT_EQ(*program, draft::valid_program_of(*result.draft)) << printed.text();
}

using Random = std::mt19937;

std::size_t below(std::size_t limit, Random& random) {
    return std::uniform_int_distribution<std::size_t>(0, limit == 0 ? 0 : limit - 1)(random);
}

/// Like what happens to files: parts are lost, repeated and moved, bytes change.
std::string damaged(std::string text, Random& random) {
    std::size_t const times = 1 + below(3, random);
    for (std::size_t i = 0; i < times && !text.empty(); ++i) {
        std::size_t const begin = below(text.size(), random);
        std::size_t const length = 1 + below(std::min<std::size_t>(text.size() - begin, 40), random);
        std::string const part = text.substr(begin, length);
        constexpr std::string_view characters = "0123456789-(),[]{}:/=TRSWait \t\r\n\"\\\0\xc3\xa9;";
        switch (below(6, random)) {
        case 0: text.erase(begin, length); break;
        case 1: text.insert(below(text.size(), random), part); break;
        case 2:
            text.erase(begin, length);
            text.insert(below(text.size() + 1, random), part);
            break;
        case 3: text[begin] = characters[below(characters.size(), random)]; break;
        case 4: text[begin] = static_cast<char>(below(256, random)); break;
        case 5: text.resize(begin); break;
        }
    }
    return text;
}

TEST(Import, ReadsEachOfOurFiles) {
    ASSERT_GE(files().size(), 36u);
    for (File const& file : files()) {
        SCOPED_TRACE(file.name);
        expect_program_or_error(file.text, file.format);
        expect_program_or_error(file.text, file.format, Value::integer(0));
    }
}

TEST(Import, GuessesTheFormatsOfPrograms) {
    for (File const& file : files()) {
        Source const source(file.name, file.text);
        bool const is_program = import_program({&source, 1}, file.format).draft.has_value();
        if (is_program) {
            EXPECT_EQ(guess_format(source), file.format) << file.name;
        }
    }
}

TEST(Import, ReadsNoFileInTheFormatOfAnother) {
    for (File const& file : files())
        for (Format const format : {Format::mp, Format::mercury, Format::transitions}) {
            if (format == file.format) continue;
            Source const source(file.name, file.text);
            EXPECT_FALSE(import_program({&source, 1}, format).draft) << file.name;
        }
}

TEST(Import, DamagedFilesArePrograms_OrHaveLocatedErrors) {
    Random random(1);
    for (File const& file : files())
        for (int i = 0; i < (naive::every() == 1 ? 2000 : 500); ++i) {
            std::string const text = damaged(file.text, random);
            SCOPED_TRACE(file.name);
            expect_program_or_error(text, file.format, i % 2 == 0 ? std::optional<Value>() : Value::boolean(true));
            if (HasFatalFailure()) return;
        }
}

TEST(Import, DamageByBlocksIsFound) {
    // Two processes write lines into one file, and the blocks of one get lost, as in the published traces.
    std::string text;
    for (int i = 0; i < 2000; ++i) text += "T" + std::to_string(i % 2) + "_" + std::to_string(i / 2) + ": snd(0, 1)\n";
    Source const intact("intact", text);
    EXPECT_TRUE(import_program({&intact, 1}, Format::mp).draft);
    Source const damaged("damaged", text.substr(0, 4096) + text.substr(8192, 4096) + text.substr(4096, 4096));
    Import const result = import_program({&damaged, 1}, Format::mp);
    EXPECT_FALSE(result.draft);
    EXPECT_TRUE(std::any_of(result.reports[0].begin(), result.reports[0].end(),
                            [](Diagnostic const& d) { return d.rule == "I1"; }));
}

TEST(Import, NestsDeeply) {
    std::string text = "T0_0: assert(";
    for (int i = 0; i < 200'000; ++i) text += "(not ";
    text += "true" + std::string(200'000, ')') + ")\n";
    Source const source("deep", text);
    Import const result = import_program({&source, 1}, Format::mp);
    ASSERT_TRUE(result.draft);
    EXPECT_EQ(result.draft->commands(), 1u);
}

TEST(Import, ErrorsOfAFileAreLimited) {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += "T0_5: nonsense\n";
    Source const source("wrong", text);
    EXPECT_EQ(import_program({&source, 1}, Format::mp).reports[0].size(), max_diagnostics);
}

Import imported(std::string const& text, Format format) {
    Source const source("file", text);
    return import_program({&source, 1}, format);
}

std::vector<std::string> messages(Import const& import) {
    std::vector<std::string> result;
    for (Diagnostic const& d : import.reports[0]) result.push_back(d.message);
    return result;
}

TEST(Import, WarningsHideNoError) {
    std::string mercury = "Thread 0\nRecv -1 0\n";
    for (std::size_t i = 0; i < max_diagnostics + 1; ++i) mercury += "Read 0\n";
    Import const read = imported(mercury + "Wait 0\n", Format::mercury);
    ASSERT_TRUE(read.draft);
    EXPECT_EQ(read.draft->commands(), 2u); // what comes last is read, too
    EXPECT_EQ(read.reports[0].size(), 1u);
    Import const wrong = imported(mercury + "nonsense\n", Format::mercury);
    EXPECT_FALSE(wrong.draft);
    EXPECT_TRUE(has_error(wrong.reports[0]));

    std::string isp = "Transition list for 1\nTransition list for 0\n0 o=0 i=0 rank=0 Send a.c:1 dest=1";
    for (std::size_t i = 0; i < max_diagnostics + 1; ++i) isp += " a" + std::to_string(i) + "=1";
    isp += "{}{}\n";
    EXPECT_TRUE(imported(isp, Format::transitions).draft);
    EXPECT_TRUE(has_error(imported(isp + "nonsense\n", Format::transitions).reports[0]));
}

TEST(Import, EachCommunicatorHasABarrierOfItsOwn) {
    std::string const text = "T0_0: Barrier(:=)\nT0_1: Barrier(a[0])\nT0_2: Barrier(a<0>)\nT0_3: Barrier(a[0])\n";
    expect_program_or_error(text, Format::mp);
    Import const import = imported(text, Format::mp);
    ASSERT_TRUE(import.draft);
    std::string const program = draft::print(*import.draft);
    for (std::string const barrier :
         {"[00 (barrier :=_)", "[01 (barrier a<0>)", "[02 (barrier a<0>_)", "[03 (barrier a<0>)"})
        EXPECT_NE(program.find(barrier), std::string::npos) << barrier << "\n" << program;
}

TEST(Import, NamesOfFilesCanHaveAnyBytes) {
    Source const source("caf\xe9\"\n", "T0_0: snd(0, 1)\n");
    Import const import = import_program({&source, 1}, Format::mp);
    ASSERT_TRUE(import.draft);
    Source const printed("printed", draft::print(*import.draft));
    EXPECT_NE(printed.text().find("(at \"caf?''\" 1)"), std::string::npos) << printed.text();
    EXPECT_TRUE(parse(printed));
}

TEST(Import, AFaultInATitleIsNoFaultOfItsLines) {
    std::string const lines = "0 o=0 i=0 rank=3 Isend a.c:1 dest=1 stag=0{}{}\n"
                              "1 o=1 i=1 rank=3 Wait a.c:2 req=0{}{}\n";
    EXPECT_EQ(messages(imported("Transition list for x\n" + lines, Format::transitions)).size(), 1u);
    Import const twice =
        imported("Transition list for 3\n" + lines + "Transition list for 3\n" + lines, Format::transitions);
    std::vector<std::string> const expected{"process 3 is there already, from line 1 on"};
    EXPECT_EQ(messages(twice), expected);
}

} // namespace

} // namespace matchpoint::importers
