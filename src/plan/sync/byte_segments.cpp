// Segments and footprints.
#include "plan/sync/byte_segments.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"

namespace pto::planner {

namespace {

constexpr int64_t kVectorCores = 2;  ///< of a block

void normalise_list(std::vector<SegmentUse>& list) {
  std::sort(list.begin(), list.end(),
            [](const SegmentUse& a, const SegmentUse& b) { return a.segment < b.segment; });
  size_t kept = 0;
  for (const SegmentUse& use : list) {
    if (kept > 0 && list[kept - 1].segment == use.segment) {
      list[kept - 1].read |= use.read;
      list[kept - 1].write |= use.write;
    } else {
      list[kept++] = use;
    }
  }
  list.resize(kept);
}

}  // namespace

void SegmentUses::add(const SegmentUses& other) {
  defs.insert(defs.end(), other.defs.begin(), other.defs.end());
  uses.insert(uses.end(), other.uses.begin(), other.uses.end());
  pipes |= other.pipes;
}

void SegmentUses::normalise() {
  normalise_list(defs);
  normalise_list(uses);
}

void SegmentUses::put_on(unsigned cores) {
  const auto spread = [&](Agents& agents) {
    const Agents first = agents;
    agents = static_cast<Agents>(((cores & 1) != 0 ? first : 0) | ((cores & 2) != 0 ? first << kLanes : 0));
  };
  for (auto* list : {&defs, &uses}) {
    for (SegmentUse& use : *list) {
      spread(use.read);
      spread(use.write);
    }
  }
  spread(pipes);
}

Pairs conflicts(const SegmentUses& before, const SegmentUses& after) {
  Pairs found;
  const auto pair_up = [&](unsigned first, unsigned second) {
    for (int p = 0; p < kAgents; ++p) {
      if ((first >> p & 1) == 0) continue;
      for (int q = 0; q < kAgents; ++q)
        if ((second >> q & 1) != 0) found.set(pair_of(p, q));
    }
  };
  for (auto a = before.defs.begin(), b = after.uses.begin();
       a != before.defs.end() && b != after.uses.end();) {
    if (a->segment == b->segment) {
      pair_up(a->write, b->read | b->write);
      pair_up(a->read, b->write);
      ++a;
      ++b;
    } else {
      a->segment < b->segment ? ++a : ++b;
    }
  }
  return found;
}

ByteSegments::ByteSegments(const Program& program, const Storage& storage)
    : program_(program), storage_(storage) {
  const std::vector<Root>& roots = storage.roots();
  of_root_.resize(roots.size());
  std::array<std::vector<uint64_t>, kSpaceCount> bounds;
  for (const Root& root : roots) {
    if (root.kind != Root::Kind::tile || !root.addr) continue;
    bounds[static_cast<size_t>(root.space)].push_back(*root.addr);
    bounds[static_cast<size_t>(root.space)].push_back(*root.addr + std::max<uint64_t>(root.bytes, 1));
  }
  std::array<uint32_t, kSpaceCount> first{};
  for (size_t space = 0; space < kSpaceCount; ++space) {
    std::vector<uint64_t>& list = bounds[space];
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    unknown_[space] = count_++;
    all_[space] = count_++;
    first[space] = count_;
    count_ += static_cast<uint32_t>(list.size());
  }
  for (size_t i = 0; i < roots.size(); ++i) {
    const Root& root = roots[i];
    const auto space = static_cast<size_t>(root.space);
    if (root.kind == Root::Kind::buffer) {
      of_root_[i] = {count_, count_ + 1};
      ++count_;
    } else if (root.kind == Root::Kind::tile && root.addr) {
      const auto number = [&](uint64_t addr) {
        return first[space] +
               static_cast<uint32_t>(std::lower_bound(bounds[space].begin(), bounds[space].end(), addr) -
                                     bounds[space].begin());
      };
      of_root_[i] = {number(*root.addr), number(*root.addr + std::max<uint64_t>(root.bytes, 1))};
    }
  }
  cut_buffers();
}

/// Operations that move whole windows of a buffer in GM. One window alone needs no cut.
void ByteSegments::cut_buffers() {
  std::map<RootId, std::vector<Placed>> found;
  // What depends on the number of the vector core means a place of each of them.
  const std::vector<ValueId> numbers = core_numbers(program_, storage_.same());
  std::vector<Constants> constants;
  for (int64_t core = 0; core < kVectorCores && !numbers.empty(); ++core)
    constants.emplace_back(program_, numbers, core);
  std::vector<GmWindowAnalysis> windows;
  if (numbers.empty()) windows.emplace_back(program_, storage_.constants(), storage_.same());
  for (const Constants& each : constants) windows.emplace_back(program_, each, storage_.same());
  for (uint32_t op = 0; op < program_.ops.size(); ++op) {
    const isa::Row& row = isa::row(program_.ops[op].row);
    if (row.layer != isa::Layer::tile || (row.flags & isa::kPartial) != 0 ||
        row.opcode_class != isa::OpcodeClass::other)
      continue;
    for (const StorageUse& access : storage_.accesses(op)) {
      const std::span<const RootId> roots = storage_.set(access.roots);
      if (roots.size() != 1 || storage_.roots()[roots[0]].kind != Root::Kind::buffer) continue;
      std::vector<Placed> places;
      for (GmWindowAnalysis& of_core : windows) {
        const std::optional<Window> window = of_core.window_of(access.value);
        if (window && window->buffer == storage_.roots()[roots[0]].value)
          places.push_back({op, access.value, *window});
      }
      if (places.size() != windows.size()) continue;
      if (places.size() == 2 && places[0].window == places[1].window) places.pop_back();
      found[roots[0]].insert(found[roots[0]].end(), places.begin(), places.end());
    }
  }
  for (const auto& [root, placed] : found) {
    constexpr size_t kMax = 256;
    if (placed.size() > 1 && placed.size() <= kMax) cut(root, placed);
  }
}

/// With steps, what lies the greatest common step apart counts as one place: of two windows that meet in no
/// place, no turn of any loop makes them meet.
void ByteSegments::cut(RootId root, const std::vector<Placed>& windows) {
  uint64_t step = 0;
  for (const Placed& each : windows) step = std::gcd(step, each.window.begin.step);
  if (step == 1) return;
  using Stretch = std::pair<int64_t, int64_t>;  // [first, second)
  std::vector<std::vector<Stretch>> places;
  std::vector<int64_t> bounds;
  for (const Placed& each : windows) {
    int64_t begin = each.window.begin.at;
    const auto bytes = static_cast<int64_t>(each.window.bytes);
    if (step == 0) {
      places.push_back({{begin, begin + bytes}});
    } else {
      const auto around = static_cast<int64_t>(step);
      begin = (begin % around + around) % around;
      if (bytes >= around)
        places.push_back({{0, around}});
      else if (begin + bytes > around)
        places.push_back({{begin, around}, {0, begin + bytes - around}});
      else
        places.push_back({{begin, begin + bytes}});
    }
    for (const Stretch& stretch : places.back()) bounds.insert(bounds.end(), {stretch.first, stretch.second});
  }
  std::ranges::sort(bounds);
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  const uint32_t first = count_;
  count_ += static_cast<uint32_t>(bounds.size());
  of_root_[root] = {first, count_};
  const auto number = [&](int64_t at) {
    return first + static_cast<uint32_t>(std::ranges::lower_bound(bounds, at) - bounds.begin());
  };
  for (size_t i = 0; i < windows.size(); ++i) {
    std::vector<Range>& ranges = windows_[{windows[i].op, windows[i].value}];
    for (const Stretch& stretch : places[i])
      ranges.push_back({number(stretch.first), number(stretch.second)});
  }
}

void ByteSegments::add(SegmentUses& footprint, uint32_t op, int pipe) const {
  for (const StorageUse& access : storage_.accesses(op)) {
    const auto bit = static_cast<Agents>(1u << (access.pipe == Pipe::none ? pipe : lane_of(access.pipe)));
    footprint.pipes |= bit;
    const Agents read = access.read ? bit : Agents{0}, write = access.write ? bit : Agents{0};
    for (const RootId id : storage_.set(access.roots)) {
      const auto space = static_cast<size_t>(storage_.roots()[id].space);
      const bool known =
          storage_.roots()[id].kind == Root::Kind::buffer || storage_.roots()[id].addr.has_value();
      footprint.defs.push_back({all_[space], read, write});
      if (!known) footprint.defs.push_back({unknown_[space], read, write});
      footprint.uses.push_back({known ? unknown_[space] : all_[space], read, write});
      const auto window = windows_.find({op, access.value});
      const std::span<const Range> ranges =
          window == windows_.end() ? std::span<const Range>(&of_root_[id], 1) : window->second;
      for (const Range& range : ranges) {
        for (uint32_t segment = range.first; segment < range.last; ++segment) {
          footprint.defs.push_back({segment, read, write});
          footprint.uses.push_back({segment, read, write});
        }
      }
    }
  }
}

/// Of buffers in GM what lies within them, of memories on chip what has an address.
std::vector<Touch> ByteSegments::touches(uint32_t op) const {
  std::vector<Touch> found;
  for (const StorageUse& access : storage_.accesses(op)) {
    const std::span<const RootId> roots = storage_.set(access.roots);
    for (const RootId id : roots) {
      const Root& root = storage_.roots()[id];
      if (root.kind == Root::Kind::unknown || (root.kind == Root::Kind::tile && !root.addr)) continue;
      const auto window = windows_.find({op, access.value});
      const bool placed = root.kind == Root::Kind::tile || window != windows_.end();
      const std::span<const Range> ranges =
          window == windows_.end() ? std::span<const Range>(&of_root_[id], 1) : window->second;
      for (const Range& range : ranges)
        found.push_back({op, id, range.first, range.last, access.read, access.write, access.value,
                         placed && roots.size() == 1});
    }
  }
  return found;
}

SegmentUses ByteSegments::uses_of(uint32_t op) const {
  SegmentUses footprint;
  const bool scope = opens_vector_scope(OpView(program_, op));
  const int pipe = lane_of(scope ? Pipe::v : isa::pipe_of(OpView(program_, op)));
  if (pipe < 0) return footprint;
  for (uint32_t i = op; i < (scope ? program_.end_of(op) : op + 1); ++i) add(footprint, i, pipe);
  if (footprint.defs.empty()) return footprint;
  footprint.pipes |= static_cast<Agents>(1u << pipe);
  footprint.normalise();
  return footprint;
}

SegmentUses ByteSegments::unknown_uses(Pipe pipe) const {
  SegmentUses footprint;
  const auto bit = static_cast<Agents>(1u << lane_of(pipe));
  for (const Space space : {Space::gm, Space::ub, Space::l1}) {
    const auto at = static_cast<size_t>(space);
    for (const uint32_t segment : {unknown_[at], all_[at]}) footprint.defs.push_back({segment, bit, bit});
    footprint.uses.push_back({all_[at], bit, bit});
  }
  footprint.pipes = bit;
  footprint.normalise();
  return footprint;
}

}  // namespace pto::planner
