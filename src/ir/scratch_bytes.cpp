// Sources: the public device headers, pto-isa include/pto/npu/a2a3 and a5, as each function says.
#include "ir/scratch_bytes.hpp"

#include <algorithm>

#include "ir/instruction_phases.hpp"
#include "isa/row_numbers.hpp"
#include "support/strings.hpp"

namespace pto::isa {
namespace {

constexpr uint64_t kBlock = 32, kRepeat = 256;

uint64_t count(int64_t number) { return static_cast<uint64_t>(std::max<int64_t>(number, 0)); }
uint64_t ceil_div(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

/// An operation with the extents of its tiles.
class Shapes {
 public:
  Shapes(const OpView& op, const std::function<Extents(unsigned)>& extents) : op_(op), extents_(extents) {}

  [[nodiscard]] bool has(std::string_view name) const {
    const int slot = slot_of(name);
    return slot >= 0 && op_.operand(static_cast<unsigned>(slot)) != kNoValue;
  }
  [[nodiscard]] const Type& type(std::string_view name) const {
    return op_.type(static_cast<unsigned>(slot_of(name)));
  }
  [[nodiscard]] uint64_t rows(std::string_view name) const { return count(extents(name).rows); }
  [[nodiscard]] uint64_t cols(std::string_view name) const { return count(extents(name).cols); }
  [[nodiscard]] uint64_t width(std::string_view name) const { return byte_width(type(name).elem); }
  [[nodiscard]] uint64_t pitch(std::string_view name) const { return count(type(name).cols()) * width(name); }
  [[nodiscard]] uint64_t bytes(std::string_view name) const { return tile_bytes(type(name)); }
  [[nodiscard]] const OpView& op() const { return op_; }

 private:
  [[nodiscard]] int slot_of(std::string_view name) const {
    return isa::schema(op_.op().row).operand_slot(name);
  }
  [[nodiscard]] Extents extents(std::string_view name) const {
    return extents_(static_cast<unsigned>(slot_of(name)));
  }
  const OpView& op_;
  const std::function<Extents(unsigned)>& extents_;
};

using Parts = std::vector<ScratchPart>;

Parts first_bytes(uint64_t bytes) { return {{.row_bytes = bytes, .pitch = bytes}}; }

Parts nothing(const Shapes&) { return {}; }

/// One number (pto-isa a2a3/TSels.hpp:34-36).
Parts element(const Shapes& op) {
  return {{.row_bytes = op.width("src"), .pitch = op.width("src"), .early = true}};
}

/// The address of a row's mask, 16 bytes for halves and 8 for words (pto-isa a2a3/TSel.hpp:34-52).
Parts selection(const Shapes& op) { return first_bytes(op.width("dst") == 4 ? 8 : 16); }

/// A repeat of quotients, and 64 bits of comparison in the second row (pto-isa a2a3/TRem.hpp:26-56, 129-140).
Parts remainder(const Shapes& op) {
  const uint64_t columns = std::min<uint64_t>(op.cols("dst") * op.width("dst"), kRepeat);
  return {{.row_bytes = columns, .pitch = columns}, {.begin = op.pitch("tmp"), .row_bytes = 8, .pitch = 8}};
}

/// A row of quotients (pto-isa a2a3/TRemS.hpp:21-60, 120-124).
Parts one_row(const Shapes& op) { return first_bytes(op.cols("dst") * op.width("dst")); }

/// As many elements as the valid region of the destination (pto-isa a2a3/TXor.hpp:54, pto-isa
/// TBitwiseSOp.hpp:130, pto-isa TPow.hpp:173, pto-isa TAddDeqRelu.hpp:109).
Parts like_destination(const Shapes& op) {
  return {{.rows = op.rows("dst"), .row_bytes = op.cols("dst") * op.width("tmp"), .pitch = op.pitch("tmp")}};
}

/// Like the valid region of the source, in words of 32 bits (pto-isa a2a3/TQuant.hpp:49-60).
Parts like_source(const Shapes& op) {
  return {
      {.rows = op.rows("src"), .row_bytes = op.cols("src") * 4, .pitch = count(op.type("src").cols()) * 4}};
}

/// A bit per element and row, and one row more for the selection (pto-isa a2a3/TPrelu.hpp:54-64).
Parts comparison_rows(const Shapes& op) {
  return {{.rows = op.rows("dst"), .row_bytes = ceil_div(op.cols("dst"), 8), .pitch = op.pitch("tmp")},
          {.begin = op.rows("dst") * op.pitch("tmp"), .row_bytes = 16, .pitch = 16}};
}

/// Two stages of 128 floats, for halves four (pto-isa a2a3/TCI.hpp:60-82, 151-187).
Parts ramp(const Shapes& op) { return first_bytes(op.width("dst") == 4 ? 768 : 1792); }

/// Rows of at most one repeat are reduced at once. Longer ones are folded to one repeat a row, and for sums
/// to half of the row (pto-isa a2a3/TRowReduceOps.hpp:160-183, 295-345; pto-isa TRowSum.hpp:48-65). Four
/// shapes of f32 work in a dense part at the begin (pto-isa TRowReduceOps.hpp:36-113).
Parts folded_rows(const Shapes& op) {
  const uint64_t row = op.cols("src") * op.width("src");
  if (row <= kRepeat) return {};
  return {
      {.rows = op.rows("src"), .row_bytes = std::min(kRepeat, op.pitch("tmp")), .pitch = op.pitch("tmp")}};
}

/// One block, the product of all blocks of a row (pto-isa a2a3/TRowProd.hpp:40-70).
Parts one_block(const Shapes&) { return first_bytes(kBlock); }

/// Pairs of value and position: of rows of one repeat two elements a row, and nothing where positions alone
/// are wanted (pto-isa a2a3/TRowReduceIdxOps.hpp:304-331); else pairs of all repeats of a row, and what these
/// are reduced to (pto-isa a2a3/TRowReduceIdxOps.hpp:66-97, 140-153).
Parts row_indices(const Shapes& op) {
  const uint64_t width = op.width("src"), row = op.cols("src") * width;
  if (row <= kRepeat) return op.has("dstVal") ? first_bytes(op.rows("src") * 2 * width) : Parts{};
  const uint64_t values = ceil_div(row, kRepeat) * width;
  const auto blocks = [](uint64_t bytes) { return ceil_div(bytes, kBlock) * kBlock; };
  return {
      {.rows = op.rows("src"), .row_bytes = blocks(2 * values) + blocks(values), .pitch = op.pitch("tmp")}};
}

/// Comparison and value of a repeat of columns, and of 16-bit elements whose values nobody wants the position
/// (pto-isa a2a3/TColReduceIdx.hpp:129-145, 255).
Parts column_indices(const Shapes& op) {
  const uint64_t elements = kRepeat / op.width("src"), blocks = kBlock / op.width("src");
  const uint64_t gap = op.cols("src") >= elements ? elements : ceil_div(op.cols("src"), blocks) * blocks;
  const uint64_t parts = op.width("src") == 2 && !op.has("dstVal") ? 3 : 2;
  return first_bytes(parts * gap * op.width("src"));
}

/// Sums of pairs of rows (pto-isa a2a3/TColSum.hpp:58-77); only where it is asked for.
Parts pairs_of_rows(const Shapes& op) {
  if (op.op().attr_int("isBinary") == 0) return {};
  return {
      {.rows = op.rows("src") / 2, .row_bytes = op.cols("src") * op.width("src"), .pitch = op.pitch("tmp")}};
}

/// The same on A5, where a repeat of columns is summed at a time, and one row alone is kept there too
/// (pto-isa a5/TColSum.hpp:69-108).
Parts pairs_of_repeats(const Shapes& op) {
  if (op.op().attr_int("isBinary") == 0 || op.rows("src") == 0) return {};
  return {{.rows = std::max<uint64_t>(op.rows("src") / 2, 1),
           .row_bytes = std::min(op.cols("src") * op.width("src"), kRepeat),
           .pitch = op.pitch("tmp")}};
}

/// A block a row, of at most 30 times 8 rows where there are 256 (pto-isa a2a3/TRowExpandBinOp.hpp:63-129).
Parts blocks_of_rows(const Shapes& op) {
  const uint64_t rows = op.rows("dst");
  return first_bytes(std::min<uint64_t>(ceil_div(rows, 8), rows < 256 ? 32 : 30) * kRepeat);
}

/// Rows that are no multiple of 32 columns are copied there in blocks, filled and sorted
/// (pto-isa a2a3/TSort32.hpp:120-137, pto-isa a5/TSort32.hpp:132-159). The fill reaches further, to 32
/// columns, in the headers only: a public test of the A5 templates has no room for it.
Parts sorted_row(const Shapes& op) {
  constexpr uint64_t kMaxLength = 8160;  // of longer rows only the tail is copied
  const uint64_t row = op.cols("src") * op.width("src");
  if (op.cols("src") % 32 == 0 || row > kMaxLength) return {};
  return first_bytes(std::min(ceil_div(row, kBlock) * kBlock, op.bytes("tmp")));
}

/// Byte offsets of all indices (pto-isa a2a3/TGather.hpp:75-85). By comparison: a bit per element in the
/// tile; behind the tile an index per element, which the scalar unit writes before it waits for anything
/// (pto-isa a2a3/TGather.hpp:167-170, 282-290); behind those the converted number of every row, in whole
/// repeats (pto-isa a2a3/TGather.hpp:172-181).
Parts gathering(const Shapes& op) {
  if (op.has("indices"))
    return {{.rows = op.rows("indices"), .row_bytes = op.cols("indices") * 4, .pitch = op.pitch("tmp")}};
  if (!op.has("kValue")) return {};
  const uint64_t masks = op.bytes("tmp");
  const uint64_t indices = count(op.type("src").rows()) * count(op.type("src").cols()) * 4;
  const uint64_t numbers = op.type("src").elem == Elem::i32
                               ? count(op.type("src").rows()) * 4
                               : ceil_div(op.rows("src"), kRepeat / op.width("src")) * kRepeat;
  return {{.row_bytes = masks, .pitch = masks},
          {.begin = masks, .row_bytes = indices, .pitch = indices, .early = true},
          {.begin = masks + indices, .row_bytes = numbers, .pitch = numbers}};
}

struct Extent {
  std::string_view name, words;
  Parts (*parts)(const Shapes&);
  bool has_rule = false;
  bool or_source =
      false;  ///< a tile with the valid region of src is always taken, as the public assembler does
};
constexpr Extent kExtents[] = {
    {"none", "nothing", nothing},
    {"element", "one element", element},
    {"selection", "8 bytes, of 16-bit elements 16", selection, true},
    {"remainder", "a repeat of 256 bytes, and 8 bytes of its second row", remainder, true},
    {"one_row", "a row of dst", one_row, true},
    {"like_destination", "the valid region of dst", like_destination},
    {"like_source", "the valid region of src in words of 32 bits", like_source},
    {"comparison_rows", "a bit per element of dst, and 16 bytes behind those rows", comparison_rows, true},
    {"ramp", "768 bytes, of 16-bit elements 1792", ramp, true},
    {"folded_rows", "256 bytes of each row where a row of src is longer than that", folded_rows},
    {"one_block", "32 bytes", one_block},
    {"row_indices",
     "two elements a row where values are wanted, of rows longer than 256 bytes pairs in each row",
     row_indices, false, true},
    {"column_indices", "two rows of at most 256 bytes, of 16-bit positions alone three", column_indices,
     false, true},
    {"pairs_of_repeats", "256 bytes of half of the rows of src where isBinary is set", pairs_of_repeats},
    {"pairs_of_rows", "half of the rows of src where isBinary is set", pairs_of_rows, true},
    {"blocks_of_rows", "a block of 32 bytes a row of dst", blocks_of_rows, true},
    {"sorted_row", "a row of src where its columns are no multiple of 32", sorted_row},
    {"gathering",
     "by index an offset per index; by comparison all of it, and behind it 4 bytes per element of src and a "
     "number per row",
     gathering, true},
};

unsigned src_slot(const OpView& op) {
  return static_cast<unsigned>(isa::schema(op.op().row).operand_slot("src"));
}

void add_shared(const Schema& schema, std::string_view names, std::vector<uint8_t>& shared) {
  for (const std::string_view name : split(names, ',')) {
    if (const int slot = schema.operand_slot(name); slot >= 0) shared.push_back(static_cast<uint8_t>(slot));
  }
}

}  // namespace

std::string_view scratch_words(std::string_view name) {
  const auto* known = std::ranges::find(kExtents, name, &Extent::name);
  return known == std::end(kExtents) ? std::string_view() : known->words;
}

uint64_t Scratch::end() const {
  uint64_t end = 0;
  for (const ScratchPart& part : parts) end = std::max(end, part.end());
  return end;
}

std::optional<unsigned> scratch_slot(const OpView& op) {
  const RowId id = op.op().row;
  const Row& row = isa::row(id);
  if (row.layer != Layer::tile) return std::nullopt;
  static RowNumbers known;  // behind the slot; 0: the row has none
  const uint8_t behind = known.of(id, [&] { return isa::schema(id).operand_slot("tmp") + 1; });
  if (behind == 0) return std::nullopt;
  const unsigned slot = behind - 1U;
  if (op.operand(slot) == kNoValue || !op.type(slot).is_tile()) return std::nullopt;
  if (op.program().target == Target::a5 && (row.flags & kTmpOnA2a3) != 0) return std::nullopt;
  return slot;
}

std::optional<Scratch> scratch_of(const OpView& op, const std::function<Extents(unsigned)>& extents) {
  const std::optional<unsigned> slot = scratch_slot(op);
  if (!slot) return std::nullopt;
  const Schema& schema = isa::schema(op.op().row);
  Scratch built{.slot = *slot};
  const Shapes shapes(op, extents);
  for (const RowRule& rule : schema.rules) {
    if (rule.id != RuleName::scratch_on && rule.id != RuleName::scratch) continue;
    if (!rule.holds_on(op.program().target) || !condition_holds(op, rule.condition())) continue;
    if (rule.id == RuleName::scratch_on) {
      add_shared(schema, rule.words(), built.shared);
      continue;
    }
    const auto* known = std::ranges::find(kExtents, rule.words(), &Extent::name);
    if (known == std::end(kExtents)) continue;
    built.stated = true;
    const bool like_tmp = std::ranges::any_of(schema.rules, [](const RowRule& each) {
      return each.id == RuleName::tmp_valid ||
             (each.id == RuleName::same_valid && each.argument == "src,tmp");
    });
    const bool like_source = known->or_source && op.type(built.slot).valid == op.type(src_slot(op)).valid;
    built.has_rule = known->has_rule || like_source || like_tmp;
    built.parts = known->parts(shapes);
    std::erase_if(built.parts, [](const ScratchPart& part) { return part.rows == 0 || part.row_bytes == 0; });
  }
  return built;
}

std::optional<Scratch> scratch_of(const OpView& op, OpenExtents open) {
  if (!scratch_slot(op)) return std::nullopt;
  return scratch_of(op, [&](unsigned slot) {
    const Type& type = op.type(slot);
    const auto known = [&](int64_t valid, int64_t whole) {
      if (valid != kDynamic) return valid;
      return open == OpenExtents::most ? whole : int64_t{1};
    };
    return Extents{known(type.valid[0], type.rows()), known(type.valid[1], type.cols())};
  });
}

}  // namespace pto::isa
