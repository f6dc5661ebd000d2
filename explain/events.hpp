// Groups of events, for observers that treat them alike. A visitor that names groups still names every event, so that a
// new one does not compile until each observer knows it.
#pragma once

#include "machine/observer.hpp"

namespace matchpoint::explain {

/// Rules that only rewrite the expression that is being evaluated.
template <typename E>
concept ExpressionEvent = event::InsideExpression<E> ||
    OneOf<E, event::AssumeExpressionsEvaluation, event::AssertExpressionsEvaluation, event::AssignExpressionsEvaluation,
          event::SndiExpressionEvaluation, event::GuardEvaluation, event::RightHandSideEvaluation>;

/// Rules that change the queues, the requests or, with a wait, the store; and barriers and collectives, which
/// change none of them.
template <typename E>
concept MessageEvent = OneOf<E, event::QueueMovement, event::SndiCommand, event::RcviCommand, event::WaitSndiCommand,
                             event::WaitRcviCommand, event::BarrierCommand, event::ProbeCommand, event::StartCommand,
                             event::CollectiveStep>;

} // namespace matchpoint::explain
