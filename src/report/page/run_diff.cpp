// Two runs compared by their statistics. The parts of a critical path add up to its run, so the differences
// of matched parts add up to the difference of the runs.
#include "pto/run_diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "report/naming.hpp"
#include "report/page/line_alignment.hpp"
#include "report/page/page.hpp"
#include "support/json.hpp"

namespace pto::report {
namespace {

/// A place or a pipe in both runs; line 0: in none of the text.
struct Row {
  std::string pipe, what;  ///< mnemonic, or the reason of a wait
  uint32_t line_a = 0, line_b = 0;
  double a = 0, b = 0;            ///< cycles
  double each_a = 0, each_b = 0;  ///< of one execution; 0: not known
  [[nodiscard]] double change() const { return b - a; }
};

struct Statistics {
  Json json;
  Lines source;
  double total = 0, launch = 0;
  bool has_path = false;
  [[nodiscard]] double kernel() const { return total - launch; }
};

double number(const Json& json, const char* name) {
  const auto at = json.find(name);
  return at != json.end() && at->is_number() ? at->get<double>() : 0;
}
std::string word(const Json& json, const char* name) {
  const auto at = json.find(name);
  return at != json.end() && at->is_string() ? at->get<std::string>() : std::string();
}
uint32_t line_of(const Json& json) {
  const double line = number(json, "line");
  return line >= 0 && line <= std::numeric_limits<uint32_t>::max() ? static_cast<uint32_t>(line) : 0;
}
const Json& list(const Json& json, const char* name) {
  static const Json kNone = Json::array();
  const auto at = json.find(name);
  return at != json.end() && at->is_array() ? *at : kNone;
}

Result<Statistics> read(std::string_view text, const std::string& name) {
  Statistics stats;
  stats.json = parse_json(text);
  if (!stats.json.is_object() || !stats.json.contains("total_cycles") || !stats.json.contains("cores"))
    return Error{fmt::format("{}: these are no statistics of a run; --stats writes them", name)};
  stats.total = number(stats.json, "total_cycles");
  stats.launch = number(stats.json, "launch_cycles");
  stats.has_path = stats.json.contains("path");
  for (const Json& line : list(stats.json, "source")) stats.source[line_of(line)] = word(line, "text");
  return stats;
}

/// Puts what both runs say of one place into one row.
class Rows {
 public:
  explicit Rows(const std::map<uint32_t, uint32_t>& lines) : lines_(lines) {
    for (const auto& [a, b] : lines) back_[b] = a;
  }
  /// The second run's lines are those of the first where they have a partner.
  Row& at(bool second, const std::string& pipe, const std::string& what, uint32_t line) {
    uint32_t a = second ? 0 : line;
    uint32_t b = second ? line : 0;
    if (second && back_.contains(line)) a = back_.at(line);
    if (!second && lines_.contains(line)) b = lines_.at(line);
    const auto [found, fresh] = index_.try_emplace({pipe, a, b, line == 0 ? what : ""}, rows_.size());
    if (fresh) rows_.push_back({pipe, what, a, b});
    return rows_[found->second];
  }
  /// What changed, the most first.
  std::vector<Row> take_sorted() {
    std::erase_if(rows_, [](const Row& row) { return row.change() == 0; });
    std::ranges::stable_sort(rows_, std::greater(), [](const Row& row) { return std::abs(row.change()); });
    return std::move(rows_);
  }

 private:
  const std::map<uint32_t, uint32_t>& lines_;
  std::map<uint32_t, uint32_t> back_;
  std::map<std::tuple<std::string, uint32_t, uint32_t, std::string>, size_t> index_;
  std::vector<Row> rows_;
};

std::map<uint32_t, double> cycles_each(const Statistics& run) {
  std::map<uint32_t, double> each;
  for (const Json& line : list(run.json, "lines"))
    if (number(line, "count") > 0) each[line_of(line)] = number(line, "cycles") / number(line, "count");
  return each;
}

std::vector<Row> path_rows(const Statistics& a, const Statistics& b,
                           const std::map<uint32_t, uint32_t>& lines) {
  Rows rows(lines);
  for (const bool second : {false, true}) {
    const Statistics& run = second ? b : a;
    const auto each = cycles_each(run);
    for (const Json& part : list(run.json, "path")) {
      const uint32_t line = line_of(part);
      Row& row = rows.at(second, word(part, "pipe"), word(part, "mnemonic"), line);
      (second ? row.b : row.a) += number(part, "cycles");
      if (const auto known = each.find(line); known != each.end())
        (second ? row.each_b : row.each_a) = known->second;
    }
  }
  return rows.take_sorted();
}

/// Means over the cores that have the pipe.
struct PipeUse {
  double busy = 0, instructions = 0, cores = 0;
  std::map<std::string, double> stalls;
};
std::map<std::string, PipeUse> pipe_uses(const Statistics& run) {
  std::map<std::string, PipeUse> uses;
  for (const Json& core : list(run.json, "cores")) {
    for (const Json& pipe : list(core, "pipes")) {
      PipeUse& use = uses[word(pipe, "name").substr(word(pipe, "name").find('_') + 1)];
      ++use.cores;
      use.busy += number(pipe, "busy_cycles");
      use.instructions += number(pipe, "instructions");
      if (const auto stalls = pipe.find("stall_cycles"); stalls != pipe.end() && stalls->is_object())
        for (const auto& [reason, cycles] : stalls->items())
          use.stalls[reason] += number(*stalls, reason.c_str());
    }
  }
  for (auto& [name, use] : uses) {
    use.busy /= use.cores;
    use.instructions /= use.cores;
    for (auto& [reason, cycles] : use.stalls) cycles /= use.cores;
  }
  return uses;
}

std::vector<Row> pipe_rows(const Statistics& a, const Statistics& b) {
  const auto left = pipe_uses(a);
  const auto right = pipe_uses(b);
  std::set<std::string> names;
  for (const auto* uses : {&left, &right})
    for (const auto& [name, use] : *uses) names.insert(name);
  std::vector<Row> rows;
  for (const std::string& name : names) {
    Row row{name, "busy"};
    if (const auto at = left.find(name); at != left.end()) row.a = at->second.busy;
    if (const auto at = right.find(name); at != right.end()) row.b = at->second.busy;
    if (row.change() != 0) rows.push_back(row);
  }
  std::ranges::stable_sort(rows, std::greater(), [](const Row& row) { return std::abs(row.change()); });
  return rows;
}

/// The pipe that works most in either run: what it did with every cycle, in both.
std::vector<Row> busiest_rows(const Statistics& a, const Statistics& b) {
  const auto left = pipe_uses(a);
  const auto right = pipe_uses(b);
  std::string most;
  double busy = -1;
  for (const auto& [name, use] : left) {
    const auto other = right.find(name);
    const double both = use.busy + (other != right.end() ? other->second.busy : 0);
    if (name != "S" && other != right.end() && both > busy) {
      most = name;
      busy = both;
    }
  }
  std::vector<Row> rows;
  if (most.empty()) return rows;
  const PipeUse& of_a = left.at(most);
  const PipeUse& of_b = right.at(most);
  rows.push_back({most, "busy", 0, 0, of_a.busy, of_b.busy});
  std::set<std::string> reasons;
  for (const PipeUse* use : {&of_a, &of_b})
    for (const auto& [reason, cycles] : use->stalls) reasons.insert(reason);
  for (const std::string& reason : reasons) {
    const auto in = [&](const PipeUse& use) {
      const auto at = use.stalls.find(reason);
      return at == use.stalls.end() ? 0.0 : at->second;
    };
    rows.push_back({most, "waits: " + reason, 0, 0, in(of_a), in(of_b)});
  }
  std::erase_if(rows, [](const Row& row) { return row.change() == 0; });
  std::ranges::stable_sort(rows, std::greater(), [](const Row& row) { return std::abs(row.change()); });
  return rows;
}

std::vector<Row> wait_rows(const Statistics& a, const Statistics& b,
                           const std::map<uint32_t, uint32_t>& lines) {
  Rows rows(lines);
  for (const bool second : {false, true}) {
    for (const Json& wait : list((second ? b : a).json, "waits")) {
      const std::string pipe = word(wait, "pipe");
      Row& row = rows.at(second, pipe.substr(pipe.find('_') + 1) + " " + word(wait, "reason"),
                         word(wait, "reason"), line_of(wait));
      (second ? row.b : row.a) += number(wait, "cycles");
    }
  }
  std::vector<Row> all = rows.take_sorted();
  for (Row& row : all) row.pipe = row.pipe.substr(0, row.pipe.find(' '));
  return all;
}

std::vector<Row> line_rows(const Statistics& a, const Statistics& b,
                           const std::map<uint32_t, uint32_t>& lines) {
  Rows rows(lines);
  for (const bool second : {false, true}) {
    const Statistics& run = second ? b : a;
    for (const Json& line : list(run.json, "lines")) {
      Row& row = rows.at(second, "", "", line_of(line));
      (second ? row.b : row.a) += number(line, "cycles");
      if (number(line, "count") > 0)
        (second ? row.each_b : row.each_a) = number(line, "cycles") / number(line, "count");
    }
  }
  return rows.take_sorted();
}

double changes(const std::vector<Row>& rows, size_t most) {
  double sum = 0;
  for (const Row& row : rows)
    if (most-- != 0)
      sum += std::abs(row.change());
    else
      break;
  return sum;
}

std::string cycles(double number) { return grouped(static_cast<uint64_t>(std::llround(std::abs(number)))); }
std::string change_text(double number) {
  return std::llround(number) == 0 ? "0" : (number < 0 ? "-" : "+") + cycles(number);
}
std::string percent_text(double part, double of) {
  return of == 0 ? "0 %" : fmt::format("{:.0f} %", 100 * part / of);
}

std::string lines_text(const Row& row) {
  if (row.line_a == 0 && row.line_b == 0) return "";
  if (row.line_a == 0) return fmt::format("only B {}", row.line_b);
  if (row.line_b == 0) return fmt::format("only A {}", row.line_a);
  return row.line_a == row.line_b ? fmt::format("{}", row.line_a)
                                  : fmt::format("{}, {}", row.line_a, row.line_b);
}

std::string table(const std::vector<Row>& rows, size_t most, std::string_view what) {
  std::string text =
      fmt::format("{:>12} {:>11} {:>11}  {:<5} {:<12} {}\n", "change", "A", "B", "pipe", "line", what);
  while (text.ends_with(" \n")) text.erase(text.size() - 2, 1);
  for (const Row& row : rows) {
    if (most-- == 0) break;
    std::string line = fmt::format("{:>12} {:>11} {:>11}  {:<5} {:<12} {}", change_text(row.change()),
                                   cycles(row.a), cycles(row.b), row.pipe, lines_text(row), row.what);
    if (std::llround(row.each_a) != std::llround(row.each_b) && row.each_a > 0 && row.each_b > 0)
      line += fmt::format(", each {} -> {}", cycles(row.each_a), cycles(row.each_b));
    while (line.ends_with(' ')) line.pop_back();
    text += line + "\n";
  }
  return text;
}

Json rows_json(const std::vector<Row>& rows) {
  Json list = Json::array();
  for (const Row& row : rows) {
    Json item = {{"change", row.change()}, {"a", row.a}, {"b", row.b}};
    if (!row.pipe.empty()) item["pipe"] = row.pipe;
    if (!row.what.empty()) item["what"] = row.what;
    if (row.line_a != 0) item["line_a"] = row.line_a;
    if (row.line_b != 0) item["line_b"] = row.line_b;
    if (row.each_a > 0) item["each_a"] = row.each_a;
    if (row.each_b > 0) item["each_b"] = row.each_b;
    list.push_back(std::move(item));
  }
  return list;
}

Json side_json(const Statistics& run, const std::string& name) {
  Json side = {{"name", name},
               {"program", word(run.json, "program")},
               {"target", word(run.json, "target")},
               {"outcome", word(run.json, "outcome")},
               {"verdict", word(run.json, "verdict")},
               {"total_cycles", run.total},
               {"launch_cycles", run.launch}};
  side["source"] = Json::array();
  for (const auto& [line, text] : run.source) side["source"].push_back({{"line", line}, {"text", text}});
  return side;
}

std::string side_text(std::string_view letter, const Statistics& run) {
  return fmt::format(
      "{}: {} on {}: {} cycles{}\n", letter, word(run.json, "program"), word(run.json, "target"),
      cycles(run.total),
      run.launch > 0 ? fmt::format(" ({} of them launch)", cycles(run.launch)) : std::string());
}

}  // namespace
}  // namespace pto::report

namespace pto {

Result<RunDiff> diff_runs(std::string_view stats_a, std::string_view stats_b, const DiffOptions& options) {
  using namespace report;
  const auto a = read(stats_a, options.name_a);
  const auto b = read(stats_b, options.name_b);
  if (!a) return a.error();
  if (!b) return b.error();
  const auto lines = align(a->source, b->source);
  const bool by_path = a->has_path && b->has_path;
  const std::vector<Row> path = by_path ? path_rows(*a, *b, lines) : busiest_rows(*a, *b);
  const std::vector<Row> pipes = pipe_rows(*a, *b);
  const std::vector<Row> waits = wait_rows(*a, *b, lines);
  const double difference = b->total - a->total;
  const double launch = b->launch - a->launch;
  const double kernel = difference - launch;
  const double all = changes(path, path.size()) + std::abs(launch);

  RunDiff diff;
  diff.change = std::llround(difference);
  diff.explained = all == 0 ? 1 : (changes(path, options.rows) + std::abs(launch)) / all;
  diff.text = side_text("A", *a) + side_text("B", *b);
  if (difference == 0)
    diff.text += "B takes as many cycles as A\n";
  else
    diff.text += fmt::format("B takes {} cycles {} ({}): launch {}, kernel {}\n", cycles(difference),
                             difference < 0 ? "less" : "more", percent_text(difference, a->total),
                             change_text(launch), change_text(kernel));
  if (!path.empty()) {
    diff.text += by_path ? "\nalong the critical paths" : "\n" + path.front().pipe + ", the busiest pipe";
    diff.text += fmt::format(" (the rows are {} of all changes)\n", percent_text(diff.explained, 1));
    diff.text += table(path, options.rows, by_path ? "instruction" : "did");
  }
  if (!by_path)
    diff.text +=
        "\nwithout critical paths, lines are not compared: give programs, or write --stats with --advice\n";
  if (!pipes.empty())
    diff.text += "\nbusy cycles of pipes, means over cores\n" + table(pipes, options.rows, "");
  if (!waits.empty()) diff.text += "\nwaits, sums over cores\n" + table(waits, options.rows, "reason");

  Json json = {
      {"difference", difference}, {"launch", launch}, {"kernel", kernel}, {"explained", diff.explained}};
  json["a"] = side_json(*a, options.name_a);
  json["b"] = side_json(*b, options.name_b);
  json[by_path ? "path" : "busiest"] = rows_json(path);
  json["pipes"] = rows_json(pipes);
  json["waits"] = rows_json(waits);
  json["lines"] = rows_json(line_rows(*a, *b, lines));
  Json pairs = Json::array();
  for (const auto& [left, right] : lines) pairs.push_back({left, right});
  json["matched"] = pairs;
  diff.json = json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  json["kind"] = "diff";
  if (!options.page_a.empty() && !options.page_b.empty())
    json["runs"] = Json::array({Json::parse(options.page_a), Json::parse(options.page_b)});
  diff.html = page_with(json);
  return diff;
}

}  // namespace pto
