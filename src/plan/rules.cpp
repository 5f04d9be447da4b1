#include "plan/rules.hpp"

namespace pto::planner {

namespace {

constexpr Rule kPlannerRules[] = {
    {.id = E0449,
     .title = "beyond the planner",
     .cause = "Buffers of memref.alloc and jumps between blocks get no addresses and flags yet.",
     .example = "pto-sim on a program with memref.alloc",
     .fix = "Use pto.alloc_tile, and scf in place of cf."},
    {.id = E0601,
     .title = "on-chip memory",
     .cause = "The tiles that live at the same time do not fit into their memory.",
     .example = "eight 64 KiB tiles in vec, all used by the last operation",
     .fix = "use smaller tiles, or let tiles end before others begin; the map shows who is in the way"},
    {.id = E0602,
     .title = "loop-carried tile",
     .cause = "A tile is handed to the next iteration, which still reads it after its successor is written.",
     .example = "scf.yield %next where the next iteration reads the old and the new tile",
     .fix = "copy the tile before it is overwritten"},
    {.id = E0603,
     .title = "queued work outside sections",
     .cause =
         "An instruction is outside the sections of a mixed kernel, where no flags can be inserted for it.",
     .example = "pto.tload in front of pto.section.cube",
     .fix = "move it into a section, or write the flags by hand"},
    {.id = E0604,
     .title = "nesting too deep to plan",
     .cause = "Loops, branches and sections are nested deeper than 200.",
     .example = "201 scf.if in each other",
     .fix = "flatten the control flow"},
    {.id = E0605,
     .title = "core of a signal",
     .cause =
         "A function without sections mixes instructions of the cube and of the vector core, and a signal "
         "names a pipe that both cores have.",
     .example = "pto.sync.wait <PIPE_MTE2>, 0 between pto.tmatmul and pto.tadd",
     .fix = "put the signal and the accesses that it orders into pto.section.cube or pto.section.vector"},
    {.id = E0606,
     .title = "value of the other core",
     .cause =
         "A function without sections mixes instructions of the cube and of the vector core, and a value "
         "that one core computes is used on the other, or behind work of the other. No register reaches "
         "another core.",
     .example = "%x = pto.tgetval ins(%tile, ..) where %tile is in vec, and %x bounds a loop of pto.tmatmul",
     .fix = "store the value to GM and load it where it is used, or write one section around all its uses"},
    {.id = E0607,
     .title = "order between cores",
     .cause = "Two accesses need an order: of the cube and of the vector core, in sections of one function "
              "or in two functions of one launch, or of the two vector cores of a block. Signals cannot give "
              "it, because a loop or a branch around them depends on the index of the vector core, or too "
              "few ids are left. Or the intended order is ambiguous: each function needs a value that the "
              "other one writes later, both write the same bytes, or several writes and reads of the bytes "
              "are in loops with different trip counts.",
     .example = "a loop of 4 iterations in @k_aic that stores to one window, and a loop of 3 iterations in "
                "@k_aiv that loads from it",
     .fix = "keep conditions on the index of the vector core inside sections, give the loops of both "
            "functions the same trip count, or write pto.sync.set and pto.sync.wait: ffts_mode = 2 between "
            "cube and vector cores, 1 among vector cores"},
    {.id = E0608,
     .title = "address of scales",
     .cause = "A product takes the scales of an operand from the operand's address divided by 32. A tile of "
              "scales that several operands use would need several addresses, or two tiles the same address.",
     .example = "pto.tmatmul.mx of %l with the scales %x, and behind it of %m with the same %x",
     .fix = "give each operand a tile of scales of its own, or write pto.tget_scale_addr and move the scales "
            "behind it"},
    {.id = W0550,
     .title = "vector scope put in",
     .cause = "Vector operations are outside a pto.vecscope; one was put around each sequence of them.",
     .example = "%v = pto.vlds ..  pto.vsts %v, .. directly in a function",
     .fix = "Write pto.vecscope { .. } around the operations the message names."},
};

}  // namespace

std::span<const Rule> planner_rules() { return kPlannerRules; }

}  // namespace pto::planner
