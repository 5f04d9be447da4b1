#include "cli/manual.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "cli/options.hpp"
#include "cli/tool_main.hpp"
#include "pto/version.hpp"

namespace pto::tools {
namespace {

struct OptionFacts {
  std::vector<std::string> names;   ///< with their dashes; empty: positional
  std::string name, words, value;   ///< of a positional; what --help says; "FILE" or ""
  std::vector<std::string> values;  ///< where there is a list of them
  bool required = false;
};

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(at, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// Options that --help shows, in its order.
std::vector<OptionFacts> facts_of(const CLI::App& app) {
  std::vector<OptionFacts> all;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty() && !option->get_positional()) continue;
    OptionFacts facts;
    for (const std::string& name : option->get_snames()) facts.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) facts.names.push_back("--" + name);
    facts.name = option->get_name(true);
    facts.words = option->get_description();
    facts.required = option->get_required();
    if (option->get_items_expected_max() != 0 && option->get_type_size_max() != 0) {
      const std::string type = option->get_type_name();  // "TEXT:a|b" or "UINT:INT in [1 - 65535]"
      const size_t colon = type.find(':');
      facts.value = type.substr(0, colon);
      if (colon != std::string::npos && type.find('|') != std::string::npos)
        facts.values = split(std::string_view(type).substr(colon + 1), '|');
    }
    all.push_back(std::move(facts));
  }
  return all;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

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

std::string options_section(const CLI::App& app) {
  std::string out;
  for (const OptionFacts& option : facts_of(app)) {
    const std::string names =
        option.names.empty() ? option.name : fmt::format("{}", fmt::join(option.names, ", "));
    const std::string values =
        option.values.empty() ? option.value : fmt::format("{}", fmt::join(option.values, " | "));
    out += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(names),
                       option.names.empty() || values.empty() ? "" : fmt::format(" \\fI{}\\fR", roff(values)),
                       roff(option.words));
  }
  return out;
}

// ---- completion

std::string for_bash(const CLI::App& app, std::string_view tool) {
  std::string cases;
  std::vector<std::string> words;
  const auto add = [&](const CLI::App& of) {
    for (const OptionFacts& option : facts_of(of)) {
      words.insert(words.end(), option.names.begin(), option.names.end());
      if (option.names.empty() || option.value.empty()) continue;
      cases += fmt::format(
          "    {}) COMPREPLY=($(compgen {} -- \"$word\")); return ;;\n", fmt::join(option.names, "|"),
          option.values.empty() ? "-f" : fmt::format("-W '{}'", fmt::join(option.values, " ")));
    }
  };
  add(app);
  std::vector<std::string> commands;
  for (const CLI::App* command : commands_of(app)) {
    add(*command);
    commands.push_back(command->get_name());
  }
  return fmt::format(
      "# bash completion of {0}: source <({0} --completion bash)\n"
      "_{1}() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  case $before in\n{2}  esac\n"
      "  if [[ $word == -* ]]; then\n    COMPREPLY=($(compgen -W '{3}' -- \"$word\"))\n"
      "  else\n    COMPREPLY=($(compgen -f -W '{4}' -- \"$word\"))\n  fi\n"
      "}}\ncomplete -o filenames -F _{1} {0}\n",
      tool, fmt::join(split(tool, '-'), "_"), cases, fmt::join(words, " "), fmt::join(commands, " "));
}

/// In single quotes.
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
  for (const CLI::App* of : all) {
    for (const OptionFacts& option : facts_of(*of)) {
      for (const std::string& name : option.names) {
        std::string words;
        for (const char c : in_quotes(option.words))
          words += c == '[' || c == ']' || c == ':' ? fmt::format("\\{}", c) : std::string(1, c);
        const std::string value = option.value.empty() ? ""
                                  : option.values.empty()
                                      ? ":value:_files"
                                      : fmt::format(":value:({})", fmt::join(option.values, " "));
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
  for (const CLI::App* of : all) {
    for (const OptionFacts& option : facts_of(*of)) {
      if (option.names.empty()) continue;
      std::string names;
      for (const std::string& name : option.names)
        names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      const std::string value = option.value.empty() ? ""
                                : option.values.empty()
                                    ? " -r"
                                    : fmt::format(" -x -a '{}'", fmt::join(option.values, " "));
      out += fmt::format("complete -c {}{}{} -d '{}'\n", tool, names, value, in_quotes(option.words));
    }
  }
  return out;
}

}  // namespace

std::string manual_page(const CLI::App& app, std::string_view tool) {
  std::string usage, commands;
  for (const OptionFacts& option : facts_of(app)) {
    if (option.names.empty()) usage += fmt::format(" [\\fI{}\\fR]", roff(option.name));
  }
  for (const CLI::App* command : commands_of(app))
    commands += fmt::format(".SH COMMAND {}\n{}\n{}", roff(command->get_name()),
                            roff(command->get_description()), options_section(*command));
  std::string name(tool);
  std::string upper;
  for (const char c : name) upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return fmt::format(
      ".TH {} 1 \"\" \"pto {}\" \"PTO tool set\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n\\fB{}\\fR [options]{}\n"
      ".SH DESCRIPTION\n{}\n.SH OPTIONS\n{}{}"
      ".SH EXIT STATUS\n.TP\n0\nfine\n.TP\n{}\nthe program has a finding: an error in the text, a mismatch, "
      "a hazard, a deadlock\n"
      ".TP\n{}\nbad usage, configuration or input file\n.TP\n{}\nan instruction or target that is not "
      "supported\n"
      ".TP\n{}\nan error of the tool\n.TP\n{}\nSIGINT ended a run\n"
      ".SH SEE ALSO\n\\fBpto\\-as\\fR(1), \\fBpto\\-dis\\fR(1), \\fBpto\\-sim\\fR(1)\n",
      roff(upper), kVersion, roff(name), roff(app.get_description()), roff(name), usage,
      roff(app.get_description()), options_section(app), commands, kFinding, kUsage, kUnsupported, kInternal,
      kInterrupted);
}

std::string completion(const CLI::App& app, std::string_view tool, std::string_view shell) {
  return shell == "bash" ? for_bash(app, tool) : shell == "zsh" ? for_zsh(app, tool) : for_fish(app, tool);
}

void add_manual_options(CLI::App& app, std::string_view tool) {
  app.add_flag_callback(
      "--man",
      [&app, tool] {
        put(stdout, manual_page(app, tool));
        throw CLI::Success();
      },
      "print the manual page, for man -l -");
  app.add_option_function<std::string>(
         "--completion",
         [&app, tool](const std::string& shell) {
           put(stdout, completion(app, tool, shell));
           throw CLI::Success();
         },
         "print what a shell needs to complete the options")
      ->check(one_of({"bash", "zsh", "fish"}));
}

}  // namespace pto::tools
