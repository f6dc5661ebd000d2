// Section 5 of the paper with Section 5.4, zero buffering, to the letter: "We can add additional, orthogonal,
// constraints to further restrict behavior and enforce a zero-buffer semantics. There are two kinds of such
// constraints." Sections 5.1 to 5.3 are in section5.cpp.
//
// Where the text is open, we read it so:
//   "can both match a receive R"   both are match pairs of R in the given set: Section 5 knows no other "can".
//   "such that order_S <_HB order_S'"   the constraint that Step 1 adds. Two sends of a task that can both match R share
//       R's endpoint, so Step 1 orders them, always in program order.
//   "we add the following constraint"   unconditionally. (Errata E14: under the condition that R is matched with S, which
//       is not what is printed, it goes wrong as well.)
//   "issues before S on an identical endpoint"   R' receives at the endpoint that S sends from, and W precedes S.
//   "issued after the issuing of S' by an identical endpoint"   S'' comes after S', and both send from one endpoint.
//
// Errata E14 and E25 say where Section 5.4 goes wrong. The errata of Sections 5.1 to 5.3 apply here, too.

#include <algorithm>

#include <fmt/format.h>

#include "encode/literal_encoders.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::encode {

namespace {

/// Definition 12: "Two match pairs are dependent, denoted as <R, S> -| <R', S'>, if and only if
///   1. the nearest-enclosing wait W of R' issues before S on an identical endpoint; or
///   2. there is <R'', S''> such that <R, S> -| <R'', S''> and <R'', S''> -| <R', S'>."
/// R does not occur in the conditions, and 1 does not mention S'. So this gives the S' of every <R', S'> that the pairs
/// of S depend on, in program order.
std::vector<std::uint32_t> dependent(MessageIndex const& messages, MatchPairs const& pairs,
                                     std::vector<Location> const& nw, std::uint32_t s) {
    std::vector<std::uint32_t> result;
    std::vector<bool> has_send(messages.sends().size());
    std::vector<bool> has_receive(messages.receives().size());
    std::vector<std::uint32_t> rest{s};
    while (!rest.empty()) {
        auto const& send = messages.sends()[rest.back()];
        rest.pop_back();
        Endpoint const alpha = messages.code()[send.channel].alpha;
        for (std::uint32_t const r : messages.receives_at(alpha)) {
            if (has_receive[r] || nw[r] > send.rho) continue; // 1
            has_receive[r] = true;
            for (std::uint32_t const next : pairs.of[r]) {
                if (has_send[next]) continue;
                has_send[next] = true;
                result.push_back(next);
                rest.push_back(next); // 2
            }
        }
    }
    std::sort(result.begin(), result.end());
    return result;
}

} // namespace

std::string encode_section5_zero(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options) {
    EncoderOptions sections_1_to_3 = options;
    sections_1_to_3.buffering = Buffering::infinite;
    sections_1_to_3.check_sat = false;
    std::string out = encode_section5(messages, pairs, sections_1_to_3);

    IndexedProgram const& code = messages.code();
    auto const& sends = messages.sends();
    std::vector<Location> const nw = nearest_enclosing_waits(messages);
    /// order_W <_HB order_S, at S.
    auto const wait_before_send = [&](std::string_view kind, std::uint32_t r, std::uint32_t s) {
        auto const name = [&](auto id) { return mangle(code.names()(id)); };
        out += fmt::format("(assert (! (< order_{} order_{}) :named |{} {} {}|))\n", name(nw[r]), name(sends[s].rho),
                           name(sends[s].rho), kind, name(messages.receives()[r].a));
    };

    out +=
        "; Section 5.4: first, for each task, if there are two sends S and S' such that order_S < order_S', and S and\n"
        "; S' can both match a receive R, then order_W < order_S' where W is the nearest-enclosing wait of R\n";
    for (std::uint32_t r = 0; r < pairs.of.size(); ++r)
        for (std::size_t i = 1; i < pairs.of[r].size(); ++i) { // in program order, so the sends of a task are adjacent
            std::uint32_t const s = pairs.of[r][i - 1];
            std::uint32_t const s_p = pairs.of[r][i];
            if (code.thread_of(sends[s].rho) == code.thread_of(sends[s_p].rho))
                wait_before_send("ZERO BUFFER 1", r, s_p);
        }

    out += "; Section 5.4: for each pair of sends S and S' that can both match a receive R, if there is a send S''\n"
           "; issued after the issuing of S' by an identical endpoint, and a receive R' such that <R, S> depends on\n"
           "; <R', S''>, then order_W < order_S where W is the nearest-enclosing wait of R\n";
    std::vector<std::vector<std::uint32_t>> raced_for(sends.size()); // S -> the receives that it and another can match
    for (std::uint32_t r = 0; r < pairs.of.size(); ++r)
        if (pairs.of[r].size() > 1)
            for (std::uint32_t const s : pairs.of[r]) raced_for[s].push_back(r);
    std::vector<Location> last(code.endpoints().size()); // endpoint -> its last S'' with <R, S> -| <R', S''>
    auto const alpha = [&](std::uint32_t s) { return code[sends[s].channel].alpha.index; };
    for (std::uint32_t s = 0; s < sends.size(); ++s) {
        if (raced_for[s].empty()) continue;
        std::vector<std::uint32_t> const all_s_pp = dependent(messages, pairs, nw, s);
        for (std::uint32_t const s_pp : all_s_pp) last[alpha(s_pp)] = sends[s_pp].rho; // in program order
        for (std::uint32_t const r : raced_for[s])
            if (std::any_of(pairs.of[r].begin(), pairs.of[r].end(), [&](std::uint32_t s_p) {
                    Location const s_pp = last[alpha(s_p)];
                    return s_p != s && !s_pp.is_none() && s_pp > sends[s_p].rho;
                }))
                wait_before_send("ZERO BUFFER 2", r, s);
        for (std::uint32_t const s_pp : all_s_pp) last[alpha(s_pp)] = {};
    }
    if (options.check_sat) out += "(check-sat)\n";
    return out;
}

} // namespace matchpoint::encode
