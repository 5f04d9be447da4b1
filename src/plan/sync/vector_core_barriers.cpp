#include "plan/sync/vector_core_barriers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "analysis/data_dependence.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "plan/loops/multi_buffer.hpp"
#include "plan/sync/lockstep_loops.hpp"

namespace pto::planner {
namespace {

using isa::OpcodeClass;

/// Whether two windows of one buffer share a byte for some numbers of their steps.
bool may_meet(const Window& a, const Window& b) {
  if (a.buffer != b.buffer) return true;
  const uint64_t step = std::gcd(a.begin.step, b.begin.step);
  const __int128 apart = static_cast<__int128>(b.begin.at) - a.begin.at;
  if (step == 0) return apart < static_cast<__int128>(a.bytes) && -apart < static_cast<__int128>(b.bytes);
  const auto around = static_cast<__int128>(step);
  const __int128 behind = (apart % around + around) % around;  // b begins so far behind an a
  return behind < static_cast<__int128>(a.bytes) || around - behind < static_cast<__int128>(b.bytes);
}

/// An index, a row: a number that says which bytes an instruction means.
bool is_number(const Type& type) { return type.kind == TypeKind::scalar; }

}  // namespace

std::vector<uint8_t> differing_values(const Program& program, const SameValues& same, uint32_t function) {
  std::vector<uint8_t> sources(program.values.size(), 0);
  for (const ValueId value : core_numbers(program, same)) sources[value] = 1;
  return dependent_values(program, function, sources);
}

VectorCores::VectorCores(const Program& program, const Storage& storage, Diagnostics& diagnostics)
    : program_(program), storage_(storage), diagnostics_(diagnostics) {}

bool VectorCores::find(uint32_t function, bool sections) {
  if (constants_.empty()) {
    const std::vector<ValueId> numbers = core_numbers(program_, storage_.same());
    for (size_t core = 0; core < kCount; ++core)
      constants_.emplace_back(program_, numbers, static_cast<int64_t>(core));
    for (const Constants& each : constants_) windows_.emplace_back(program_, each, storage_.same());
  }
  differs_ = differing_values(program_, storage_.same(), function);
  sections_ = sections;
  meetings_.clear();
  block(program_.ops[function].regions, {});
  return !meetings_.empty();
}

void VectorCores::emit(int id, std::vector<Insertion>& insertions) {
  if (meetings_.empty()) return;
  if (id >= kSignalIds) {
    const Dependence& between = meetings_.front().between;
    return refuse(between.first, between.second,
                  fmt::format("functions that call each other take all {} ids of signals", kSignalIds),
                  "put the called function's instructions into its caller, or write the signals");
  }
  for (const auto& [at, in_section, between] : meetings_) {
    const CoreBits section = sections_ && !in_section ? CoreBits{2} : CoreBits{0};
    const auto anchor = at;  // clang 14 does not capture structured bindings
    const auto put = [&](uint8_t rank, SyncOp op) {
      op.section = section;
      insertions.push_back({Insertion::Place::before, anchor, rank, op});
    };
    constexpr uint8_t kBarrier = 0, kMeets = 3, kMet = 4;
    constexpr int kAllVectorCores = 1;
    put(kBarrier, {SyncOp::Kind::barrier, Pipe::all, Pipe::none, 0});
    put(kMeets, {SyncOp::Kind::signal, Pipe::mte3, Pipe::none, id, 0, kAllVectorCores});
    put(kMet, {SyncOp::Kind::wait_signal, Pipe::mte2, Pipe::none, id, 0, kAllVectorCores});
  }
}

std::vector<VectorCores::Access> VectorCores::block(uint32_t region, const Context& context) {
  std::vector<Item> items;
  add_items(region, context, items);
  order(items, context);
  std::vector<Access> all;
  for (Item& item : items) {
    if (item.meets) meetings_.push_back({item.op, item.in_section, *item.between});
    for (Access& access : item.accesses) {
      access.region = region;
      all.push_back(std::move(access));
    }
  }
  return all;
}

/// What stands in a section is part of the block around it.
void VectorCores::add_items(uint32_t region, const Context& context, std::vector<Item>& items) {
  for (const uint32_t op : ops_in(program_, program_.regions[region])) {
    const OpcodeClass opcode_class = isa::row(program_.ops[op].row).opcode_class;
    if (opcode_class == OpcodeClass::section_cube) continue;
    if (opcode_class == OpcodeClass::section_vector) {
      Context inner = context;
      inner.in_section = true;
      add_items(program_.ops[op].regions, inner, items);
      continue;
    }
    Item item = make_item(op, context);
    if (!item.accesses.empty()) items.push_back(std::move(item));
  }
}

VectorCores::Item VectorCores::make_item(uint32_t index, const Context& context) {
  const OpView op(program_, index);
  Item item{.op = index, .in_section = context.in_section};
  if (op.op().n_regions == 0 || opens_vector_scope(op)) {
    for (uint32_t i = index; i < program_.end_of(index); ++i) {
      for (Access& access : leaf(i, context)) item.accesses.push_back(std::move(access));
    }
    return item;
  }
  item.nested = true;
  const bool is_for = isa::opcode_class(op) == isa::OpcodeClass::loop;
  const bool is_if = isa::opcode_class(op) == isa::OpcodeClass::branch;
  for (uint32_t i = 0; i < op.op().n_regions; ++i) {
    Context inner = context;
    inner.repeats = context.repeats || is_for || !is_if;
    if (inner.uneven == kNone && (differs(index) || !(is_for || is_if))) inner.uneven = index;
    for (size_t core = 0; core < kCount; ++core) {
      const Number condition = is_if ? constants_[core].value_of(op.operand(0)) : std::nullopt;
      if (condition && (*condition != 0) != (i == 0)) inner.runs[core] = false;
      const Number trips = is_for ? trips_of(program_, constants_[core], index) : std::nullopt;
      if (trips && *trips == 0) inner.runs[core] = false;
    }
    for (Access& access : block(op.op().regions + i, inner)) item.accesses.push_back(std::move(access));
  }
  return item;
}

bool VectorCores::differs(uint32_t index) const {
  const OpView op(program_, index);
  for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
    for (const ValueId value : op.operands(slot))
      if (value != kNoValue && differs_[value] != 0 && is_number(program_.type_of(value))) return true;
  }
  return false;
}

std::vector<VectorCores::Access> VectorCores::leaf(uint32_t op, const Context& context) {
  std::vector<Access> found;
  const isa::Row& row = isa::row(program_.ops[op].row);
  const bool whole = row.layer == isa::Layer::tile && (row.flags & isa::kPartial) == 0 &&
                     row.opcode_class == OpcodeClass::other;
  for (const StorageUse& use : storage_.accesses(op)) {
    for (const RootId root : storage_.set(use.roots)) {
      if (storage_.roots()[root].kind != Root::Kind::buffer) continue;
      Access access{.op = op, .root = root, .value = use.value, .read = use.read, .write = use.write};
      access.runs = context.runs;
      access.split = use.value == kNoValue || differs_[use.value] != 0 || (!whole && differs(op));
      for (size_t core = 0; core < kCount && whole; ++core) {
        access.windows[core] = windows_[core].window_of(use.value);
        if (access.windows[core] && access.windows[core]->buffer != storage_.roots()[root].value)
          access.windows[core].reset();
      }
      found.push_back(std::move(access));
    }
  }
  return found;
}

/// A walk in the order of the text, of blocks that repeat twice: what has been touched since the cores last
/// met.
void VectorCores::order(std::vector<Item>& items, const Context& context) {
  struct Touched {
    size_t item;
    const Access* access;
  };
  std::vector<Touched> open;
  const auto meets = [&](const Touched& before, size_t at, const Access& access) {
    // Within one structure its own blocks have seen to it, but for branches of which each core takes another.
    if (before.item == at && items[at].nested && before.access->region == access.region)
      return Conflict::none;
    return conflict(*before.access, access);
  };
  for (int round = 0; round < (context.repeats ? 2 : 1); ++round) {
    for (size_t at = 0; at < items.size(); ++at) {
      Item& item = items[at];
      if (item.meets) open.clear();
      for (const Access& access : item.accesses) {
        for (const Touched& before : open) {
          const Conflict found = meets(before, at, access);
          if (found == Conflict::none) continue;
          if (context.uneven == kNone) {
            item.meets = true;
            item.between = Dependence{*before.access, access};
          } else if (found == Conflict::certain)
            refuse_uneven(*before.access, access, context.uneven);
          break;
        }
        if (item.meets || refused_) break;
      }
      if (refused_) return;
      if (item.meets) open.clear();
      for (const Access& access : item.accesses) open.push_back({at, &access});
    }
  }
  // The cores take different branches of one structure: no place of the text stands between those.
  for (const Item& item : items) {
    for (const Access& a : item.accesses) {
      for (const Access& b : item.accesses) {
        if (item.nested && a.region != b.region && !refused_ &&
            (a.runs[0] != a.runs[1] || b.runs[0] != b.runs[1]) && conflict(a, b) == Conflict::certain)
          refuse_uneven(a, b, item.op);
      }
    }
  }
}

VectorCores::Conflict VectorCores::conflict(const Access& a, const Access& b) const {
  if (a.root != b.root || !(a.write || b.write)) return Conflict::none;
  return std::max(conflict_on(a, 0, b), conflict_on(a, 1, b));
}

/// What one core does, and what the other one does. Where both write, and both do so alike, no order matters
/// between these two.
VectorCores::Conflict VectorCores::conflict_on(const Access& a, size_t core, const Access& b) const {
  if (!a.runs[core] || !b.runs[1 - core]) return Conflict::none;
  const auto own = [](const Access& access) { return access.split || access.runs[0] != access.runs[1]; };
  if (a.write && b.write && !a.read && !b.read && !own(a) && !own(b)) return Conflict::none;
  const std::optional<Window>&one = a.windows[core], &other = b.windows[1 - core];
  if (!one || !other) return a.split && b.split ? Conflict::none : Conflict::possible;
  if (!may_meet(*one, *other)) return Conflict::none;
  if (certain(a, core, b)) return Conflict::certain;
  if (!a.split || !b.split) return Conflict::possible;
  // Each has a part of its own; only where the parts are told apart does it mean something that they meet.
  const auto told_apart = [](const Access& access) {
    return access.windows[0] && access.windows[1] && !may_meet(*access.windows[0], *access.windows[1]);
  };
  return told_apart(a) && told_apart(b) ? Conflict::possible : Conflict::none;
}

/// The same bytes, whatever the numbers of the launch are.
bool VectorCores::certain(const Access& a, size_t core, const Access& b) const {
  const std::optional<FixedBytes> one = fixed_bytes(program_, storage_, storage_.same(), a.value),
                                  other = fixed_bytes(program_, storage_, storage_.same(), b.value);
  if (!one || !other || !one->has_same_origin(*other)) return false;
  const int64_t first = one->begin + static_cast<int64_t>(core) * one->per_core,
                second = other->begin + static_cast<int64_t>(1 - core) * other->per_core;
  return first < second + other->bytes && second < first + one->bytes;
}

void VectorCores::refuse_uneven(const Access& first, const Access& second, uint32_t around) {
  refuse(
      first, second,
      fmt::format(
          "{} around it depends on the index of the vector core, so the two cores may run it different times",
          isa::row(program_.ops[around].row).name),
      "let each vector core work on bytes of its own, or put one of the accesses where both come equally "
      "often; or write the order: pto.sync.set <PIPE_MTE3>, 0 {ffts_mode = 1} and pto.sync.wait "
      "<PIPE_MTE2>, 0 {ffts_mode = 1} between the accesses, on both");
}

void VectorCores::refuse(const Access& first, const Access& second, std::string_view why,
                         std::string_view help) {
  refused_ = true;
  const auto name = [&](const Access& access) { return isa::row(program_.ops[access.op].row).name; };
  const Root& root = storage_.roots()[second.root];
  Diagnostic& d = diagnostics_.error(
      E0607,
      fmt::format(
          "{} of a vector core {} bytes of argument '{}' that {} of the other vector core of its block {}, "
          "and cannot be ordered: {}",
          name(second), second.write ? "writes" : "reads", program_.name_of(root.value), name(first),
          first.write ? "writes" : "reads", why),
      Span{}, program_.ops[second.op].where);
  Note note;
  note.message = fmt::format("{} {} here", name(first), first.write ? "writes" : "reads");
  note.where = program_.ops[first.op].where;
  d.notes.push_back(std::move(note));
  d.help = help;
}

}  // namespace pto::planner
