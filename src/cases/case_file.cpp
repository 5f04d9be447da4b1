// The case file: TOML -> Case. Every key is checked; docs/user/case-file.md describes them.
// Over 500 lines: one reader, with a function for each key of a case file.
#include "pto/case_file.hpp"

#include <fmt/format.h>

#include <limits>
#include <unordered_set>

#include "cases/dtype.hpp"
#include "cases/fill_patterns.hpp"
#include "cases/rank_placeholders.hpp"
#include "pto/diagnostic.hpp"
#include "pto/ranks.hpp"
#include "support/file.hpp"
#include "support/toml.hpp"

namespace pto {
namespace {

constexpr size_t kMaxRank = 8;

/// A scalar's value or what a buffer is filled with.
Result<bool> check_number(const CaseArg& arg) {
  if (report::names_rank(arg.fill.value_or("")) || report::names_rank(arg.value.value_or(""))) return true;
  if (arg.fill) return report::check_fill(arg.dtype, *arg.fill);
  if (!arg.value) return true;
  const auto bits = report::bits_of_number(arg.dtype, *arg.value);
  return bits ? Result<bool>(true) : bits.error();
}

/// Reads one file; the first problem ends it. Members return false after a problem.
class Reader {
 public:
  Reader(const std::filesystem::path& file, const Defines& defines) : file_(file), defines_(defines) {}

  Result<Case> read(std::string_view text, std::span<const std::string> settings) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
      return Error{fmt::format("{}: the file is empty", file_.string())};
    auto root = parse_toml(text, file_.string());
    if (!root) return root.error();
    case_.file = file_;
    for (const std::string& setting : settings) {
      if (const auto problem = put_setting(*root, setting)) return *problem;
    }
    if (!expand_all(*root) || !read_root(*root)) return Error{problem_};
    return std::move(case_);
  }

 private:
  bool fail(const toml::source_region& where, std::string message) {
    problem_ = fmt::format("{}: {}", place_of(where), message);
    return false;
  }
  bool fail(const toml::node& node, std::string message) { return fail(node.source(), std::move(message)); }

  bool unknown(const toml::key& key, const std::vector<std::string_view>& known) {
    const auto meant = nearest(key.str(), known);
    return fail(key.source(),
                fmt::format("unknown key '{}'{}", key.str(),
                            meant.empty() ? fmt::format("; known here: {}", fmt::join(known, ", "))
                                          : fmt::format(", did you mean '{}'?", meant)));
  }

  bool text(const toml::key& key, const toml::node& node, std::string& out) {
    if (const auto* value = node.as_string()) {
      out = value->get();
      return true;
    }
    return fail(node, fmt::format("'{}' must be a string", key.str()));
  }
  bool boolean(const toml::key& key, const toml::node& node, bool& out) {
    if (const auto* value = node.as_boolean()) {
      out = value->get();
      return true;
    }
    return fail(node, fmt::format("'{}' must be true or false", key.str()));
  }
  bool integer(const toml::key& key, const toml::node& node, int64_t low, int64_t high, int64_t& out) {
    const auto value = whole(node);
    if (!value) return fail(node, fmt::format("'{}' must be an integer", key.str()));
    out = *value;
    if (out >= low && out <= high) return true;
    return fail(node, fmt::format("'{}' must be {}, not {}", key.str(),
                                  high == std::numeric_limits<int64_t>::max()
                                      ? fmt::format("at least {}", low)
                                      : fmt::format("between {} and {}", low, high),
                                  out));
  }
  bool number(const toml::key& key, const toml::node& node, std::optional<double>& out) {
    if (const auto value = node.value<double>(); value && (node.is_floating_point() || node.is_integer())) {
      if (*value >= 0) {
        out = *value;
        return true;
      }
    }
    return fail(node, fmt::format("'{}' must be a number of at least 0", key.str()));
  }
  /// An integer, also as what represents a placeholder: "${N}".
  [[nodiscard]] std::optional<int64_t> whole(const toml::node& node) const {
    if (const auto* value = node.as_integer()) return value->get();
    const auto* value = expanded_.contains(&node) ? node.as_string() : nullptr;
    const auto bits = value != nullptr ? report::bits_of_number(Elem::i64, value->get()) : Error{""};
    return bits ? std::optional(static_cast<int64_t>(*bits)) : std::nullopt;
  }
  /// A number as it will be read again by bits_of_number; nothing of it is lost.
  bool literal(const toml::key& key, const toml::node& node, std::optional<std::string>& out) {
    if (const auto* whole = node.as_integer()) {
      out = fmt::format("{}", whole->get());
      return true;
    }
    if (const auto* real = node.as_floating_point()) {
      out = fmt::format("{:.17g}", real->get());
      return true;
    }
    if (const auto* flag = node.as_boolean()) {
      out = flag->get() ? "true" : "false";
      return true;
    }
    if (const auto* text = node.as_string(); text && report::names_rank(text->get())) {
      out = text->get();
      return true;
    }
    if (expanded_.contains(&node)) {
      out = node.as_string()->get();
      return true;
    }
    return fail(node, fmt::format("'{}' must be a number or a boolean", key.str()));
  }
  bool one_of(const toml::key& key, const toml::node& node, std::vector<std::string_view> allowed,
              std::string& out) {
    if (!text(key, node, out)) return false;
    if (std::find(allowed.begin(), allowed.end(), out) != allowed.end()) return true;
    return fail(node,
                fmt::format("'{}' must be one of {}, not '{}'", key.str(), fmt::join(allowed, ", "), out));
  }

  /// Makes the path relative to the case file's folder.
  bool path(const toml::key& key, const toml::node& node, std::string& out) {
    std::string expanded;
    if (!text(key, node, expanded)) return false;
    if (expanded.empty()) return fail(node, fmt::format("'{}' must not be empty", key.str()));
    out = (file_.parent_path() / expanded).lexically_normal().string();
    return true;
  }
  static std::optional<Error> put_setting(toml::table& root, const std::string& setting) {
    const std::string place = std::string(kSettingPlace) + setting;
    Result<toml::table> above = parse_toml(setting, place);
    if (!above) return above.error();
    if (toml::table* arguments = (*above)["arg"].as_table()) {
      for (auto&& [name, keys] : *arguments) {
        toml::table* under = argument_named(root, name.str());
        if (under == nullptr || !keys.is_table())
          return Error{fmt::format("{}: the case has no argument '{}'", place, name.str())};
        put_over(*under, std::move(*keys.as_table()), "", is_value);
      }
      above->erase("arg");
    }
    put_over(root, std::move(*above), "", is_value);
    return std::nullopt;
  }
  static toml::table* argument_named(toml::table& root, std::string_view name) {
    toml::array* list = root["arg"].as_array();
    if (list == nullptr) return nullptr;
    for (toml::node& each : *list) {
      toml::table* table = each.as_table();
      if (table != nullptr && (*table)["name"].value<std::string_view>() == name) return table;
    }
    return nullptr;
  }

  /// Puts values in place of ${NAME} in every string but those of [meta].
  bool expand_all(toml::table& root) {
    for (auto&& [key, node] : root) {
      if (key.str() != "meta" && !expand_all(node)) return false;
    }
    return true;
  }
  bool expand_all(toml::node& node) {
    if (auto* table = node.as_table()) {
      for (auto&& [key, each] : *table) {
        if (!expand_all(each)) return false;
      }
    } else if (auto* list = node.as_array()) {
      for (toml::node& each : *list) {
        if (!expand_all(each)) return false;
      }
    } else if (auto* text = node.as_string();
               text != nullptr && text->get().find("${") != std::string::npos) {
      Result<std::string> expanded = defines_.expand(text->get());
      if (!expanded) return fail(node, expanded.error().message);
      text->get() = std::move(*expanded);
      expanded_.insert(&node);
    }
    return true;
  }
  bool read_root(const toml::table& root) {
    for (const auto& [key, node] : root) {
      if (!read_root_key(key, node)) return false;
    }
    if (case_.program.empty()) return fail(root, "there is no 'program'");
    return true;
  }
  /// A name, or the names of the functions of one launch: kept with commas.
  bool entry(const toml::key& key, const toml::node& node) {
    const toml::array* names = node.as_array();
    if (names == nullptr) return text(key, node, case_.entry);
    for (const toml::node& each : *names) {
      std::string name;
      if (!text(key, each, name)) return false;
      case_.entry += (case_.entry.empty() ? "" : ",") + name;
    }
    return !names->empty() || fail(node, "'entry' is empty");
  }
  bool watched(const toml::key& key, const toml::node& node) {
    const toml::array* names = node.as_array();
    if (names == nullptr) return fail(node, "'watch' must be an array of names");
    for (const toml::node& each : *names) {
      std::string name;
      if (!text(key, each, name)) return false;
      case_.watch.push_back(std::move(name));
    }
    return true;
  }
  bool read_root_key(const toml::key& key, const toml::node& node) {
    const auto name = key.str();
    if (name == "program") return path(key, node, case_.program);
    if (name == "entry") return entry(key, node);
    if (name == "target") return text(key, node, case_.target);
    if (std::string word; name == "level" || name == "sync") {
      const bool good = name == "level" ? one_of(key, node, {"level1", "level2", "level3"}, word)
                                        : one_of(key, node, {"auto", "explicit"}, word);
      if (!good) return false;
      if (name == "level") case_.level = level_named(word);
      if (name == "sync") case_.sync = *sync_named(word);
      return true;
    }
    if (name == "blocks") {
      int64_t blocks = 0;
      if (!integer(key, node, 1, 65535, blocks)) return false;
      case_.blocks = static_cast<uint32_t>(blocks);
      return true;
    }
    if (name == "ranks") {
      int64_t ranks = 0;
      if (!integer(key, node, 1, kMaxRanks, ranks)) return false;
      case_.ranks = static_cast<uint32_t>(ranks);
      return true;
    }
    if (name == "topology") return text(key, node, case_.topology);
    if (name == "watch") return watched(key, node);
    if (name == "arg") return read_args(node);
    if (name == "meta") return node.is_table() || fail(node, "'meta' must be a table");
    return unknown(key, {"program", "entry", "target", "blocks", "ranks", "topology", "level", "sync",
                         "watch", "arg", "meta"});
  }

  bool read_args(const toml::node& node) {
    const auto* list = node.as_array();
    if (!list) return fail(node, "'arg' must be an array of tables: write [[arg]]");
    for (const toml::node& item : *list) {
      const auto* table = item.as_table();
      if (!table) return fail(item, "'arg' must be an array of tables: write [[arg]]");
      CaseArg arg;
      if (!read_arg(*table, arg) || !check_arg(*table, arg)) return false;
      case_.args.push_back(std::move(arg));
    }
    return true;
  }
  bool read_arg(const toml::table& table, CaseArg& arg) {
    for (const auto& [key, node] : table) {
      if (!read_arg_key(key, node, arg)) return false;
    }
    return true;
  }
  bool read_arg_key(const toml::key& key, const toml::node& node, CaseArg& arg) {
    const auto name = key.str();
    if (name == "name") return text(key, node, arg.name);
    if (name == "dtype") return dtype(key, node, arg.dtype);
    if (name == "shape") return shape(node, arg.shape);
    if (name == "fill")
      return node.is_string() ? text(key, node, arg.fill.emplace()) : literal(key, node, arg.fill);
    if (name == "value") return literal(key, node, arg.value);
    if (name == "input") return path(key, node, arg.input);
    if (name == "output") return path(key, node, arg.output);
    if (name == "expect") return path(key, node, arg.expect);
    if (name == "select") return select(node, arg.select.emplace());
    if (name == "compare") return compare(node, arg.compare);
    if (name == "bits") return boolean(key, node, arg.bits);
    if (name == "peer") return text(key, node, arg.peer);
    if (name == "window") return boolean(key, node, arg.window.emplace());
    return unknown(key, {"name", "dtype", "shape", "fill", "value", "input", "output", "expect", "select",
                         "compare", "bits", "peer", "window"});
  }
  bool dtype(const toml::key& key, const toml::node& node, Elem& out) {
    std::string name;
    if (!text(key, node, name)) return false;
    if (const auto elem = report::parse_dtype(name)) {
      out = *elem;
      return true;
    }
    if (name == "index") return fail(node, "there is no dtype 'index'; an index is i64");
    const auto meant = nearest(name, report::dtype_names());
    return fail(node, fmt::format("there is no dtype '{}'{}", name,
                                  meant.empty() ? "; known: " + report::dtype_list()
                                                : fmt::format(", did you mean '{}'?", meant)));
  }
  bool shape(const toml::node& node, std::vector<int64_t>& out) {
    const auto* list = node.as_array();
    if (!list || list->empty() || list->size() > kMaxRank)
      return fail(node, "'shape' must be an array of 1 to 8 sizes");
    for (const toml::node& item : *list) {
      const auto size = whole(item);
      if (!size || *size < 0) return fail(item, "'shape' must hold integers of at least 0");
      out.push_back(*size);
    }
    return true;
  }
  bool select(const toml::node& node, Select& out) {
    const auto* table = node.as_table();
    if (!table)
      return fail(node, "'select' must be a table: { offset = 0, rows = 1, cols = 16, stride = 16 }");
    constexpr int64_t kHigh = std::numeric_limits<int64_t>::max();
    bool cols = false, stride = false;
    for (const auto& [key, value] : *table) {
      const auto name = key.str();
      bool good = false;
      if (name == "offset")
        good = integer(key, value, 0, kHigh, out.offset);
      else if (name == "rows")
        good = integer(key, value, 0, kHigh, out.rows);
      else if (name == "cols")
        good = cols = integer(key, value, 0, kHigh, out.cols);
      else if (name == "stride")
        good = stride = integer(key, value, 0, kHigh, out.stride);
      else
        return unknown(key, {"offset", "rows", "cols", "stride"});
      if (!good) return false;
    }
    if (!cols) return fail(node, "'select' needs 'cols'");
    if (!stride) out.stride = out.cols;
    return true;
  }
  bool compare(const toml::node& node, Compare& out) {
    const auto* table = node.as_table();
    if (!table) return fail(node, "'compare' must be a table, e.g. { atol = 1e-3, rtol = 1e-3 }");
    for (const auto& [key, value] : *table) {
      if (!compare_key(key, value, out)) return false;
    }
    return true;
  }
  bool compare_key(const toml::key& key, const toml::node& node, Compare& out) {
    const auto name = key.str();
    if (name == "atol") return number(key, node, out.atol);
    if (name == "rtol") return number(key, node, out.rtol);
    if (name == "eps") return number(key, node, out.eps);
    if (name == "max_bad") return number(key, node, out.max_bad);
    if (name == "ulp") {
      int64_t ulp = 0;
      if (!integer(key, node, 0, std::numeric_limits<int64_t>::max(), ulp)) return false;
      out.ulp = static_cast<uint64_t>(ulp);
      return true;
    }
    if (name == "nan_equal") return boolean(key, node, out.nan_equal);
    return unknown(key, {"atol", "rtol", "ulp", "eps", "max_bad", "nan_equal"});
  }

  /// What a single key cannot tell.
  bool check_arg(const toml::table& table, const CaseArg& arg) {
    const auto who = arg.name.empty() ? fmt::format("argument {}", case_.args.size()) : "'" + arg.name + "'";
    if (!arg.peer.empty()) return check_peer(table, arg, who);
    if (arg.dtype == Elem::none) return fail(table, fmt::format("{} has no 'dtype'", who));
    const bool scalar = arg.value.has_value();
    const bool buffer_keys = arg.fill || arg.select || table.contains("compare") || !arg.input.empty() ||
                             !arg.output.empty() || !arg.expect.empty();
    if (scalar && (buffer_keys || !arg.shape.empty()))
      return fail(
          table, fmt::format(
                     "{} has a 'value', so it is a scalar: it has no shape, fill, files or comparison", who));
    if (!scalar && arg.shape.empty())
      return fail(table, fmt::format("{} has neither 'shape' (a buffer) nor 'value' (a scalar)", who));
    if (arg.fill && !arg.input.empty())
      return fail(table, fmt::format("{} has both 'input' and 'fill'", who));
    if (arg.expect.empty() && (arg.select || table.contains("compare")))
      return fail(table, fmt::format("{} has 'select' or 'compare' but no 'expect'", who));
    if (const auto good = check_number(arg); !good)
      return fail(table, fmt::format("{}: {}", who, good.error().message));
    if (!arg.name.empty() && !names_.insert(arg.name).second)
      return fail(table, fmt::format("there are two arguments named {}", who));
    return true;
  }

  bool check_peer(const toml::table& table, const CaseArg& arg, const std::string& who) {
    for (const auto& [key, _] : table) {
      if (key.str() != "name" && key.str() != "peer")
        return fail(
            key.source(),
            fmt::format("{} refers to an argument of another rank: it has only a name and 'peer'", who));
    }
    if (!report::peer_argument(report::rank_text(arg.peer, 0, 1)))
      return fail(table, fmt::format("{}: 'peer' is written like \"x@{{next}}\"", who));
    return true;
  }

  const std::filesystem::path& file_;
  const Defines& defines_;
  std::unordered_set<std::string> names_;
  std::unordered_set<const toml::node*> expanded_;  ///< strings that had placeholders
  Case case_;
  std::string problem_;
};

constexpr std::string_view kBits = ":bits";

/// The types of a program are not all dtypes: an index is i64.
std::string no_dtype(std::string_view rest) {
  const std::string_view name = rest.substr(0, rest.find_first_of("[:"));
  constexpr std::string_view kIndex = "index";
  if (name == kIndex)
    return fmt::format("'{}' is no dtype; an index is i64: write i64{}", name, rest.substr(name.size()));
  const std::string_view meant = nearest(name, report::dtype_names());
  return fmt::format("'{}' is neither a .npy file nor begins with a dtype{}", rest,
                     meant.empty() ? fmt::format(" ({})", report::dtype_list())
                                   : fmt::format("; did you mean {}{}?", meant, rest.substr(name.size())));
}

Error bad_arg(std::string_view text, std::string why) { return {fmt::format("--arg {}: {}", text, why)}; }

/// "16x16" -> {16, 16}
std::optional<std::vector<int64_t>> parse_dims(std::string_view text) {
  std::vector<int64_t> dims;
  while (true) {
    const size_t end = text.find('x');
    const auto bits = report::bits_of_number(Elem::i64, text.substr(0, end));
    if (!bits || static_cast<int64_t>(*bits) < 0 || dims.size() == kMaxRank) return std::nullopt;
    dims.push_back(static_cast<int64_t>(*bits));
    if (end == std::string_view::npos) return dims;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

Result<Case> parse_case(std::string_view text, const std::filesystem::path& file, const Defines& defines,
                        std::span<const std::string> settings) {
  return Reader(file, defines).read(text, settings);
}

Result<Case> read_case(const std::filesystem::path& file, const Defines& defines,
                       std::span<const std::string> settings) {
  const auto text = read_file(file, kMaxCaseBytes);
  if (!text) return text.error();
  return parse_case(*text, file, defines, settings);
}

Result<CaseArg> parse_arg(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return bad_arg(text, "write NAME=FILE.npy, NAME=f32[16x16] or NAME=i32:64");
  CaseArg arg;
  arg.name = text.substr(0, equals);
  arg.added = true;
  auto rest = text.substr(equals + 1);
  arg.bits = rest.ends_with(kBits);
  if (arg.bits) rest.remove_suffix(kBits.size());
  if (constexpr std::string_view kPeer = "peer:"; rest.starts_with(kPeer)) {
    arg.peer = rest.substr(kPeer.size());
    if (!report::peer_argument(report::rank_text(arg.peer, 0, 1)))
      return bad_arg(text, "an argument of another rank is written like peer:x@{next}");
    return arg;
  }
  const auto dtype = report::parse_dtype(rest.substr(0, rest.find_first_of("[:")));
  if (!dtype) {
    if (!rest.ends_with(".npy")) return bad_arg(text, no_dtype(rest));
    arg.input = rest;
    return arg;
  }
  arg.dtype = *dtype;
  auto tail = rest.substr(std::min(rest.find_first_of("[:"), rest.size()));
  if (tail.starts_with('[')) {
    const size_t close = tail.find(']');
    auto dims = close == std::string_view::npos ? std::nullopt : parse_dims(tail.substr(1, close - 1));
    if (!dims) return bad_arg(text, "the shape is written like [16x16]");
    arg.shape = std::move(*dims);
    tail.remove_prefix(close + 1);
    if (tail.empty()) return arg;
    if (tail.starts_with('@')) {
      arg.input = tail.substr(1);
      return arg;
    }
  }
  if (!tail.starts_with(':'))
    return bad_arg(
        text, "a scalar is written like i32:64, a buffer like f32[16x16], f32[16x16]:1.5 or f32[16x16]@FILE");
  (arg.shape.empty() ? arg.value : arg.fill) = tail.substr(1);
  if (const auto good = check_number(arg); !good) return bad_arg(text, good.error().message);
  return arg;
}

Result<bool> add_output(Case& the_case, std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
    return Error{fmt::format("--out {}: write NAME=FILE", text)};
  std::vector<std::string_view> names;
  for (CaseArg& arg : the_case.args) {
    if (arg.name == text.substr(0, equals)) {
      if (arg.value) return Error{fmt::format("--out {}: '{}' is a scalar", text, arg.name)};
      arg.output = text.substr(equals + 1);
      return true;
    }
    names.push_back(arg.name);
  }
  return Error{fmt::format("--out {}: there is no argument of that name; there are: {}", text,
                           fmt::join(names, ", "))};
}

}  // namespace pto
