// Modes, sections, tile queues, debugging.
// Columns: see src/isa/row.hpp.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

constexpr std::string_view kModeSyntax = "(ins({attrs}) (outs())?)- {attrs}";

constexpr std::string_view kInitializePipeSyntax =
    "{attrs} ((gm_slot_buffer = $gm_slot_buffer : type~($gm_slot_buffer) | gm_slot_tensor = "
    "$gm_slot_tensor : type~($gm_slot_tensor) | c2v_consumer_buf = $c2v_consumer_buf : "
    "type~($c2v_consumer_buf) | v2c_consumer_buf = $v2c_consumer_buf : "
    "type~($v2c_consumer_buf))*,)";

constexpr Row kShared = {.pipe = "S", .scope = Scope::outside, .layer = Layer::system};

constexpr Row initialize_pipe(Row own) {
  return inherit(
      {.operands = "gm_slot_buffer:ptr? gm_slot_tensor:tview? c2v_consumer_buf:i32? v2c_consumer_buf:i32?",
       .attrs = "id:i32=0 dir_mask:i32 slot_size:i32 slot_num:i32? local_slot_num:i32? nosplit:bool? "
                "acc_push_epilogue:any?",
       .syntax = kInitializePipeSyntax,
       .rules = "fifo",
       .opcode_class = OpcodeClass::queue_init,
       .cost = "system.fifo"},
      own);
}
constexpr Row queue_operation(Row own) { return inherit({.cost = "system.fifo"}, own); }
constexpr Row free_slot(Row own) {
  return inherit({.doc = "gives the slot back",
                  .operands = "entry:tile|tview|view?",
                  .attrs = "id:i32=0 split:i32",
                  .syntax = "(($entry : type($entry)))? {attrs}",
                  .rules = "split",
                  .opcode_class = OpcodeClass::queue_free,
                  .pipe = ":fifo_free",
                  .cost = "system.fifo"},
                 own);
}
constexpr Row allocate_slot(Row own) {
  return inherit({.doc = "takes a free slot",
                  .results = "entry:tview",
                  .attrs = "id:i32=0 split:i32",
                  .syntax = "{attrs} -> type($entry)",
                  .rules = "split",
                  .opcode_class = OpcodeClass::queue_alloc,
                  .cost = "system.fifo"},
                 own);
}
constexpr Row unsupported_mode(Row own) {
  return inherit({.cost = "scalar", .scope = Scope::either, .flags = kModeWrite | kNotExecuted}, own);
}

constexpr Row kRows[] = {
    {.name = "pto.settf32mode",
     .doc = "TF32 mode of later f32 matrix products on a5; no effect on a2a3",
     .attrs = "enable:bool mode:round_mode=CAST_ROUND",
     .syntax = kModeSyntax,
     .rules = "tf32_round",
     .cost = "scalar",
     .flags = kModeWrite},
    {.name = "pto.sethf32mode",
     .doc = "HF32 mode of later f32 matrix products",
     .attrs = "enable:bool mode:round_mode=CAST_ROUND",
     .syntax = kModeSyntax,
     .cost = "scalar",
     .flags = kModeWrite | kNotExecuted},
    {.name = "pto.tsettf32mode",
     .doc = "same as pto.settf32mode",
     .attrs = "enable:bool mode:round_mode=CAST_ROUND",
     .syntax = kModeSyntax,
     .rules = "tf32_round",
     .cost = "scalar",
     .flags = kModeWrite},
    {.name = "pto.tsethf32mode",
     .doc = "same as pto.sethf32mode",
     .attrs = "enable:bool mode:round_mode=CAST_ROUND",
     .syntax = kModeSyntax,
     .cost = "scalar",
     .flags = kModeWrite | kNotExecuted},
    {.name = "pto.section.cube",
     .doc = "code of the cube core",
     .syntax = "region {attrs}",
     .opcode_class = OpcodeClass::section_cube,
     .regions = {1, 1},
     .pipe = "none"},
    {.name = "pto.section.vector",
     .doc = "code of the vector cores",
     .syntax = "region {attrs}",
     .opcode_class = OpcodeClass::section_vector,
     .regions = {1, 1},
     .pipe = "none"},
    initialize_pipe(
        {.name = "pto.aic_initialize_pipe", .doc = "tile queues of the cube core", .flags = kCubeCore}),
    initialize_pipe(
        {.name = "pto.aiv_initialize_pipe", .doc = "tile queues of the vector core", .flags = kVectorCore}),
    {.name = "pto.reserve_buffer",
     .doc = "bytes on chip for a tile queue",
     .results = "addr:i32",
     .attrs = "name:string size:i32 location:address_space auto:bool base:i32?",
     .syntax = "{attrs} -> type($addr)",
     .rules = "reserve",
     .opcode_class = OpcodeClass::reserve_buffer,
     .pipe = "none"},
    {.name = "pto.import_reserved_buffer",
     .doc = "address of a buffer reserved by another function",
     .results = "addr:i32",
     .attrs = "name:string peer_func:symbol",
     .syntax = "{attrs} -> type($addr)",
     .opcode_class = OpcodeClass::import_buffer,
     .pipe = "none"},
    queue_operation(
        {.name = "pto.initialize_l2g2l_pipe",
         .doc = "tile queue through GM",
         .operands = "gm_addr:any local_addr:any? peer_local_addr:any?",
         .results = "pipe:pipe",
         .attrs = "dir_mask:i32 slot_size:i32 slot_num:i32 local_slot_num:i32? flag_base:i32? nosplit:bool? "
                  "acc_push_epilogue:any?",
         .syntax = "{attrs} (($gm_addr : type($gm_addr) (, $local_addr : type($local_addr) (, "
                   "$peer_local_addr : type($peer_local_addr))?)?)- ($gm_addr (, $local_addr (, "
                   "$peer_local_addr)?)? : type($gm_addr) (, type($local_addr))? (, "
                   "type($peer_local_addr))?)?) ({attrs})- -> type($pipe)",
         .rules = "l2_pipe",
         .opcode_class = OpcodeClass::queue_init}),
    queue_operation(
        {.name = "pto.initialize_l2l_pipe",
         .doc = "tile queue in local memory",
         .operands = "local_addr:any peer_local_addr:any?",
         .results = "pipe:pipe",
         .attrs = "dir_mask:i32 slot_size:i32 slot_num:i32 flag_base:i32? nosplit:bool? "
                  "acc_push_epilogue:any?",
         .syntax = "{attrs} (($local_addr : type($local_addr) (, $peer_local_addr : "
                   "type($peer_local_addr))?)- ($local_addr (, $peer_local_addr)? : type($local_addr) (, "
                   "type($peer_local_addr))?)?) ({attrs})- -> type($pipe)",
         .rules = "l2_pipe",
         .opcode_class = OpcodeClass::queue_init}),
    queue_operation({.name = "pto.tpush_to_aic",
                     .doc = "sends a tile to the AIC side",
                     .operands = "tile:tile|tview|view aiv_subblockid:i64?",
                     .attrs = "id:i32=0 split:i32",
                     .syntax = "($tile : type($tile)) {attrs} (aiv_subblockid($aiv_subblockid))?",
                     .rules = "split half_of_tile",
                     .opcode_class = OpcodeClass::queue_push,
                     .pipe = ":fifo_push",
                     .flags = kVectorCore}),
    queue_operation(
        {.name = "pto.tpop_from_aic",
         .doc = "receives a tile from the AIC side",
         .operands = "valid_row:index? valid_col:index? aiv_subblockid:i64?",
         .results = "tile:tile|tview|view",
         .attrs = "id:i32=0 split:i32",
         .syntax = "(($valid_row, $valid_col))? {attrs} (aiv_subblockid($aiv_subblockid))? -> type($tile)",
         .rules = "split fifo_valid valid_inside half_of_tile",
         .opcode_class = OpcodeClass::queue_pop,
         .pipe = ":fifo_pop",
         .flags = kVectorCore}),
    free_slot({.name = "pto.tfree_from_aic", .flags = kVectorCore}),
    allocate_slot({.name = "pto.talloc_to_aic", .pipe = "MTE3", .flags = kVectorCore}),
    queue_operation({.name = "pto.tpush_to_aiv",
                     .doc = "sends a tile to the AIV side",
                     .operands = "tile:tile|tview|view",
                     .attrs = "id:i32=0 split:i32",
                     .syntax = "($tile : type($tile)) {attrs}",
                     .rules = "split",
                     .opcode_class = OpcodeClass::queue_push,
                     .pipe = ":fifo_push",
                     .flags = kCubeCore}),
    queue_operation({.name = "pto.tpop_from_aiv",
                     .doc = "receives a tile from the AIV side",
                     .operands = "valid_row:index? valid_col:index?",
                     .results = "tile:tile|tview|view",
                     .attrs = "id:i32=0 split:i32",
                     .syntax = "(($valid_row, $valid_col))? {attrs} -> type($tile)",
                     .rules = "split fifo_valid valid_inside",
                     .opcode_class = OpcodeClass::queue_pop,
                     .pipe = ":fifo_pop",
                     .flags = kCubeCore}),
    free_slot({.name = "pto.tfree_from_aiv", .flags = kCubeCore}),
    allocate_slot({.name = "pto.talloc_to_aiv", .pipe = "FIX", .flags = kCubeCore}),
    queue_operation({.name = "pto.tpush",
                     .doc = "sends a tile",
                     .operands = "tile:tile|tview|view pipe_handle:pipe aiv_subblockid:i64?",
                     .attrs = "split:i32",
                     .syntax = "($tile, $pipe_handle : type($tile), type($pipe_handle)) {attrs} "
                               "(aiv_subblockid($aiv_subblockid))?",
                     .rules = "split half_of_tile",
                     .opcode_class = OpcodeClass::queue_push,
                     .pipe = ":fifo_push"}),
    queue_operation({.name = "pto.tpop",
                     .doc = "receives a tile",
                     .operands = "tile:tile|tview|view=out pipe_handle:pipe aiv_subblockid:i64?",
                     .attrs = "split:i32",
                     .syntax = "($tile, $pipe_handle : type($tile), type($pipe_handle)) {attrs} "
                               "(aiv_subblockid($aiv_subblockid))?",
                     .rules = "split half_of_tile",
                     .opcode_class = OpcodeClass::queue_pop,
                     .pipe = ":fifo_pop"}),
    queue_operation({.name = "pto.talloc",
                     .doc = "takes a free slot",
                     .operands = "entry:tview=out pipe_handle:pipe",
                     .attrs = "split:i32",
                     .syntax = "($entry, $pipe_handle : type($entry), type($pipe_handle)) {attrs}",
                     .rules = "split",
                     .opcode_class = OpcodeClass::queue_alloc,
                     .pipe = "MTE3"}),
    queue_operation({.name = "pto.tfree",
                     .doc = "gives the slot back",
                     .operands = "entry:tile|tview|view? pipe_handle:pipe",
                     .attrs = "split:i32",
                     .syntax = "(($entry,)? $pipe_handle : (type($entry),)? type($pipe_handle)) {attrs}",
                     .rules = "split",
                     .opcode_class = OpcodeClass::queue_free,
                     .pipe = ":fifo_free"}),
    {.name = "pto.print",
     .doc = "prints a scalar",
     .operands = "scalar:scalar",
     .attrs = "format:string",
     .syntax = "ins($format, $scalar : type($scalar)) {attrs}",
     .cost = "scalar"},
    {.name = "pto.tprint",
     .doc = "prints a tile",
     .operands = "src:tile|view|memref tmp:view?=tmp",
     .attrs = "printFormat:print_format?",
     .syntax = "ins($src (, $tmp)? : type($src) (, type($tmp))?) {attrs}",
     .rules = "printable",
     .pipe = "V"},
    {.name = "pto.trap", .doc = "stops with an error", .syntax = "list", .cost = "scalar"},
    unsupported_mode({.name = "pto.tset_img2col_padding",
                      .doc = "img2col control",
                      .operands = "cfg:tile",
                      .syntax = "ins($cfg : type($cfg))"}),
    unsupported_mode({.name = "pto.tset_img2col_rpt",
                      .doc = "img2col control",
                      .operands = "cfg:tile",
                      .syntax = "ins($cfg : type($cfg))"}),
    {.name = "pto.set_quant_scalar",
     .doc = "scale of what the cube pushes into a queue",
     .operands = "scale:float",
     .attrs = "id:i32=0",
     .syntax = "($scale : type($scale)) {attrs}",
     .rules = "quant_scale",
     .cost = "scalar"},
    {.name = "pto.set_quant_vector",
     .doc = "scales of what the cube pushes into a queue",
     .operands = "scaling_tile:tile",
     .attrs = "id:i32=0",
     .syntax = "($scaling_tile : type($scaling_tile)) {attrs}",
     .types = {.a2a3 = "i64", .a5 = "f16 bf16 f32"},
     .rules = "in:scaling_tile=scaling quant_scales",
     .pipe = "FIX",
     .cost = "scalar"},
    unsupported_mode({.name = "pto.tset_quant_scalar", .doc = "C++ API only", .syntax = "@none"}),
    unsupported_mode({.name = "pto.tset_quant_vector", .doc = "C++ API only", .syntax = "@none"}),
    unsupported_mode({.name = "pto.tsetfmatrix", .doc = "C++ API only", .syntax = "@none"}),
    {.name = "pto.ld_dev",
     .doc = "load from GM past the data cache",
     .operands = "ptr:ptr offset:index",
     .results = "value:int",
     .syntax = "$ptr[$offset] {attrs} : type($ptr) -> type($value)",
     .types = {.a2a3 = "-", .a5 = "i8 i16 i32 i64"},
     .rules = "gm:ptr element_of:value=ptr of_kernel",
     .opcode_class = OpcodeClass::load,
     .cost = "scalar.memory",
     .layer = Layer::scalar},
    {.name = "pto.st_dev",
     .doc = "store to GM past the data cache",
     .operands = "value:int ptr:ptr=out offset:index",
     .syntax = "$value, $ptr[$offset] {attrs} : type($ptr), type($value)",
     .types = {.a2a3 = "-", .a5 = "i8 i16 i32 i64"},
     .rules = "gm:ptr element_of:value=ptr of_kernel",
     .opcode_class = OpcodeClass::store,
     .cost = "scalar.memory",
     .layer = Layer::scalar},
};

constexpr auto kTable = inherit(kShared, kRows);

}  // namespace

FamilyRows system_rows() { return complete<kTable>(); }

}  // namespace pto::isa
