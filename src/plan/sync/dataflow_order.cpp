// The two functions of a launch have no common text. What one of them writes and the other one reads is
// written first: that is the order in which their items stand in one block, on the two kinds of core.
// Everything else is ordered behind it as sections are. Where the values go round in a circle, or where
// nothing says which of several writes a read means, there is no order (E0607).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "plan/loops/multi_buffer.hpp"
#include "plan/sync/lockstep_loops.hpp"
#include "plan/sync/sync_insertion.hpp"

namespace pto::planner {
namespace {

std::string_view kind_name(int core) { return core == 0 ? "cube" : "vector"; }

}  // namespace

/// An access of one of the two functions, and whether a loop of the item repeats it.
struct FlowTouch {
  Touch touch;
  bool repeated = false;
  std::optional<FixedBytes> fixed = {};
};

/// An item with what it does on each kind of core.
struct FlowNode {
  size_t item = 0;
  std::array<std::vector<FlowTouch>, kCores> touches;
};

/// The order of one block of two functions.
class SyncPlanner::Flow {
 public:
  Flow(SyncPlanner& planner, std::vector<Item>& items) : planner_(planner), items_(items) {
    for (size_t i = 0; i < items.size(); ++i) {
      FlowNode node;
      node.item = i;
      if ((items[i].cores & 1) != 0) node.touches[0] = touches(items[i].op);
      if ((items[i].cores & 2) != 0)
        node.touches[1] = touches(items[i].twin == kNone ? items[i].op : items[i].twin);
      if (node.touches[0].empty() && node.touches[1].empty() && items[i].twin == kNone) continue;
      nodes_.push_back(std::move(node));
    }
  }

  /// A loop of each function that can run turn by turn, so that no order of other items is in the way;
  /// `needed`: only where each takes what the other one leaves, or both work on the same bytes in every turn.
  std::optional<std::pair<size_t, size_t>> loops_to_join(bool needed) {
    planner_.quiet_ = true;
    find_orders();
    planner_.quiet_ = false;
    for (const FlowNode& cube : nodes_) {
      for (const FlowNode& vector : nodes_) {
        if (items_[cube.item].cores != 1 || items_[vector.item].cores != 2) continue;
        if (needed && !need_turns(cube, vector)) continue;
        if (leads_around(cube.item, vector.item) || leads_around(vector.item, cube.item)) continue;
        if (planner_.joins_by_flow(items_[cube.item], items_[vector.item]))
          return std::pair(cube.item, vector.item);
      }
    }
    return std::nullopt;
  }

  /// Puts the items in order; false: there is none, and a diagnostic says why.
  bool run() {
    find_orders();
    if (!refused_) refuse_choice();
    std::vector<size_t> order;
    if (!refused_ && sort(order)) refuse_unsaid(order);
    if (refused_) return false;
    std::vector<Item> sorted;
    sorted.reserve(items_.size());
    for (const size_t item : order) sorted.push_back(std::move(items_[item]));
    items_ = std::move(sorted);
    return true;
  }

 private:
  /// Between two items, of which the first one is done by the cube core: what is certain, and what may be.
  struct Order {
    const Touch *first = nullptr, *second = nullptr;  ///< that want it
    int writer = 0;                                   ///< core of the first one
  };
  using Orders = std::map<std::pair<size_t, size_t>, Order>;  ///< by the later item, then the earlier one

  std::vector<FlowTouch> touches(uint32_t item) {
    std::vector<FlowTouch> found;
    uint32_t loop_end = 0;
    const Program& program = planner_.program_;
    for (uint32_t op = item; op < program.end_of(item); ++op) {
      const isa::OpcodeClass opcode_class = isa::opcode_class(program.ops[op]);
      if (isa::is_loop(opcode_class)) {
        const bool counted = opcode_class == isa::OpcodeClass::loop;
        const Number trips =
            counted ? trips_of(program, planner_.segments_.storage().constants(), op) : std::nullopt;
        if (!trips || *trips > 1) loop_end = std::max(loop_end, program.end_of(op));
      }
      for (const Touch& touch : planner_.touches_of(op)) {
        const Root& root = planner_.segments_.storage().roots()[touch.root];
        FlowTouch each{touch, op < loop_end};
        if (root.kind == Root::Kind::tile)
          each.fixed =
              FixedBytes{.space = root.space, .begin = touch.first, .bytes = touch.last - touch.first};
        else if (touch.placed)
          each.fixed = fixed_bytes(program, planner_.segments_.storage(), planner_.same_, touch.value);
        if (each.fixed && root.kind == Root::Kind::buffer) each.fixed->buffer = touch.root;
        found.push_back(std::move(each));
      }
    }
    return found;
  }

  [[nodiscard]] bool wanted(size_t later, size_t earlier) const {
    return hard_.contains({later, earlier}) || soft_.contains({later, earlier});
  }

  bool need_turns(const FlowNode& cube, const FlowNode& vector) {
    if (wanted(cube.item, vector.item) && wanted(vector.item, cube.item)) return true;
    for (const FlowTouch& a : cube.touches[0]) {
      for (const FlowTouch& b : vector.touches[1]) {
        if (a.repeated && b.repeated && a.touch.write != b.touch.write && same_bytes(a, b)) return true;
      }
    }
    return false;
  }

  /// Whether an item between the two has to come behind the first and before the last one.
  [[nodiscard]] bool leads_around(size_t first, size_t last) const {
    std::vector<size_t> open;
    std::vector<bool> seen(items_.size(), false);
    const auto visit = [&](size_t at) {
      for (size_t item = 0; item < items_.size(); ++item) {
        if (seen[item] || item == at || !(follows_in_function(at, item) || hard_.contains({item, at})))
          continue;
        if (item == last && at == first) continue;
        seen[item] = true;
        open.push_back(item);
      }
    };
    visit(first);
    while (!open.empty()) {
      const size_t at = open.back();
      open.pop_back();
      if (at == last) return true;
      if (at != first) visit(at);
    }
    return false;
  }

  [[nodiscard]] uint32_t place_in(size_t item, size_t core) const {
    return core == 1 && items_[item].twin != kNone ? items_[item].twin : items_[item].op;
  }
  [[nodiscard]] bool follows_in_function(size_t first, size_t last) const {
    for (size_t core = 0; core < kCores; ++core) {
      if ((items_[first].cores >> core & 1) != 0 && (items_[last].cores >> core & 1) != 0)
        return place_in(first, core) < place_in(last, core);
    }
    return false;
  }

  void find_orders() {
    for (const FlowNode& cube : nodes_) {
      for (const FlowNode& vector : nodes_) {
        if (&cube == &vector) continue;
        for (const FlowTouch& a : cube.touches[0]) {
          for (const FlowTouch& b : vector.touches[1]) {
            if (meet(a.touch, b.touch)) add(cube.item, a, vector.item, b);
          }
        }
      }
    }
  }

  void add(size_t cube, const FlowTouch& one, size_t vector, const FlowTouch& other) {
    const Touch &a = one.touch, &b = other.touch;
    if (is_placed_by_tools(a) && is_placed_by_tools(b)) {
      if (!refused_ && !planner_.quiet_) {
        planner_.refuse(a, b, 0, "the tools choose where it lies, and nothing says that both mean one tile",
                        "give the tile the same address in both functions");
      }
      refused_ = true;
      return;
    }
    const bool certain = a.placed && b.placed;
    if (a.write && b.write) {
      if (same_bytes(one, other)) written_twice_.push_back({cube, &a, vector, &b});
    } else if (a.write) {
      (certain ? hard_ : soft_).emplace(std::pair(vector, cube), Order{&a, &b, 0});
    } else {
      (certain ? hard_ : soft_).emplace(std::pair(cube, vector), Order{&b, &a, 1});
    }
  }

  [[nodiscard]] bool is_placed_by_tools(const Touch& touch) const {
    return planner_.segments_.storage().roots()[touch.root].planned;
  }

  /// Several writes and several reads of the same bytes: which of them belong together is not said.
  void refuse_choice() {
    for (const FlowNode& writing : nodes_) {
      for (size_t core = 0; core < kCores && !refused_; ++core) {
        if (items_[writing.item].twin != kNone) continue;  // turn by turn
        for (const FlowTouch& write : writing.touches[core]) {
          if (write.fixed && write.touch.write) refuse_choice_of(write, core);
        }
      }
    }
  }

  void refuse_choice_of(const FlowTouch& write, size_t core) {
    bool again = write.repeated;
    int reads = 0;
    const Touch* reader = nullptr;
    for (const FlowNode& node : nodes_) {
      if (items_[node.item].twin != kNone) continue;
      for (const FlowTouch& other : node.touches[core])
        again = again || (other.touch.write && other.touch.op != write.touch.op && same_bytes(write, other));
      for (const FlowTouch& other : node.touches[1 - core]) {
        if (!same_bytes(write, other)) continue;
        if (other.touch.write) return;  // told elsewhere
        reads += other.repeated ? 2 : 1;
        if (reader == nullptr || other.repeated) reader = &other.touch;
      }
    }
    if (!again || reads < 2 || refused_) return;
    planner_.refuse(
        write.touch, *reader, static_cast<int>(core),
        "both do so several times, and nothing says which write a read means",
        "give the loops of both functions the same trip count, or write each value to an address of its own");
    refused_ = true;
  }

  static bool same_bytes(const FlowTouch& a, const FlowTouch& b) {
    return a.fixed && b.fixed && a.fixed->has_same_origin(*b.fixed) && a.fixed->first() < b.fixed->last() &&
           b.fixed->first() < a.fixed->last();
  }

  /// The next item of either core that waits for nothing of the other one; of two the one that stands first.
  bool sort(std::vector<size_t>& order) {
    std::array<std::vector<size_t>, kCores> chain;
    for (size_t i = 0; i < items_.size(); ++i) {
      for (size_t core = 0; core < kCores; ++core)
        if ((items_[i].cores >> core & 1) != 0) chain[core].push_back(i);
    }
    // A joined item stands where the cube's loop stood; the vector core's items keep their order by place.
    std::ranges::stable_sort(chain[1], {}, [&](size_t item) { return place_in(item, 1); });
    std::vector<bool> done(items_.size(), false);
    std::array<size_t, kCores> next{};
    const auto head = [&](size_t core) {
      return next[core] < chain[core].size() ? chain[core][next[core]] : kNothing;
    };
    const auto waits = [&](size_t item, const Orders& orders) -> const Order* {
      for (auto at = orders.lower_bound({item, 0}); at != orders.end() && at->first.first == item; ++at) {
        if (!done[at->first.second]) return &at->second;
      }
      return nullptr;
    };
    const size_t earlier = planner_.function_.vector_op < planner_.function_.op ? 1 : 0;
    while (next[0] < chain[0].size() || next[1] < chain[1].size()) {
      size_t chosen = kNothing;
      for (const bool soft : {true, false}) {
        for (const size_t core : {earlier, 1 - earlier}) {
          const size_t item = head(core);
          if (chosen != kNothing || item == kNothing) continue;
          if (items_[item].cores == kBothCores && (head(0) != item || head(1) != item)) continue;
          if (waits(item, hard_) != nullptr || (soft && waits(item, soft_) != nullptr)) continue;
          chosen = item;
        }
      }
      if (chosen == kNothing) {
        refuse_circle(head(0), head(1), waits);
        return false;
      }
      done[chosen] = true;
      order.push_back(chosen);
      for (size_t core = 0; core < kCores; ++core) next[core] += head(core) == chosen ? 1 : 0;
    }
    return true;
  }

  template <typename Waits>
  void refuse_circle(size_t cube, size_t vector, const Waits& waits) {
    refused_ = true;
    for (const size_t item : {vector, cube}) {
      const Order* order = item == kNothing ? nullptr : waits(item, hard_);
      if (order == nullptr) continue;
      const Touch &first = *order->first, &second = *order->second;
      const int writer = order->writer;
      return planner_.refuse(
          first, second, writer, "each function needs a value that the other one writes later",
          "let values go forth and back in one order, in loops that count alike in both functions");
    }
  }

  /// Both write the same bytes, and no value that goes from one to the other says who comes last.
  void refuse_unsaid(const std::vector<size_t>& order) {
    std::map<size_t, size_t> place;
    for (size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    for (const Twice& each : written_twice_) {
      const size_t first = place[each.cube] < place[each.vector] ? each.cube : each.vector;
      const size_t last = first == each.cube ? each.vector : each.cube;
      if (follows(first, last, place)) continue;
      planner_.refuse(*each.a, *each.b, 0, "both write there, and nothing says who does so last",
                      "let only one of the functions write these bytes");
      refused_ = true;
      return;
    }
  }

  /// Whether orders of values and of the functions themselves lead from one item to another.
  [[nodiscard]] bool follows(size_t first, size_t last, const std::map<size_t, size_t>& place) const {
    std::vector<size_t> open{first};
    std::vector<bool> seen(items_.size(), false);
    while (!open.empty()) {
      const size_t at = open.back();
      open.pop_back();
      if (seen[at]) continue;
      seen[at] = true;
      if (at == last) return true;
      for (const auto& [item, where] : place) {
        const bool chain = (items_[item].cores & items_[at].cores) != 0 && where > place.at(at);
        if (chain || hard_.contains({item, at}) || soft_.contains({item, at})) open.push_back(item);
      }
    }
    return false;
  }

  static constexpr size_t kNothing = ~size_t{0};
  struct Twice {
    size_t cube;
    const Touch* a;
    size_t vector;
    const Touch* b;
  };
  SyncPlanner& planner_;
  std::vector<Item>& items_;
  std::vector<FlowNode> nodes_;
  Orders hard_, soft_;
  std::vector<Twice> written_twice_;
  bool refused_ = false;
};

/// The items of the cube and of the vector function in the order in which values go.
void SyncPlanner::order_by_flow(std::vector<Item>& items, const Nesting& context) {
  // First the loops that have no order but turn by turn, then those for which it is the faster one.
  for (const bool needed : {true, false}) {
    while (may_join_) {
      const std::optional<std::pair<size_t, size_t>> pair = Flow(*this, items).loops_to_join(needed);
      if (!pair) break;
      items[pair->first] = join(items[pair->first], items[pair->second], context);
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(pair->second));
    }
  }
  Flow(*this, items).run();
}

bool SyncPlanner::joins_by_flow(const Item& cube, const Item& vector) {
  if (isa::opcode_class(program_.ops[cube.op]) != isa::OpcodeClass::loop ||
      isa::opcode_class(program_.ops[vector.op]) != isa::OpcodeClass::loop)
    return false;
  if (cube.twin != kNone || cube.fence || vector.fence || !conflicts(cube.footprint, vector.footprint).any())
    return false;
  const Storage& storage = segments_.storage();
  if (!count_alike(program_, storage, same_, cube.op, vector.op)) return false;
  SameValues same = same_;
  same.add(body_of(program_, vector.op).first_arg, body_of(program_, cube.op).first_arg);
  if (!take_turns(program_, storage, same, cube.op, vector.op)) return false;
  same_ = std::move(same);
  return true;
}

/// Of two functions: accesses of the cube and the vector core, or in the order in which they should come.
void SyncPlanner::refuse(const Touch& first, const Touch& second, int core_of_first, std::string_view why,
                         std::string_view help) {
  const auto text = [&](const Touch& touch, int core) {
    const OpView op(program_, touch.op);
    const std::string_view verb = touch.write ? "writes" : "reads";
    return fmt::format("{} of the {} core {}", isa::row(op.op().row).name, kind_name(core), verb);
  };
  Diagnostic& d = diagnostics_.error(
      E0607,
      fmt::format("{} bytes of {} that {}, and cannot be ordered: {}", text(second, 1 - core_of_first),
                  name_of(second.root), text(first, core_of_first), why),
      Span{}, program_.ops[second.op].where);
  Note note;
  note.message = fmt::format("{} here", text(first, core_of_first));
  note.where = program_.ops[first.op].where;
  d.notes.push_back(std::move(note));
  d.help = fmt::format(
      "{}; or write the order of the cores: pto.sync.set <{}>, 0 {{ffts_mode = 2}} behind the first access "
      "and "
      "pto.sync.wait <PIPE_MTE2>, 0 {{ffts_mode = 2}} before the second one",
      help, core_of_first == 0 ? "PIPE_FIX" : "PIPE_MTE3");
}

}  // namespace pto::planner
