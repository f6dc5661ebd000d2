// The folders that `matchpoint validate` writes, one for each finding.
#pragma once

#include <filesystem>
#include <string>

#include "base/files.hpp"
#include "cli/commands/validate_options.hpp"
#include "validate/campaign.hpp"

namespace matchpoint::cli {

/// A word as a shell reads it.
std::string in_quotes(std::string const& word);
/// A command as a shell reads it.
std::string command_text(std::vector<std::string> const& command);

/// "The encoder says sat: some run fails. No run does."
std::string says(validate::Kind kind);

/// Removes the findings of an earlier campaign, so that nobody takes them for findings of this one. Other files stay,
/// also in the folders of findings.
void remove_findings(std::filesystem::path const& output);

/// Whether a file lies in one of them.
bool is_in_a_finding(std::string const& file, std::filesystem::path const& output);

class FindingFolders {
public:
    FindingFolders(ValidateOptions const& options, CampaignOptions const& campaign)
        : options_(options), campaign_(campaign) {}

    /// findings/001-unsound-infinite
    std::string folder(std::size_t number, validate::Found const& f) const;
    /// Empty if it succeeded.
    FileError write(std::size_t number, validate::Found const& f) const;
    /// findings/no-answer-crashed
    std::string folder(validate::Unanswered const& u) const;
    /// The program that the encoder did not answer, and what it printed.
    FileError write(validate::Unanswered const& u) const;
    /// findings/unexplained, while a wrong answer is made smaller and explained: the program that was asked.
    std::string folder_of_unexplained() const;
    FileError write(validate::Unexplained const& u) const;
    FileError remove_unexplained() const;
    /// The why.txt of a finding once more.
    FileError write_reason(std::size_t number, validate::Found const& f) const;

private:
    std::string why(validate::Found const& f) const;
    std::string run_again(validate::Found const& f) const;
    /// Options of `validate` that ask what this campaign asks.
    std::string question_options() const;
    std::string again(std::string_view file, Buffering buffering, std::string_view about) const;
    static FileError write_all(std::filesystem::path const& folder,
                               std::vector<std::pair<std::string, std::string>> const& files);
    std::string failing(validate::Found const& f) const;

    ValidateOptions const& options_;
    CampaignOptions const& campaign_;
};

} // namespace matchpoint::cli
