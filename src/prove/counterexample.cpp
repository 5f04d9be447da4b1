#include "prove/counterexample.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pto::driver {
namespace {

bool is_chosen(const std::vector<Choice>& choices, uint32_t parameter) {
  return std::ranges::find(choices, parameter, &Choice::parameter) != choices.end();
}

bool is_other(const std::vector<Choice>& choices, const std::vector<InferredArgument>& chosen,
              uint32_t parameter) {
  return !chosen[parameter].buffer && !is_chosen(choices, parameter);
}

}  // namespace

std::vector<std::string> describe_inputs(const std::vector<Choice>& choices, const std::vector<size_t>& at,
                                         const std::vector<InferredArgument>& chosen,
                                         const MemoryInputs& contents, bool others) {
  std::vector<std::string> built;
  for (size_t i = 0; i < at.size(); ++i) {
    const int64_t number = choices[i].numbers[at[i]];
    if (choices[i].parameter != ~0u)
      built.push_back(fmt::format("{} = {}", choices[i].name, number));
    else if (number != 1)
      built.push_back(fmt::format("{} blocks", number));
  }
  for (uint32_t i = 0; others && i < chosen.size(); ++i) {
    if (is_other(choices, chosen, i))
      built.push_back(fmt::format("{} = {}", chosen[i].name, chosen[i].value.value_or(1)));
  }
  for (const auto& [place, number] : contents)
    built.push_back(fmt::format("{}[{}] = {}", chosen[place.argument].name,
                                place.offset / std::max(1u, place.bytes), number));
  return built;
}

bool has_unchosen_parameters(const std::vector<Choice>& choices,
                             const std::vector<InferredArgument>& chosen) {
  for (uint32_t i = 0; i < chosen.size(); ++i) {
    if (is_other(choices, chosen, i)) return true;
  }
  return false;
}

void assign_unchosen_parameters(uint64_t number, const std::vector<Choice>& choices,
                                std::vector<Argument>& arguments) {
  for (uint32_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].is_buffer && !is_chosen(choices, i)) arguments[i].scalar = number;
  }
}

}  // namespace pto::driver
