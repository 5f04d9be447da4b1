// Rules of the micro layers, for --explain.
#include "verify/checker.hpp"

namespace pto::legality {
namespace {

constexpr Rule kRules[] = {
    {"E0550", "one type", "Operands and results that must have one type differ, be it in the sign of the elements only.",
     "pto.vadd %a, %b, %m : !pto.vreg<64xi32>, !pto.vreg<64xui32>, ..", "Use one type; pto.vbitcast reads the same bits under another."},
    {"E0551", "mask granularity", "A mask has a bit per lane, so its granularity is the width of the lanes: b8, b16 or b32. Masks of one instruction agree.",
     "pto.vabs %v, %m : !pto.vreg<64xf32>, !pto.mask<b16> -> ..", "Make the mask with the pset, pge or plt of the width, or reread it with pto.pbitcast."},
    {"E0552", "an offset per lane", "Gather and scatter take one offset for every lane of the data, so both registers have as many lanes.",
     "pto.vgather2 of !pto.vreg<64xf32> with offsets !pto.vreg<128xi16>", "Choose elements of one width for data and offsets."},
    {"E0553", "integers in a register", "Offsets and lane numbers are integers, of 32 bits or of the width of the data.",
     "pto.vscatter %v, %ub, %o, %m with offsets !pto.vreg<128xi16>", "Use an integer register of the width the message names."},
    {"E0555", "scalar beside a register", "A scalar operand is one element of the register; a signless integer may stand for either sign. Shift counts are i16.",
     "pto.vadds %v, %i, %m : !pto.vreg<64xf32>, i32, ..", "Convert the scalar."},
    {"E0556", "rounding or saturation", "rnd and sat belong to conversions that round or can overflow; there they are needed, elsewhere they have no meaning.",
     "pto.vcvt %v, %m {part = \"EVEN\"} from f32 to f16", "Write or drop the attribute as the message says."},
    {"E0557", "position of a scalar", "position picks a lane of a register; a scalar has no lanes.", "pto.vdup %s, %m {position = \"HIGHEST\"} : f32, ..", "Drop position."},
    {"E0558", "predicate stream", "pto.pstu appends masks as unsigned words of their granularity.", "pto.pstu of a !pto.mask<b32> to a !pto.ptr<ui16, ub>", "Cast the pointer with pto.castptr."},
    {"E0560", "constant offset", "The offset of pto.pldi and pto.psti stands in the instruction word.", "pto.pldi %ub[%i], \"NORM\" in a loop over %i", "Use pto.plds or pto.psts."},
    {"E0561", "origin of an alignment state", "Load streams begin at pto.vldas, store streams at pto.init_align; nothing else makes or takes their state.",
     "pto.vstus with the result of pto.vldas", "Begin the stream with the instruction the message names."},
    {"E0562", "alignment state used twice", "The state of a stream moves on with every access; the old one is gone.", "two pto.vstus with one align_in", "Use the state that the access before gave back."},
    {"E0563", "alignment state in a loop", "An access in a loop would begin every iteration at the state from before the loop.", "pto.vstus in scf.for with a state from outside",
     "Hand the state in with iter_args, and yield the last one."},
    {"E0565", "pointer cast", "pto.castptr makes pointers of addresses, addresses of pointers, and pointers to other elements in the same memory.",
     "pto.castptr %p : !pto.ptr<f32, ub> -> !pto.ptr<f32>", "Keep the memory; use arith for integers."},
    {"E0566", "type of an element", "A value that is loaded or stored has the type that the pointer or array holds.", "pto.store %i, %p[%c0] : !pto.ptr<f32>, i32", "Convert the value, or cast the pointer."},
    {"E0567", "indices of a local array", "A local array takes an index per dimension.", "pto.local_array_get %a[%i] of a !pto.local_array<4x8xi32>", "Give as many indices as dimensions."},
    {"E0568", "width of copied elements", "Copies between memories do not convert: source and destination have elements of one width.", "pto.mte_gm_ub from f16 to f32",
     "Cast a pointer with pto.castptr, or convert in registers."},
    {"E0569", "type of the pad value", "Padding writes elements of 8, 16 or 32 bits: i8, i16, i32, f16, bf16, f32.", "pto.set_mov_pad_val %x : i64", "Use a value of one of these types."},
    {"E0570", "fractal load", "A fractal load has at least one group; smallc0_en is for at most 4 columns.", "pto.mte_gm_l1_frac with a group_count of 0", "Correct the constant."},
    {"E0571", "captures of a strict scope", "The region of pto.strict_vecscope has one argument per captured value, of its type.", "pto.strict_vecscope(%p, %i) with one argument",
     "Name an argument for every captured value."},
    {"E0572", "isolated scope", "pto.strict_vecscope sees nothing but the values it captures.", "pto.strict_vecscope(%p) { ^bb0(%q: ..): pto.vlds %p[..] }",
     "Add the value to the captures and use the region's argument."},
    {"E0573", "entry without body", "pto.entry marks the function that the launcher starts, so it has a body.", "func.func private @f(i32) attributes {pto.entry}", "Define the function, or drop the attribute."},
    {"W0551", "lanes of another width", "A distribution goes by the width in its name; lanes of another width are cut or joined.", "pto.vlds {dist = \"BRC_B16\"} to !pto.vreg<64xf32>",
     "Use the distribution for the width of the lanes, if that is what is meant."},
    {"W0552", "distribution without hardware", "Public descriptions say that no present hardware merges channels in a store.", "pto.vsts {dist = \"MRG4CHN_B8\"}", "Interleave in registers."},
    {"W0550", "vector scope put in", "Vector operations stand outside a pto.vecscope; one was put around the run they form.",
     "%v = pto.vlds ..  pto.vsts %v, .. directly in a function", "Write pto.vecscope { .. } around the operations the message names."},
};

}  // namespace

std::span<const Rule> micro_rules() { return kRules; }

}  // namespace pto::legality
