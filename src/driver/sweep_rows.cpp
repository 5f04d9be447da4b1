#include "driver/sweep_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace pto::driver {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// Integers as such, others with three decimals.
Json number(double value) {
  if (value == std::floor(value) && std::abs(value) < 9e15) return static_cast<int64_t>(value);
  return std::round(value * 1000) / 1000;
}

std::string plain(const Json& value) {
  return value.is_null() ? "" : value.is_string() ? value.get<std::string>() : dump(value);
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

/// Rows that ended well, read back.
struct Row {
  Json json;
  std::vector<double> wanted;  ///< best, then what the Pareto front is of; less is better
};

class Summary {
 public:
  Summary(const SweepPlan& plan, const std::vector<std::string>& lines) : plan_(plan), points_(lines.size()) {
    for (const std::string& line : lines) add(Json::parse(line, nullptr, false));
  }

  SweepSummary run() {
    std::vector<const Row*> best, front;
    for (auto& [group, rows] : groups_) {
      best.push_back(&*std::ranges::min_element(rows, {}, [](const Row& row) { return row.wanted.front(); }));
      pareto(rows, front);
    }
    // Groups in the order of their first points, not of their names.
    const auto by_point = [](const Row* row) { return row->json["point"].get<uint64_t>(); };
    std::ranges::sort(front, {}, by_point);
    if (groups_.size() > 1) std::ranges::sort(best, {}, by_point);
    return {ok_, text(best, front), json(best, front)};
  }

 private:
  void add(Json json) {
    if (json.is_discarded() || !json.contains("state")) return;
    if (json["state"] != "ok") {
      const std::string message = plain(json["message"]);
      const std::string kind = message.substr(0, message.find(message.starts_with("error[") ? "]" : ":"));
      ++failures_[message.starts_with("error[") ? kind.substr(6) : std::string(plain(json["state"]))];
      if (first_failure_.empty()) first_failure_ = fmt::format("point {}: {}", plain(json["point"]), message);
      return;
    }
    ++ok_;
    std::string group;
    for (const std::string& name : plan_.per) group += dump(json[name]) + "\n";
    Row row;
    row.wanted.push_back(value(json, plan_.best));
    for (const SweepMetric& metric : plan_.pareto) row.wanted.push_back(value(json, metric));
    row.json = std::move(json);
    groups_[group].push_back(std::move(row));
  }
  static double value(const Json& json, const SweepMetric& metric) {
    const Json& found = json[std::string(metric.name)];
    const double number = found.is_number() ? found.get<double>() : 0;
    return metric.more_is_better ? -number : number;
  }

  /// A row that another one is as good as in everything, and better in something, comes behind that one in
  /// this order.
  void pareto(const std::vector<Row>& rows, std::vector<const Row*>& front) const {
    if (plan_.pareto.empty()) return;
    std::vector<const Row*> order;
    for (const Row& row : rows) order.push_back(&row);
    const auto wanted = [](const Row* row) { return std::span(row->wanted).subspan(1); };
    std::ranges::stable_sort(order, [&](const Row* a, const Row* b) {
      return std::ranges::lexicographical_compare(wanted(a), wanted(b));
    });
    const size_t begin = front.size();
    for (const Row* row : order) {
      const bool beaten =
          std::any_of(front.begin() + static_cast<std::ptrdiff_t>(begin), front.end(), [&](const Row* other) {
            return std::ranges::equal(wanted(other), wanted(row), std::ranges::less_equal());
          });
      if (!beaten) front.push_back(row);
    }
  }

  [[nodiscard]] std::string text(const std::vector<const Row*>& best,
                                 const std::vector<const Row*>& front) const {
    std::string out = fmt::format("{} point{}: {} ok", points_, points_ == 1 ? "" : "s", ok_);
    if (ok_ != points_) {
      std::vector<std::string> kinds;
      for (const auto& [kind, count] : failures_) kinds.push_back(fmt::format("{} {}", kind, count));
      out += fmt::format(", {} not: {}\n  {}", points_ - ok_, fmt::join(kinds, ", "), first_failure_);
    }
    out += "\n";
    if (!best.empty()) out += fmt::format("\nbest {}:\n", plan_.best.name) + table(best);
    if (!front.empty()) {
      std::vector<std::string_view> names;
      for (const SweepMetric& metric : plan_.pareto) names.push_back(metric.name);
      out += fmt::format("\nPareto front of {}:\n", fmt::join(names, ", ")) + table(front);
    }
    return out;
  }
  [[nodiscard]] std::string table(const std::vector<const Row*>& rows) const {
    std::vector<std::string> names = {"point"};
    for (const SweepParameter& parameter : plan_.parameters) names.push_back(parameter.name);
    const auto add = [&](std::string_view name) {
      if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
    };
    for (const std::string_view name : {"cycles", "us", "tflops"}) add(name);
    add(plan_.best.name);
    for (const SweepMetric& metric : plan_.pareto) add(metric.name);
    std::vector<std::vector<std::string>> lines = {names};
    for (const Row* row : rows) {
      std::vector<std::string>& line = lines.emplace_back();
      for (const std::string& name : names) line.push_back(plain(row->json[name]));
    }
    std::string out;
    for (const auto& line : lines) {
      for (size_t i = 0; i < line.size(); ++i) {
        size_t width = 0;
        for (const auto& each : lines) width = std::max(width, each[i].size());
        out += fmt::format("{}{:>{}}", i == 0 ? "  " : "  ", line[i], width);
      }
      out += "\n";
    }
    return out;
  }
  [[nodiscard]] std::string json(const std::vector<const Row*>& best,
                                 const std::vector<const Row*>& front) const {
    Json out = {{"points", points_}, {"ok", ok_}, {"failed", Json::object()}};
    for (const auto& [kind, count] : failures_) out["failed"][kind] = count;
    out["best_of"] = plan_.best.name;
    out["best"] = Json::array();
    for (const Row* row : best) out["best"].push_back(row->json);
    out["pareto"] = Json::array();
    for (const Row* row : front) out["pareto"].push_back(row->json);
    return dump(out) + "\n";
  }

  const SweepPlan& plan_;
  uint64_t points_, ok_ = 0;
  std::map<std::string, std::vector<Row>> groups_;
  std::map<std::string, uint64_t> failures_;
  std::string first_failure_;
};

}  // namespace

std::string sweep_row(const SweepPlan& plan, uint64_t point, const SweepRun& run, std::string_view sweep) {
  Json row;
  row["point"] = point;
  for (size_t i = 0; i < plan.parameters.size(); ++i) {
    const SweepValue& value = plan.value(plan.points[point], i);
    if (value.whole)
      row[plan.parameters[i].name] = *value.whole;
    else
      row[plan.parameters[i].name] = value.text;
  }
  row["state"] = run.state;
  for (size_t i = 0; i < std::size(kSweepMetrics); ++i) {
    const std::string name(kSweepMetrics[i].name);
    if (run.measured)
      row[name] = number((*run.measured)[i]);
    else
      row[name] = nullptr;
  }
  row["message"] = run.message;
  row["sweep"] = sweep;
  return dump(row);
}

std::optional<SweepRowHead> sweep_row_head(std::string_view line) {
  const Json row = Json::parse(line, nullptr, false);
  if (!row.is_object() || !row.contains("point") || !row.contains("sweep") || !row.contains("state") ||
      !row["point"].is_number_unsigned() || !row["sweep"].is_string())
    return std::nullopt;
  return SweepRowHead{row["point"].get<uint64_t>(), row["sweep"].get<std::string>()};
}

std::string sweep_csv(const SweepPlan& plan, const std::vector<std::string>& rows) {
  std::vector<std::string> names = {"point"};
  for (const SweepParameter& parameter : plan.parameters) names.push_back(parameter.name);
  names.emplace_back("state");
  for (const SweepMetric& metric : kSweepMetrics) names.emplace_back(metric.name);
  names.emplace_back("message");
  std::string out = fmt::format("{}\n", fmt::join(names, ","));
  for (const std::string& line : rows) {
    Json row = Json::parse(line, nullptr, false);
    for (const std::string& name : names)
      out += (&name == names.data() ? "" : ",") + csv_field(plain(row.is_object() ? row[name] : Json()));
    out += "\n";
  }
  return out;
}

SweepSummary sweep_summary(const SweepPlan& plan, const std::vector<std::string>& rows) {
  return Summary(plan, rows).run();
}

}  // namespace pto::driver
