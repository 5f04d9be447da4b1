// Edits of the operations of a program: insert, move, erase, replace, clone.
//
// A program is a flat stream, so an insertion shifts the index of everything behind it. A Rewriter links the
// operations of each region instead. While it is open an operation keeps its OpId, wherever it goes and
// whatever is put around it; finish() writes the stream. An OpId is an index into Program::ops until then:
// the index in the old stream, or behind it for an operation that the rewriter has made.
//
//   // stream before:              0 func { 1 tload   2 tstore   3 return }
//   Rewriter rewriter(program);
//   rewriter.set_before(2);                          // insertion point: in front of tstore
//   rewriter.create(isa::id_of(OpcodeClass::barrier), {}, {}, {&pipe, 1});  // OpId 4
//   rewriter.set_after(1);                           // behind tload, so in front of the barrier
//   const ValueId two = rewriter.constant(index, 2); // OpId 5, at the position of tload
//   rewriter.set_before(1);
//   rewriter.move(2);                                // tstore: still OpId 2
//   rewriter.finish();
//   // stream after:               0 func { 1 tstore  2 tload  3 constant  4 barrier  5 return }
//   rewriter.index_of(2);                            // 1
//
// Operands, attributes, values and regions keep their numbers. Program::regions and end_of() speak of the old
// stream until finish().
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "ir/regions.hpp"
#include "isa/cmp_predicate.hpp"
#include "isa/opcode_class.hpp"
#include "pto/program.hpp"

namespace pto {

using OpId = uint32_t;
/// Values of a copy by those of the original.
using ValueMap = std::map<ValueId, ValueId>;

Attr integer_attr(RowId row, std::string_view name, int64_t value, TypeId type = kNoType);
Attr enumerant_attr(RowId row, std::string_view name, int64_t value);

class Rewriter {
 public:
  /// Where created, moved and cloned operations go: in front of `next`, or to the end of the region. One goes
  /// behind the other. A point is lost when `next` is moved or erased.
  struct Point {
    uint32_t region = 0;
    OpId next = kNoOp;
    Location where;  ///< of created operations
  };
  /// Makes `count` values that are copies of those from `first` on; gives the first one.
  using ValueCopier = std::function<ValueId(ValueId first, uint32_t count)>;

  explicit Rewriter(Program& program);

  // ---- the insertion point; created operations get the position of `op`, or of the region's operation
  void set_before(OpId op);
  void set_after(OpId op);
  void set_begin(uint32_t region);
  void set_end(uint32_t region);
  void set_point(const Point& point) { point_ = point; }
  [[nodiscard]] const Point& point() const { return point_; }
  void set_location(Location where) { point_.where = where; }

  // ---- edits
  /// Operand words are in slot encoding (see Op), attributes in the order of the row.
  OpId create(RowId row, std::span<const ValueId> operands, std::span<const TypeId> results = {},
              std::span<const Attr> attrs = {}, unsigned n_regions = 0);
  /// The same with one result, which it gives.
  ValueId create_value(isa::OpcodeClass opcode_class, std::span<const ValueId> operands, TypeId type,
                       std::span<const Attr> attrs = {});
  ValueId constant(TypeId type, int64_t value);
  ValueId binary(isa::OpcodeClass opcode_class, TypeId type, ValueId a, ValueId b);
  ValueId compare(isa::CmpPredicate predicate, ValueId a, ValueId b);
  /// Takes an operation, with its regions, to the insertion point.
  void move(OpId op);
  void erase(OpId op);
  /// Copies an operation, with its regions, to the insertion point. Operands that `values` maps are
  /// exchanged; results and region arguments are copied, and added to `values`.
  OpId clone(OpId op, ValueMap& values, const ValueCopier& copy_values);
  /// Puts the operations from `first` up to `last` into the region of a new operation at the place of
  /// `first`.
  OpId wrap(RowId row, OpId first, OpId last);

  // ---- operands
  void set_operands(OpId op, std::span<const ValueId> words);
  /// Exchanges the operands that `values` maps.
  void replace_operands(OpId op, const ValueMap& values);

  [[nodiscard]] uint32_t region(OpId op, unsigned number) const { return program_.ops[op].regions + number; }
  /// The operations of a region as they are now.
  [[nodiscard]] std::vector<OpId> children(uint32_t region) const;

  /// Writes the stream; nothing is edited after.
  void finish();
  /// In the stream that finish() wrote; kNoOp: erased.
  [[nodiscard]] uint32_t index_of(OpId op) const { return index_[op]; }

 private:
  struct Links {
    OpId previous = kNoOp, next = kNoOp;
    uint32_t region = 0;
  };
  struct Ends {
    OpId first = kNoOp, last = kNoOp;
    OpId owner = kNoOp;
  };

  Ends& ends(uint32_t region);
  void link_region(uint32_t region, OpId owner, uint32_t begin, uint32_t end);
  /// New operations and regions of the program get their links.
  void adopt();
  void insert(OpId op);
  void unlink(OpId op);
  /// The operand words of an operation with the values of `values`; whether one is another.
  bool mapped_operands(const Op& op, const ValueMap& values, std::vector<ValueId>& words) const;
  OpId clone_alone(OpId op, ValueMap& values, const ValueCopier& copy_values);

  Program& program_;
  ProgramBuilder builder_;
  Point point_;
  std::vector<Links> links_;     ///< by operation
  std::vector<Ends> ends_;       ///< by region
  Ends outermost_;               ///< of operations that no region holds
  std::vector<uint32_t> index_;  ///< after finish()
};

}  // namespace pto
