#include "cli/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "cli/option_facts.hpp"

namespace pto::tools {
namespace {

constexpr size_t kWidth = 100;  ///< columns of a line
constexpr size_t kColumn = 30;  ///< where descriptions begin
constexpr size_t kIndent = 2;

/// `text` in lines that end before column `kWidth`. The first one continues a line of `used` columns.
std::string wrapped(std::string_view text, size_t used, size_t indent) {
  std::string out;
  size_t column = used;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    const bool is_first = begin == 0;
    if (!is_first && column + 1 + word.size() > kWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!is_first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    begin = end + 1;
  }
  return out;
}

/// A line "  NAME   description"; a long name has a line to itself.
std::string entry(const std::string& name, std::string_view description) {
  const std::string head = std::string(kIndent, ' ') + name;
  const std::string gap = head.size() + kIndent > kColumn ? "\n" + std::string(kColumn, ' ')
                                                          : std::string(kColumn - head.size(), ' ');
  return head + gap + wrapped(description, kColumn, kColumn) + "\n";
}

std::string shown_name(const OptionFacts& option) {
  if (option.names.empty()) return option.value;
  const std::string names = fmt::format("{}", fmt::join(option.names, ", "));
  return option.value.empty() ? names : names + " " + option.value;
}

std::string shown_description(const OptionFacts& option) {
  return option.description + (option.is_repeatable && !option.names.empty() ? " (repeatable)" : "");
}

std::string usage(const CLI::App& app, const std::string& name, const std::vector<OptionFacts>& options) {
  std::string out = fmt::format("Usage: {} [OPTIONS]", name);
  for (const OptionFacts& option : options)
    if (option.names.empty()) out += " " + usage_of(option);
  if (commands_of(app).empty()) return out + "\n";
  return out + fmt::format("\n       {} COMMAND [OPTIONS] ...\n", name);
}

std::string commands_section(const CLI::App& app) {
  std::string out;
  for (const CLI::App* command : commands_of(app))
    out += entry(command->get_name(), command->get_description());
  return out.empty() ? out : "\nCommands (COMMAND --help shows their options):\n" + out;
}

std::string group_section(const std::vector<OptionFacts>& options, std::string_view name) {
  std::string out;
  for (const OptionFacts& option : options)
    if (option.group == name) out += entry(shown_name(option), shown_description(option));
  return out.empty() ? out : fmt::format("\n{}:\n{}", name, out);
}

class HelpFormatter final : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const override {
    return help_text(*app, name);
  }
};

}  // namespace

std::string help_text(const CLI::App& app, const std::string& name) {
  const std::vector<OptionFacts> options = option_facts(app);
  std::string out = wrapped(app.get_description(), 0, 0) + "\n\n" + usage(app, name, options);
  for (const char* const group : group::kAll) out += group_section(options, group);
  out += commands_section(app);
  const std::string footer = app.get_footer();
  return footer.empty() ? out : out + "\n" + wrapped(footer, 0, 0) + "\n";
}

void use_help_text(CLI::App& app) {
  app.formatter(std::make_shared<HelpFormatter>());
  app.get_help_ptr()->description("print this help and exit")->group(group::kGeneral);
  for (CLI::App* const command : app.get_subcommands([](CLI::App*) { return true; })) use_help_text(*command);
}

}  // namespace pto::tools
