// The result of a campaign as text, as JSON and as JUnit's XML.
#pragma once

#include <string>

#include "cli/commands/validate_findings.hpp"
#include "report/json.hpp"
#include "validate/campaign.hpp"

namespace matchpoint::cli {

/// The disagreement, the program and one cause of each finding; then how many answers are right. `written`: the
/// findings have folders; `verbose`: everything that is known about the cause and the programs.
std::string report_text(CampaignOptions const& campaign, validate::Result const& r, FindingFolders const& folders,
                        bool written, bool verbose);

/// docs/schema/validate.schema.json
Json report_json(CampaignOptions const& campaign, validate::Result const& r, FindingFolders const& folders,
                 bool written);

/// A test case for each buffering, which fails if there are wrong answers and is an error if answers are missing; and
/// one for each finding, which fails.
std::string report_junit(CampaignOptions const& campaign, validate::Result const& r);

} // namespace matchpoint::cli
