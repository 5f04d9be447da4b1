// Placement of tiles. Without reuse if everything fits side by side, because two tiles at one
// address only make pipes wait for each other. Otherwise as requested: address ranges that pipes
// share, or order of first use (round robin or best fit); at last the largest tiles first.
#include "plan/memory/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "ir/call_graph.hpp"
#include "plan/memory/free_list.hpp"
#include "plan/memory/loop_carried_tiles.hpp"
#include "plan/memory/scale_tiles.hpp"
#include "plan/memory/space_sharing.hpp"
#include "support/rounding.hpp"
#include "support/saturating.hpp"

namespace pto::planner {

uint32_t alignment_of(const Machine& machine, Space space) {
  const bool l0 = space == Space::l0a || space == Space::l0b || space == Space::l0c;
  return std::max(1u, l0 ? machine.l0_alignment : machine.base_alignment);
}

namespace {

constexpr size_t kQuadraticLimit = 4000;  ///< tiles up to which largest-first is tried

struct Tile {
  RootId root = 0;
  uint64_t bytes = 0, addr = 0;
  LiveRange live;
  std::optional<uint32_t> bank_place = {};  ///< its address modulo one round of bank groups
};

/// One function's tiles in one memory, around those that have an address of their own and around what calling
/// and called functions hold.
class Placement {
 public:
  Placement(uint64_t begin, uint64_t capacity, const std::vector<Tile>& fixed, const FreeSpans& taken,
            std::vector<Tile>& tiles, uint32_t bank_round)
      : begin_(begin),
        capacity_(capacity),
        fixed_(fixed),
        taken_(taken),
        tiles_(tiles),
        bank_round_(bank_round) {}

  bool run(Reuse reuse, const std::function<const ReuseCost&()>& traffic) {
    if (bank_round_ != 0 && side_by_side(true)) return true;
    if (side_by_side(false)) return true;
    if (reuse == Reuse::by_pipes && in_shared_space(traffic())) return true;
    round_robin_ = reuse == Reuse::round_robin;
    if (round_robin_ && in_order(capacity_)) return true;
    round_robin_ = false;
    return in_order(capacity_) || (tiles_.size() <= kQuadraticLimit && largest_first());
  }
  /// Addresses as if there were no end, for the map of an overflow.
  void run_unbounded() { in_order(uint64_t{1} << 62); }

 private:
  [[nodiscard]] FreeList free_space(uint64_t end) const {
    FreeList list(begin_, end);
    for (const auto& [first, last] : taken_.all()) list.allocate(first, last);
    return list;
  }

  bool side_by_side(bool by_banks) {
    FreeList list = free_space(capacity_);
    for (const Tile& tile : fixed_) list.allocate(tile.addr, tile.addr + tile.bytes);
    for (Tile& tile : tiles_) {
      if (!(by_banks && tile.bank_place ? place_in_bank(list, tile) : place(list, tile))) return false;
    }
    return true;
  }

  bool place_in_bank(FreeList& list, Tile& tile) const {
    const int64_t at = list.fit_at(tile.bytes, bank_round_, *tile.bank_place);
    if (at < 0) return false;
    tile.addr = static_cast<uint64_t>(at);
    list.allocate(tile.addr, tile.addr + tile.bytes);
    return true;
  }

  bool place(FreeList& list, Tile& tile) const {
    const int64_t at = round_robin_ ? list.next_fit(tile.bytes, last_) : list.best_fit(tile.bytes);
    if (at < 0) return false;
    tile.addr = static_cast<uint64_t>(at);
    list.allocate(tile.addr, tile.addr + tile.bytes);
    return true;
  }

  /// Beside the fixed tiles that live at the same time as well.
  bool place_around_fixed(const FreeList& list, Tile& tile) const {
    FreeList left = list;
    for (const Tile& other : fixed_) {
      if (other.live.overlaps(tile.live)) left.allocate(other.addr, other.addr + other.bytes);
    }
    return place(left, tile);
  }

  bool in_order(uint64_t capacity) {
    FreeList list = free_space(capacity);
    std::vector<Tile*> order;
    for (Tile& tile : tiles_) order.push_back(&tile);
    std::stable_sort(order.begin(), order.end(),
                     [](const Tile* a, const Tile* b) { return a->live.begin < b->live.begin; });
    std::multimap<uint32_t, const Tile*> active;  // by end
    for (Tile* tile : order) {
      while (!active.empty() && active.begin()->first < tile->live.begin) {
        const Tile* done = active.begin()->second;
        list.free(done->addr, done->addr + done->bytes);
        active.erase(active.begin());
      }
      if (fixed_.empty() ? !place(list, *tile) : !place_around_fixed(list, *tile)) return false;
      if (!fixed_.empty()) list.allocate(tile->addr, tile->addr + tile->bytes);
      last_ = tile->addr + tile->bytes;
      active.emplace(tile->live.end, tile);
    }
    return true;
  }

  bool in_shared_space(const ReuseCost& traffic) {
    FreeSpans others = taken_;
    for (const Tile& tile : fixed_) others.add(tile.addr, tile.addr + tile.bytes);
    uint64_t room = capacity_ - std::min(begin_, capacity_);
    for (const auto& [first, last] : others.all()) {
      const uint64_t lost =
          std::min(last, capacity_) - std::min(std::max(first, begin_), std::min(last, capacity_));
      room -= std::min(room, lost);
    }
    std::vector<PlacedTile> placed_tiles;
    for (const Tile& tile : tiles_) placed_tiles.push_back({tile.root, tile.bytes, tile.live});
    const auto bytes_of = [&](const std::vector<size_t>& tiles) {
      uint64_t bytes = 0;
      for (const size_t tile : tiles) bytes = std::max(bytes, tiles_[tile].bytes);
      return bytes;
    };
    std::vector<std::vector<size_t>> rooms = share_space(placed_tiles, room, traffic);
    std::ranges::stable_sort(rooms, std::ranges::greater(), bytes_of);
    FreeList list(begin_, capacity_);
    for (const auto& [first, last] : others.all()) list.allocate(first, last);
    for (const std::vector<size_t>& tiles : rooms) {
      const uint64_t bytes = bytes_of(tiles);
      const int64_t at = list.best_fit(bytes);
      if (at < 0) return false;
      list.allocate(static_cast<uint64_t>(at), static_cast<uint64_t>(at) + bytes);
      for (const size_t tile : tiles) tiles_[tile].addr = static_cast<uint64_t>(at);
    }
    return !rooms.empty();
  }

  bool largest_first() {
    std::vector<Tile*> order, placed;
    for (Tile& tile : tiles_) order.push_back(&tile);
    std::stable_sort(order.begin(), order.end(),
                     [](const Tile* a, const Tile* b) { return a->bytes > b->bytes; });
    for (Tile* tile : order) {
      FreeList list = free_space(capacity_);
      for (const Tile* other : placed) {
        if (other->live.overlaps(tile->live)) list.allocate(other->addr, other->addr + other->bytes);
      }
      if (!place_around_fixed(list, *tile)) return false;
      placed.push_back(tile);
    }
    return true;
  }

  uint64_t begin_, capacity_;
  bool round_robin_ = false;
  uint64_t last_ = 0;  ///< the end of the last tile
  const std::vector<Tile>& fixed_;
  const FreeSpans& taken_;
  std::vector<Tile>& tiles_;
  uint32_t bank_round_;
};

class MemoryPlanner {
 public:
  MemoryPlanner(const Program& program, const NamedMachine& machine, const std::set<uint32_t>& wanted,
                Storage& storage, Diagnostics& diagnostics, Reuse reuse, const BankPlaces& banks)
      : program_(program),
        machine_(machine.machine),
        machine_name_(machine.name.empty() ? to_string(machine.machine.target) : machine.name),
        wanted_(wanted),
        storage_(storage),
        diagnostics_(diagnostics),
        reuse_(reuse),
        banks_(banks),
        live_(live_ranges(program, storage)) {}

  bool run() {
    const size_t before = diagnostics_.errors();
    group();
    for (const Storage::LoopCarried& carried : storage_.loop_carried()) {
      if (find(carried.loop) != nullptr) check_loop_carried(program_, storage_, carried, diagnostics_);
    }
    spread_fixed();
    scales_.find();
    for (const uint32_t function : callers_first_) place_function(function);
    scales_.place();
    return diagnostics_.errors() == before;
  }

 private:
  using Bases = std::array<uint64_t, kSpaceCount>;
  using Bytes = std::array<FreeSpans, kSpaceCount>;
  struct FunctionTiles {
    uint32_t op, end;
    bool wanted = true;
    Bases base{};                         ///< first byte behind the planned tiles of all callers
    Bytes fixed, in_callers, in_callees;  ///< bytes of tiles with an address of their own
    std::array<std::vector<RootId>, kSpaceCount> roots;
  };

  void group() {
    for (const pto::Function& each : symbols_.all()) {
      FunctionTiles function;
      function.op = each.info.op;
      function.end = each.end;
      function.wanted = wanted_.empty() || wanted_.contains(function.op);
      functions_.push_back(std::move(function));
    }
    for (RootId id = 0; id < storage_.roots().size(); ++id) {
      const Root& root = storage_.roots()[id];
      if (root.kind != Root::Kind::tile) continue;
      for (FunctionTiles* function = find(root.op); function != nullptr; function = nullptr)
        function->roots[static_cast<size_t>(root.space)].push_back(id);
    }
    // A function's tiles lie above those of all its callers, as in a stack. The verifier refuses recursion.
    callers_first_.assign(graph_.callees_first().rbegin(), graph_.callees_first().rend());
  }

  FunctionTiles* find(uint32_t op) {
    auto at = std::upper_bound(functions_.begin(), functions_.end(), op,
                               [](uint32_t value, const FunctionTiles& f) { return value < f.op; });
    return at != functions_.begin() && op < std::prev(at)->end && std::prev(at)->wanted ? &*std::prev(at)
                                                                                        : nullptr;
  }

  [[nodiscard]] Tile fixed_tile(RootId id) const {
    const Root& root = storage_.roots()[id];
    const uint64_t unit = alignment_of(machine_, root.space);
    const uint64_t addr = *root.addr / unit * unit;
    return {id, round_up(*root.addr + std::max<uint64_t>(root.bytes, 1), unit) - addr, addr, range(id)};
  }

  static void add(Bytes& to, const Bytes& from) {
    for (size_t space = 0; space < kSpaceCount; ++space) to[space].add(from[space]);
  }

  /// Fixed tiles of one function are in the way in all that call it and all that it calls.
  void spread_fixed() {
    for (FunctionTiles& function : functions_) {
      for (size_t space = 0; space < kSpaceCount; ++space) {
        for (const RootId id : function.roots[space]) {
          if (storage_.roots()[id].planned) continue;
          const Tile tile = fixed_tile(id);
          function.fixed[space].add(tile.addr, tile.addr + tile.bytes);
        }
      }
    }
    for (const uint32_t caller : callers_first_) {
      for (const Call& call : graph_.calls_of(caller)) {
        add(functions_[call.callee].in_callers, functions_[caller].in_callers);
        add(functions_[call.callee].in_callers, functions_[caller].fixed);
      }
    }
    for (const uint32_t caller : graph_.callees_first()) {
      for (const Call& call : graph_.calls_of(caller)) {
        add(functions_[caller].in_callees, functions_[call.callee].in_callees);
        add(functions_[caller].in_callees, functions_[call.callee].fixed);
      }
    }
  }

  void place_function(uint32_t index) {
    FunctionTiles& function = functions_[index];
    Bases top = function.base;
    for (size_t space = 0; space < kSpaceCount; ++space) {
      if (!function.roots[space].empty()) place_space(function, static_cast<Space>(space), top[space]);
    }
    for (const Call& call : graph_.calls_of(index)) {
      Bases& base = functions_[call.callee].base;
      for (size_t space = 0; space < kSpaceCount; ++space) base[space] = std::max(base[space], top[space]);
    }
  }

  const ReuseCost& traffic() {
    if (!traffic_) traffic_.emplace(program_, storage_, machine_.vector_overlaps);
    return *traffic_;
  }

  /// Slots lie one behind the other.
  [[nodiscard]] uint64_t bytes_of_slots(RootId first) const {
    const Root& last = storage_.roots()[first + storage_.roots()[first].slots - 1];
    return sat_add(last.offset, last.bytes);
  }
  /// Of a planned tile with all its slots.
  [[nodiscard]] LiveRange range(RootId first) const {
    const Root& root = storage_.roots()[first];
    LiveRange all = live_[first];
    for (uint32_t slot = 1; root.planned && slot < root.slots; ++slot) {
      all.begin = std::min(all.begin, live_[first + slot].begin);
      all.end = std::max(all.end, live_[first + slot].end);
    }
    return all.empty() ? LiveRange{root.op, root.op} : all;
  }

  /// The bytes of one round of bank groups; 0 where tiles may lie anywhere.
  uint32_t give_bank_places(std::vector<Tile>& tiles, uint64_t unit) const {
    if (banks_.of_tile.empty() || banks_.round == 0) return 0;
    for (Tile& tile : tiles) {
      const auto found = banks_.of_tile.find(storage_.roots()[tile.root].value);
      if (found != banks_.of_tile.end() && found->second % unit == 0) tile.bank_place = found->second;
    }
    return banks_.round;
  }

  void place_space(FunctionTiles& function, Space space, uint64_t& top) {
    uint64_t unit = alignment_of(machine_, space);
    std::vector<Tile> fixed, tiles;
    for (const RootId id : function.roots[static_cast<size_t>(space)])
      unit = std::max(unit, scales_.alignment_of_data(id));
    for (const RootId id : function.roots[static_cast<size_t>(space)]) {
      const Root& root = storage_.roots()[id];
      if (root.planned && root.slot == 0)
        tiles.push_back({id, round_up(std::max<uint64_t>(bytes_of_slots(id), 1), unit), 0, range(id)});
      if (!root.planned) fixed.push_back(fixed_tile(id));
    }
    if (tiles.empty()) return;
    const uint32_t bank_round = space == Space::ub ? give_bank_places(tiles, unit) : 0;
    FreeSpans taken = function.in_callers[static_cast<size_t>(space)];
    taken.add(function.in_callees[static_cast<size_t>(space)]);
    const bool many = fixed.size() * tiles.size() > kQuadraticLimit * kQuadraticLimit;
    for (const Tile& tile : fixed) {
      if (many) taken.add(tile.addr, tile.addr + tile.bytes);
    }
    const uint64_t capacity = machine_.bytes[static_cast<size_t>(space)];
    const uint64_t begin = round_up(function.base[static_cast<size_t>(space)], unit);
    const std::vector<Tile> none;
    Placement placement(begin, capacity, many ? none : fixed, taken, tiles, bank_round);
    if (!placement.run(reuse_, [this]() -> const ReuseCost& { return traffic(); })) {
      placement.run_unbounded();
      return overflow(space, capacity, begin, tiles, fixed);
    }
    for (const Tile& tile : tiles) {
      for (uint32_t slot = 0; slot < storage_.roots()[tile.root].slots; ++slot) {
        Root& root = storage_.roots()[tile.root + slot];
        root.addr = tile.addr + root.offset;
      }
      top = std::max(top, tile.addr + tile.bytes);
    }
  }

  // ---- diagnostics
  [[nodiscard]] uint32_t line(uint32_t op) const { return program_.ops[op].where.line; }
  [[nodiscard]] std::string value_name(const Root& root) const {
    const std::string_view name = program_.name_of(root.value);
    return name.empty() ? fmt::format("%{}", root.value) : fmt::format("%{}", name);
  }
  static std::string kib(uint64_t bytes) {
    return bytes % 1024 == 0 ? fmt::format("{}", bytes / 1024)
                             : fmt::format("{:.2f}", static_cast<double>(bytes) / 1024);
  }

  /// Who occupies what at operation `at`: one row per tile, by address.
  [[nodiscard]] std::string table(const std::vector<Tile>& tiles, uint32_t at, uint64_t begin,
                                  uint64_t capacity) const {
    constexpr size_t kRows = 40;
    std::string text = fmt::format("live tiles there:\n  {:>9} {:>12}  {:<16} {:>6}  {}", "KiB", "at byte",
                                   "tile", "line", "in use");
    if (begin > 0) text += fmt::format("\n  {:>9} {:>12}  tiles of the callers", kib(begin), 0);
    size_t rows = 0;
    for (const Tile& tile : tiles) {
      if (tile.live.begin > at || at > tile.live.end || ++rows > kRows) continue;
      const Root& root = storage_.roots()[tile.root];
      text += fmt::format("\n  {:>9} {:>12}  {:<16} {:>6}  {}{}", kib(tile.bytes), tile.addr,
                          value_name(root), line(root.op), lines(tile.live),
                          !root.planned                       ? ", at its own address"
                          : tile.addr + tile.bytes > capacity ? ", beyond the end"
                                                              : "");
    }
    if (rows > kRows) text += fmt::format("\n  and {} more", rows - kRows);
    return text;
  }

  [[nodiscard]] std::string lines(const LiveRange& live) const {
    uint32_t first = ~0u, last = 0;
    for (uint32_t op = live.begin; op <= live.end; ++op) {
      if (line(op) == 0) continue;
      first = std::min(first, line(op));
      last = std::max(last, line(op));
    }
    return last == 0       ? ""
           : first == last ? fmt::format("line {}", first)
                           : fmt::format("lines {} to {}", first, last);
  }

  /// The operation at which the most bytes are live.
  static uint32_t peak(const std::vector<Tile>& tiles, uint64_t& bytes) {
    std::map<uint32_t, int64_t> change;
    for (const Tile& tile : tiles) {
      change[tile.live.begin] += static_cast<int64_t>(tile.bytes);
      change[tile.live.end + 1] -= static_cast<int64_t>(tile.bytes);
    }
    int64_t now = 0, most = -1;
    uint32_t at = 0;
    for (const auto& [op, step] : change) {
      now += step;
      if (now <= most) continue;
      most = now;
      at = op;
    }
    bytes = static_cast<uint64_t>(std::max<int64_t>(most, 0));
    return at;
  }

  void overflow(Space space, uint64_t capacity, uint64_t begin, std::vector<Tile> tiles,
                const std::vector<Tile>& fixed) {
    tiles.insert(tiles.end(), fixed.begin(), fixed.end());
    uint64_t bytes = 0;
    const uint32_t at = peak(tiles, bytes);
    Diagnostic d;
    d.id = E0601;
    d.where = program_.ops[at].where;
    d.message = fmt::format("the tiles in {} take {} KiB at this point, {} has {} KiB", tile_loc(space),
                            kib(bytes + begin), machine_name_, kib(capacity));
    if (bytes + begin <= capacity)
      d.message = fmt::format(
          "the tiles in {} take {} of {} KiB at this point, but no placement without gaps was found",
          tile_loc(space), kib(bytes + begin), kib(capacity));
    std::sort(tiles.begin(), tiles.end(), [](const Tile& a, const Tile& b) { return a.addr < b.addr; });
    d.notes.push_back({table(tiles, at, begin, capacity), {}, {}, {}});
    d.help = fixed.empty()
                 ? "use smaller tiles, or split the work so that fewer tiles are live at the same time"
                 : "use smaller tiles, split the work, or move the tiles that have an address to one end of "
                   "the memory";
    diagnostics_.add(std::move(d));
  }

  const Program& program_;
  const Machine& machine_;
  std::string_view machine_name_;
  const std::set<uint32_t>& wanted_;
  Storage& storage_;
  Diagnostics& diagnostics_;
  Reuse reuse_;
  const BankPlaces& banks_;
  std::optional<ReuseCost> traffic_;
  std::vector<LiveRange> live_;
  ScaleTiles scales_{program_, machine_, storage_, live_, diagnostics_};
  const Functions symbols_{program_};
  const CallGraph graph_{program_, symbols_};
  std::vector<FunctionTiles> functions_;  ///< as in symbols_
  std::vector<uint32_t> callers_first_;
};

}  // namespace

bool place_tiles(const Program& program, const NamedMachine& machine, const std::set<uint32_t>& wanted,
                 Storage& storage, Diagnostics& diagnostics, Reuse reuse, const BankPlaces& banks) {
  return MemoryPlanner(program, machine, wanted, storage, diagnostics, reuse, banks).run();
}

}  // namespace pto::planner
