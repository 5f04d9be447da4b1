#include "cli/manual.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "cli/option_facts.hpp"
#include "cli/options.hpp"
#include "cli/tool_main.hpp"
#include "pto/version.hpp"

namespace pto::tools {
namespace {

/// Text for roff: no line begins with a control character, dashes stay dashes.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += fmt::format("\\&{}", c);
    else
      out += c;
  }
  return out;
}

std::string entry(const std::string& name, std::string_view value, std::string_view description) {
  const std::string shown = value.empty() ? "" : fmt::format(" \\fI{}\\fR", roff(value));
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(name), shown, roff(description));
}

std::string option_entry(const OptionFacts& option) {
  if (option.names.empty()) return entry(option.value, "", option.description);
  std::vector<std::string> names = option.names;
  names.insert(names.end(), option.aliases.begin(), option.aliases.end());
  return entry(fmt::format("{}", fmt::join(names, ", ")), option.value, option.description);
}

std::string options_section(const CLI::App& app) {
  const std::vector<OptionFacts> options = option_facts(app);
  std::string out;
  for (const char* const name : group::kAll) {
    std::string entries;
    for (const OptionFacts& option : options)
      if (option.group == name) entries += option_entry(option);
    if (!entries.empty()) out += fmt::format(".SS {}\n{}", name, entries);
  }
  return out;
}

/// Options that --help does not show: other names for options, and options of ptoas without an effect.
std::string compatibility_section(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group() != group::kHidden) continue;
    for (const std::string& name : option->get_lnames())
      if (name != "enable-insert-sync" && name != "emit-pto-ir") names.push_back("--" + name);
  }
  if (names.empty()) return "";
  return fmt::format(
      ".SH COMPATIBILITY\nOptions of ptoas are accepted as well. "
      "\\fB\\-\\-enable\\-insert\\-sync\\fR is the same as \\fB\\-\\-sync auto\\fR, "
      "\\fB\\-\\-emit\\-pto\\-ir\\fR the same as \\fB\\-\\-emit pto\\fR of pto\\-as. "
      "The others have no effect or are refused: {}.\n",
      roff(fmt::format("{}", fmt::join(names, ", "))));
}

std::string examples_section(const ManualText& text) {
  std::string out;
  for (const ManualExample& example : text.examples)
    out += fmt::format(".PP\n{}\n.PP\n.EX\n{}\n.EE\n", roff(example.about), roff(example.commands));
  return out.empty() ? out : ".SH EXAMPLES\n" + out;
}

std::string files_section(const ManualText& text) {
  std::string out;
  for (const ManualFile& file : text.files) out += entry(file.name, "", file.about);
  return out.empty() ? out : ".SH FILES\n" + out;
}

/// Only programs that print diagnostics read variables.
std::string environment_section(const CLI::App& app) {
  if (app.get_option_no_throw("--color") == nullptr) return "";
  return ".SH ENVIRONMENT\n" +
         entry("NO_COLOR", "", "If it is set and not empty, messages have no colours (with --color auto).") +
         entry("NAME", "", "The value of ${NAME} in program texts and case files, unless -D defines it.");
}

struct ExitStatus {
  int code;
  const char* meaning;
};

constexpr ExitStatus kExitStatuses[] = {
    {kOk, "Success."},
    {kFinding, "The program has an error or a finding: a violated rule, a mismatch, a hazard, a deadlock."},
    {kUsage, "The command line, a configuration or an input file is wrong."},
    {kUnsupported, "The program uses an instruction or target that is not supported."},
    {kInternal, "Internal error of the tool."},
    {kInterrupted, "SIGINT ended the run."}};

std::string exit_status_section() {
  std::string out = ".SH EXIT STATUS\n";
  for (const ExitStatus& status : kExitStatuses)
    out += entry(std::to_string(status.code), "", status.meaning);
  return out;
}

std::string synopsis(const CLI::App& app, std::string_view tool) {
  std::string out = fmt::format("\\fB{}\\fR [\\fIOPTIONS\\fR]", roff(tool));
  for (const OptionFacts& option : option_facts(app))
    if (option.names.empty()) out += fmt::format(" \\fI{}\\fR", roff(usage_of(option)));
  for (const CLI::App* command : commands_of(app))
    out += fmt::format("\n.br\n\\fB{} {}\\fR [\\fIOPTIONS\\fR] ...", roff(tool), roff(command->get_name()));
  return out + "\n";
}

// ---- completion

std::string for_bash(const CLI::App& app, std::string_view tool) {
  std::string cases;
  std::vector<std::string> words;
  const auto add = [&](const CLI::App& command) {
    for (const OptionFacts& option : option_facts(command)) {
      words.insert(words.end(), option.names.begin(), option.names.end());
      if (option.names.empty() || option.value.empty()) continue;
      cases += fmt::format(
          "    {}) COMPREPLY=($(compgen {} -- \"$word\")); return ;;\n", fmt::join(option.names, "|"),
          option.choices.empty() ? "-f" : fmt::format("-W '{}'", fmt::join(option.choices, " ")));
    }
  };
  add(app);
  std::vector<std::string> commands;
  for (const CLI::App* command : commands_of(app)) {
    add(*command);
    commands.push_back(command->get_name());
  }
  std::string function(tool);
  std::ranges::replace(function, '-', '_');
  return fmt::format(
      "# bash completion of {0}: source <({0} --completion bash)\n"
      "_{1}() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  case $before in\n{2}  esac\n"
      "  if [[ $word == -* ]]; then\n    COMPREPLY=($(compgen -W '{3}' -- \"$word\"))\n"
      "  else\n    COMPREPLY=($(compgen -f -W '{4}' -- \"$word\"))\n  fi\n"
      "}}\ncomplete -o filenames -F _{1} {0}\n",
      tool, function, cases, fmt::join(words, " "), fmt::join(commands, " "));
}

/// `text` between single quotes of a shell.
std::string in_quotes(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

std::string for_zsh(const CLI::App& app, std::string_view tool) {
  std::string out = fmt::format(
      "#compdef {0}\n# zsh completion of {0}: {0} --completion zsh > DIR_IN_FPATH/_{0}\n_arguments \\\n",
      tool);
  std::vector<const CLI::App*> all = commands_of(app);
  all.insert(all.begin(), &app);
  for (const CLI::App* command : all) {
    for (const OptionFacts& option : option_facts(*command)) {
      for (const std::string& name : option.names) {
        std::string words;
        for (const char c : in_quotes(option.description))
          words += c == '[' || c == ']' || c == ':' ? fmt::format("\\{}", c) : std::string(1, c);
        const std::string value = option.value.empty() ? ""
                                  : option.choices.empty()
                                      ? ":value:_files"
                                      : fmt::format(":value:({})", fmt::join(option.choices, " "));
        out += fmt::format("  '*{}[{}]{}' \\\n", name, words, value);
      }
    }
  }
  return out + "  '*:file:_files'\n";
}

std::string for_fish(const CLI::App& app, std::string_view tool) {
  std::string out = fmt::format("# fish completion of {0}: {0} --completion fish | source\n", tool);
  std::vector<const CLI::App*> all = commands_of(app);
  for (const CLI::App* command : all)
    out += fmt::format("complete -c {} -n __fish_use_subcommand -a {} -d '{}'\n", tool, command->get_name(),
                       in_quotes(command->get_description()));
  all.insert(all.begin(), &app);
  for (const CLI::App* command : all) {
    for (const OptionFacts& option : option_facts(*command)) {
      if (option.names.empty()) continue;
      std::string names;
      for (const std::string& name : option.names)
        names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      const std::string value = option.value.empty() ? ""
                                : option.choices.empty()
                                    ? " -r"
                                    : fmt::format(" -x -a '{}'", fmt::join(option.choices, " "));
      out += fmt::format("complete -c {}{}{} -d '{}'\n", tool, names, value, in_quotes(option.description));
    }
  }
  return out;
}

}  // namespace

std::string manual_page(const CLI::App& app, const ManualText& text) {
  std::string upper(text.tool);
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
  std::string out = fmt::format(".TH {} 1 \"\" \"pto {}\" \"PTO tool set\"\n.SH NAME\n{} \\- {}\n",
                                roff(upper), kVersion, roff(text.tool), roff(app.get_description()));
  out += ".SH SYNOPSIS\n" + synopsis(app, text.tool);
  out += ".SH DESCRIPTION\n" + roff(text.description) + "\n";
  out += ".SH OPTIONS\n" + options_section(app);
  for (const CLI::App* command : commands_of(app))
    out += fmt::format(".SH COMMAND {}\n{}\n{}", roff(command->get_name()), roff(command->get_description()),
                       options_section(*command));
  out += compatibility_section(app) + examples_section(text) + exit_status_section();
  out += environment_section(app) + files_section(text);
  return out +
         ".SH SEE ALSO\n\\fBpto\\-as\\fR(1), \\fBpto\\-dis\\fR(1), \\fBpto\\-sim\\fR(1), "
         "\\fBpto\\-lsp\\fR(1)\n";
}

std::string completion(const CLI::App& app, std::string_view tool, std::string_view shell) {
  return shell == "bash" ? for_bash(app, tool) : shell == "zsh" ? for_zsh(app, tool) : for_fish(app, tool);
}

void add_manual_options(CLI::App& app, const ManualText& text) {
  begin_group(app, group::kGeneral);
  app.add_flag_callback(
      "--man",
      [&app, &text] {
        put(stdout, manual_page(app, text));
        throw CLI::Success();
      },
      "print the manual page, for man -l -");
  app.add_option_function<std::string>(
         "--completion",
         [&app, &text](const std::string& shell) {
           put(stdout, completion(app, text.tool, shell));
           throw CLI::Success();
         },
         "print a completion script for a shell")
      ->check(one_of({"bash", "zsh", "fish"}));
}

}  // namespace pto::tools
