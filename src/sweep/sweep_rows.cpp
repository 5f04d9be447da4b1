#include "sweep/sweep_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "support/json.hpp"

namespace pto::driver {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) { return print_json(json); }

/// Integers as such, others with three decimals.
Json number(double value) {
  if (value == std::floor(value) && std::abs(value) < 9e15) return static_cast<int64_t>(value);
  return std::round(value * 1000) / 1000;
}

std::string plain(const Json& value) {
  return value.is_null() ? "" : value.is_string() ? value.get<std::string>() : dump(value);
}

/// What spreadsheets take for a formula and run.
bool looks_like_formula(std::string_view text) {
  if (text.empty() || std::string_view("=+-@\t\r").find(text.front()) == text.npos) return false;
  double number = 0;
  const char* begin = text.data() + (text.front() == '+' ? 1 : 0);
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(begin, end, number);
  return problem != std::errc{} || rest != end;
}

/// A text that looks like a formula gets an apostrophe in front, with which spreadsheets show it as text.
std::string csv_field(const std::string& plain) {
  const std::string text = looks_like_formula(plain) ? "'" + plain : plain;
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

/// What a parameter does to what is best: the share of the differences that its values explain, where all but
/// the parameters of `per` may differ, and the value that is best on average.
struct Effect {
  const SweepParameter* parameter = nullptr;
  double share = 0;
  Json best;
};

/// Rows that ended well, read back.
struct Row {
  Json json;
  std::vector<double> wanted;  ///< best, then what the Pareto front is of; less is better
};

class Summary {
 public:
  Summary(const SweepPlan& plan, const std::vector<std::string>& lines) : plan_(plan), points_(lines.size()) {
    for (const std::string& line : lines) add(parse_json(line));
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
    const std::vector<Effect> all = effects();
    return {ok_, text(best, front, all), json(best, front, all)};
  }

 private:
  void add(Json json) {
    if (json.is_discarded() || !json.contains("state")) return;
    if (json["state"] != "ok") {
      const std::string message = plain(json["message"]);
      ++failures_[std::string(plain(json[json.contains("finding") ? "finding" : "state"]))];
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

  /// Ratios count, so that groups of all sizes weigh the same; most first.
  [[nodiscard]] std::vector<Effect> effects() const {
    std::vector<Effect> out;
    for (const SweepParameter& parameter : plan_.parameters) {
      if (std::ranges::find(plan_.per, parameter.name) != plan_.per.end()) continue;
      if (std::optional<Effect> effect = effect_of(parameter)) out.push_back(std::move(*effect));
    }
    std::ranges::stable_sort(out, std::ranges::greater(), &Effect::share);
    return out;
  }
  struct Sum {
    double sum = 0;
    size_t count = 0;
    Json value;
    void add(double number) {
      sum += number;
      ++count;
    }
    [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
  };
  static double scaled(const Row& row) {
    const double value = std::abs(row.wanted.front());
    return (row.wanted.front() < 0 ? -1 : 1) * std::log(std::max(value, 1e-9));
  }
  [[nodiscard]] std::optional<Effect> effect_of(const SweepParameter& parameter) const {
    double between = 0, all = 0;
    std::map<std::string, Sum> values;  // over all groups, beside the mean of each
    for (const auto& [_, rows] : groups_) {
      Sum group;
      std::map<std::string, Sum> own;
      for (const Row& row : rows) {
        group.add(scaled(row));
        own[dump(row.json[parameter.name])].add(scaled(row));
      }
      for (const Row& row : rows) {
        const double off = scaled(row) - group.mean();
        all += off * off;
        Sum& value = values[dump(row.json[parameter.name])];
        value.add(off);
        value.value = row.json[parameter.name];
      }
      for (const auto& [value, sum] : own) {
        const double off = sum.mean() - group.mean();
        between += off * off * static_cast<double>(sum.count);
      }
    }
    if (values.size() < 2) return std::nullopt;
    const auto best =
        std::ranges::min_element(values, {}, [](const auto& each) { return each.second.mean(); });
    return Effect{&parameter, all > 0 ? between / all : 0, best->second.value};
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

  [[nodiscard]] std::string text(const std::vector<const Row*>& best, const std::vector<const Row*>& front,
                                 const std::vector<Effect>& effects) const {
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
    if (effects.empty()) return out;
    out += fmt::format("\nwhat {} depends on{}:\n", plan_.best.name,
                       plan_.per.empty() ? "" : fmt::format(", for one {}", fmt::join(plan_.per, ", ")));
    size_t width = 0;
    for (const Effect& each : effects) width = std::max(width, each.parameter->name.size());
    for (const Effect& each : effects)
      out += fmt::format("  {:<{}}  {:>3.0f} % of the differences, best on average at {}\n",
                         each.parameter->name, width, 100 * each.share, plain(each.best));
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
  [[nodiscard]] std::string json(const std::vector<const Row*>& best, const std::vector<const Row*>& front,
                                 const std::vector<Effect>& effects) const {
    Json out = {{"points", points_}, {"ok", ok_}, {"failed", Json::object()}};
    for (const auto& [kind, count] : failures_) out["failed"][kind] = count;
    out["best_of"] = plan_.best.name;
    out["best"] = Json::array();
    for (const Row* row : best) out["best"].push_back(row->json);
    out["pareto"] = Json::array();
    for (const Row* row : front) out["pareto"].push_back(row->json);
    out["effects"] = Json::array();
    for (const Effect& each : effects)
      out["effects"].push_back(
          {{"parameter", each.parameter->name}, {"share", number(each.share)}, {"best", each.best}});
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
  if (run.finding != FindingId::none) row["finding"] = to_string(run.finding);
  row["sweep"] = sweep;
  return dump(row);
}

std::optional<SweepRowHead> sweep_row_head(std::string_view line) {
  const Json row = parse_json(line);
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
  std::string out;
  for (const std::string& name : names) out += (&name == names.data() ? "" : ",") + csv_field(name);
  out += "\n";
  for (const std::string& line : rows) {
    Json row = parse_json(line);
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
