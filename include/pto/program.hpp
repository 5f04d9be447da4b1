// Program: the one in-memory form between assembler, verifier, planner, object file, disassembler and
// simulator.
//
// A flat stream of operations in structured order. An operation with regions is followed directly by the
// operations of its regions; Region{begin,end} are indices into the stream. `builtin.module` and `func.func`
// are operations as well. SSA values are numbered per program; names are kept for people. All forms of a tile
// instruction (PTO-AS, level 1 SSA, level 2/3 DPS, generic) become the same DPS operation on tile_buf values
// here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pto/diagnostic.hpp"
#include "pto/type.hpp"

namespace pto {

using StrId = uint32_t;
using ValueId = uint32_t;
inline constexpr ValueId kNoValue = ~0u;  ///< an absent optional operand
inline constexpr uint16_t kUnknownAttr = 0xffff;

/// Interned strings; id 0 is "".
class StringTable {
 public:
  StringTable();
  StrId intern(std::string_view text);
  /// Reserves memory for `texts` strings of `bytes` bytes in total.
  void reserve(size_t texts, size_t bytes);
  [[nodiscard]] std::string_view operator[](StrId id) const {
    return {bytes_.data() + offsets_[id], offsets_[id + 1] - offsets_[id]};
  }
  [[nodiscard]] size_t size() const { return offsets_.size() - 1; }

 private:
  struct Slot {
    StrId id;
    uint32_t tag;
  };  ///< tag: the hash's high half, so that few other texts are looked at

  void grow();
  [[nodiscard]] size_t slot_of(std::string_view text,
                               uint64_t hash) const;  ///< its slot, or the empty one where it belongs

  std::string bytes_;
  std::vector<uint32_t> offsets_;
  std::vector<Slot> slots_;  ///< open addressing, a power of two of them
};

/// The value of an attribute. `kind` selects the field.
struct AttrValue {
  enum class Kind : uint8_t {
    unit,
    boolean,
    integer,
    floating,
    string,
    symbol,
    enumerant,
    type,
    int_array,
    raw
  } kind = Kind::unit;
  TypeId type = kNoType;  ///< integer/floating: written type if any (`1 : i32`); kind type: the value
  union {
    int64_t integer;  ///< boolean, integer; enumerant: the numeric value of the case
    double floating;
    struct {
      uint32_t first, count;
    } array;  ///< int_array: range of Program::ints
  };
  StrId text = 0;  ///< string, symbol (without @), raw: any other attribute kept as written
  AttrValue() : integer(0) {}
};

struct Attr {
  uint16_t spec = kUnknownAttr;  ///< index into the row's attribute list, or kUnknownAttr
  StrId name = 0;                ///< key as written when spec is kUnknownAttr
  AttrValue value;
};

struct Region {
  uint32_t begin = 0, end = 0;         ///< operations [begin, end)
  uint32_t first_arg = 0, n_args = 0;  ///< block arguments: values [first_arg, first_arg + n_args)
};

/// One operation. Operands are stored per operand slot of the row, in slot order: single and optional slots
/// take one entry (kNoValue when absent), variadic slots take a count followed by that many values.
struct Op {
  RowId row = 0;
  uint8_t n_regions = 0;
  uint8_t n_attrs = 0;
  uint16_t n_operand_words = 0;  ///< entries in Program::operands, counts of variadic slots included
  uint16_t n_results = 0;
  uint32_t operands = 0;      ///< first entry in Program::operands
  uint32_t first_result = 0;  ///< results are values [first_result, first_result + n_results)
  uint32_t attrs = 0;         ///< first entry in Program::attrs
  uint32_t regions = 0;       ///< first entry in Program::regions
  Location where;             ///< of the operation's name in the source
};

struct Value {
  TypeId type = kNoType;
  StrId name = 0;  ///< without '%'; 0 = unnamed (printed by number)
};

/// Origin of operations by `loc("model.py":12:5)` of the text: the source from which the program
/// was generated. The key is the position of an operation in the text, so it stays valid when
/// operations are inserted, moved or copied.
struct Origin {
  Location where;  ///< Op::where
  StrId file = 0;
  Location at;  ///< in that file
};

/// How much the program leaves to the planner. level1, level2: the planner chooses addresses and
/// flags. level3: both are explicit.
enum class Level : uint8_t { level1 = 1, level2 = 2, level3 = 3 };

struct Program {
  Target target = Target::a2a3;  ///< from module attributes or the caller
  bool target_stated = false;    ///< the text or the caller said so
  StringTable strings;
  TypeTable types;
  std::vector<Op> ops;  ///< ops[0] is the top builtin.module (made when the text has none)
  std::vector<ValueId> operands;
  std::vector<Attr> attrs;
  std::vector<int64_t> ints;  ///< int_array payloads
  std::vector<Region> regions;
  std::vector<Value> values;
  std::string source_name;      ///< for messages; empty when unknown
  std::string source_text;      ///< optional
  std::vector<Origin> origins;  ///< sorted by `where`, each position once

  /// The origin of the operations at a position; null if the text has none.
  [[nodiscard]] const Origin* origin_of(Location where) const;

  [[nodiscard]] const Type& type_of(ValueId value) const { return types[values[value].type]; }
  [[nodiscard]] std::string_view name_of(ValueId value) const { return strings[values[value].name]; }
  /// Index one past the last operation nested in `op` (op + 1 when it has no regions).
  [[nodiscard]] uint32_t end_of(uint32_t op) const {
    return ops[op].n_regions ? regions[ops[op].regions + ops[op].n_regions - 1].end : op + 1;
  }
  [[nodiscard]] std::span<const Region> regions_of(const Op& op) const {
    return {regions.data() + op.regions, op.n_regions};
  }
  [[nodiscard]] std::span<const Attr> attrs_of(const Op& op) const {
    return {attrs.data() + op.attrs, op.n_attrs};
  }
};

/// Read access to one operation by slot. `slot` counts the row's operand specs.
class OpView {
 public:
  OpView(const Program& program, uint32_t index)
      : program_(&program), op_(&program.ops[index]), index_(index) {}

  [[nodiscard]] const Program& program() const { return *program_; }
  [[nodiscard]] const Op& op() const { return *op_; }
  [[nodiscard]] uint32_t index() const { return index_; }
  [[nodiscard]] std::string_view mnemonic() const;
  /// The value of a single or optional slot; kNoValue when absent.
  [[nodiscard]] ValueId operand(unsigned slot) const;
  /// All values of a slot (0 or 1 for single/optional slots).
  [[nodiscard]] std::span<const ValueId> operands(unsigned slot) const;
  [[nodiscard]] ValueId result(unsigned i) const { return op_->first_result + i; }
  [[nodiscard]] const Type& type(unsigned slot) const;  ///< of a present single operand; Type{} when absent
  [[nodiscard]] const Type& result_type(unsigned i) const { return program_->type_of(result(i)); }
  /// The attribute with this spec index, or null when not written (defaults are the row's).
  [[nodiscard]] const AttrValue* attr(unsigned spec) const;
  [[nodiscard]] const AttrValue* attr(std::string_view name) const;
  /// Integer/boolean/enumerant attribute or the row's default.
  [[nodiscard]] int64_t attr_int(std::string_view name) const;

 private:
  const Program* program_;
  const Op* op_;
  uint32_t index_;
};

/// Appends operations in structured order. Used by the binder, the object reader and the planner.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(Program& program) : program_(&program) {}
  ValueId new_value(TypeId type, StrId name = 0);
  /// Starts an operation: operand words in slot encoding (see Op), attributes in spec order.
  uint32_t begin_op(RowId row, Location where, std::span<const ValueId> operand_words,
                    std::span<const Attr> attrs, std::span<const TypeId> results,
                    std::span<const StrId> result_names, unsigned n_regions = 0);
  /// Opens region `i` of `op`: operations that are appended until end_region belong to it. Creates
  /// block arguments with the given types and names, with consecutive values.
  void begin_region(uint32_t op, unsigned i, std::span<const TypeId> arg_types,
                    std::span<const StrId> arg_names);
  void end_region(uint32_t op, unsigned i);

 private:
  Program* program_;
};

/// A function of the program, found by scanning.
struct FunctionInfo {
  uint32_t op = 0;  ///< the func.func operation
  std::string_view name;
  bool declaration = false,
       entry = false;  ///< pto.kernel / pto.aicore / pto.entry / hacc.entry, or the only definition
  enum class Kind : uint8_t {
    unknown,
    cube,
    vector
  } kind = Kind::unknown;  ///< pto.kernel_kind of it or its module
};
std::vector<FunctionInfo> functions(const Program& program);

}  // namespace pto
