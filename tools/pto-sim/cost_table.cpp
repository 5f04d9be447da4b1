#include "pto-sim/cost_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "support/file.hpp"
#include "support/json.hpp"
#include "timing/accuracy_tables.hpp"

namespace pto::tools {

Result<std::string> cost_table(const std::string& file, const std::string& target,
                               std::span<const std::string> settings) {
  constexpr size_t kMax = size_t{1} << 26;
  const Result<std::string> text = read_file(file, kMax);
  if (!text) return text.error();
  Result<timing::AccuracyModels> models = timing::AccuracyModels::load(target, settings);
  if (!models) return models.error();
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  std::istringstream lines(*text);
  std::vector<std::string> columns;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.ends_with(static_cast<char>(13))) line.pop_back();
    const std::vector<std::string> cells = timing::split_csv(line);
    if (number == 1) {
      columns = cells;
      continue;
    }
    const auto cell = [&](std::string_view name) -> std::string {
      const auto at = static_cast<size_t>(std::ranges::find(columns, name) - columns.begin());
      return at < columns.size() && at < cells.size() ? cells[at] : "";
    };
    timing::Evidence row;
    row.kind = cell("kind").empty() ? "tile" : cell("kind");
    row.subject = cell("subject");
    row.types = cell("types");
    row.shape = cell("shape");
    if (row.subject.empty() || row.shape.empty())
      return Error{fmt::format("{}:{}: no subject or no shape", file, number)};
    Json item = {{"kind", row.kind}, {"subject", row.subject}, {"types", row.types}, {"shape", row.shape}};
    for (const bool busy : {true, false}) {
      row.busy = busy;
      const std::optional<double> cycles = models->predict(row).measured_model;
      item[busy ? "busy" : "latency"] = cycles ? Json(*cycles) : Json(nullptr);
    }
    list.push_back(std::move(item));
  }
  return print_json({{"target", target}, {"costs", std::move(list)}}, 1) + "\n";
}

}  // namespace pto::tools
