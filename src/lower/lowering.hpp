// One pass over a program that writes it anew without logical vectors, with the layouts that it is given.
//
// Everything is written twice: the first time a constant, a mask or another layout of a value appears where
// it is wanted first, and is written down as wanted; the second time it is made where it belongs, a constant
// at the beginning of the function, a layout behind the value. What the second one counts is what the layouts
// cost.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "isa/lane_layout.hpp"
#include "lower/logical_values.hpp"
#include "lower/vector_builder.hpp"
#include "pto/lower.hpp"

namespace pto {
struct Claims;  ///< what a test asks
}

namespace pto::lower {

/// Registers that a value is wanted in; `width` of masks.
struct Form {
  Layout layout;
  unsigned width = 0;
  auto operator<=>(const Form&) const = default;
};

struct LayoutRequest {
  Beginnings beginnings;
  std::map<uint32_t, std::map<ValueId, std::set<Form>>> forms;  ///< by scope
};

/// Functions to be lowered, by their operations, and what layout each cluster of values has.
struct LoweringTask {
  std::set<uint32_t> functions;
  std::vector<Layout> layouts;
  bool alone = false;  ///< a trial: nothing else is written
};

class VectorLowering {
 public:
  /// `to` is a copy of `from` without operations.
  VectorLowering(const Program& from, Program& to, const Values& values, const LoweringTask& task,
                 LayoutRequest& wanted, Lowered* report);
  void run();
  [[nodiscard]] const std::optional<NotLowered>& refusal() const { return refusal_; }
  [[nodiscard]] uint64_t cost() const { return writer_.cost(); }

 private:
  friend struct pto::Claims;
  // ---- lowering.cpp: the walk
  void copy(uint32_t op);
  void copy_regions(const OpView& op, uint32_t at);
  void copy_region(const OpView& op, uint32_t number);
  void function(const OpView& op);
  void scope(const OpView& op);
  void structure(const OpView& op);
  bool touches_logical(const OpView& op) const;
  bool defined(const OpView& call) const;
  std::vector<ValueId> expanded(const OpView& op);
  std::vector<ValueId> partners(const OpView& op, unsigned slot) const;
  void write_results(uint32_t function);
  void expand_types(ValueId value, std::vector<TypeId>& types);
  ValueId take(ValueId value, ValueId first);
  void logical(const OpView& op);
  void dispatch(const OpView& op);
  void make_requested(ValueId value);

  // ---- logical_values.cpp of this class: registers of values (register_forms.cpp)
  [[nodiscard]] ValueId scalar(ValueId value) const { return renamed_[value]; }
  [[nodiscard]] const Logical& info(ValueId value) const { return values_[value]; }
  [[nodiscard]] Layout assigned_layout(ValueId value) const;
  Regs vector(ValueId value, Layout layout);
  Regs mask(ValueId value, Layout layout, unsigned width, bool exact = false);
  /// What governs an instruction on registers of this shape: a mask, or all lanes where there is none.
  Regs governing(ValueId mask, Layout layout, Shape shape);
  /// Lanes of the value, padding off.
  Regs valid(Layout layout, Shape shape);
  void define(ValueId value, Layout layout, const Regs& regs);
  void define_mask(ValueId value, Layout layout, unsigned width, const Regs& regs);
  void define_uniform(ValueId value, ValueId reg);
  Regs remember(ValueId value, const Form& form, Regs regs);
  Regs refused(unsigned n, TypeId type, const std::string& why);
  void refuse(const std::string& why);
  void say_place(ValueId value);

  // ---- layout_conversion.cpp: the same lanes in another layout, another element type
  Regs moved(const Regs& regs, Shape shape, Layout from, Layout to);
  Regs moved_mask(Regs masks, unsigned lanes, Form from, Form to);
  using Pair = std::array<ValueId, 2>;
  Pair interleave_pair(bool apart, ValueId a, ValueId b);
  Regs closer(const Regs& regs, Shape shape, Layout from);
  Regs wider(const Regs& regs, Shape shape, Layout from);
  void convert(const OpView& op);
  void exp_difference(const OpView& op);
  void recast(const OpView& op);
  void place(const OpView& op);
  [[nodiscard]] std::optional<Layout> written_layout(ValueId value) const;
  using Places = std::function<Place(unsigned)>;  ///< by lane
  static Places written_places(const isa::LanePlaces& places);
  void unpack(const OpView& op);
  void pack(const OpView& op);
  /// Registers of another width from those of one, part by part: one(register, part of a word).
  Regs across(const Regs& regs, Layout layout, Shape from, Shape to, bool uniform,
              const std::function<ValueId(ValueId, unsigned)>& one, Elem elem);

  // ---- masks.cpp
  Regs made_mask(ValueId value, Layout layout, unsigned width);
  Regs first_lanes(ValueId value, const std::optional<int64_t>& number, ValueId count, unsigned group,
                   Layout layout, Shape shape);
  ValueId mask_of_lanes(const std::vector<bool>& active, unsigned width);
  ValueId below(const std::optional<int64_t>& number, ValueId count, unsigned width);
  Regs listed_lanes(const OpView& op, Layout layout, Shape shape);
  void count_down(const OpView& op);
  void mask_logic(const OpView& op);

  // ---- lane_wise.cpp
  void lanes(const OpView& op);
  void logic(const OpView& op);
  void compare(const OpView& op);
  void constant(const OpView& op);
  void listed_constants(const OpView& op);
  void broadcast(const OpView& op);
  void counted(const OpView& op);
  ValueId numbers(unsigned width, Elem elem);

  // ---- permutations.cpp
  Regs gathered(Shape shape, Layout layout, Elem elem, const Regs& sources, const Places& from);
  Regs gathered(Shape shape, unsigned n, const Places& place, Elem elem, const Regs& sources,
                const Places& from);
  ValueId listed_numbers(const std::map<std::string, std::vector<bool>>& places, unsigned width, Elem elem);
  ValueId lane_numbers(unsigned width, const std::vector<std::optional<unsigned>>& wanted);
  void group_broadcast(const OpView& op, unsigned groups);
  void select_lanes(const OpView& op);
  void shuffle(const OpView& op);
  void interleave(const OpView& op, bool apart);
  bool interleave_in_place(const OpView& op, bool apart);
  void interleave_parts(const OpView& op, bool apart);
  void split(const OpView& op);
  void merge(const OpView& op);

  // ---- active_lanes.cpp
  void compress(const OpView& op);
  void active_below(const OpView& op);
  void load_expanded(const OpView& op);
  ValueId prefix(ValueId active, unsigned width);
  Regs prefixes(const Regs& active, unsigned width);
  Regs active_before(const Regs& active, unsigned width);

  // ---- reductions.cpp
  struct Reduced;
  void reduce(const OpView& op);
  Regs reduce_blocks(const Reduced& what);
  Regs reduce_registers(const Reduced& what);
  void histogram(const OpView& op);

  // ---- load_lowering.cpp
  struct Access {
    ValueId base = kNoValue, offset = kNoValue;
    uint32_t old_offset = kNoValue;
    unsigned element = 0;
    bool pointer = true;
  };
  Access access(const OpView& op, unsigned base, int offset);
  ValueId at(const Access& to, int64_t elements);
  ValueId pointer(const Access& to, int64_t elements);
  [[nodiscard]] bool block_aligned(const OpView& op, unsigned base, int offset) const;
  [[nodiscard]] int64_t multiple_of(ValueId value, unsigned depth = 0) const;
  void load(const OpView& op);
  void load_pairs(const OpView& op);
  void load_unpacked(const OpView& op);
  void load_groups(const OpView& op, bool broadcast);
  void load_masked(const OpView& op);
  void store(const OpView& op);
  void store_groups(const OpView& op);
  void store_pairs(const OpView& op);
  void store_compressed(const OpView& op);
  Regs loaded(const Access& from, Shape shape, Layout layout, Elem elem, bool aligned);
  void stored(const Access& to, const Regs& regs, Shape shape, Layout layout, const Regs& masks, bool all,
              bool aligned);
  ValueId block_stride(ValueId old_stride, unsigned element);
  ValueId row_offset(const Access& from, ValueId old_stride, unsigned row, int64_t more);
  ValueId row_pointer(const Access& from, ValueId old_stride, unsigned row, int64_t more);
  Regs chosen(const Regs& regs, ValueId otherwise, ValueId given, Layout layout, const Logical& of);
  [[nodiscard]] Layout storable(ValueId value, bool all, bool aligned) const;
  void store_lanes(const OpView& op, ValueId value, ValueId given);
  struct Touched {
    bool store = false;
    ValueId root = kNoValue, offset = kNoValue;
    std::optional<int64_t> first;  ///< byte
    int64_t bytes = 0;
  };
  void order_accesses(const OpView& op, bool store, unsigned base, int offset);

  // ---- indexed_access.cpp
  void load_blocks(const OpView& op);
  void store_blocks(const OpView& op);
  void store_narrowed(const OpView& op, const Access& to);
  void gather(const OpView& op);
  void scatter(const OpView& op);
  Regs loaded_by_index(const Access& from, Shape shape, Elem elem, ValueId stride);
  void stored_by_index(const Access& to, const Regs& regs, Shape shape, ValueId stride, const Regs& masks);
  Regs indices(unsigned n, unsigned width, ValueId stride);
  Regs block_indices(unsigned n, unsigned width, ValueId block, ValueId repeat);
  ValueId indexable(ValueId base);
  Regs read_by_index(ValueId base, const Regs& index, const Regs& masks, Shape shape, Elem elem);
  void written_by_index(ValueId base, const Regs& index, const Regs& masks, const Regs& regs, Shape shape);
  ValueId at_any_byte(ValueId base, ValueId offset, ValueId active, unsigned width);

  const Program& from_;
  Program& to_;
  const Values& values_;
  const LoweringTask& task_;
  LayoutRequest& wanted_;
  Lowered* report_;
  Writer writer_;
  std::vector<ValueId> renamed_;  ///< scalars by their old number
  std::map<ValueId, std::map<Form, Regs>> forms_;
  std::map<std::pair<bool, Pair>, Pair> turned_;  ///< what interleave_pair() made of what
  std::vector<Touched> touched_;                  ///< stores of the scope since its last barrier
  std::vector<uint32_t> around_;                  ///< operations with regions around the one at hand
  std::optional<NotLowered> refusal_;
  uint32_t op_ = kNoOp, function_ = kNoOp, made_function_ = kNoOp;
  bool in_function_ = false;  ///< one that is to be lowered
};

}  // namespace pto::lower
