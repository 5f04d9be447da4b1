// Placeholders of a case that depend on the rank: {rank}, {nranks}, {next}, {prev}.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pto::report {

/// The fill of a communication context; with ":RANK:RANKS" behind it, of that rank.
inline constexpr std::string_view kContextFill = "context";

bool names_rank(std::string_view text);
std::string rank_text(std::string text, uint32_t rank, uint32_t ranks);

/// "x@3": argument x of rank 3.
struct PeerArgument {
  std::string_view name;
  uint32_t rank = 0;
};
std::optional<PeerArgument> peer_argument(std::string_view text);

}  // namespace pto::report
