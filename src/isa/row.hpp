// The instruction table: one Row per instruction form, and the Schema compiled from it.
//
// A Row states everything about an instruction except what it computes (src/exec, registered by the row's name) and how
// long it takes (sim-configs, keyed by the row's cost class). Rows stand in per-family files src/isa/rows/*.cpp as
// aligned constexpr arrays; the strings are small languages, compiled to a Schema when the row is first used.
//
// operands   "src0:tile src1:tile tmp:tile?=tmp dst:tile=out"   name:kind[?|*][=role], in slot order.
//            This is the order of the public operand lists (`operands` column of the fact base); exec functions use it.
//            kind: tile view tview ptr memref vreg mask align i1 i8 i16 i32 i64 index int float scalar vector pipe
//            async_session async_event eventid_array local_array any,
//            or several joined with '|'. ? optional, * variadic. role: in (default), out, inout, tmp.
// results    "mask:mask rest:i32?"                              name:kind[?|*]
// attrs      "rmode:round_mode=CAST_RINT sat_mode:saturation_mode? nofit:unit"   name:type[?][=default]
//            type: an enum of src/isa/enums.cpp, or int i32 i64 float bool unit string symbol ints type any.
//            Neither ? nor =default: required.
// syntax     how the operation is written (grammar below); "@dps" and friends for the standard tile forms.
// types      element types per target (grammar below); "" = any, "-" = the target does not have the instruction.
// rules      legality rules by name, separated by spaces, each implemented once in src/verify; `a2a3.` or `a5.` in front: of
//            one target. `exempt:src` and `in_place:src` demand nothing: element types do not speak of the operand; the
//            destination may be this source (the library's sequence of instructions reads it before it writes).
// pipe       "S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX", "none" (descriptor or structure: no time, no queue),
//            "@attr" (the pipe named by an attribute), or a rule name beginning with ':' (see pipe_of).
// cost       the class sim-configs bind: "<layer>.<mnemonic>" ("tile.tadd", "vec.vadd", "cube.mad", "dma.mte_gm_ub", "sync.set_flag"),
//            or a shared name where instructions cannot differ ("scalar", "control"); forms on several pipes: "tile.tmov.vec".
//
// Syntax strings: words and punctuation stand for themselves; `$x` an operand (`%v`), a variadic one (comma list) or an
// attribute (enum keyword, literal, or the attribute's name for unit); `type($x)` the type of an operand, result or
// attribute (comma list for variadics); `type~($x)` the same with the `!pto.kind` prefix elidable; `{attrs}` the
// dictionary of attributes not written elsewhere; `(...)?` an optional group, present when its first `$x` is;
// `(...)*` a group repeated over variadics in step; `region`. A paren group without ? or * is literal parentheses.
//   list $attr..   $operands.., $attr.. {attrs} : types of the operands -> types of the results
//   @dps           ins($ins.. : types) outs($outs.. : types) {attrs}
//   @dps_in        the attribute dictionary stands inside ins(...)
//   @none          no textual form: the name is known, and refused
//   @custom:NAME   parsed and printed by the hooks of this name (src/asm/hooks.hpp)
// Every @dps row also has the level 1 SSA form, the PTO-AS form, and every row the generic "pto.x"(..) form.
//
// Types strings: alternatives separated by ' '; an alternative is one element type that all operands marked by kind tile,
// vreg, view, ptr and scalar share (those named in `rules` as exempt excluded), or a tuple "src:f32,dst:f16|bf16"
// ("=" the same as the tuple's first). i8 is any signedness, s8 signed or signless, u8 unsigned.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pto/machine.hpp"
#include "pto/program.hpp"
#include "pto/type.hpp"

namespace pto::isa {

enum class Layer : uint8_t { tile, vector, cube, dma, scalar, sync, system, control };

enum RowFlag : uint32_t {
  kNone = 0,
  kNotExecuted = 1,    ///< semantics not written yet: pto-sim refuses by name, exit 3
  kTerminator = 2,     ///< ends its region (return, scf.yield, scf.condition)
  kVecScope = 4,       ///< only inside a vecscope
  kNoVecScope = 8,     ///< only outside a vecscope
  kRegion = 16,        ///< has one or more regions
  kAlias = 32,         ///< another spelling; `syntax` names the row it means
  kModeWrite = 64,     ///< changes a control register
};

struct Row {
  std::string_view name;         ///< full mnemonic; forms of one mnemonic that differ in pipe or operands: several rows
  Layer layer;
  std::string_view operands;
  std::string_view results;
  std::string_view attrs;
  std::string_view syntax;
  std::string_view types_a2a3, types_a5;   ///< cpu accepts what either accepts
  std::string_view rules;
  std::string_view pipe;
  std::string_view cost;         ///< cost class; "" only for pipe "none"
  uint32_t flags;
  std::string_view doc;          ///< one line
};

enum class Role : uint8_t { in, out, inout, tmp };
enum class Arity : uint8_t { one, optional, variadic };

/// Operand kinds as a bit set.
enum Kind : uint32_t {
  kTile = 1u << 0, kView = 1u << 1, kTView = 1u << 2, kPtr = 1u << 3, kMemRef = 1u << 4, kVReg = 1u << 5, kMask = 1u << 6,
  kAlign = 1u << 7, kI1 = 1u << 8, kI8 = 1u << 9, kI16 = 1u << 10, kI32 = 1u << 11, kI64 = 1u << 12, kIndex = 1u << 13,
  kInt = 1u << 14, kFloat = 1u << 15, kScalar = 1u << 16, kVector = 1u << 17, kPipeHandle = 1u << 18,
  kAsyncSession = 1u << 19, kAsyncEvent = 1u << 20, kEventIdArray = 1u << 21, kLocalArray = 1u << 22, kAny = 1u << 31,
};

struct OperandSpec {
  std::string_view name;
  uint32_t kinds = 0;
  Role role = Role::in;
  Arity arity = Arity::one;
};

struct EnumCase { std::string_view name; int64_t value; };
/// How a value is printed: `keyword`, `"string"`, `#pto<name keyword>` or `#pto.name<keyword>`. All are accepted.
enum class EnumStyle : uint8_t { keyword, string, angle, dotted };
/// `name` is also the attribute's mnemonic. The first case of a value is canonical, later ones are accepted aliases.
struct EnumDomain {
  std::string_view name;
  std::span<const EnumCase> cases;
  EnumStyle style = EnumStyle::keyword;
};
const EnumDomain* find_enum(std::string_view name);
const EnumCase* find_case(const EnumDomain& domain, std::string_view name);   ///< nullptr when there is none
std::string_view case_name(const EnumDomain& domain, int64_t value);          ///< canonical spelling or ""
std::span<const EnumDomain> enum_domains();

enum class AttrType : uint8_t { enumerant, integer, floating, boolean, unit, string, symbol, ints, type, any };
struct AttrSpec {
  std::string_view name;
  AttrType type = AttrType::any;
  const EnumDomain* domain = nullptr;   ///< enumerant
  bool required = false;
  bool has_default = false;
  int64_t default_int = 0;              ///< enumerant, integer, boolean
  std::string_view default_text;        ///< as written in the row
};

/// One element of a compiled syntax string.
struct SyntaxNode {
  enum class Kind : uint8_t { word, punct, operand, attr, type_operand, type_result, type_attr, attr_dict, region, optional, repeat, group } kind;
  std::string_view text;                ///< word, punct
  uint16_t index = 0;                   ///< slot, attribute or result index
  bool elidable = false;                ///< type~
  std::vector<SyntaxNode> children;     ///< optional, repeat, group
};

struct Schema {
  const Row* row = nullptr;
  RowId id = 0;
  std::vector<OperandSpec> operands;
  std::vector<OperandSpec> results;
  std::vector<AttrSpec> attrs;
  std::vector<SyntaxNode> syntax;       ///< empty for @-forms
  bool has_variadic = false;
  [[nodiscard]] int operand_slot(std::string_view name) const;   ///< -1 when there is none
  [[nodiscard]] int attr_index(std::string_view name) const;     ///< -1 when there is none
};

/// All rows, in a fixed order; RowId is the position.
std::span<const Row> rows();
inline const Row& row(RowId id) { return rows()[id]; }
/// First row of a mnemonic or nullptr; further forms of the same mnemonic follow directly (compare names).
const Row* find_row(std::string_view mnemonic);
RowId id_of(const Row& row);
/// Every mnemonic, for "did you mean".
const std::vector<std::string_view>& mnemonics();
/// The compiled schema; compiled on first use, safe from several threads.
const Schema& schema(RowId id);
/// Compiles a row's strings; false and `problem` when one of them is malformed.
bool compile_schema(const Row& row, Schema& out, std::string& problem);

/// Hash over everything in the table that the object format depends on.
uint64_t table_hash();

/// The pipe an operation of the program runs on (rule pipes look at operand types). Pipe::none for descriptors.
Pipe pipe_of(const OpView& op);
/// Whether the row's pipe column is well-formed.
bool known_pipe(const Row& row);

}  // namespace pto::isa
