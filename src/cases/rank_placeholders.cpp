// A case of several devices, as one of them sees it.
#include "cases/rank_placeholders.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

#include "pto/case_file.hpp"
#include "pto/ranks.hpp"

namespace pto {

namespace report {

bool names_rank(std::string_view text) {
  for (const std::string_view word : {"{rank}", "{nranks}", "{next}", "{prev}"}) {
    if (text.find(word) != std::string_view::npos) return true;
  }
  return false;
}

std::string rank_text(std::string text, uint32_t rank, uint32_t ranks) {
  const auto put = [&](std::string_view word, uint32_t number) {
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at))
      text.replace(at, word.size(), fmt::format("{}", number));
  };
  ranks = std::max(ranks, 1u);
  put("{rank}", rank);
  put("{nranks}", ranks);
  put("{next}", (rank + 1) % ranks);
  put("{prev}", (rank + ranks - 1) % ranks);
  return text;
}

std::optional<PeerArgument> peer_argument(std::string_view text) {
  const size_t at = text.rfind('@');
  PeerArgument out;
  if (at == 0 || at == std::string_view::npos) return std::nullopt;
  out.name = text.substr(0, at);
  const std::string_view number = text.substr(at + 1);
  const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), out.rank);
  if (number.empty() || problem != std::errc() || end != number.data() + number.size()) return std::nullopt;
  return out;
}

}  // namespace report

Case case_of_rank(const Case& the_case, uint32_t rank) {
  Case out = the_case;
  const auto text = [&](std::string& each) { each = report::rank_text(each, rank, the_case.ranks); };
  for (CaseArg& arg : out.args) {
    if (arg.value) text(*arg.value);
    if (arg.fill == report::kContextFill)
      arg.fill = fmt::format("{}:{}:{}", report::kContextFill, rank, std::max(the_case.ranks, 1u));
    else if (arg.fill)
      text(*arg.fill);
    for (std::string* each : {&arg.input, &arg.output, &arg.expect, &arg.peer}) text(*each);
  }
  return out;
}

}  // namespace pto
