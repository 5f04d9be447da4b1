#include "plan/memory/scale_tiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "isa/mx_scales.hpp"
#include "isa/syntax.hpp"

namespace pto::planner {

void ScaleTiles::find() {
  own_live_ = live_;
  for (uint32_t index = 0; index < program_.ops.size(); ++index) {
    const isa::Row& row = isa::row(program_.ops[index].row);
    const OpView op(program_, index);
    if (isa::assigns_scale(row)) add({index, op.operand(0), op.operand(1), true});
    if (!isa::takes_scales(row)) continue;
    const auto named = [&](std::string_view name) {
      return op.operand(static_cast<unsigned>(isa::schema(op.op().row).operand_slot(name)));
    };
    add({index, named("a"), named("a_scale"), false});
    add({index, named("b"), named("b_scale"), false});
  }
}

void ScaleTiles::add(const Use& use) {
  uses_.push_back(use);
  const std::span<const RootId> scales = storage_.roots_of(use.scales);
  if (use.assigned) assigned_.insert(scales.begin(), scales.end());
  const unsigned bits = isa::value_bits(program_.type_of(use.data).elem);
  for (const RootId data : storage_.roots_of(use.data)) {
    if (storage_.roots()[data].kind != Root::Kind::tile) continue;
    for (const RootId each : scales) {
      if (storage_.roots()[each].kind != Root::Kind::tile || !storage_.roots()[each].planned ||
          own_live_[each].empty())
        continue;
      live_[data].begin = std::min(live_[data].begin, own_live_[each].begin);
      live_[data].end = std::max(live_[data].end, own_live_[each].end);
      uint64_t& unit = alignment_[data];
      unit = std::max<uint64_t>(
          unit, isa::kMxGroup * alignment_of(machine_, storage_.roots()[each].space) * bits / 8);
    }
  }
}

uint64_t ScaleTiles::alignment_of_data(RootId root) const {
  const auto found = alignment_.find(root);
  return found == alignment_.end() ? 1 : found->second;
}

void ScaleTiles::place() {
  for (const Use& use : uses_) use.assigned ? place_assigned(use) : place_product(use);
}

/// From the start: texts move the scales first and ask for the address then.
void ScaleTiles::place_assigned(const Use& use) {
  const std::span<const RootId> from = storage_.roots_of(use.data);
  const std::span<const RootId> to = storage_.roots_of(use.scales);
  if (from.size() != 1 || to.size() != 1) return;
  const std::optional<uint64_t> addr = storage_.roots()[from[0]].addr;
  Root& root = storage_.roots()[to[0]];
  if (!addr || !root.planned) return;
  const uint64_t wanted = isa::mx_address(*addr, program_.type_of(use.data).elem);
  if (wanted % alignment_of(machine_, root.space) == 0) root.addr = wanted;
}

void ScaleTiles::place_product(const Use& use) {
  const std::span<const RootId> from = storage_.roots_of(use.data);
  const std::span<const RootId> to = storage_.roots_of(use.scales);
  // Slots of two multi-buffered tiles belong to each other in their order.
  const bool slots = from.size() == to.size() && in_slots(from) && in_slots(to);
  for (size_t i = 0; i < from.size(); ++i) {
    for (size_t j = 0; j < to.size(); ++j) {
      if ((!slots || i == j) && !pin(use, from[i], to[j])) return;
    }
  }
}

bool ScaleTiles::in_slots(std::span<const RootId> roots) const {
  return !roots.empty() && storage_.roots()[roots.front()].slots == roots.size();
}

/// False after an error.
bool ScaleTiles::pin(const Use& use, RootId data, RootId scales) {
  const Root& from = storage_.roots()[data];
  const Root& to = storage_.roots()[scales];
  if (to.kind != Root::Kind::tile || !to.planned || assigned_.contains(scales) || !from.addr) return true;
  if (from.space != Space::l0a && from.space != Space::l0b) return true;  // the verifier refuses it
  const uint64_t wanted = isa::mx_address(*from.addr, program_.type_of(use.data).elem);
  const auto name = [&](const Root& root) {
    const std::string_view text = program_.name_of(root.value);
    return text.empty() ? fmt::format("%{}", root.value) : fmt::format("%{}", text);
  };
  const RootId first = scales - to.slot;
  const auto found = pinned_.find(first);
  const bool fits = wanted >= to.offset && wanted % alignment_of(machine_, to.space) == 0;
  if (!fits || (found != pinned_.end() && found->second.addr != wanted - to.offset)) {
    refuse(use,
           fmt::format("it takes the scales of {} from byte {} of their memory, where tile {} cannot lie",
                       name(from), wanted, name(to)),
           found == pinned_.end() ? nullptr : found->second.use);
    return false;
  }
  pinned_.try_emplace(first, Pinned{&use, wanted - to.offset});
  for (uint32_t slot = 0; slot < to.slots; ++slot) {
    Root& each = storage_.roots()[first + slot];
    each.addr = wanted - to.offset + each.offset;
  }
  for (const auto& [other, used] : company_[data]) {
    if (other == scales || !own_live_[other].overlaps(own_live_[scales])) continue;
    // Behind each other in a loop they may well be, though both live through all of it.
    if (in_loop_of_its_own(other, used->op) || in_loop_of_its_own(scales, use.op)) continue;
    refuse(use,
           fmt::format("it takes the scales of {} from byte {} of their memory, where tiles {} and {} would "
                       "lie at the same time",
                       name(from), wanted, name(storage_.roots()[other]), name(to)),
           used);
    return false;
  }
  company_[data].try_emplace(scales, &use);
  return true;
}

/// Whether the use is in a structure that the tile was made outside of.
bool ScaleTiles::in_loop_of_its_own(RootId scales, uint32_t op) const {
  for (uint32_t around = storage_.roots()[scales].op + 1; around < op; ++around)
    if (program_.ops[around].n_regions != 0 && program_.end_of(around) > op) return true;
  return false;
}

void ScaleTiles::refuse(const Use& use, const std::string& why, const Use* other) {
  Diagnostic& d =
      diagnostics_.error(E0608, fmt::format("{}: {}", isa::row(program_.ops[use.op].row).name, why), Span{},
                         program_.ops[use.op].where);
  if (other != nullptr) {
    Note note;
    note.message =
        fmt::format("{} uses a tile of these scales here", isa::row(program_.ops[other->op].row).name);
    note.where = program_.ops[other->op].where;
    d.notes.push_back(std::move(note));
  }
  d.help =
      "give each operand a tile of scales of its own; or write pto.tget_scale_addr of the operand and the "
      "tile, and move the scales behind it, before each product";
}

}  // namespace pto::planner
