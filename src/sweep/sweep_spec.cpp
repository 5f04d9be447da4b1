// The sweep file: TOML -> SweepPlan. docs/user/profile.md describes the keys.
#include "sweep/sweep_spec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "pto/diagnostic.hpp"
#include "support/file.hpp"
#include "support/saturating.hpp"
#include "support/toml.hpp"
#include "timing/cost_expression.hpp"

namespace pto::driver {
namespace {

constexpr uint64_t kMaxGridPoints = 10'000'000, kMaxPoints = 1'000'000;

bool is_name(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

/// A value as TOML has it, on one line.
std::string toml_text(const toml::node& node) {
  std::ostringstream stream;
  if (const toml::array* list = node.as_array()) {
    stream << toml::toml_formatter(*list);
  } else {
    node.visit([&](const auto& each) {
      if constexpr (toml::is_value<decltype(each)>) stream << each;
    });
  }
  std::string text = stream.str();
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

const SweepValue& SweepPlan::value(uint64_t number, size_t parameter) const {
  const SweepParameter& one = parameters[parameter];
  const uint64_t index =
      one.listed ? number / grid_ : number % grid_ / strides_[parameter] % one.values.size();
  return one.values[index];
}

/// Reads one file; the first problem ends it. Members return false after a problem.
class SweepReader {
 public:
  Result<SweepPlan> read(const std::filesystem::path& file) {
    Result<std::string> text = read_file(file, kMaxCaseBytes);
    if (!text) return text.error();
    const Result<toml::table> root = parse_toml(*text, file.string());
    if (!root) return root.error();
    file_ = file;
    plan_.source = std::move(*text);
    if (!keys(*root) || !complete(*root) || !count(*root) || !select()) return Error{problem_};
    return std::move(plan_);
  }

 private:
  bool fail(const toml::source_region& where, std::string_view message) {
    problem_ = fmt::format("{}: {}", place_of(where), message);
    return false;
  }
  bool fail(const toml::node& node, std::string_view message) { return fail(node.source(), message); }
  static std::string near(std::string_view word, const std::vector<std::string_view>& known) {
    const std::string_view meant = nearest(word, known);
    return meant.empty() ? fmt::format("; known here: {}", fmt::join(known, ", "))
                         : fmt::format(", did you mean '{}'?", meant);
  }
  bool text(const toml::node& node, std::string_view key, std::string& out) {
    const auto* value = node.as_string();
    if (value == nullptr || value->get().empty()) return fail(node, fmt::format("'{}' must be a text", key));
    out = value->get();
    return true;
  }
  bool texts(const toml::node& node, std::string_view key, std::vector<std::string>& out) {
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty())
      return fail(node, fmt::format("'{}' must be an array of texts, and not empty", key));
    for (const toml::node& each : *list) {
      if (!text(each, key, out.emplace_back())) return false;
    }
    return true;
  }

  bool keys(const toml::table& root) {
    for (const auto& [key, node] : root) {
      if (!read_key(key, node)) return false;
    }
    return true;
  }
  bool read_key(const toml::key& key, const toml::node& node) {
    const std::string_view name = key.str();
    if (name == "case" || name == "program") {
      if (!plan_.input.empty()) return fail(node, "give 'case' or 'program', not both");
      if (!text(node, name, plan_.input)) return false;
      if (name == "case" && !plan_.input.ends_with(".toml"))
        return fail(node, "'case' is a case file (.toml); write program = .. for a program");
      plan_.input = (file_.parent_path() / plan_.input).lexically_normal().string();
      return true;
    }
    if (name == "args") return texts(node, name, plan_.args);
    if (name == "mode") return mode(node);
    if (name == "grid") return grid(node, "");
    if (name == "point") return list(node);
    if (name == "constraints") return texts(node, name, constraints_) && (constraints_at_ = &node, true);
    if (name == "best") {
      std::string metric;
      if (!text(node, name, metric)) return false;
      return measured(node, metric, plan_.best);
    }
    if (name == "per") {
      per_at_ = &node;
      return texts(node, name, plan_.per);
    }
    if (name == "pareto") return pareto(node);
    if (name == "meta") return node.is_table() || fail(node, "'meta' must be a table");
    return fail(key.source(), fmt::format("unknown key '{}'{}", name,
                                          near(name, {"case", "program", "args", "mode", "grid", "point",
                                                      "constraints", "best", "per", "pareto", "meta"})));
  }
  bool mode(const toml::node& node) {
    std::string word;
    if (!text(node, "mode", word)) return false;
    if (word == "run") {
      plan_.mode = Mode::run;
      return true;
    }
    if (word == "time") {
      plan_.mode = Mode::time;
      return true;
    }
    if (word == "check") {
      plan_.mode = Mode::check;
      return true;
    }
    return fail(node, fmt::format("'mode' must be run, time or check, not '{}'", word));
  }
  bool measured(const toml::node& node, std::string_view name, SweepMetric& out) {
    std::vector<std::string_view> names;
    for (const SweepMetric& metric : kSweepMetrics) {
      if (metric.name == name) {
        out = metric;
        return true;
      }
      names.push_back(metric.name);
    }
    return fail(node, fmt::format("'{}' is nothing that is measured{}", name, near(name, names)));
  }
  bool pareto(const toml::node& node) {
    std::vector<std::string> names;
    if (!texts(node, "pareto", names)) return false;
    for (const std::string& name : names) {
      if (!measured(node, name, plan_.pareto.emplace_back())) return false;
    }
    return true;
  }

  /// The parameters of a table, those of tables in it with their names in front.
  bool grid(const toml::node& node, const std::string& prefix) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return fail(node, "'grid' must be a table of parameters");
    for (const auto& [key, each] : *table) {
      const std::string name = prefix + std::string(key.str());
      const toml::table* inner = each.as_table();
      if (inner != nullptr && !inner->is_inline()) {
        if (!grid(each, name + ".")) return false;
        continue;
      }
      SweepParameter* parameter = add(key.source(), name);
      if (parameter == nullptr || !(inner != nullptr ? range(*inner, *parameter) : values(each, *parameter)))
        return false;
    }
    return true;
  }
  SweepParameter* add(const toml::source_region& where, const std::string& name) {
    SweepParameter built;
    built.name = built.key = name;
    if (name.starts_with("case.")) {
      built.kind = SweepParameter::Kind::of_case;
      built.key = name.substr(5);
    } else if (name.starts_with("target.")) {
      built.kind = SweepParameter::Kind::of_target;
      built.key = name.substr(7);
    } else if (!is_name(name)) {
      fail(where, fmt::format("'{}' is no parameter: NAME as behind -D, case.KEY or target.KEY", name));
      return nullptr;
    }
    const auto taken = [&](const SweepMetric& metric) { return metric.name == name; };
    if (std::ranges::any_of(kSweepMetrics, taken) ||
        std::ranges::find(kSweepColumns, name) != std::end(kSweepColumns)) {
      fail(where, fmt::format("'{}' is the name of a column of the rows; give the parameter another", name));
      return nullptr;
    }
    if (std::ranges::find(plan_.parameters, name, &SweepParameter::name) != plan_.parameters.end()) {
      fail(where, fmt::format("'{}' is in the grid and in the points", name));
      return nullptr;
    }
    places_.push_back(where.begin);
    return &plan_.parameters.emplace_back(std::move(built));
  }
  bool values(const toml::node& node, SweepParameter& out) {
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty())
      return fail(node,
                  fmt::format("'{}' must be a list of values, and not empty, or {{ from = .., to = .., step "
                              "= .. }}",
                              out.name));
    for (const toml::node& each : *list) {
      if (!value(each, out)) return false;
    }
    return true;
  }
  bool value(const toml::node& node, SweepParameter& out) {
    SweepValue built;
    built.text = built.toml = toml_text(node);
    if (const auto* whole = node.as_integer()) {
      built.whole = whole->get();
      built.text = built.toml = fmt::format("{}", whole->get());
    } else if (const auto* text = node.as_string()) {
      built.text = text->get();
      built.quoted = true;
    } else if (node.is_array()) {
      built.quoted = true;
    } else if (!node.is_boolean() && !node.is_floating_point()) {
      return fail(node,
                  fmt::format("'{}' has a value that is not a number, text, boolean or list", out.name));
    }
    if (built.text.find_first_of("\r\n") != std::string::npos)
      return fail(node, fmt::format("'{}' has a value of several lines", out.name));
    out.values.push_back(std::move(built));
    return true;
  }
  /// { from, to, step } adds, { from, to, times } multiplies; `to` belongs to it when it is met.
  bool range(const toml::table& table, SweepParameter& out) {
    std::optional<int64_t> from, to, step, times;
    for (const auto& [key, node] : table) {
      const auto* number = node.as_integer();
      const std::string_view name = key.str();
      std::optional<int64_t>* field = name == "from"    ? &from
                                      : name == "to"    ? &to
                                      : name == "step"  ? &step
                                      : name == "times" ? &times
                                                        : nullptr;
      if (field == nullptr)
        return fail(key.source(),
                    fmt::format("unknown key '{}'{}", name, near(name, {"from", "to", "step", "times"})));
      if (number == nullptr) return fail(node, fmt::format("'{}' must be an integer", name));
      *field = number->get();
    }
    if (!from || !to || (step && times))
      return fail(table, fmt::format("'{}' needs from and to, and step or times", out.name));
    if (step.value_or(1) < 1) return fail(table, "'step' must be at least 1");
    if (times && (*times < 2 || *from < 1))
      return fail(table, "'times' must be at least 2, and 'from' at least 1");
    if (*to < *from) return fail(table, fmt::format("'{}': 'to' is less than 'from'", out.name));
    for (int64_t at = *from; at <= *to;) {
      if (out.values.size() == kMaxPoints)
        return fail(table, fmt::format("'{}' has more than {} values", out.name, kMaxPoints));
      out.values.push_back({fmt::format("{}", at), fmt::format("{}", at), false, at});
      const bool over =
          times ? __builtin_mul_overflow(at, *times, &at) : __builtin_add_overflow(at, step.value_or(1), &at);
      if (over) break;
    }
    return true;
  }
  bool list(const toml::node& node) {
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty())
      return fail(node, "'point' must be an array of tables: write [[point]]");
    for (const toml::node& each : *list) {
      const size_t before = rows_++;
      if (!each.is_table()) return fail(each, "'point' must be an array of tables: write [[point]]");
      if (!listed(*each.as_table(), "")) return false;
      for (const SweepParameter& parameter : plan_.parameters) {
        if (parameter.listed && parameter.values.size() != before + 1)
          return fail(each,
                      fmt::format("every point has the same parameters; here is no '{}'", parameter.name));
      }
    }
    return true;
  }
  bool listed(const toml::table& table, const std::string& prefix) {
    for (const auto& [key, node] : table) {
      const std::string name = prefix + std::string(key.str());
      if (const toml::table* inner = node.as_table()) {
        if (!listed(*inner, name + ".")) return false;
        continue;
      }
      auto found = std::ranges::find(plan_.parameters, name, &SweepParameter::name);
      if (found == plan_.parameters.end() || !found->listed) {
        if (rows_ > 1 && found == plan_.parameters.end())
          return fail(key.source(),
                      fmt::format("every point has the same parameters; the first has no '{}'", name));
        if (add(key.source(), name) == nullptr) return false;
        found = plan_.parameters.end() - 1;
        found->listed = true;
      }
      if (!value(node, *found)) return false;
    }
    return true;
  }

  bool complete(const toml::table& root) {
    if (plan_.input.empty()) return fail(root, "there is neither 'case' nor 'program'");
    if (plan_.parameters.empty()) return fail(root, "there is no parameter: write [grid] or [[point]]");
    // In the order of the text; TOML tables are sorted by name. Those of the list come first.
    std::vector<size_t> order(plan_.parameters.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, [&](size_t a, size_t b) {
      const bool la = plan_.parameters[a].listed;
      const bool lb = plan_.parameters[b].listed;
      if (la != lb) return la;
      return std::pair(places_[a].line, places_[a].column) < std::pair(places_[b].line, places_[b].column);
    });
    std::vector<SweepParameter> sorted;
    sorted.reserve(order.size());
    for (const size_t i : order) sorted.push_back(std::move(plan_.parameters[i]));
    plan_.parameters = std::move(sorted);
    for (const std::string& name : plan_.per) {
      if (std::ranges::find(plan_.parameters, name, &SweepParameter::name) == plan_.parameters.end())
        return fail(*per_at_, fmt::format("'{}' is no parameter{}", name, near(name, names())));
    }
    return true;
  }
  [[nodiscard]] std::vector<std::string_view> names() const {
    std::vector<std::string_view> all;
    for (const SweepParameter& parameter : plan_.parameters) all.push_back(parameter.name);
    return all;
  }

  bool count(const toml::table& root) {
    plan_.listed_ = std::max<uint64_t>(rows_, 1);
    plan_.strides_.assign(plan_.parameters.size(), 1);
    for (size_t i = plan_.parameters.size(); i-- > 0;) {
      if (plan_.parameters[i].listed) continue;
      plan_.strides_[i] = plan_.grid_;
      plan_.grid_ = sat_mul<uint64_t>(plan_.grid_, plan_.parameters[i].values.size());
    }
    return sat_mul(plan_.grid_, plan_.listed_) <= kMaxGridPoints ||
           fail(root, fmt::format("the grid has more than {} points; give steps, or several sweeps",
                                  kMaxGridPoints));
  }

  struct Constraint {
    std::string text;
    timing::Expression expression;
    std::vector<size_t> parameters;
  };
  bool compile(std::vector<Constraint>& out) {
    for (const std::string& text : constraints_) {
      Result<timing::Expression> compiled = timing::Expression::compile(text);
      if (!compiled) return fail(*constraints_at_, compiled.error().message);
      Constraint built{text, std::move(*compiled), {}};
      for (const std::string& name : built.expression.variables()) {
        const auto found = std::ranges::find(plan_.parameters, name, &SweepParameter::name);
        if (found == plan_.parameters.end())
          return fail(*constraints_at_,
                      fmt::format("'{}': '{}' is no parameter{}", text, name, near(name, names())));
        if (!std::ranges::all_of(found->values,
                                 [](const SweepValue& each) { return each.whole.has_value(); }))
          return fail(*constraints_at_,
                      fmt::format("'{}': '{}' has values that are no integers", text, name));
        built.parameters.push_back(static_cast<size_t>(found - plan_.parameters.begin()));
      }
      out.push_back(std::move(built));
    }
    return true;
  }
  /// The points that meet all constraints.
  bool select() {
    std::vector<Constraint> all;
    if (!compile(all)) return false;
    std::vector<int64_t> values;
    for (uint64_t number = 0; number < plan_.grid_ * plan_.listed_; ++number) {
      bool good = true;
      for (const Constraint& each : all) {
        values.clear();
        for (const size_t parameter : each.parameters)
          values.push_back(*plan_.value(number, parameter).whole);
        const std::optional<timing::Fraction> result = each.expression.eval(values);
        if (!result)
          return fail(*constraints_at_,
                      fmt::format("'{}' cannot be computed for {}", each.text, fmt::join(values, ", ")));
        if (result->num == 0) good = false;
        if (!good) break;
      }
      if (!good) continue;
      if (plan_.points.size() == kMaxPoints) {
        problem_ = fmt::format("{}: more than {} points meet the constraints; give steps, or several sweeps",
                               file_.string(), kMaxPoints);
        return false;
      }
      plan_.points.push_back(number);
    }
    if (!plan_.points.empty()) return true;
    problem_ = fmt::format("{}: no point meets the constraints", file_.string());
    return false;
  }

  std::filesystem::path file_;
  SweepPlan plan_;
  std::vector<std::string> constraints_;
  const toml::node *constraints_at_ = nullptr, *per_at_ = nullptr;
  std::vector<toml::source_position> places_;  ///< of the parameters
  size_t rows_ = 0;                            ///< of the list
  std::string problem_;
};

Result<SweepPlan> SweepPlan::read(const std::filesystem::path& file) { return SweepReader().read(file); }

}  // namespace pto::driver
