// --explain texts of the rules on tile operations that came with the second look at the public verifier.
#include "verify/checker.hpp"

namespace pto::legality {
namespace {

constexpr Rule kRules[] = {
    {"E0320", "precision mode", "HIGH_PRECISION exists for f16 and f32 elements only.",
     "pto.tdivs .. {precision_mode = #pto<precision_mode HIGH_PRECISION>} on i32", "Drop the attribute, or convert to f32."},
    {"E0322", "attribute and operands", "An attribute asks for something that the operands of this form do not have.",
     "pto.tmov .. {accToVecMode = ..} from vec to vec", "Drop the attribute, or use the operands it is for."},
    {"E0323", "scalar out of range", "A constant scalar operand is outside the values the instruction takes.",
     "pto.tshls ins(%a, %minus_one : ..) outs(..)", "Use a value the message allows."},
    {"W0358", "mask stream", "The mask has more valid columns than a row of bits fills. It is taken as one stream of bits over the data; the tile "
     "libraries go row by row.", "pto.tcmps of 4x64xf32 into a mask of 4x64xui8", "Give the mask ceil(columns / 8) valid columns."},
    {"E0359", "no elements", "A tile or view without a single valid element, where the instruction needs one.",
     "pto.tload into a tile with valid=0x64", "Give every dimension at least one element."},
    {"E0360", "fractal size", "The data path writes boxes of 512 bytes, and reads at most 4095 columns of the accumulator at once.",
     "pto.tmov from acc to a mat tile with fractal=1024 on a2a3", "Leave fractal= out of the type, or split the tile."},
    {"E0361", "store size", "A window of GM and the valid region stored into it hold different numbers of elements.",
     "pto.tstore of valid=32x32 into 64x64", "Make the sizes of pto.partition_view and the tile's valid= agree."},
    {"E0369", "scale tile", "The scales of an MX operand have the operand's shape, or one element per 32 of K.",
     "pto.tgemv.mx with a_scale of 1x64 for a of 1x128", "Give the scale tile one of both shapes."},
    {"E0370", "in place", "The instruction cannot write the tile that it reads.", "pto.trecip ins(%a : T) outs(%a : T) on a2a3",
     "Allocate a second tile."},
    {"E0380", "padding in mat", "In mat tfillpad works on one tile type; a source of another type exists in vec only.",
     "pto.tfillpad in mat from valid=?x? to valid=16x64, pad=1", "Give source and destination the same type, or fill in vec."},
    {"W0373", "window alignment", "Within vec the library of A2/A3 moves whole 32-byte blocks.", "pto.textract at indexCol 3 of f32 tiles",
     "Begin the window at a multiple of 32 bytes."},
    {"W0374", "table lines", "The bias table is written in lines of 64 bytes, the fixpipe's in lines of 128.",
     "pto.tmov from mat to a scaling tile of 1x16xf32", "Pad the columns of the table."},
    {"W0385", "i32 comparison", "On A2/A3 tcmp and tcmps compare i32 for equality, whatever cmpMode says. The simulator follows cmpMode.",
     "pto.tcmp {cmpMode = #pto<cmp lt>} of i32 tiles on a2a3", "Compare f32 tiles, or subtract and look at the sign."},
    {"W0386", "i32 remainder", "On A2/A3 trem and trems compute i32 through f32, which is exact within -2^24..2^24. The simulator is exact everywhere.",
     "pto.trems by 16777217 on a2a3", "Keep both operands within -16777216..16777216."},
    {"W0375", "blocks of a list", "The library of A2/A3 merges four blocks at once.", "pto.tmrgsort of 192 elements with blockLen 64",
     "Choose blockLen so that four blocks divide the list."},
};

}  // namespace

std::span<const Rule> tile_rule_texts() { return kRules; }

}  // namespace pto::legality
