// Communication between devices: GM operands, staging tiles, groups, asynchronous sessions (E0472 to E0477).
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "support/saturating.hpp"
#include "verify/tile_rules.hpp"
#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

using Part = Anchor::Part;

/// One operand as messages speak of it.
struct Operand {
  std::string name;
  ValueId value = kNoValue;
  const Type* type = nullptr;
  unsigned flat = 0;
};

Operand operand(const OpView& op, std::string_view name) {
  const int slot = slot_of(op, name);
  if (slot < 0 || op.operand(static_cast<unsigned>(slot)) == kNoValue) return {};
  const ValueId value = op.operand(static_cast<unsigned>(slot));
  return {std::string(name), value, &op.program().type_of(value),
          flat_index(op, static_cast<unsigned>(slot))};
}

std::vector<Operand> group(const OpView& op) {
  std::vector<Operand> found;
  const int slot = slot_of(op, "group");
  if (slot < 0) return found;
  const unsigned first = flat_index(op, static_cast<unsigned>(slot));
  for (const ValueId value : op.operands(static_cast<unsigned>(slot))) {
    const auto i = static_cast<unsigned>(found.size());
    found.push_back({fmt::format("group[{}]", i), value, &op.program().type_of(value), first + i});
  }
  return found;
}

std::string shown(const OpView& op, const Operand& x) {
  return fmt::format("{} is {} ({})", x.name, describe(*x.type), value_name(op.program(), x.value));
}

Diagnostic& fail(Checker& check, FindingId id, const OpView& op, const Operand& x, std::string message,
                 Fix help) {
  Diagnostic& built = check.fail(id, op, Part::operand_type, x.flat, std::move(message), std::move(help));
  check.note_definition(built, x.value);
  return built;
}

bool has_shape(const Type& type) {
  return type.rank > 0 &&
         std::all_of(type.dims.begin(), type.dims.begin() + type.rank, [](int64_t size) { return size > 0; });
}
bool same_shape(const Type& a, const Type& b) {
  return a.rank == b.rank && std::equal(a.dims.begin(), a.dims.begin() + a.rank, b.dims.begin());
}

/// A GM view with a static shape, or `open`: of sizes that only the run knows.
bool global(Checker& check, const OpView& op, const Operand& x, bool open = false) {
  if (x.type->is_tile()) {
    fail(check, E0472, op, x, fmt::format("{}: {}; the operand lies in gm", op.mnemonic(), shown(op, x)),
         "use a view of GM");
    return false;
  }
  const auto& dims = x.type->dims;
  if (has_shape(*x.type) ||
      (open && x.type->kind == TypeKind::partition_view &&
       std::none_of(dims.begin(), dims.begin() + x.type->rank, [](int64_t size) { return below(size, 1); })))
    return true;
  fail(check, E0472, op, x,
       fmt::format("{}: {}; its shape must be known and positive", op.mnemonic(), shown(op, x)),
       "give the view constant sizes");
  return false;
}

/// A tile in UB through which data pass.
bool staging(Checker& check, const OpView& op, const Operand& x) {
  if (x.type->space != Space::ub) {
    fail(check, E0341, op, x, fmt::format("{}: {}; it must be in vec", op.mnemonic(), shown(op, x)),
         "allocate it with loc=vec");
    return false;
  }
  if (has_shape(*x.type)) return true;
  fail(check, E0473, op, x,
       fmt::format("{}: {}; its shape must be known and positive", op.mnemonic(), shown(op, x)),
       "use a tile of constant size");
  return false;
}

void one_type(Checker& check, const OpView& op, const Operand& a, const Operand& b) {
  if (a.type == nullptr || b.type == nullptr || *a.type == *b.type) return;
  fail(check, E0473, op, b,
       fmt::format("{}: {}, but {}; both have one type", op.mnemonic(), shown(op, a), shown(op, b)),
       fmt::format("give {} the type of {}", b.name, a.name));
}

bool one_element(Checker& check, const OpView& op, const Operand& a, const Operand& b) {
  if (a.type->elem == b.type->elem) return true;
  fail(check, E0474, op, b,
       fmt::format("{}: {}, but {}; data are not converted on the way", op.mnemonic(), shown(op, a),
                   shown(op, b)),
       fmt::format("use elements of {}", to_string(a.type->elem)));
  return false;
}

void one_shape(Checker& check, const OpView& op, const Operand& a, const Operand& b) {
  if (same_shape(*a.type, *b.type)) return;
  fail(check, E0474, op, b,
       fmt::format("{}: {}, but {}; their shapes differ", op.mnemonic(), shown(op, a), shown(op, b)),
       "transfer windows of one shape");
}

/// tput and tget.
void comm_copy(Checker& check, const OpView& op, std::string_view) {
  const Operand dst = operand(op, "dst");
  const Operand src = operand(op, "src");
  const Operand ping = operand(op, "ping");
  const Operand pong = operand(op, "pong");
  const bool views = global(check, op, dst, true) && global(check, op, src, true);
  const bool tiles = staging(check, op, ping);
  one_type(check, op, ping, pong);
  if (!views || !one_element(check, op, src, dst)) return;
  one_shape(check, op, src, dst);
  if (tiles) one_element(check, op, src, ping);
}

/// tnotify, twait and ttest.
void comm_signal(Checker& check, const OpView& op, std::string_view) {
  const Operand signal = operand(op, "signal");
  if (!global(check, op, signal) || signal.type->elem == Elem::i32) return;
  fail(check, E0474, op, signal, fmt::format("{}: {}; signals are i32", op.mnemonic(), shown(op, signal)),
       "make the view over !pto.ptr<i32>");
}

void check_root(Checker& check, const OpView& op, size_t members) {
  const AttrValue* root = op.attr("root");
  if (root == nullptr || (root->integer >= 0 && static_cast<uint64_t>(root->integer) < members)) return;
  check.fail(E0475, op, Part::attribute, attr_index(op, "root"),
             fmt::format("root of {} is {}, but the group has {} member{}", op.mnemonic(), root->integer,
                         members, members == 1 ? "" : "s"),
             fmt::format("root counts from 0 to {}", members - 1));
}

bool check_members(Checker& check, const OpView& op, const std::vector<Operand>& members) {
  if (members.empty()) {
    check.fail(E0475, op, fmt::format("the group of {} is empty", op.mnemonic()),
               "name the view of every device in group(..)");
    return false;
  }
  for (const Operand& member : members) {
    if (!global(check, op, member)) return false;
    if (*member.type == *members.front().type) continue;
    fail(check, E0475, op, member,
         fmt::format("{}: {}, but {}; all have one type", op.mnemonic(), shown(op, members.front()),
                     shown(op, member)),
         "give every member of the group the same view type");
    return false;
  }
  check_root(check, op, members.size());
  return true;
}

/// tbroadcast, tgather, tscatter and treduce.
void comm_group(Checker& check, const OpView& op, std::string_view what) {
  const Operand own = slot_of(op, "src") >= 0 ? operand(op, "src") : operand(op, "dst");
  const bool reduces = slot_of(op, "acc") >= 0;
  const Operand ping = operand(op, reduces ? "recvPing" : "ping");
  const Operand pong = operand(op, reduces ? "recvPong" : "pong");
  const bool view = global(check, op, own);
  const bool tile = staging(check, op, ping);
  one_type(check, op, ping, pong);
  if (reduces) one_type(check, op, ping, operand(op, "acc"));
  const std::vector<Operand> members = group(op);
  if (!check_members(check, op, members) || !view || !one_element(check, op, own, members.front())) return;
  if (what == "one_shape") one_shape(check, op, own, members.front());
  if (tile) one_element(check, op, own, ping);
}

// ---- asynchronous transfers

/// The strides of `strided<[8, 1], offset: 0>`; nothing when one of them is dynamic.
std::vector<int64_t> strides_of(std::string_view layout) {
  std::vector<int64_t> strides;
  const size_t open = layout.find('[');
  const size_t close = layout.find(']');
  if (layout.find('?') != layout.npos || open == layout.npos || close == layout.npos) return strides;
  for (std::string_view rest = layout.substr(open + 1, close - open - 1); !rest.empty();) {
    const size_t comma = std::min(rest.find(','), rest.size());
    std::string_view item = rest.substr(0, comma);
    item.remove_prefix(std::min(item.find_first_not_of(' '), item.size()));
    int64_t stride = 0;
    std::from_chars(item.data(), item.data() + item.size(), stride);
    strides.push_back(stride);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return strides;
}

/// Whether a memref's written layout leaves gaps or is not one of strides.
bool has_gaps(const Type& type) {
  if (!from_memref(type)) return false;
  const size_t layout = type.text.find("strided<");
  if (layout == type.text.npos) return type.text.find("affine_map") != type.text.npos;
  const std::vector<int64_t> strides = strides_of(std::string_view(type.text).substr(layout));
  int64_t packed = 1;
  for (size_t i = strides.size(); i-- > 0 && i < type.rank;) {
    if (strides[i] != packed) return true;
    packed = sat_mul(packed, type.dims[i]);
  }
  return false;
}

/// One row of elements without gaps: what the DMA engine of the network takes.
bool flat(Checker& check, const OpView& op, const Operand& x) {
  if (!global(check, op, x)) return false;
  const bool line = std::all_of(x.type->dims.begin(), x.type->dims.begin() + x.type->rank - 1,
                                [](int64_t size) { return size == 1; });
  if (line && !has_gaps(*x.type)) return true;
  if (line) {
    fail(check, E0476, op, x,
         fmt::format("{}: {}; its elements are not contiguous", op.mnemonic(), shown(op, x)),
         "asynchronous transfers take elements without gaps");
    return false;
  }
  fail(check, E0476, op, x,
       fmt::format("{}: {}; asynchronous transfers take one row", op.mnemonic(), shown(op, x)),
       "all dimensions but the last must be 1; transfer row by row, or view the data as one row");
  return false;
}

void async_transfer(Checker& check, const OpView& op, std::string_view) {
  const Operand dst = operand(op, "dst");
  const Operand src = operand(op, "src");
  if (!flat(check, op, dst) || !flat(check, op, src) || !one_element(check, op, src, dst)) return;
  one_shape(check, op, src, dst);
}

void async_source(Checker& check, const OpView& op, std::string_view) { flat(check, op, operand(op, "src")); }

void at_least(Checker& check, const OpView& op, std::string_view name, int64_t low,
              int64_t high = std::numeric_limits<int64_t>::max()) {
  const AttrValue* value = op.attr(name);
  if (value == nullptr || (value->integer >= low && value->integer <= high)) return;
  const bool open = high == std::numeric_limits<int64_t>::max();
  check.fail(
      E0394, op, Part::attribute, attr_index(op, name),
      open ? fmt::format("'{}' of {} is {}; it must be at least {}", name, op.mnemonic(), value->integer, low)
           : fmt::format("'{}' of {} is {}; it must be {} to {}", name, op.mnemonic(), value->integer, low,
                         high),
      "choose a value in this range");
}

uint64_t bytes_of(const Type& type) {
  if (type.is_tile()) return tile_bytes(type);
  uint64_t bytes = byte_width(type.elem);
  for (unsigned i = 0; i < type.rank; ++i) bytes = sat_mul(bytes, static_cast<uint64_t>(type.dims[i]));
  return bytes;
}

void async_session(Checker& check, const OpView& op, std::string_view) {
  const Operand scratch = operand(op, "scratch");
  const Operand workspace = operand(op, "workspace");
  if (scratch.type->space == Space::ub && scratch.type->rank > 2) {
    fail(check, E0477, op, scratch,
         fmt::format("{}: {}; scratch has one or two dimensions", op.mnemonic(), shown(op, scratch)),
         "use a tile");
  } else if (staging(check, op, scratch) && bytes_of(*scratch.type) < 8) {
    fail(check, E0477, op, scratch,
         fmt::format("{}: {}; {} bytes, but 8 are needed", op.mnemonic(), shown(op, scratch),
                     bytes_of(*scratch.type)),
         "use a larger tile");
  }
  if (workspace.type->is_tile() ||
      (workspace.type->kind == TypeKind::ptr && workspace.type->space != Space::gm)) {
    fail(check, E0472, op, workspace,
         fmt::format("{}: {}; the workspace lies in gm", op.mnemonic(), shown(op, workspace)),
         "pass GM memory");
  } else if (signless(workspace.type->elem) != Elem::i8) {
    fail(check, E0477, op, workspace,
         fmt::format("{}: {}; the workspace is bytes", op.mnemonic(), shown(op, workspace)),
         Fix::use("!pto.ptr<i8>"));
  }
  at_least(check, op, "sync_id", 0, 7);
  at_least(check, op, "block_bytes", 1);
  at_least(check, op, "comm_block_offset", 0);
  at_least(check, op, "queue_num", 1);
  at_least(check, op, "channel_group_idx", 0, std::numeric_limits<uint32_t>::max());
}

constexpr Rule kCommRules[] = {
    {.id = E0472,
     .title = "communication operand",
     .cause = "Other devices read and write a view of GM of known, positive shape.",
     .example = "pto.comm.tput of a view ?xf32",
     .fix = "Give the view constant sizes."},
    {.id = E0473,
     .title = "staging tile",
     .cause = "Tiles through which data pass have a known shape, and all of one operation have one type.",
     .example = "pto.comm.tget(.., buf(%ping, %pong) ..) of 1x128xf32 and 1x64xf32",
     .fix = "Use two tiles of one type."},
    {.id = E0474,
     .title = "communication types",
     .cause = "Both sides of a transfer and the tile between them have one element type and one shape; "
              "signals are i32.",
     .example = "pto.comm.tput from f16 to f32",
     .fix = "Make the types agree."},
    {.id = E0475,
     .title = "group",
     .cause = "A group names one view per device, all of one type, and root is one of them.",
     .example = "root = 3 for a group of three",
     .fix = "root counts from 0."},
    {.id = E0476,
     .title = "asynchronous transfer",
     .cause = "Asynchronous transfers take one row of elements without gaps.",
     .example = "pto.comm.tput_async of 4x32xf32",
     .fix = "View the data as one row, or transfer row by row."},
    {.id = E0477,
     .title = "session",
     .cause = "A session takes a scratch tile of 8 bytes or more and a workspace of bytes.",
     .example = "pto.comm.build_async_session with a workspace of f32",
     .fix = "Use !pto.ptr<i8> and a larger tile."},
};

constexpr OpRule kCommChecks[] = {
    {.name = "comm_copy",
     .check = comm_copy,
     .sees = Sees::types,
     .ids = {E0341, E0472, E0473, E0474},
     .words = "both ends are in gm, with one element type and one shape; staging tiles are in vec"},
    {.name = "comm_signal",
     .check = comm_signal,
     .sees = Sees::types,
     .ids = {E0472, E0474},
     .words = "the signal is i32 in gm"},
    {.name = "comm_group",
     .check = comm_group,
     .ids = {E0472, E0473, E0474, E0475},
     .words = "the group is not empty, its members have one type, root is one of them"},
    {.name = "async_transfer",
     .check = async_transfer,
     .sees = Sees::types,
     .ids = {E0474, E0476},
     .words = "both ends are one row, with one element type and one size"},
    {.name = "async_source",
     .check = async_source,
     .ids = {E0476},
     .words = "the source is one row without gaps"},
    {.name = "async_session",
     .check = async_session,
     .ids = {E0394, E0472, E0477},
     .words = "scratch is in vec, the workspace is bytes in gm, values are in range"},
};

}  // namespace

RuleFamily comm_rules() { return {.rules = kCommRules, .checks = kCommChecks}; }

}  // namespace pto::legality
