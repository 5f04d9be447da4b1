#include "report/page/page.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "report/bottleneck/critical_path.hpp"
#include "report/bottleneck/dependence_graph.hpp"
#include "report/chip_summary.hpp"
#include "report/naming.hpp"

namespace pto::report {
namespace {

constexpr int kFormat = 1;

constexpr size_t kRows = kLanes + VectorTracks::kCount;  // of a core
size_t track_of(uint32_t core, size_t lane) { return size_t{core} * kRows + lane; }

/// A column of numbers, each as the difference to the one before: short in text, and shorter when packed.
class Column {
 public:
  void add(uint64_t number) {
    json_.push_back(static_cast<int64_t>(number - last_));
    last_ = number;
  }
  [[nodiscard]] Json release() { return std::move(json_); }

 private:
  Json json_ = Json::array();
  uint64_t last_ = 0;
};

/// "ub" and what it holds, of the memories of a core.
Json spaces_json(const Machine& machine) {
  Json json = Json::object();
  for (int i = 0; i < kSpaceCount; ++i) {
    const auto space = static_cast<Space>(i);
    if (space == Space::none || space == Space::gm) continue;
    json[std::string(to_string(space))] = machine.bytes[static_cast<size_t>(i)];
  }
  return json;
}

Json path_columns(const std::vector<PathPart>& path, size_t most) {
  Column begin, pc;
  Json core = Json::array();
  Json lane = Json::array();
  Json after = Json::array();
  Json length = Json::array();
  Json reasons = Json::array();
  for (int i = 0; i <= static_cast<int>(After::unit_flag); ++i)
    reasons.push_back(to_string(static_cast<After>(i)));
  for (const PathPart& part : path) {
    if (most-- == 0) break;
    begin.add(part.begin);
    length.push_back(part.end - part.begin);
    pc.add(part.pc);
    core.push_back(part.core);
    lane.push_back(lane_of(part.pipe));
    after.push_back(static_cast<int>(part.after));
  }
  return {
      {"begin", begin.release()}, {"length", length},  {"pc", pc.release()}, {"core", core}, {"lane", lane},
      {"after", after},           {"reasons", reasons}};
}

Json sums_of_path(const Run& run, const std::vector<PathPart>& path) {
  constexpr size_t kShown = 40;
  Json list = Json::array();
  for (const PathSum& sum : path_sums(run.program, path)) {
    if (list.size() == kShown) break;
    list.push_back({{"pipe", short_name(sum.pipe)},
                    {"line", where(run.program, sum.pc).line},
                    {"mnemonic", sum.pipe == Pipe::s ? "scalar unit" : mnemonic(run.program, sum.pc)},
                    {"cycles", sum.cycles},
                    {"times", sum.times}});
  }
  return list;
}

Json chip_json(const SimResult& result) {
  const ChipUse& chip = result.chip;
  Json json = {{"blocks", chip.blocks},         {"clusters", chip.clusters},
               {"slots", chip.slots},           {"waves", chip.waves()},
               {"read_bytes", chip.read_bytes}, {"written_bytes", chip.written_bytes},
               {"cube_ops", chip.cube_ops},     {"cube_peak", chip.cube_peak},
               {"vector_ops", chip.vector_ops}, {"vector_peak", chip.vector_peak},
               {"clock_ghz", chip.clock_ghz},   {"l2_read", chip.l2_read},
               {"l2_write", chip.l2_write},     {"hbm", chip.hbm},
               {"lines", chip_lines(result)}};
  for (const Resource resource : {Resource::l2_read, Resource::l2_write, Resource::hbm, Resource::signals})
    json["waits"][std::string(to_string(resource))] = chip.resource_cycles[static_cast<size_t>(resource)];
  return json;
}

}  // namespace

void Series::add(uint64_t time, uint64_t amount) {
  while (time / width_ >= most_) {
    for (size_t i = 0; i < sums_.size(); ++i) {
      const uint64_t sum = sums_[i];
      if (i % 2 == 0) sums_[i / 2] = 0;
      sums_[i / 2] += sum;
    }
    sums_.resize((sums_.size() + 1) / 2);
    width_ *= 2;
  }
  const size_t at = time / width_;
  if (at >= sums_.size()) sums_.resize(at + 1);
  sums_[at] += amount;
}

void Series::spread(uint64_t begin, uint64_t end, uint64_t amount) {
  if (end <= begin + 1) return add(begin, amount);
  add(end - 1, 0);  // wide enough from now on
  const uint64_t cycles = end - begin;
  for (uint64_t at = begin, done = 0; at < end;) {
    const uint64_t next = std::min(end, (at / width_ + 1) * width_);
    const auto upto = static_cast<uint64_t>(static_cast<double>(amount) * static_cast<double>(next - begin) /
                                            static_cast<double>(cycles));
    add(at, (next == end ? amount : upto) - done);
    done = upto;
    at = next;
  }
}

void PageData::on_start(std::span<const CoreInfo> cores, const Program& program) {
  program_ = &program;
  cores_ = limit_ = static_cast<uint32_t>(cores.size());
  first_block_ = static_cast<uint32_t>(
      std::ranges::count_if(cores, [&](const CoreInfo& core) { return core.block == cores.front().block; }));
  spans_.resize(cores_);
  accesses_.start(cores_, program);
}

void PageData::on_instruction(const InstEvent& event) {
  CoreSpan& span = spans_[event.core];
  span.begin = std::min(span.begin, event.start);
  span.end = std::max(span.end, event.busy_end);
  const auto lane = static_cast<uint8_t>(lane_of(event.pipe));
  const Piece piece{event.core,
                    event.pc,
                    lane,
                    static_cast<uint8_t>(event.basis),
                    false,
                    event.start,
                    event.busy_end - event.start,
                    event.issue,
                    event.end};
  accesses_.add(event);
  keep(piece);
}

/// Waits after the last instruction only say that the pipe was not needed.
void PageData::on_stall(const StallEvent& event) {
  if (event.end <= event.begin || event.reason == Stall::finished) return;
  keep({event.core, event.pc, static_cast<uint8_t>(lane_of(event.pipe)), static_cast<uint8_t>(event.reason),
        true, event.begin, event.end - event.begin, 0, 0});
}

/// It takes its port, or the way to memory, for a cycle.
void PageData::on_vector_step(const VectorStepEvent& event) {
  keep({event.core, event.pc, static_cast<uint8_t>(event.memory ? kLanes : kLanes + 2), 0, false, event.begin,
        1, event.begin, event.end});
}

void PageData::on_flag(const FlagEvent& event) {
  if (kept(event.core) && flags_.size() < kMaxFlags) flags_.push_back(event);
}

/// When there are too many: half of the cores, but for the first block; then nothing later.
void PageData::keep(const Piece& piece) {
  if (!kept(piece.core) || piece.begin >= until_) return;
  pieces_.push_back(piece);
  while (pieces_.size() >= most_ && limit_ > first_block_) {
    limit_ = std::max(first_block_, limit_ / 2);
    std::erase_if(pieces_, [&](const Piece& each) { return !kept(each.core); });
    std::erase_if(flags_, [&](const FlagEvent& each) { return !kept(each.core); });
  }
  if (pieces_.size() >= most_) until_ = piece.begin;
}

void PageData::on_transfer(const TransferEvent& event) {
  if (event.hbm != 0) hbm_.spread(event.begin, event.end, event.hbm);
}

void PageData::on_footprint(const FootprintEvent& event) {
  if (event.rows == 0 || event.row_bytes == 0) return;
  const Accesses::Span span = accesses_.span_of(event);
  if (event.space == Space::gm) {
    const uint64_t bytes = event.rows * event.row_bytes;
    if (event.write) writes_.spread(span.begin, span.end, bytes);
    if (!event.write || event.update) reads_.spread(span.begin, span.end, bytes);
    return;
  }
  if (!kept(event.home == ~0u ? event.core : event.home) || context_ == nullptr) return;
  occupancy_.add(accesses_.on_chip(event, span, *context_), event.update);
}

/// Per track: [begin, cycles, operation, waited in the queue, visible after] of instructions, and [begin,
/// cycles, operation, reason] of waits, as columns.
Json PageData::lanes_json() const {
  std::vector<std::vector<const Piece*>> tracks(size_t{limit_} * kRows);
  std::vector<const Piece*> ordered;
  for (const Piece& piece : pieces_) ordered.push_back(&piece);
  std::ranges::stable_sort(ordered, {}, [](const Piece* piece) { return piece->begin; });
  std::vector<VectorTracks> inside(limit_);
  for (const Piece* piece : ordered) {
    size_t lane = piece->lane;
    if (lane >= kLanes) lane = kLanes + inside[piece->core].allocate(piece->begin, lane == kLanes).track;
    tracks[track_of(piece->core, lane)].push_back(piece);
  }
  Json list = Json::array();
  for (size_t row = 0; row < tracks.size(); ++row) {
    const auto& track = tracks[row];
    if (track.empty()) continue;
    const size_t lane = row % kRows;
    Column begin, pc, wait_begin, wait_pc;
    Json cycles = Json::array();
    Json queued = Json::array();
    Json visible = Json::array();
    Json basis = Json::array();
    Json wait_cycles = Json::array();
    Json reason = Json::array();
    for (const Piece* piece : track) {
      (piece->stall ? wait_begin : begin).add(piece->begin);
      (piece->stall ? wait_cycles : cycles).push_back(piece->busy);
      (piece->stall ? wait_pc : pc).add(piece->pc);
      if (piece->stall) {
        reason.push_back(piece->detail);
      } else {
        queued.push_back(piece->begin - std::min(piece->issue, piece->begin));
        visible.push_back(piece->visible - std::min(piece->visible, piece->begin + piece->busy));
        basis.push_back(piece->detail);
      }
    }
    list.push_back({{"core", track.front()->core},
                    {"pipe", short_name(lane < kLanes ? pipe_of_lane(static_cast<int>(lane)) : Pipe::v)},
                    {"inside", lane < kLanes ? "" : VectorTracks::name(lane - kLanes)},
                    {"lane", lane},
                    {"begin", begin.release()},
                    {"cycles", cycles},
                    {"pc", pc.release()},
                    {"queued", queued},
                    {"visible", visible},
                    {"basis", basis},
                    {"wait_begin", wait_begin.release()},
                    {"wait_cycles", wait_cycles},
                    {"wait_pc", wait_pc.release()},
                    {"reason", reason}});
  }
  return list;
}

/// Line and mnemonic of every operation that something speaks of.
Json PageData::operations_json(const Run& run) const {
  const Program& program = run.program;
  std::set<uint32_t> used;
  for (const Piece& piece : pieces_) used.insert(piece.pc);
  for (const FlagEvent& flag : flags_) used.insert({flag.set_pc, flag.wait_pc});
  if (run.steps != nullptr)
    for (const StepNode& node : run.steps->nodes())
      if (node.kind == DependenceEvent::Kind::signal || node.kind == DependenceEvent::Kind::await)
        used.insert(node.pc);
  std::map<std::string_view, size_t> names;
  Column pcs, lines;
  Json kinds = Json::array();
  Json words = Json::array();
  for (const uint32_t pc : used) {
    if (pc >= program.ops.size()) continue;
    const auto [at, fresh] = names.try_emplace(mnemonic(program, pc), names.size());
    if (fresh) words.push_back(at->first);
    pcs.add(pc);
    lines.add(where(program, pc).line);
    kinds.push_back(at->second);
  }
  return {{"pc", pcs.release()}, {"line", lines.release()}, {"mnemonic", kinds}, {"mnemonics", words}};
}

/// What every line of the text cost.
Json PageData::lines_json(const Run& run) const {
  struct Sum {
    uint64_t count = 0, cycles = 0;
    std::map<Stall, uint64_t> waits;
  };
  std::map<uint32_t, Sum> lines;
  const auto& operations = run.summary.operations();
  for (uint32_t pc = 0; pc < operations.size(); ++pc) {
    if (operations[pc].count == 0) continue;
    Sum& sum = lines[where(run.program, pc).line];
    sum.count += operations[pc].count;
    sum.cycles += operations[pc].cycles;
  }
  for (const Wait& wait : run.summary.waits()) {
    if (wait.reason == Stall::finished || wait.reason == Stall::none || wait.pc >= run.program.ops.size())
      continue;
    lines[where(run.program, wait.pc).line].waits[wait.reason] += wait.cycles;
  }
  Json list = Json::array();
  for (const auto& [line, sum] : lines) {
    Json waits = Json::object();
    for (const auto& [reason, cycles] : sum.waits) waits[std::string(to_string(reason))] = cycles;
    list.push_back({line, sum.count, sum.cycles, waits});
  }
  return list;
}

/// Most flags of a run differ in their times only: what they have in common stands once.
Json PageData::flags_json() const {
  std::map<std::array<uint32_t, 6>, size_t> kinds;
  Column set, taken;
  Json list = Json::array();
  Json kind = Json::array();
  Json waited = Json::array();
  for (const FlagEvent& flag : flags_) {
    const std::array<uint32_t, 6> key = {flag.core,
                                         static_cast<uint32_t>(lane_of(flag.src)),
                                         static_cast<uint32_t>(lane_of(flag.dst)),
                                         static_cast<uint32_t>(flag.id),
                                         flag.set_pc,
                                         flag.wait_pc};
    const auto [at, fresh] = kinds.try_emplace(key, kinds.size());
    if (fresh) list.push_back(key);
    kind.push_back(at->second);
    set.add(flag.set_time);
    taken.add(std::max(flag.set_time, flag.wait_end));
    waited.push_back(flag.wait_end - std::min(flag.wait_begin, flag.wait_end));
  }
  return {{"kinds", list},
          {"kind", kind},
          {"set", set.release()},
          {"taken", taken.release()},
          {"waited", waited}};
}

/// What went from core to core: signals, and tiles on their way through queues. As the steps of the run tell.
Json PageData::signals_json(const Run& run) const {
  Json list = Json::array();
  if (run.steps == nullptr || !run.steps->complete()) return list;
  const StepTimes times = run.steps->time_again();
  const std::vector<StepNode>& nodes = run.steps->nodes();
  for (size_t i = 0; i < nodes.size() && list.size() < kMaxSignals; ++i) {
    const StepNode& wait = nodes[i];
    if (wait.kind != DependenceEvent::Kind::await || !kept(wait.core)) continue;
    for (uint32_t from : run.steps->needs(wait)) {
      // Of a meeting: the last that came.
      if (nodes[from].meeting && nodes[from].need_count != 0) from = run.steps->needs(nodes[from]).back();
      const StepNode& set = nodes[from];
      if (set.meeting || set.core == wait.core || !kept(set.core)) continue;
      const uint64_t reported = times.end[from];
      const uint64_t taken = std::max(times.start[i], reported);
      list.push_back({set.core, set.lane, reported, set.pc, wait.core, wait.lane, taken, wait.pc});
    }
  }
  return list;
}

Json PageData::memory_json(const Run& run) const {
  std::map<ValueId, size_t> numbers;
  Column begin;
  Json names = Json::array();
  Json core = Json::array();
  Json space = Json::array();
  Json low = Json::array();
  Json bytes = Json::array();
  Json cycles = Json::array();
  Json name = Json::array();
  Json pc = Json::array();
  for (const Life& life : occupancy_.lives()) {
    if (!kept(life.core)) continue;
    const auto [at, fresh] = numbers.try_emplace(life.value, numbers.size());
    if (fresh) {
      const std::string_view text = life.value == kNoValue ? "" : program_->name_of(life.value);
      names.push_back(life.value == kNoValue
                          ? "?"
                          : "%" + (text.empty() ? std::to_string(life.value) : std::string(text)));
    }
    begin.add(life.begin);
    core.push_back(life.core);
    space.push_back(static_cast<int>(life.space));
    low.push_back(life.low);
    bytes.push_back(life.high - life.low);
    cycles.push_back(std::max<uint64_t>(1, life.last - std::min(life.last, life.begin)));
    name.push_back(at->second);
    pc.push_back(where(run.program, life.pc).line);
  }
  Json json = {
      {"names", names}, {"begin", begin.release()}, {"cycles", cycles}, {"core", core}, {"space", space},
      {"low", low},     {"bytes", bytes},           {"name", name},     {"line", pc}};
  for (int i = 0; i < kSpaceCount; ++i) json["spaces"].push_back(to_string(static_cast<Space>(i)));
  json["complete"] = occupancy_.complete();
  if (run.steps != nullptr) json["capacity"] = spaces_json(run.steps->machine());
  return json;
}

Json PageData::traffic_json() const {
  const auto series = [](const Series& all) { return Json({{"width", all.width()}, {"bytes", all.sums()}}); };
  return {{"reads", series(reads_)}, {"writes", series(writes_)}, {"hbm", series(hbm_)}};
}

Json PageData::blocks_json() const {
  Json begin = Json::array();
  Json end = Json::array();
  for (const CoreSpan& span : spans_) {
    begin.push_back(std::min(span.begin, span.end));
    end.push_back(span.end);
  }
  return {{"begin", begin}, {"end", end}};
}

Json PageData::json(const Run& run) const {
  constexpr size_t kMaxPath = 20'000;
  constexpr size_t kMaxSource = size_t{1} << 20;
  Json data = {{"format", kFormat}, {"run", summary_json(run)}};
  data["outcome"] = outcome(run.result.findings);
  data["agreements"] = agreement_text(run);
  data["chip"] = chip_json(run.result);
  data["reasons"] = Json::array();
  for (int reason = 0; reason <= static_cast<int>(Stall::wave); ++reason)
    data["reasons"].push_back(to_string(static_cast<Stall>(reason)));
  for (const CoreInfo& core : run.result.cores) data["cores"].push_back(core_name(core));
  data["kept"] = {{"cores", limit_}, {"until", until_ == ~uint64_t{0} ? run.result.kernel_cycles() : until_}};
  data["operations"] = operations_json(run);
  data["lanes"] = lanes_json();
  data["flags"] = flags_json();
  data["signals"] = signals_json(run);
  data["lines"] = lines_json(run);
  data["memory"] = memory_json(run);
  data["traffic"] = traffic_json();
  data["blocks"] = blocks_json();
  if (run.steps != nullptr && run.steps->complete()) {
    const Advice advice = advise(run);
    data["advice"] = advice_json(run, advice);
    data["path"] = path_columns(advice.path, kMaxPath);
    data["path_sums"] = sums_of_path(run, advice.path);
  }
  data["source"] = run.program.source_text.substr(0, kMaxSource);
  return data;
}

std::string page_with(const Json& data) {
  constexpr std::string_view kMark = "@DATA@";
  const std::string_view page = page_template();
  const size_t at = page.find(kMark);
  std::string out(page.substr(0, at));
  // No text in the data can end the script that holds it.
  for (const char c : data.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out += page.substr(at + kMark.size());
}

}  // namespace pto::report
