// --explain texts of the rules on memrefs and on blocks, and of what is only a warning because the public assembler takes it
// (E0440 to E0459, W0440 to W0459).
#include "verify/checker.hpp"

namespace pto::legality {
namespace {

constexpr Rule kRules[] = {
    {"E0440", "sizes of an allocation", "A memref.alloc has a size operand for every '?' of its type, and no other.", "memref.alloc() : memref<?x16xf32>",
     "Give as many sizes as the type has '?'."},
    {"E0441", "indices", "An element of a memref is named by one index per dimension.", "memref.load %m[%i] : memref<16x16xf32>", "Give an index for every dimension."},
    {"E0442", "element types of a memref", "A cast or copy of a memref keeps its element type.", "memref.cast %m : memref<16xf32> to memref<16xi32>",
     "Use one element type; memref.view reads bytes as another type."},
    {"E0443", "end of a block", "Every block ends with an operation that says where to go on: cf.br, cf.cond_br or func.return.", "^bb1: followed by an operation that is no terminator",
     "Add cf.br ^next at the end of the block."},
    {"E0444", "branch target", "A branch names a block that its region does not have, or the region's first block.", "cf.br ^bb7 without a ^bb7:", "Correct the name; the message lists the blocks."},
    {"E0445", "values for a block", "A branch hands over one value of the right type for every argument of the block.", "cf.br ^bb1(%x : i32) to ^bb1(%a: index):",
     "Pass the values that the block's label lists."},
    {"E0446", "blocks in a structured region", "Only func.func and scf.execute_region have several blocks.", "^bb1: inside scf.for", "Use scf.if or scf.while, or put the blocks into scf.execute_region."},
    {"E0447", "block label", "Two blocks of a region have the same name.", "^bb1: .. ^bb1:", "Rename one of them."},
    {"E0448", "cases of a switch", "scf.index_switch has one region per case and one for default; a case is named once.", "case 1 {..} case 1 {..}", "Give every case another number."},
    {"E0449", "beyond the planner", "Buffers of memref.alloc and jumps between blocks get no addresses and flags yet.", "pto-sim on a program with memref.alloc",
     "Use pto.alloc_tile, and scf in place of cf."},
    {"E0450", "extents of a memref", "A memref on the chip that an instruction takes as a tile has at least one dimension, no empty one, and fits a memory.",
     "pto.tload outs(%m : memref<0x16xf16, #pto.address_space<vec>>)", "Correct the extents; '?' leaves them open."},
    {"W0440", "idle pipe", "A flag with a computed number names a pipe on which no instruction runs. The public assembler takes it.",
     "pto.wait_flag_dyn [<PIPE_MTE3>, <PIPE_MTE4>, %id]", "Name the pipe that the ordered instruction runs on."},
    {"W0441", "scratch rows", "On A2/A3 the scratch tile of trem holds two rows: results and the comparison mask. The public assembler does not check it.",
     "pto.trem with a tmp of 1x64", "Allocate tmp with two rows."},
    {"W0443", "acc to vec", "A2/A3 cannot move from the accumulator to UB, only A5 can. The public assembler takes it for every chip.",
     "pto.tmov from acc to vec on a2a3", "Store the accumulator to GM and load it from there."},
    {"W0442", "scaling buffer", "A tile is larger than the scaling buffer, whose size the public assembler does not know.", "!pto.tile_buf<scaling, 32x32xf32> on a2a3",
     "Split the tile."},
};

}  // namespace

std::span<const Rule> memref_rule_texts() { return kRules; }

}  // namespace pto::legality
