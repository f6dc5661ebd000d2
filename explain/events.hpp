// Groups of events, for observers that treat them alike. A visitor that names groups still names every event, so that a
// new one does not compile until each observer knows it.
#pragma once

#include <concepts>

#include "machine/observer.hpp"

namespace matchpoint::explain {

template <typename E, typename... Es>
concept OneOf = (std::same_as<E, Es> || ...);

/// Rules that only rewrite the expression that is being evaluated.
template <typename E>
concept ExpressionEvent =
    OneOf<E, event::VariableLookup, event::LeftOperand, event::RightOperand, event::BinaryOperation, event::NotOperand,
          event::NotOperation, event::AssumeExpressionsEvaluation, event::AssertExpressionsEvaluation,
          event::AssignExpressionsEvaluation, event::SndiExpressionEvaluation, event::GuardEvaluation,
          event::RightHandSideEvaluation>;

/// Rules that change the queues, the requests or, with a wait, the store; and barriers, which change none of them.
template <typename E>
concept MessageEvent = OneOf<E, event::QueueMovement, event::SndiCommand, event::RcviCommand, event::WaitSndiCommand,
                             event::WaitRcviCommand, event::BarrierCommand>;

} // namespace matchpoint::explain
