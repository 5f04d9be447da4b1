// Writes finished operations into the program.
#pragma once

#include <span>
#include <vector>

#include "asm/parse/locations.hpp"
#include "asm/parse/op_draft.hpp"
#include "asm/parse/scopes.hpp"
#include "asm/parse/text/statement_reader.hpp"
#include "pto/program.hpp"

namespace pto::text {

class Emitter {
 public:
  Emitter(Program& program, Reader& reader, Names& names, Draft& draft, Locations& locations,
          Reporter& report)
      : program_(program),
        builder_(program),
        reader_(reader),
        names_(names),
        draft_(draft),
        locations_(locations),
        report_(report) {}

  /// Sets the values that replace constants with a name.
  void set_defines(const Defines* defines) { defines_ = defines; }
  /// The operation of the draft; results take the names on the statement's left side.
  uint32_t emit(unsigned n_regions = 0);
  /// The same with names that the program keeps, and nothing is defined.
  uint32_t emit_named(std::span<const StrId> names, unsigned n_regions);
  /// In front of the operation of the draft: a tile, a constant. Returns the value.
  ValueId allocation(TypeId type, StrId name);
  ValueId constant(int64_t value, TypeId type);
  /// The same: the result of the instruction of two operands that does this.
  ValueId combination(isa::OpcodeClass opcode_class, ValueId left, ValueId right, TypeId type);
  /// The same: the mask of this type that has all lanes.
  ValueId all_lanes(TypeId mask);
  /// An operation that was refused, so that its regions have a place.
  uint32_t placeholder(const isa::Schema& schema, unsigned n_regions);
  /// Adds the attributes of a dictionary after the regions.
  void append_attrs(uint32_t op);

  void begin_region(uint32_t op, unsigned i, const std::vector<Draft::Result>& args = {},
                    const std::vector<Node>& names = {});
  void end_region(uint32_t op, unsigned i) { builder_.end_region(op, i); }
  /// The arguments of a region, made after it was begun.
  void region_arguments(Region& region, const std::vector<Draft::Result>& args,
                        const std::vector<Node>& names = {});

 private:
  [[nodiscard]] Location where() { return report_.locate(reader_.statement().name.begin); }

  Program& program_;
  ProgramBuilder builder_;
  Reader& reader_;
  Names& names_;
  Draft& draft_;
  Locations& locations_;
  Reporter& report_;
  const Defines* defines_ = nullptr;
  std::vector<ValueId> words_;  // buffers reused by every operation
  std::vector<TypeId> types_;
  std::vector<StrId> kept_;
  std::vector<NameTable::Key> keys_;
};

}  // namespace pto::text
