// What `check` found as SARIF 2.1.0, the format of code-scanning pages (docs/formats.md, "SARIF of check").
#pragma once

#include <string>

#include "base/diagnostics.hpp"
#include "check/scope.hpp"
#include "cli/exit_code.hpp"
#include "matching/prepared.hpp"
#include "report/json.hpp"

namespace matchpoint::cli {

class Sarif {
public:
    Sarif();

    /// An input that breaks a rule of the language.
    void add(Diagnostics const& diagnostics, Source const& source);
    /// A program: a result for each thing that is wrong, and a notification for each question that is open.
    /// `beside_the_run`: how the recorded run went wrong, if the verdict is not about that.
    void add(Prepared const& subject, check::CheckOptions const& options, check::CheckResult const& result,
             check::Scope const& scope, std::string const& beside_the_run);
    /// Something that kept the check from an answer.
    void notify(std::string const& file, std::string const& message, std::string_view level = "warning");

    Json document(ExitCode code) const;

private:
    class Writer;

    void artifact(Source const& source);
    std::size_t rule_number(std::string_view id);

    Json rules_ = Json::array();
    Json artifacts_ = Json::array();
    Json results_ = Json::array();
    Json notifications_ = Json::array();
};

} // namespace matchpoint::cli
