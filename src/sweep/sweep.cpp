// Runs the points of a sweep on all cores and keeps their rows in order.
#include "pto/sweep.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <system_error>
#include <thread>

#include "analysis/constant_folding.hpp"
#include "ir/op_queries.hpp"
#include "isa/memory_spaces.hpp"
#include "isa/row.hpp"
#include "isa/tile_defaults.hpp"
#include "pto/output_files.hpp"
#include "support/file.hpp"
#include "support/host_threads.hpp"
#include "support/saturating.hpp"
#include "support/scoped_cache.hpp"
#include "sweep/sweep_inputs.hpp"
#include "sweep/sweep_rows.hpp"
#include "sweep/sweep_spec.hpp"
#include "timing/cost_config.hpp"

namespace pto {
namespace {

using driver::launch_of, driver::SweepParameter, driver::SweepPlan, driver::SweepRun;

/// Highest byte that the tiles of a program reach in each memory.
std::array<uint64_t, kSpaceCount> reached_bytes(const Program& program) {
  std::array<uint64_t, kSpaceCount> reached{};
  const Constants constants(program);
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const OpView op(program, i);
    if (isa::opcode_class(op) != isa::OpcodeClass::alloc_tile) continue;
    const Number address = constants.value_of(op.operand(0));
    if (!address || *address < 0) continue;
    const Type& tile = op.result_type(0);
    uint64_t& most = reached[static_cast<size_t>(isa::storage_space(tile))];
    most = std::max(most, sat_add(static_cast<uint64_t>(*address), occupied_bytes(tile)));
  }
  return reached;
}

/// The state and the first error of a point that has some.
SweepRun failed(std::string_view state, const Diagnostics& all) {
  const auto first = std::ranges::find(all.all(), Severity::error, &Diagnostic::severity);
  SweepRun run{.state = state};
  if (first == all.all().end()) return run;
  const std::string where = first->where.line == 0 ? "" : fmt::format(" (line {})", first->where.line);
  run.message = fmt::format("error[{}]: {}{}", to_string(first->id), full_message(*first), where);
  run.finding = first->id;
  return run;
}

SweepRun refused(const Error& error) {
  return {.state = error.kind == Error::Kind::unsupported ? "unsupported" : "unusable",
          .message = error.message};
}

std::array<double, std::size(driver::kSweepMetrics)> measured(const Program& program, const SimResult& result,
                                                              size_t warnings) {
  const double us = result.chip.clock_ghz > 0
                        ? static_cast<double>(result.total_cycles) / (result.chip.clock_ghz * 1000)
                        : 0;
  const auto reached = reached_bytes(program);
  const auto bytes = [&](Space space) { return static_cast<double>(reached[static_cast<size_t>(space)]); };
  return {static_cast<double>(result.total_cycles),
          static_cast<double>(result.kernel_cycles()),
          us,
          us > 0 ? static_cast<double>(result.chip.cube_ops) / us / 1e6 : 0,
          static_cast<double>(result.chip.read_bytes),
          static_cast<double>(result.chip.written_bytes),
          bytes(Space::ub),
          bytes(Space::l1),
          bytes(Space::l0a),
          bytes(Space::l0b),
          bytes(Space::l0c),
          static_cast<double>(result.findings.errors()),
          static_cast<double>(warnings)};
}

/// What a point came to, nothing where it was interrupted, and whether that may be for want of memory or
/// threads, which others have at the time.
struct ProofAttempt {
  std::optional<SweepRun> run;
  bool for_want = false;
};

std::optional<SweepRun> run_point(const SweepPlan& plan, uint64_t point, const SweepOptions& options,
                                  bool& for_want) {
  auto launch = prepare_launch(plan.input, launch_of(plan, point, options));
  if (!launch) return refused(launch.error());
  for_want = launch->prepared.short_of_memory;
  const Prepared& prepared = launch->prepared;
  if (!prepared.ready)
    return failed(prepared.diagnostics.only_unsupported() ? "unsupported" : "finding", prepared.diagnostics);
  auto arguments = load_arguments(launch->the_case);
  if (!arguments) return refused(arguments.error());
  SimOptions sim = options.sim;
  sim.stop = options.stop;
  if (sim.threads == 0) sim.threads = 1;  // the points share the cores of the host
  if (plan.mode && !options.mode_given) sim.mode = *plan.mode;
  auto result = simulate(*launch, *arguments, sim);
  if (!result) return refused(result.error());
  if (result->interrupted) return std::nullopt;
  if (sim.mode == Mode::run && result->ended) {
    if (auto judged = judge(*launch, sim, *arguments, *result); !judged) return refused(judged.error());
  }
  SweepRun run = result->findings.errors() != 0 ? failed("finding", result->findings) : SweepRun();
  if (result->ended)
    run.measured =
        measured(prepared.program, *result, prepared.diagnostics.warnings() + result->findings.warnings());
  return run;
}

/// A bug of ours, or too little memory, is the end of its point and not of the others.
ProofAttempt tried(const SweepPlan& plan, uint64_t point, const SweepOptions& options) {
  try {
    bool for_want = false;
    std::optional<SweepRun> run = run_point(plan, point, options, for_want);
    for_want = for_want || (run && run->state == "unusable");
    return {std::move(run), for_want};
  } catch (const std::bad_alloc&) {
    return {refused(Error{"out of memory"}), true};
  } catch (const std::system_error& error) {
    return {refused(Error{fmt::format("the host refused: {}", error.what())}), true};
  } catch (const std::exception& error) {
    return {refused(Error{fmt::format("internal error: {}", error.what())}), false};
  }
}

/// Points run side by side. One that had too little of something runs again alone, so that its row does not
/// depend on who else was there.
class PointLocks {
 public:
  std::optional<SweepRun> run(const SweepPlan& plan, uint64_t point, const SweepOptions& options) {
    {
      const std::shared_lock together(mutex_);
      ProofAttempt first = tried(plan, point, options);
      if (!first.for_want) return std::move(first.run);
    }
    const std::unique_lock alone(mutex_);
    return tried(plan, point, options).run;
  }

 private:
  std::shared_mutex mutex_;
};

/// Whole lines of a file; a torn last line is none.
std::vector<std::string> whole_lines(std::string_view text) {
  std::vector<std::string> lines;
  for (size_t at = 0, end = text.find('\n'); end != text.npos; at = end + 1, end = text.find('\n', at))
    lines.emplace_back(text.substr(at, end - at));
  return lines;
}

std::string out_of(const std::filesystem::path& file, const SweepOptions& options) {
  if (!options.out.empty()) return options.out;
  return std::filesystem::path(file).replace_extension().string();
}

std::string shard_suffix(const SweepOptions& options) {
  return options.shards == 0 ? "" : fmt::format(".shard-{}-of-{}", options.shard, options.shards);
}

/// The file of a run's rows, open for this process alone.
class RowFile {
 public:
  RowFile(std::string name, const FileGuard& guard) : name_(std::move(name)), guard_(guard) {}
  ~RowFile() {
    if (fd_ != -1) ::close(fd_);
  }
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;

  /// Takes over the rows of a run before; `points` are those that belong here, in order.
  Result<bool> open(const std::vector<uint64_t>& points, const std::string& sweep) {
    if (auto good = guard_.may_write({"the file of rows", name_}); !good) return good;
    fd_ = ::open(name_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd_ == -1) return problem("cannot write");
    if (!locked()) return Error{fmt::format("{}: another run is writing it", name_)};
    const auto text = read_file(name_);
    if (!text) return text.error();
    rows = whole_lines(*text);
    size_t bytes = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      const auto head = driver::sweep_row_head(rows[i]);
      if (!head) return Error{fmt::format("{}:{}: this is no row of a sweep", name_, i + 1)};
      if (head->sweep != sweep || i >= points.size() || head->point != points[i])
        return Error{
            fmt::format("{}:{}: a row of another sweep (the sweep file, the program, arrays or the options "
                        "have changed); remove the file, or give another --out",
                        name_, i + 1)};
      bytes += rows[i].size() + 1;
    }
    if (::ftruncate(fd_, static_cast<off_t>(bytes)) != 0 || ::lseek(fd_, 0, SEEK_END) == -1)
      return problem("cannot write");
    return true;
  }
  /// False after a failure, which `failure` tells.
  bool append(std::string line) {
    std::string_view rest = line += '\n';
    while (!rest.empty()) {
      const ssize_t written = ::write(fd_, rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) {
        failure = problem("cannot write");
        return false;
      }
      rest.remove_prefix(static_cast<size_t>(written));
    }
    line.pop_back();
    rows.push_back(std::move(line));
    return true;
  }

  std::vector<std::string> rows;
  std::optional<Error> failure;

 private:
  /// A run that was killed keeps its lock until the host has come to end it.
  [[nodiscard]] bool locked() const {
    constexpr int kTimes = 60;
    for (int time = 0; time < kTimes; ++time) {
      if (::flock(fd_, LOCK_EX | LOCK_NB) == 0) return true;
      if (errno != EWOULDBLOCK && errno != EINTR) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
  }
  [[nodiscard]] Error problem(std::string_view what) const {
    return {fmt::format("{} {}: {}", what, name_, std::strerror(errno))};
  }

  std::string name_;
  const FileGuard& guard_;
  int fd_ = -1;
};

/// Rows come in any order and leave in that of the points.
class InOrder {
 public:
  InOrder(RowFile& file, size_t first, const SweepOptions& options, size_t all)
      : file_(file), options_(options), next_(first), all_(all) {}
  bool put(size_t index, std::string row) {
    const std::scoped_lock lock(mutex_);
    waiting_.emplace(index, std::move(row));
    for (auto at = waiting_.begin(); at != waiting_.end() && at->first == next_;
         at = waiting_.erase(at), ++next_) {
      if (!file_.append(std::move(at->second))) return false;
    }
    if (options_.progress) options_.progress(next_, all_);
    return true;
  }

 private:
  RowFile& file_;
  const SweepOptions& options_;
  std::mutex mutex_;
  std::map<size_t, std::string> waiting_;
  size_t next_, all_;
};

void run_points(const SweepPlan& plan, const std::vector<uint64_t>& points, const std::string& sweep,
                const SweepOptions& options, RowFile& file) {
  const size_t first = file.rows.size();
  InOrder rows(file, first, options, points.size());
  std::atomic<size_t> next = first;
  std::atomic<bool> broken = false;
  PointLocks iterations;
  const auto each_point = [&] {
    const ScopedCache<Machine> machines;
    const ScopedCache<timing::ConfigFile> configurations;
    for (size_t i = next++; i < points.size() && !broken && (options.stop == nullptr || !*options.stop);
         i = next++) {
      const std::optional<SweepRun> run = iterations.run(plan, points[i], options);
      if (!run) return;
      if (!rows.put(i, driver::sweep_row(plan, points[i], *run, sweep))) broken = true;
    }
  };
  std::atomic<bool> no_memory = false;
  const auto work = [&] {
    try {
      each_point();
    } catch (const std::bad_alloc&) {
      no_memory = broken = true;
    }
  };
  const unsigned jobs = host_threads(options.jobs);
  std::vector<std::jthread> threads;
  try {
    for (size_t i = 1; i < std::min<size_t>(jobs, points.size() - first); ++i) threads.emplace_back(work);
  } catch (const std::system_error&) {  // the host gives no more threads: those that are there do it
  } catch (const std::bad_alloc&) {
  }
  work();
  threads.clear();
  if (no_memory && !file.failure) file.failure = Error{"out of memory; the same command goes on"};
}

Result<SweepOutcome> finished(const SweepPlan& plan, const std::string& out, const FileGuard& guard,
                              std::vector<std::string> rows, bool rows_too) {
  OutputFiles files(guard);
  const auto write = [&](const std::string& name, std::string_view text) -> std::optional<Error> {
    const auto file = files.open(name);
    if (!file) return file.error();
    (*file)->write(text);
    return std::nullopt;
  };
  if (rows_too) {
    std::string text;
    for (const std::string& row : rows) text += row + "\n";
    if (auto bad = write(out + ".jsonl", text)) return *bad;
  }
  if (auto bad = write(out + ".csv", driver::sweep_csv(plan, rows))) return *bad;
  if (auto good = files.commit(); !good) return good.error();
  driver::SweepSummary summary = driver::sweep_summary(plan, rows);
  return SweepOutcome{plan.points.size(), rows.size(), summary.ok, std::move(summary.text),
                      std::move(summary.json)};
}

std::optional<uint64_t> environment(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  uint64_t number = 0;
  const auto [end, problem] = std::from_chars(text, text + std::strlen(text), number);
  return problem == std::errc{} && *end == '\0' ? std::optional(number) : std::nullopt;
}

Result<std::pair<uint64_t, uint64_t>> shard_of_environment() {
  constexpr std::pair<const char*, const char*> kRanks[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                                            {"PMI_RANK", "PMI_SIZE"},
                                                            {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"}};
  for (const auto& [rank, size] : kRanks) {
    const auto i = environment(rank);
    const auto n = environment(size);
    if (i && n && *i < *n) return std::pair(*i, *n);
  }
  if (const auto id = environment("SLURM_ARRAY_TASK_ID")) {
    const auto low = environment("SLURM_ARRAY_TASK_MIN");
    const auto high = environment("SLURM_ARRAY_TASK_MAX");
    const auto count = environment("SLURM_ARRAY_TASK_COUNT");
    if (low && high && count && *low <= *id && *id <= *high && *high - *low + 1 == *count)
      return std::pair(*id - *low, *count);
    return Error{"--shard auto: the job array has gaps; give --shard i/n"};
  }
  const auto i = environment("SLURM_PROCID");
  const auto n = environment("SLURM_NTASKS");
  if (i && n && *i < *n) return std::pair(*i, *n);
  return Error{
      "--shard auto: the environment names no rank (OMPI_COMM_WORLD_RANK, PMI_RANK) and no task of Slurm"};
}

Error bad_shard(const std::string& text) {
  return {fmt::format("--shard {}: write i/n with 0 <= i < n, or auto", text)};
}

}  // namespace

Result<std::pair<uint64_t, uint64_t>> parse_shard(const std::string& text) {
  if (text == "auto") return shard_of_environment();
  const size_t slash = text.find('/');
  if (slash == text.npos) return bad_shard(text);
  uint64_t i = 0, n = 0;
  const char* begin = text.data();
  const char* middle = begin + slash;
  const char* end = begin + text.size();
  const auto first = std::from_chars(begin, middle, i);
  const auto second = std::from_chars(middle + 1, end, n);
  if (first.ec != std::errc{} || first.ptr != middle || second.ec != std::errc{} || second.ptr != end ||
      i >= n)
    return bad_shard(text);
  return std::pair(i, n);
}

Result<SweepOutcome> run_sweep(const std::filesystem::path& file, const SweepOptions& options) {
  const auto plan = SweepPlan::read(file);
  if (!plan) return plan.error();
  for (const SweepParameter& parameter : plan->parameters) {
    for (const std::string& define : options.launch.defines) {
      if (parameter.kind == SweepParameter::Kind::define && define.starts_with(parameter.name + "="))
        return Error{fmt::format("-D {}: {} is a parameter of the sweep", define, parameter.name)};
    }
  }
  std::vector<uint64_t> points;
  const uint64_t step = std::max<uint64_t>(options.shards, 1);
  const uint64_t all = plan->points.size();
  for (uint64_t i = options.shard; i < all; i = step < all - i ? i + step : all) points.push_back(i);
  const auto known = driver::inputs_of(*plan, file, options);
  if (!known) return known.error();
  const std::string out = out_of(file, options);
  const std::string& sweep = known->fingerprint;
  // Before the points run.
  if (auto good = known->guard.may_write({"the table", out + ".csv"}); !good) return good.error();
  RowFile rows(out + shard_suffix(options) + ".jsonl", known->guard);
  if (auto good = rows.open(points, sweep); !good) return good.error();
  run_points(*plan, points, sweep, options, rows);
  if (rows.failure) return *rows.failure;
  if (options.shards == 0 && rows.rows.size() == points.size())
    return finished(*plan, out, known->guard, std::move(rows.rows), false);
  SweepOutcome outcome;
  outcome.points = points.size();
  outcome.rows = rows.rows.size();
  outcome.ok = driver::sweep_summary(*plan, rows.rows).ok;
  return outcome;
}

Result<SweepOutcome> merge_sweep(const std::filesystem::path& file, const SweepOptions& options) {
  const auto plan = SweepPlan::read(file);
  if (!plan) return plan.error();
  const auto known = driver::inputs_of(*plan, file, options);
  if (!known) return known.error();
  const std::filesystem::path out = out_of(file, options);
  const std::string begin = out.filename().string() + ".shard-";
  const std::string& sweep = known->fingerprint;
  const std::filesystem::path folder = out.parent_path();
  std::vector<std::filesystem::path> shards;
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator(folder.empty() ? "." : folder, code)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(begin) && name.ends_with(".jsonl")) shards.push_back(folder / name);
  }
  std::ranges::sort(shards);
  if (shards.empty()) return Error{fmt::format("there are no shards {}.shard-*.jsonl", out.string())};
  std::vector<std::string> rows(plan->points.size());
  for (const std::filesystem::path& shard : shards) {
    if (auto good = known->guard.may_touch({"a shard", shard}); !good) return good.error();
    const auto text = read_file(shard);
    if (!text) return text.error();
    size_t line = 0;
    for (std::string& row : whole_lines(*text)) {
      ++line;
      const auto head = driver::sweep_row_head(row);
      if (!head || head->point >= rows.size() || head->sweep != sweep)
        return Error{fmt::format(
            "{}:{}: {}", shard.string(), line,
            head ? "a row of another sweep (the sweep file, the program, arrays or the options have changed)"
                 : "this is no row of a sweep")};
      std::string& place = rows[head->point];
      if (!place.empty() && place != row)
        return Error{fmt::format("{}:{}: another row of point {} says something else", shard.string(), line,
                                 head->point)};
      place = std::move(row);
    }
  }
  const auto missing = std::ranges::count(rows, std::string());
  if (missing != 0)
    return Error{fmt::format("{} of {} points have no row yet, the first is {}; run their shards again",
                             missing, rows.size(), std::ranges::find(rows, std::string()) - rows.begin())};
  return finished(*plan, out.string(), known->guard, std::move(rows), true);
}

}  // namespace pto
