#include "prove/counterexample.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pto::driver {
namespace {

bool is_chosen(const std::vector<Choice>& choices, uint32_t parameter) {
  return std::ranges::find(choices, parameter, &Choice::parameter) != choices.end();
}

bool is_other(const std::vector<Choice>& choices, const std::vector<Chosen>& chosen, uint32_t parameter) {
  return !chosen[parameter].buffer && !is_chosen(choices, parameter);
}

}  // namespace

std::vector<std::string> inputs_of(const std::vector<Choice>& choices, const std::vector<size_t>& at,
                                   const std::vector<Chosen>& chosen, const Contents& contents, bool others) {
  std::vector<std::string> made;
  for (size_t i = 0; i < at.size(); ++i) {
    const int64_t number = choices[i].numbers[at[i]];
    if (choices[i].parameter != ~0u)
      made.push_back(fmt::format("{} = {}", choices[i].name, number));
    else if (number != 1)
      made.push_back(fmt::format("{} blocks", number));
  }
  for (uint32_t i = 0; others && i < chosen.size(); ++i) {
    if (is_other(choices, chosen, i))
      made.push_back(fmt::format("{} = {}", chosen[i].name, chosen[i].value.value_or(1)));
  }
  for (const auto& [place, number] : contents)
    made.push_back(fmt::format("{}[{}] = {}", chosen[place.argument].name,
                               place.offset / std::max(1u, place.bytes), number));
  return made;
}

bool has_others(const std::vector<Choice>& choices, const std::vector<Chosen>& chosen) {
  for (uint32_t i = 0; i < chosen.size(); ++i) {
    if (is_other(choices, chosen, i)) return true;
  }
  return false;
}

void give_others(uint64_t number, const std::vector<Choice>& choices, std::vector<Argument>& arguments) {
  for (uint32_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].is_buffer && !is_chosen(choices, i)) arguments[i].scalar = number;
  }
}

}  // namespace pto::driver
