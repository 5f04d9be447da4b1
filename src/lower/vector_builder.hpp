// Vector instructions appended to a program, with what they need: constants, masks of all lanes, types.
#pragma once

#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/row.hpp"
#include "lower/layout.hpp"
#include "pto/program.hpp"

namespace pto::lower {

using Regs = std::vector<ValueId>;
using isa::Lowering;

/// Integers as wide as a lane.
constexpr Elem unsigned_elem(unsigned width) {
  return width == 1 ? Elem::ui8 : width == 2 ? Elem::ui16 : Elem::ui32;
}
constexpr Elem signless_elem(unsigned width) {
  return width == 1 ? Elem::i8 : width == 2 ? Elem::i16 : Elem::i32;
}

/// An attribute: the case of an enumeration or a string, by its words.
struct Setting {
  std::string_view name, value;
};
using Settings = std::vector<Setting>;

/// A mask of the first lanes of a register, as one for lanes of other bytes.
struct FirstLanes {
  unsigned width = 0, count = 0, as = 0;
  auto operator<=>(const FirstLanes&) const = default;
};

/// What is written at the beginning of a function or scope, because something in it needs it.
struct Beginnings {
  std::set<std::pair<Elem, int64_t>> constants;    ///< of the function
  std::map<uint32_t, std::set<FirstLanes>> masks;  ///< by scope
};

class Writer {
 public:
  Writer(Program& program, Beginnings& wanted) : program_(program), builder_(program), wanted_(wanted) {}

  [[nodiscard]] Program& program() { return program_; }

  // ---- where the next operation stands
  Location where;
  std::string note;  ///< attribute `vmi.layout` of the instructions that follow; "": none
  void enter_loop() { ++depth_; }
  void leave_loop() { --depth_; }
  void begin_function();
  void begin_scope(uint32_t scope);
  void end_scope();
  [[nodiscard]] uint32_t scope() const { return scope_; }
  /// Instructions written so far, those in loops counted several times.
  [[nodiscard]] uint64_t cost() const { return cost_; }
  [[nodiscard]] unsigned instructions() const { return instructions_; }

  // ---- types
  TypeId vector_type(Elem elem);
  TypeId mask_type(unsigned width);
  TypeId scalar(Elem elem) { return program_.types.intern(scalar_type(elem)); }
  [[nodiscard]] Elem elem_of(ValueId value) const { return program_.type_of(value).elem; }

  // ---- operations
  Regs emit(RowId row, std::span<const ValueId> operands, std::span<const TypeId> results,
            const Settings& settings = {});
  ValueId emit(Lowering part, unsigned width, std::initializer_list<ValueId> operands, TypeId result,
               const Settings& settings = {});
  void store(Lowering part, std::initializer_list<ValueId> operands, const Settings& settings = {});
  /// Accesses behind it wait for those in front.
  void store_barrier(std::string_view kind);
  /// Scalar arithmetic.
  ValueId arithmetic(isa::OpcodeClass opcode_class, ValueId a, ValueId b);
  ValueId cast(ValueId value, Elem to);
  ValueId constant(Elem elem, int64_t number);
  /// A number as an attribute has it, alone or in `dense<..>`; kNoValue when it is none.
  ValueId literal(const AttrValue& value, Elem elem);
  ValueId index(int64_t number) { return constant(Elem::index, number); }

  /// Every lane of so many bytes.
  ValueId all_lanes(unsigned width) { return first_lanes(width, kRegisterBytes / width); }
  /// The first n lanes of a register.
  ValueId first_lanes(unsigned width, unsigned n) { return shared({width, n, width}); }
  /// Whether a mask stands at the beginning of the scope, for everybody.
  [[nodiscard]] bool is_shared(ValueId mask) const;
  ValueId lanes_between(unsigned width, unsigned first, unsigned end);
  ValueId mask_cast(ValueId mask, unsigned width);
  /// The same bits as other elements.
  ValueId bits_as(ValueId reg, Elem elem);
  Regs bits_as(const Regs& regs, Elem elem);
  /// Of two masks under one of all lanes.
  ValueId masks(Lowering part, ValueId a, ValueId b);

  /// `row` is written with these operands: structure that is made anew.
  uint32_t begin(RowId row, std::span<const ValueId> words, std::span<const Attr> attrs,
                 std::span<const TypeId> results, std::span<const StrId> names);
  /// Names that are taken: those of values that stay.
  template <typename Values>
  void keep_names(const Values& values) {
    for (ValueId value = 0; value < program_.values.size(); ++value)
      if (!values.is_logical(value)) names_.insert(program_.values[value].name);
  }
  /// The name of register i of n of a value.
  void name(ValueId reg, StrId value, unsigned i, unsigned n);

 private:
  ValueId shared(const FirstLanes& mask);
  StrId free_name(const std::string& base);

  Program& program_;
  ProgramBuilder builder_;
  Beginnings& wanted_;
  uint32_t scope_ = ~0u;
  unsigned depth_ = 0, instructions_ = 0;
  uint64_t cost_ = 0;
  std::map<std::pair<Elem, int64_t>, ValueId> constants_;
  std::map<FirstLanes, ValueId> first_lanes_;
  std::set<StrId> names_;
};

}  // namespace pto::lower
