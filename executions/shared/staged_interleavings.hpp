// The search of interleavings.hpp in two stages. Movers that care for data races make short chains. Once a data race
// was met, that question is answered. So the search begins anew, with longer chains, for what is still open.
//
//   StagedInterleavings all(messages, Buffering::infinite);
//   all.use(&movers, [&] { return &movers_without_races; });
//   while (auto const end = all.next()) use(*end, all.search().state(), all.search().schedule());
//
// It does not go on with other chains: its frames have the choices of the chains that were known when they were opened,
// and what it has left as seen was gone through by these.
#pragma once

#include <functional>
#include <optional>

#include "executions/shared/interleavings.hpp"

namespace matchpoint::executions {

class StagedInterleavings {
public:
    /// Movers that do not care for data races. Null if they are not known, or are those that were used before.
    using OnceRaced = std::function<Movers const*()>;

    /// The messages and the model have to outlive it. Without a model, all executions count.
    StagedInterleavings(MessageIndex const& messages, Buffering buffering, CausalModel const* model = nullptr)
        : messages_(messages), buffering_(buffering), model_(model) {
        search_.emplace(messages, buffering, model);
    }

    /// Before the first execution, and without a model. All movers have to outlive it. `once_raced` is called once at
    /// most; empty if there is one stage.
    void use(Movers const* movers, OnceRaced once_raced = {}) {
        search_->use(movers);
        once_raced_ = std::move(once_raced);
    }

    /// As that of Interleavings. An execution of the second stage may be one that the first stage has shown.
    std::optional<End> next(std::uint64_t steps = UINT64_MAX);
    bool done() const { return search_->done(); }
    /// The search that runs now, with its execution.
    Interleavings const& search() const { return *search_; }
    /// Of both stages.
    std::uint64_t steps() const { return before_.steps + search_->steps(); }
    UntilEnd::Counts counts() const;
    UntilEnd::Race const* race() const { return race_ ? &*race_ : search_->race(); }
    bool has_begun_anew() const { return race_.has_value(); }

private:
    void begin_anew();

    MessageIndex const& messages_;
    Buffering buffering_;
    CausalModel const* model_;
    std::optional<Interleavings> search_;
    OnceRaced once_raced_;
    std::optional<UntilEnd::Race> race_; // that the first stage met, in the second one
    struct {
        std::uint64_t steps = 0;
        UntilEnd::Counts counts = {};
    } before_; // in the first stage
};

} // namespace matchpoint::executions
