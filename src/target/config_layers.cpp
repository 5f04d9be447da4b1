#include "target/config_layers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "pto/diagnostic.hpp"
#include "support/file.hpp"
#include "target/embedded_configs.hpp"

namespace pto::machine {

namespace {

namespace fs = std::filesystem;

struct Layer {
  fs::path file;  ///< empty: built in
  toml::table table;
  std::string base, base_place;  ///< a name or path, and where it is said; empty: none
};

const EmbeddedConfig* built_in(const std::vector<EmbeddedConfig>& all, std::string_view name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

Error no_such(const std::string& name, const std::vector<EmbeddedConfig>& all) {
  std::vector<std::string_view> names;
  for (const EmbeddedConfig& each : all) names.push_back(each.name);
  const std::string last = fs::path(name).filename().string();
  const std::string_view close = nearest(last, names);
  return Error{fmt::format("{}: no such target or configuration file (targets: {}){}", name,
                           fmt::join(names, ", "),
                           close.empty() ? "" : fmt::format(", did you mean '{}'?", close))};
}

Result<toml::table> read_table(const std::string& name) {
  const std::vector<EmbeddedConfig> all = embedded_configs();
  if (const EmbeddedConfig* config = built_in(all, name))
    return parse_toml(config->text, fmt::format("sim-configs/{}.toml", name));
  std::error_code ignored;
  if (!fs::exists(name, ignored)) return no_such(name, all);
  const Result<std::string> text = read_file(name, kMaxConfigBytes);
  return text ? parse_toml(*text, name) : text.error();
}

bool is_built_in(std::string_view name) { return built_in(embedded_configs(), name) != nullptr; }

/// Reads one file and takes its `base` out of the table.
Result<Layer> read_layer(const std::string& name) {
  Result<toml::table> table = read_table(name);
  if (!table) return table.error();
  Layer layer{is_built_in(name) ? fs::path() : fs::path(name), std::move(*table), "", ""};
  const toml::node* base = layer.table.get("base");
  if (!base) return layer;
  layer.base_place = place_of(base->source());
  layer.base = base->value_exact<std::string>().value_or("");
  if (layer.base.empty())
    return Error{fmt::format("{}: 'base' must be the name of a target or of a file", layer.base_place)};
  if (!is_built_in(layer.base)) {
    layer.base = (layer.file.parent_path() / layer.base).string();
    // A file says it, and not whoever runs the tool: a pipe would be waited for.
    std::error_code missing;
    const auto status = fs::status(layer.base, missing);
    if (fs::exists(status) && !fs::is_regular_file(status))
      return Error{fmt::format("{}: 'base': {} is no regular file", layer.base_place, layer.base)};
  }
  layer.table.erase("base");
  return layer;
}

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  return a == b || fs::equivalent(a, b, ignored);
}

/// A target and its bases, the last one without a base.
Result<std::vector<Layer>> read_chain(const std::string& target) {
  std::vector<Layer> chain;
  for (std::string next = target; !next.empty(); next = chain.back().base) {
    Result<Layer> layer = read_layer(next);
    if (!layer) {
      const Error& why = layer.error();
      return chain.empty() ? why : Error{fmt::format("{}: 'base': {}", chain.back().base_place, why.message)};
    }
    for (const Layer& before : chain) {
      if (!layer->file.empty() && same_file(before.file, layer->file))  // built-in ones do not lead back
        return Error{
            fmt::format("{}: 'base' leads back to {}", chain.back().base_place, before.file.string())};
    }
    chain.push_back(std::move(*layer));
  }
  return chain;
}

bool is_row(std::string_view parent, const toml::table&) { return parent == "cost" || parent == "formula"; }

std::optional<std::string> target_in(const toml::table& table) {
  return table["machine"]["target"].value_exact<std::string>();
}

/// KEY=word as KEY="word": a shell takes the quotes of TOML away.
std::string quoted(const std::string& setting) {
  const size_t equals = setting.find('=');
  if (equals == std::string::npos || equals + 1 == setting.size()) return setting;
  const std::string word = setting.substr(equals + 1);
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '-' || c == '_'; };
  if (word == "true" || word == "false" || word == "inf" || word == "nan" || word.front() == '-' ||
      !std::ranges::all_of(word, is_letter))
    return setting;
  return fmt::format("{}=\"{}\"", setting.substr(0, equals), word);
}

std::optional<Error> put_setting(toml::table& table, const std::string& setting) {
  const std::string place = std::string(kSettingPlace) + setting;
  Result<toml::table> above = parse_toml(quoted(setting), place);
  if (!above)
    return Error{above.error().message + R"( (write KEY=VALUE as in a file: machine.queue_depth=4))"};
  const std::string target = target_in(table).value_or("");
  put_over(table, std::move(*above), "", is_value);
  if (target_in(table).value_or(target) != target)
    return Error{fmt::format("{}: the target is chosen by --target", place)};
  return std::nullopt;
}

}  // namespace

Result<toml::table> read_layers(const std::string& target, std::span<const std::string> settings) {
  Result<std::vector<Layer>> chain = read_chain(target);
  if (!chain) return chain.error();
  toml::table table = std::move(chain->back().table);
  for (size_t i = chain->size() - 1; i-- > 0;) put_over(table, std::move((*chain)[i].table), "", is_row);
  for (const std::string& setting : settings) {
    if (const auto problem = put_setting(table, setting)) return *problem;
  }
  return table;
}

std::vector<fs::path> target_files(const std::string& target,
                                   const std::function<bool(const fs::path&)>& may_read) {
  std::vector<fs::path> files;
  const auto seen = [&](const fs::path& file) {
    return std::any_of(files.begin(), files.end(),
                       [&](const fs::path& each) { return same_file(each, file); });
  };
  for (std::string next = target; !next.empty() && !is_built_in(next) && !seen(next);) {
    files.emplace_back(next);
    if (!may_read(next)) break;
    const Result<Layer> layer = read_layer(next);
    next = layer ? layer->base : "";
  }
  return files;
}

}  // namespace pto::machine
