// The result of a campaign as JSON: what `validate --format json` prints and `validate --state` keeps.
#pragma once

#include <optional>
#include <string_view>

#include "cli/commands/validate_options.hpp"
#include "report/json.hpp"
#include "validate/campaign.hpp"

namespace matchpoint::cli {

/// The options that decide what a campaign does. A state can be continued only with the same ones.
Json identity_of(ValidateOptions const& options, CampaignOptions const& campaign);

Json json_of(validate::Result const& r);

/// The text of a state file.
std::string state_text(Json const& identity, validate::Result const& r);
/// The result in such a text; none if it is something else, or the state of a campaign with other options.
std::optional<validate::Result> state_of(std::string_view text, Json const& identity);

} // namespace matchpoint::cli
