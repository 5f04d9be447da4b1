// Tile instructions are written in several ways that mean the same:
//
//   pto.trem ins(%a, %b : T, T) outs(%d : T) {attrs}          DPS
//   %d = pto.trem %a, %b {attrs} : (T, T) -> T                 level 1; also `: T -> T` and `: T`
//   %d = trem %a, %b : !pto.tile<..>                           PTO-AS
//   "pto.trem"(%a, %b, %d) <{..}> {..} : (T, T, T) -> ()       generic, any instruction
//
// All become the same operation. A result of the first two kinds is a tile that is allocated in front of it.
#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>

#include "asm/parse/forms/syntax_matcher.hpp"

namespace pto::text {

/// Lists are short: they live in the form itself, and no statement allocates.
template <typename T>
using Short = boost::container::small_vector<T, 8>;
using NodeList = Short<uint32_t>;
using SlotList = Short<uint16_t>;
using TypeList = Short<Draft::Result>;

/// Parts of a tile form, before slots are assigned.
struct TileParts {
  NodeList ins, outs;  ///< operand nodes
  TypeList in_types, out_types, result_types;
  NodeList dicts, entries;  ///< attribute dictionaries; `name = value` behind outs(..)
  struct Clause {
    uint32_t name, operand;
  };
  Short<Clause> clauses;     ///< `pad_value = %x : T`
  Span ins_word, outs_word;  ///< of the DPS form, when written
  bool dps = false;
  bool scalar_out = false;  ///< `outs : T`
  Span old_offsets;         ///< `[%row, %column]` behind a tile: an old form
};

class TileForm {
 public:
  TileForm(BinderContext& parts, const isa::Schema& schema, MatchFailure& mismatch)
      : p_(parts), schema_(schema), mismatch_(mismatch) {}

  /// Reads the parts and gives every operand its slot.
  bool match();
  /// Moves the match into the draft.
  void commit();
  /// The position of a part of the operation, after `match`.
  [[nodiscard]] Span find(const Anchor& anchor) const;

 private:
  bool reject(const Cursor& at, std::string message, FindingId id = E0101) {
    return p_.reader.reject(mismatch_, at, id, std::string(p_.reader.op_name()) + ": " + message);
  }
  bool clause_error(const Cursor& cursor);
  bool no_operand(const Cursor& at, size_t position);
  [[nodiscard]] std::string_view written_type(Cursor at, size_t position) const;
  bool read_dps(Cursor& cursor);
  bool read_group(Cursor inner, NodeList& operands, TypeList& types);
  bool read_clause(Cursor& cursor);
  void read_old_offsets(Cursor& cursor, NodeList& operands);
  bool read_named(Cursor& inner);
  bool read_list(Cursor& cursor);
  bool read_types(Cursor& cursor, TypeList& out);
  bool assign();
  bool wrong_type(const NodeList& operands, const SlotList& slots, size_t next);
  bool assign_slots(const NodeList& operands, const SlotList& slots, const char* where);
  [[nodiscard]] bool has_forms() const;
  [[nodiscard]] bool fits(uint32_t node, const isa::OperandSpec& spec) const;
  [[nodiscard]] bool by_clause(uint16_t slot) const {
    return std::any_of(parts_.clauses.begin(), parts_.clauses.end(), [&](const TileParts::Clause& c) {
      return p_.reader.text(p_.reader.nodes()[c.name]) == schema_.operands[slot].name;
    });
  }
  bool clauses_fit();
  void bind_last();
  void read_types_of(const NodeList& operands, TypeList& types);
  void commit_ssa();
  Draft::Result result_like_source();
  void check_shared_types();
  void check_one(const Draft::Operand& operand, const Draft::Result& written, bool shared);

  BinderContext& p_;
  const isa::Schema& schema_;
  MatchFailure& mismatch_;
  TileParts parts_;
  struct Binding {
    uint16_t slot;
    uint32_t node;
    uint32_t position = 0;  ///< among the slot's operands, once they are in the draft
  };
  Short<Binding> bindings_;
  uint32_t trailing_tmp_ = 0;
  SlotList made_;  ///< out slots that results represent
};

}  // namespace pto::text
