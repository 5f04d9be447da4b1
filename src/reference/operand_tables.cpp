// Units and meanings of the operands of micro instructions. An operand has the same meaning in all
// instructions, unless an entry names its instructions; the first entry that matches applies.
#include "reference/operand_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "isa/rows/families.hpp"

namespace pto::reference {
namespace {

constexpr OperandMeaning kMeanings[] = {
    // ---- registers and masks
    {"mask", "", "lanes", "lanes that take part; the others of the result are 0, of a store are not written"},
    {"lhs", "mad*", "address", "left matrix in L0A"},
    {"rhs", "mad*", "address", "right matrix in L0B"},
    {"lhs", "", "lanes", "left operand"},
    {"rhs", "", "lanes", "right operand"},
    {"input", "", "lanes", "value to compute with"},
    {"scalar", "", "a value", "the same right operand for every lane"},
    {"src", "", "lanes", "value to compute with"},
    {"src0", "", "lanes", "first operand"},
    {"src1", "", "lanes", "second operand"},
    {"acc", "", "lanes", "value to add to"},
    {"carry_in", "", "mask", "carry of every lane; of subtractions: no borrow"},
    {"alpha", "", "a value", "factor of every lane"},
    {"max", "", "lanes", "value to subtract before exp"},
    {"amt", "", "lanes", "by how many the lanes move"},
    {"bin", "", "number", "which part of the histogram"},
    {"part", "", "number", "which part of the register is widened"},
    {"captures", "", "any", "values from outside that the scope uses"},
    {"index", "eventid_array*", "number", "of the entry in the array"},
    {"index", "vci", "a value", "of lane 0"},
    {"index", "", "lanes", "indices of the lanes to take"},
    {"loop", "pltm*", "number", "of the pass: lanes that came before = loop * lanes"},
    {"bound", "pltm*", "elements", "in total"},
    // ---- loads and stores of registers
    {"source", "v* p*", "address or register", "value that is read"},
    {"destination", "v* p*", "address", "where it goes"},
    {"base", "", "address", "begin of the stream"},
    {"value", "set_*", "bits", "of the register"},
    {"value", "eventid_array*", "event id", "goes into the array"},
    {"value", "v* p*", "lanes", "value to store, or a constant for every lane"},
    {"offset", "pld pst plds psts", "bytes", "behind the base address"},
    {"offset", "pldi psti", "32 bytes", "behind the base address; with US and PK 16 bytes"},
    {"offset", "sprsti", "words", "of 32 bits, behind the base address"},
    {"offset", "sprsts", "bytes", "behind the base address"},
    {"offset", "", "elements", "behind the base address"},
    {"offset_in", "", "elements", "behind the base address"},
    {"increment", "", "elements", "how far the base moves on"},
    {"offsets", "vgatherb", "bytes", "of every 32-byte block, behind the base address"},
    {"offsets", "", "elements", "of every lane, behind the base address"},
    {"block_stride", "", "32 bytes", "from block to block"},
    {"repeat_stride", "", "32 bytes", "added to the base once"},
    {"align", "", "state", "of an unaligned stream"},
    {"align_in", "", "state", "of an unaligned stream"},
    {"low", "", "lanes", "elements 0, 2, .. of the stored value"},
    {"high", "", "lanes", "elements 1, 3, .. of the stored value"},
    {"areg", "", "number", "an address register"},
    // ---- sorting
    {"indices", "", "address", "an index per element to sort"},
    {"source0", "", "address", "a sorted list"},
    {"source1", "", "address", "a sorted list"},
    {"source2", "", "address", "a sorted list"},
    {"source3", "", "address", "a sorted list"},
    {"count", "", "elements", "of the four lists, 16 bits each"},
    {"config", "vmrgsort4", "bits", "repeats [7:0], lists [11:8], stop when one list is exhausted [12]"},
    {"config", "", "bits", "meaning not documented"},
    {"repeat_times", "vbitsort", "number", "of groups of 32 elements"},
    // ---- DMA
    {"len_burst", "mte_gm_* mte_ub_gm copy_gm_* copy_ubuf_to_gm", "bytes", "of a burst"},
    {"len_burst", "mte_l1_bt copy_cbuf_to_bt", "32 bytes, a2a3: 64", "of a burst"},
    {"len_burst", "mte_l1_fb copy_cbuf_to_fbuf", "64 bytes, a2a3: 128", "of a burst"},
    {"len_burst", "", "32 bytes", "of a burst"},
    {"n_burst", "", "number", "of bursts"},
    {"nburst_src_stride", "mte_l1_ub", "32 bytes", "from the end of a burst to the next, in the source"},
    {"nburst_dst_stride", "mte_l1_ub", "32 bytes", "from the end of a burst to the next, in the destination"},
    {"nburst_src_stride", "", "bytes", "from the start of a burst to the next, in the source"},
    {"nburst_dst_stride", "", "bytes", "from the start of a burst to the next, in the destination"},
    {"loop_counts", "", "number", "of passes; the first loop is the innermost"},
    {"loop_src_strides", "", "bytes", "from pass to pass, in the source"},
    {"loop_dst_strides", "", "bytes", "from pass to pass, in the destination"},
    {"pad_value", "", "a value", "of the padding"},
    {"left_padding_count", "", "elements", "in front of each burst"},
    {"right_padding_count", "", "elements", "behind each burst"},
    {"l2_cache_ctl", "", "bits", "cache hint; changes nothing here"},
    {"l2_cache_ctrl", "", "bits", "cache hint; changes nothing here"},
    {"data_select_bit", "", "bool", "pad with the value of set_mov_pad_val"},
    {"gm_stride", "", "bytes", "from the start of a burst to the next, in GM"},
    {"ub_stride", "", "bytes", "from the start of a burst to the next, in UB"},
    {"burst_src_stride", "", "bytes", "from the start of a burst to the next, in UB"},
    {"burst_dst_stride", "", "bytes", "from the start of a burst to the next, in GM"},
    {"reserved", "", "0", "nothing"},
    {"sid", "copy_cbuf_to_ubuf", "number", "of the vector core, 0 or 1"},
    {"sid", "", "number", "of the stream; changes nothing here"},
    {"src_stride", "copy_gm_to_cbuf", "bytes", "from the start of a burst to the next, in the source"},
    {"dst_stride", "copy_gm_to_cbuf", "bytes", "from the start of a burst to the next, in the destination"},
    {"src_stride", "mte_ub_* copy_*buf_*", "32 bytes", "from the end of a burst to the next, in the source"},
    {"dst_stride", "mte_ub_* copy_*buf_*", "32 bytes",
     "from the end of a burst to the next, in the destination"},
    {"nburst_src_gap", "mte_l1_bt", "32 bytes, a2a3: 64",
     "from the end of a burst to the next, in the source"},
    {"nburst_src_gap", "mte_l1_fb", "64 bytes, a2a3: 128",
     "from the end of a burst to the next, in the source"},
    {"nburst_dst_gap", "mte_l1_bt", "32 bytes, a2a3: 64",
     "from the end of a burst to the next, in the destination"},
    {"nburst_dst_gap", "mte_l1_fb", "64 bytes, a2a3: 128",
     "from the end of a burst to the next, in the destination"},
    {"source_gap", "copy_cbuf_to_bt", "32 bytes, a2a3: 64",
     "from the end of a burst to the next, in the source"},
    {"source_gap", "copy_cbuf_to_fbuf", "64 bytes, a2a3: 128",
     "from the end of a burst to the next, in the source"},
    {"dst_gap", "copy_cbuf_to_bt", "32 bytes, a2a3: 64",
     "from the end of a burst to the next, in the destination"},
    {"dst_gap", "copy_cbuf_to_fbuf", "64 bytes, a2a3: 128",
     "from the end of a burst to the next, in the destination"},
    {"conv_control", "", "bool",
     "convert f16 to f32 during the transfer, which doubles the burst in the table"},
    // ---- GM to L1 in fractals
    {"n_value", "", "elements", "rows of the matrix"},
    {"d_value", "", "elements", "columns of the matrix"},
    {"src_inner_stride", "", "bytes", "from row to row, in GM; of dn2nz from column to column"},
    {"src_outer_stride", "", "bytes", "from matrix to matrix, in GM"},
    {"loop1_src_stride", "", "bytes", "from row to row, in GM; of dn2nz from column to column"},
    {"loop4_src_stride", "", "bytes", "from matrix to matrix, in GM"},
    {"group_count", "", "number", "of matrices"},
    {"dst_loop2_stride", "", "32 bytes", "from row to row, in L1"},
    {"dst_loop3_stride", "", "32 bytes", "from block of 32 bytes to block, in L1"},
    {"dst_loop4_stride", "", "32 bytes", "from matrix to matrix, in L1"},
    {"smallc0_en", "", "bool", "small channels; refused"},
    // ---- fills
    {"raw_value", "", "bits", "of the word that fills, 16 or 32 bits"},
    {"repeat_times", "", "number", "of stretches"},
    {"block_num_32b", "", "32 bytes", "of a stretch"},
    {"dst_gap_32b", "", "32 bytes", "from the end of a stretch to the next"},
    {"byte_offset", "", "bytes", "behind the destination"},
    // ---- cube
    {"m", "", "elements", "rows of the result"},
    {"n", "", "elements", "columns of the result"},
    {"k", "", "elements", "dimension of the sum"},
    {"dst", "", "address", "where the result goes"},
    {"bias", "", "address", "a value per column, in the bias table"},
    {"start_row", "", "fractals", "rows that are left out"},
    {"start_col", "", "fractals", "columns that are left out"},
    {"m_start", "", "fractals", "first row of fractals"},
    {"k_start", "", "fractals", "first column of fractals; of packed 4-bit values bytes"},
    {"m_step", "", "fractals", "in a column"},
    {"k_step", "", "fractals", "columns"},
    {"x_start", "", "slices", "of scales, first"},
    {"y_start", "", "fragments", "of a slice, first"},
    {"x_start_position", "", "slices", "of scales, first"},
    {"y_start_position", "", "fragments", "of a slice, first"},
    {"x_step", "", "slices", "of scales"},
    {"y_step", "", "fragments", "of a slice"},
    {"transpose", "", "bool", "each fractal is transposed"},
    {"src_stride", "mte_l1_l0?_mx load_cbuf_to_c?_mx", "fragments", "from slice to slice, in L1"},
    {"dst_stride", "mte_l1_l0?_mx load_cbuf_to_c?_mx", "fragments", "from slice to slice, in L0"},
    {"src_stride", "mte_l1_l0* load_cbuf_*", "fractals", "from column to column, in L1"},
    {"dst_stride", "mte_l1_l0* load_cbuf_*", "fractals", "from column to column, in L0"},
    {"xt", "mad*", "bits",
     "m [11:0], k [23:12], n [35:24], disable_gemv [61], start from bias [62], from zero [63]"},
    // ---- fixpipe
    {"src_stride", "mte_l0c_*", "64 bytes", "rows of 16 accumulators, from block of 16 columns to block"},
    {"dst_stride", "mte_l0c_*", "elements", "from row to row; of nz2nz from block of columns to block"},
    {"pre_quant", "", "a factor or address",
     "of the quantisation: one, or one per column in the fixpipe buffer"},
    {"pre_relu", "", "a slope or address", "of the ReLU: one, or one per column in the fixpipe buffer"},
    {"clip_value", "", "a value", "upper bound"},
    {"split", "", "bool", "blocks of 8 columns instead of 16"},
    {"loop0_src_stride", "", "64 bytes", "rows of 16 accumulators, from row to row"},
    {"loop3_count", "", "number", "of matrices"},
    {"loop3_src_stride", "", "64 bytes", "rows of 16 accumulators, from matrix to matrix"},
    {"loop3_dst_stride", "", "elements", "from matrix to matrix"},
    {"sub_blockid", "", "number", "of the vector core, 0 or 1"},
    {"xm", "", "bits", "n [15:4], m [31:16], destination stride [63:32]"},
    {"xt", "", "bits",
     "source stride [15:0], clip [30], quantisation [38:34] and [29], ReLU [41:39], split [42], nz2nd [43], "
     "nz2dn [62]"},
    {"config0", "", "bits", "as xm of copy_matrix_cc_to_gm"},
    {"config1", "", "bits", "as xt of copy_matrix_cc_to_gm"},
    {"first", "", "a number", "the lower half of the register"},
    {"second", "", "a number", "the upper half of the register"},
    // ---- synchronisation
    {"event_id_dyn", "", "event id", "known when the program runs"},
    {"event_id", "", "event id", "known when the program runs"},
    {"buf_id", "", "buffer id", "of the token"},
    {"array", "", "array", "of event ids"},
    {"core_id", "", "number", "of the core"},
    {"pipe", "", "number", "of the pipe"},
    {"sem_id", "", "number", "of the semaphore"},
    {"ffts", "", "address", "of the flags between cores"},
    {"events", "", "operations", "accesses to order"},
    {"gm_workspace", "", "address", "where the cores count each other"},
    {"used_cores", "", "number", "of cores that meet"},
    // ---- what is left
    {"source", "", "address", "value that is read"},
    {"destination", "", "address", "where it goes"},
};

/// `text` against a pattern with `*` (any characters) and `?` (one).
bool fits(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*')
    return fits(pattern.substr(1), text) || (!text.empty() && fits(pattern, text.substr(1)));
  return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) &&
         fits(pattern.substr(1), text.substr(1));
}

bool speaks_of(const OperandMeaning& meaning, std::string_view mnemonic) {
  if (meaning.instructions.empty()) return true;
  std::string_view rest = meaning.instructions;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size());
    if (fits(rest.substr(0, end), mnemonic)) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

}  // namespace

std::span<const OperandMeaning> operand_meanings() { return kMeanings; }

bool is_micro(const FormFacts& form) {
  return form.layer == "vector" || form.layer == "dma" || form.layer == "cube" || form.layer == "sync";
}

const OperandMeaning* meaning_of(const FormFacts& form, std::string_view operand) {
  std::string_view mnemonic = form.row->name;
  mnemonic.remove_prefix(mnemonic.find('.') + 1);  // the dialect; npos + 1 is 0
  const auto found = std::ranges::find_if(kMeanings, [&](const OperandMeaning& meaning) {
    return meaning.operand == operand && speaks_of(meaning, mnemonic);
  });
  return found == std::end(kMeanings) ? nullptr : found;
}

std::string operands_page() {
  std::map<const OperandMeaning*, std::vector<std::string>> uses;
  size_t begin = 0;
  for (const isa::Family& family : isa::families()) {
    for (const isa::Row& row : isa::rows().subspan(begin, family.rows.size())) {
      if ((row.flags & isa::kAlias) != 0) continue;
      const FormFacts form = facts_of(row);
      if (!is_micro(form)) continue;
      for (const OperandFacts& operand : form.operands) {
        const OperandMeaning* meaning = meaning_of(form, operand.name);
        if (meaning == nullptr) continue;
        const std::string link = fmt::format("[{}]({}.md#{})", row.name, family.name, anchor_of(row.name));
        std::vector<std::string>& links = uses[meaning];
        if (std::ranges::find(links, link) == links.end()) links.push_back(link);
      }
    }
    begin += family.rows.size();
  }
  std::string text =
      "# Operands of micro instructions\n\nThe units and the purpose of the operands of vector, DMA, cube, "
      "fixpipe and synchronisation instructions. An operand has the same meaning in all instructions, unless "
      "the table names the instructions. [How to read the reference](README.md); results to the bit: "
      "[../numerics.md](../numerics.md).\n\n| operand | counts | is | in "
      "|\n|---|---|---|---|\n";
  for (const auto& [meaning, where] : uses) {  // in the order of the table above
    constexpr size_t kMaxLinks = 4;
    std::string links;
    for (size_t i = 0; i < std::min(where.size(), kMaxLinks); ++i) links += (i ? ", " : "") + where[i];
    if (where.size() > kMaxLinks) links += fmt::format(" and {} others", where.size() - kMaxLinks);
    text += fmt::format("| `%{}` | {} | {} | {} |\n", meaning->operand, meaning->unit, meaning->words, links);
  }
  return text;
}

}  // namespace pto::reference
