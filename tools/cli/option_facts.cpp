#include "cli/option_facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

namespace pto::tools {
namespace {

/// Names of the reference assembler for options that have a name of their own.
constexpr std::string_view kAliases[] = {"--pto-arch", "--pto-level"};

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(at, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

void add_names(OptionFacts& facts, const CLI::Option& option) {
  for (const std::string& name : option.get_snames()) facts.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) {
    const std::string dashed = "--" + name;
    const bool is_alias = std::ranges::find(kAliases, dashed) != std::end(kAliases);
    (is_alias ? facts.aliases : facts.names).push_back(dashed);
  }
}

/// The type name of CLI11 is "FILE", "a|b", "TEXT:a|b" with the values of `one_of`, or "N:INT in [1 - 64]".
void add_value(OptionFacts& facts, const CLI::Option& option) {
  if (option.get_items_expected_max() == 0 || option.get_type_size_max() == 0) return;
  const std::string type = option.get_type_name();
  const size_t colon = type.find(':');
  facts.value = type.substr(0, colon);
  const std::string values = colon == std::string::npos ? type : type.substr(colon + 1);
  if (values.find('|') == std::string::npos) return;
  facts.choices = split(values, '|');
  facts.value = fmt::format("{}", fmt::join(facts.choices, "|"));
}

OptionFacts facts_of(const CLI::Option& option) {
  OptionFacts facts;
  add_names(facts, option);
  add_value(facts, option);
  facts.description = option.get_description();
  if (!option.get_default_str().empty())
    facts.description += fmt::format(" (default: {})", option.get_default_str());
  facts.group = option.get_group();
  facts.is_required = option.get_required();
  facts.is_repeatable = option.get_items_expected_max() >= CLI::detail::expected_max_vector_size;
  return facts;
}

}  // namespace

std::vector<OptionFacts> option_facts(const CLI::App& app) {
  std::vector<OptionFacts> all;
  for (const CLI::Option* option : app.get_options()) {
    const std::string& name = option->get_group();
    if (name == group::kHidden) continue;
    if (std::ranges::find(group::kAll, name) == std::end(group::kAll))
      throw std::logic_error(fmt::format("option {} has no group", option->get_name()));
    all.push_back(facts_of(*option));
  }
  return all;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string usage_of(const OptionFacts& positional) {
  const std::string name = positional.value + (positional.is_repeatable ? "..." : "");
  return positional.is_required ? name : fmt::format("[{}]", name);
}

}  // namespace pto::tools
