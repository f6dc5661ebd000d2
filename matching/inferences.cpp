#include "matching/inferences.hpp"

namespace matchpoint::matching {

std::string_view to_string(Inference i) {
    switch (i) {
    case Inference::order: return "order";
    case Inference::windows: return "windows";
    case Inference::counting: return "counting";
    case Inference::bounds: return "bounds";
    case Inference::disequality: return "disequality";
    case Inference::injection: return "injection";
    case Inference::equality: return "equality";
    case Inference::evaluation: return "evaluation";
    case Inference::hall: return "hall";
    case Inference::channels: return "channels";
    case Inference::reach: return "reach";
    case Inference::filter: return "filter";
    case Inference::sole_send: return "sole_send";
    }
    return {};
}

InferenceCounts& InferenceCounts::operator+=(InferenceCounts const& other) {
    for (Inference const i : all_inferences) add(i, other[i]);
    return *this;
}

} // namespace matchpoint::matching
