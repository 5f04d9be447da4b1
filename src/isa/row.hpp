// The instruction table: one Row per instruction form, and the Schema compiled from it.
//
// A Row states everything about an instruction except what it computes (src/exec, registered by the row's
// name) and how long it takes (sim-configs, keyed by the row's cost class). Rows are in one file per family,
// src/isa/rows/*.cpp, as blocks of named columns. Rows of one shape use a row template, a function that adds
// the columns that they share (src/isa/rows/row_template.hpp). A column that neither the row nor its template
// states is that of the family's `kShared`, and else empty; `flags` add up. The strings are small languages,
// compiled to a Schema when the row is first used.
//
//   name      the full mnemonic. Forms of one mnemonic that differ in pipe or operands are several rows, one
//             behind the other.
//   doc       one line.
//   operands  "src0:tile src1:tile tmp:tile?=tmp dst:tile=out": name:kind[?|*][=role], in slot order. This
//             is the order of the public operand lists (column `operands` of the fact base); exec functions
//             use it.
//             kind: tile view tview ptr memref vreg mask align i1 i8 i16 i32 i64 index int float scalar
//             vector pipe async_session async_event eventid_array local_array vmi_vreg vmi_mask multi_tile
//             struct prefetch_context any, or several joined with '|'.
//             ? optional, * variadic. role: in (default), out, inout, tmp.
//   results   "mask:mask rest:i32?": name:kind[?|*].
//   attrs     "rmode:round_mode=CAST_RINT sat_mode:saturation_mode? nofit:unit": name:type[?][=default].
//             type: an enum of src/isa/enums.cpp, or int i32 i64 float bool unit string symbol ints type
//             any. Neither ? nor =default: required.
//   syntax    how the operation is written; see below.
//   types     element types per target, {.a2a3 = .., .a5 = ..} or both(..); see below. "" = any, "-" = the
//             target does not have the instruction. cpu accepts what either accepts.
//   rules     legality rules by name, separated by blanks, each implemented once in src/verify; `a2a3.` or
//             `a5.` in front: of one target (src/isa/row_rules.hpp). Demanding nothing: `exempt:src`, element
//             types do not speak of the operand; `in_place:src`, the destination may be this source (the
//             library's sequence of instructions reads it before it writes); `unit_flag:phase,acc`, by the
//             attribute M and FIX hand over the accumulator (src/ir/accumulator_flag.hpp); `silent:mode`, the
//             attribute has no effect here.
//   pipe      "S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX", "none" (descriptor or structure: no time, no
//             queue), "@attr" (the pipe named by an attribute), or ":rule" (src/ir/pipe_rules.cpp).
//   cost      the class that sim-configs bind. Left out: layer and mnemonic ("tile.tadd", "vec.vadd",
//             "sync.set_flag"); nothing for pipe "none". "simt.": this prefix and the mnemonic. Else the
//             class itself, where instructions share one ("scalar", "control").
//   keyword   how texts write its name, and `also` how they may write it, where it is not the mnemonic;
//   without
//             a dialect.
//   opcode_class  what it does beside computing, as far as a tool has to know: src/isa/opcode_class.hpp.
//   lowering  of operations on logical vectors: how they become vector instructions; of vector instructions:
//             what they do there (src/isa/lowering_class.hpp).
//   regions   how many it has, {least, most}; none when left out.
//   scope     whether it is inside or outside of a vector scope.
//   flags     RowFlag.
//   layer     the part of the language; one per family.
//
// Syntax: a string in the language of src/isa/syntax.hpp, or
//   list $attr..   $operands.., $attr.. {attrs} : types of the operands -> types of the results
//   @dps ..        the forms of tile instructions (isa/syntax.hpp):
//                  ins($ins.. : types) outs($outs.. : types) {attrs}
//   @none          no textual form: the name is known, and refused
//   @custom:NAME   parsed and printed by the hooks of this name (src/asm/parse/forms/syntax_hooks.hpp)
// Every @dps row also has the level 1 SSA form, the PTO-AS form, and every row the generic "pto.x"(..) form.
//
// Types: alternatives separated by ' '. An alternative is one element type that all operands marked by kind
// tile, vreg, view, ptr and scalar share (those that `rules` exempt excluded), or a tuple
// "src:f32,dst:f16|bf16" ("=" the same as the tuple's first). i8 is any signedness, s8 signed or signless,
// u8 unsigned.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/lowering_class.hpp"
#include "isa/opcode_class.hpp"
#include "isa/row_rules.hpp"
#include "isa/syntax.hpp"
#include "pto/pipe.hpp"
#include "pto/type.hpp"

namespace pto::isa {

enum class Layer : uint8_t { tile, vector, cube, dma, scalar, sync, system, control, vmi, unsaid };

/// Where an operation is allowed; unsaid: the scope of the family, or anywhere if it has none.
enum class Scope : uint8_t { unsaid, either, inside, outside };

enum RowFlag : uint32_t {
  kNone = 0,
  kNotExecuted = 1,   ///< semantics not written yet: pto-sim refuses by name, exit 3
  kAlias = 4,         ///< another spelling; `syntax` names the row it means
  kModeWrite = 8,     ///< changes a control register
  kPure = 16,         ///< makes values of values: touches no memory, waits for nothing
  kPartial = 32,      ///< which bytes of its tiles it touches depends on an index or on data
  kTmpOnA2a3 = 64,    ///< A5 takes its `tmp` for compatibility only, and neither reads nor writes it
  kCubeCore = 128,    ///< is in code of the cube core
  kVectorCore = 256,  ///< is in code of the vector core
  kByData = 1024,     ///< its addresses depend on data: on a tile, a register or a lane count
  kCached = 512,      ///< reaches GM through the data cache of the scalar unit
};

/// Element types per target.
struct Types {
  std::string_view a2a3, a5;
};
constexpr Types both(std::string_view types) { return {types, types}; }

/// How many regions an operation has. The object format counts them in a byte.
struct Regions {
  uint8_t least = 0, most = 0;
};
inline constexpr uint8_t kAnyRegions = 255;

struct Row {
  std::string_view name, doc;
  std::string_view operands, results, attrs, syntax;
  Types types;
  std::string_view rules;
  OpcodeClass opcode_class = OpcodeClass::other;
  Lowering lowering = Lowering::none;
  std::string_view keyword, also;
  Regions regions;
  std::string_view pipe, cost;
  Scope scope = Scope::unsaid;
  uint32_t flags = kNone;
  Layer layer = Layer::unsaid;
  RuleNames rule_names;  ///< those of `rules`; no column, the compiler computes it
};

/// As many regions as the row allows; one where it allows any number.
constexpr unsigned usual_regions(const Row& row) {
  return row.regions.most == kAnyRegions ? 1 : row.regions.most;
}

enum class Role : uint8_t { in, out, inout, tmp };
enum class Arity : uint8_t { one, optional, variadic };

/// Operand kinds as a bit set.
enum Kind : uint32_t {
  kTile = 1u << 0,
  kView = 1u << 1,
  kTView = 1u << 2,
  kPtr = 1u << 3,
  kMemRef = 1u << 4,
  kVReg = 1u << 5,
  kMask = 1u << 6,
  kAlign = 1u << 7,
  kI1 = 1u << 8,
  kI8 = 1u << 9,
  kI16 = 1u << 10,
  kI32 = 1u << 11,
  kI64 = 1u << 12,
  kIndex = 1u << 13,
  kInt = 1u << 14,
  kFloat = 1u << 15,
  kScalar = 1u << 16,
  kVector = 1u << 17,
  kPipeHandle = 1u << 18,
  kAsyncSession = 1u << 19,
  kAsyncEvent = 1u << 20,
  kEventIdArray = 1u << 21,
  kLocalArray = 1u << 22,
  kVmiVReg = 1u << 23,
  kVmiMask = 1u << 24,
  kMultiTile = 1u << 25,
  kStruct = 1u << 26,
  kPrefetch = 1u << 27,
  kAny = 1u << 31,
};

/// The kinds of an operand, with their names in rows, types and messages.
struct OperandKind {
  std::string_view name;
  uint32_t bit;
  std::string_view type, words;
};
std::span<const OperandKind> operand_kinds();

struct OperandSpec {
  std::string_view name;
  uint32_t kinds = 0;
  Role role = Role::in;
  Arity arity = Arity::one;
};

struct EnumCase {
  std::string_view name;
  int64_t value;
};
/// How a value is printed: `keyword`, `"string"`, `#pto<name keyword>` or `#pto.name<keyword>`. All are
/// accepted.
enum class EnumStyle : uint8_t { keyword, string, angle, dotted };
/// `name` is also the attribute's mnemonic. The first case of a value is canonical, later ones are accepted
/// aliases.
struct EnumDomain {
  std::string_view name;
  std::span<const EnumCase> cases;
  EnumStyle style = EnumStyle::keyword;
};
const EnumDomain* find_enum(std::string_view name);
const EnumCase* find_case(const EnumDomain& domain, std::string_view name);  ///< nullptr when there is none
std::string_view case_name(const EnumDomain& domain, int64_t value);         ///< canonical spelling or ""
std::span<const EnumDomain> enum_domains();

enum class AttrType : uint8_t {
  enumerant,
  integer,
  floating,
  boolean,
  unit,
  string,
  symbol,
  ints,
  type,
  any
};
struct AttrSpec {
  std::string_view name;
  AttrType type = AttrType::any;
  const EnumDomain* domain = nullptr;  ///< enumerant
  bool required = false;
  bool has_default = false;
  int64_t default_int = 0;        ///< enumerant, integer, boolean
  std::string_view default_text;  ///< as written in the row
};

struct Schema {
  const Row* row = nullptr;
  RowId id = 0;
  std::vector<OperandSpec> operands;
  std::vector<OperandSpec> results;
  std::vector<AttrSpec> attrs;
  std::vector<RowRule> rules;
  std::vector<SyntaxNode> syntax;     ///< up to the first region; empty for @-forms
  std::vector<RegionSyntax> regions;  ///< that the syntax names; one for @-forms that have regions
  std::vector<SyntaxNode> tail;       ///< behind the last region
  std::vector<MixedList> mixed;       ///< lists of values and numbers
  TileSyntax tile;                    ///< of @dps forms
  std::string_view written_as;        ///< the row whose syntax is accepted too
  bool has_variadic = false;
  bool names_arguments = false;                                 ///< of the first region, in front of it
  [[nodiscard]] int operand_slot(std::string_view name) const;  ///< -1 when there is none
  [[nodiscard]] int attr_index(std::string_view name) const;    ///< -1 when there is none
  /// The first rule of this name; nullptr when there is none.
  [[nodiscard]] const RowRule* find_rule(RuleName name) const;
};

/// The table as it is looked at most: without a call for each row. Made at the first use in every process.
struct TableView {
  std::span<const Row> rows;
  std::atomic<const Schema*>* schemas = nullptr;  ///< compiled so far
};
extern std::atomic<const TableView*> table_view;
const TableView& make_table();
inline const TableView& table() {
  const TableView* built = table_view.load(std::memory_order_acquire);
  return built != nullptr ? *built : make_table();
}

/// All rows, in a fixed order; RowId is the position.
inline std::span<const Row> rows() { return table().rows; }
inline const Row& row(RowId id) { return rows()[id]; }
/// First row of a mnemonic or nullptr; further forms of the same mnemonic follow directly (compare names).
const Row* find_row(std::string_view mnemonic);
/// The row that this `keyword` or `also` names; nullptr when there is none.
const Row* find_keyword(std::string_view word);
/// How texts write the name of an instruction.
constexpr std::string_view written_name(const Row& row) {
  return row.keyword.empty() ? row.name : row.keyword;
}
RowId id_of(const Row& row);
/// The row with which tools write an operation of this class: the first of the class.
RowId id_of(OpcodeClass opcode_class);
/// Every mnemonic, for "did you mean".
const std::vector<std::string_view>& mnemonics();
const Schema& make_schema(RowId id);
/// The compiled schema; compiled on first use, safe from several threads.
inline const Schema& schema(RowId id) {
  const Schema* done = table().schemas[id].load(std::memory_order_acquire);
  return done != nullptr ? *done : make_schema(id);
}
/// Compiles a row's strings; false and `problem` when one of them is malformed.
bool compile_schema(const Row& row, Schema& out, std::string& problem);

/// Hash over everything in the table that the object format depends on.
uint64_t table_hash();

}  // namespace pto::isa
