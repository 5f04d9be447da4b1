#include "asm/parse/types/type_table.hpp"

#include <fmt/format.h>

#include "asm/parse/text/scanner.hpp"
#include "asm/parse/types/type_names.hpp"

namespace pto::text {

std::optional<std::string_view> Types::alias(std::string_view name) const {
  const auto found = aliases_.find(name);
  return found == aliases_.end() ? std::nullopt : std::optional(found->second);
}

/// Aliases within a type written out: `memref<4xf32, #map>`. Empty when there are none.
std::string Types::with_aliases(std::string_view spelling) const {
  std::string written;
  const char* const last = spelling.data() + spelling.size();
  size_t copied = 0;
  for (size_t at = spelling.find_first_of("#!", 1); at != std::string_view::npos;
       at = spelling.find_first_of("#!", at + 1)) {
    const auto end = static_cast<size_t>(scan_word(spelling.data() + at + 1, last) - spelling.data());
    const auto alias = aliases_.find(spelling.substr(at, end - at));
    if (alias == aliases_.end()) continue;
    written.append(spelling.substr(copied, at - copied)).append(alias->second);
    copied = end;
  }
  return copied == 0 ? written : written.append(spelling.substr(copied));
}

TypeId Types::read(const Node& node, std::string_view prefix) {
  std::string_view spelling = reader_.text(node);
  std::string completed;
  if (node.kind == NodeKind::elided) {
    if (prefix.empty()) {
      report_.fail(E0107, span_of(node), "the type's name is missing before '<'");
      return kNoType;
    }
    completed = std::string(prefix) + std::string(spelling);
  } else {
    for (const auto& [before, id] : recent_) {
      if (spelling == before) return id;
    }
    const auto cached = known_.find(spelling);
    if (cached != known_.end()) {
      if (cached->second != kNoType) recent_ = {*cached, recent_[0]};
      if (cached->second == kNoType) report_.fail_silently();  // reported where the spelling stood first
      return cached->second;
    }
    if (const auto alias = aliases_.find(spelling); node.kind == NodeKind::type && alias != aliases_.end())
      spelling = alias->second;
  }
  const bool aliased =
      completed.empty() && !aliases_.empty() && !(completed = with_aliases(spelling)).empty();
  TypeProblem problem;
  const std::optional<Type> parsed =
      read_type(completed.empty() ? spelling : completed, program_.target, problem);
  if (!parsed) {
    // Positions in the spelling are positions in the source, unless it is in an alias.
    Span where = span_of(node);
    const auto added = static_cast<uint32_t>(completed.empty() ? 0 : prefix.size());
    if (!aliased && spelling.data() == reader_.text(node).data() && problem.begin >= added &&
        problem.end > problem.begin)
      where = {node.begin + problem.begin - added, node.begin + problem.end - added};
    Diagnostic& d = report_.fail(problem.id, where, std::move(problem.message));
    d.unsupported = problem.unsupported;
    if (!problem.hint.meant.empty() && where != span_of(node))
      d.replacement = Replacement{where, std::string(problem.hint.meant)};
    d.help = std::move(problem.hint.help);
    if (completed.empty()) known_.emplace(reader_.text(node), kNoType);
    return kNoType;
  }
  if (!problem.now.empty())
    old_forms_.warn(span_of(node), fmt::format("'{}' in a tile type is an old spelling", problem.old),
                    Fix::write(problem.now));
  const TypeId id = program_.types.intern(*parsed);
  if (node.kind != NodeKind::elided) known_.emplace(reader_.text(node), id);
  return id;
}

void Types::define_spelling(const Node& node, TypeId type) {
  known_.insert_or_assign(reader_.text(node), type);
  recent_ = {};
}

TypeId Types::read_of(const Node& node, uint32_t kinds) {
  return read(node, node.kind == NodeKind::elided ? type_prefix(kinds) : std::string_view());
}

bool Types::list(Cursor& cursor, std::vector<Draft::Result>& out) {
  if (cursor.is(NodeKind::paren)) {
    Cursor inner = cursor.into(cursor.take_token());
    return inner.done() || (list(inner, out) && reader_.expect_end(inner));
  }
  do {
    if (cursor.done() || !is_type_node(cursor.peek()))
      return reader_.expect(cursor, NodeKind::type, "a type");
    const Node& node = cursor.take_token();
    out.push_back({read(node), span_of(node)});
  } while (cursor.accept(NodeKind::comma));
  return !report_.failed();
}

Diagnostic* Types::check(ValueId value, Span operand, TypeId written, Span where) {
  if (!names_.known(value) || written == kNoType || type_of(value) == written) return nullptr;
  const Type& has = program_.types[type_of(value)];
  Diagnostic& d = report_.fail(E0115, where,
                               fmt::format("{} is {}, but {} is written", report_.text(operand),
                                           to_string(has), to_string(program_.types[written])));
  if (const Span defined = names_.definition(report_.text(operand)); defined != Span{})
    report_.note(d, "defined here", defined);
  return &d;
}

bool is_of_kinds(const Type& type, uint32_t kinds) {
  switch (type.kind) {
    case TypeKind::tile_buf:
      return (kinds & isa::kTile) != 0;
    case TypeKind::partition_view:
      return (kinds & isa::kView) != 0;
    case TypeKind::tensor_view:
      return (kinds & isa::kTView) != 0;
    case TypeKind::ptr:
      return (kinds & isa::kPtr) != 0;
    case TypeKind::memref: {  // in an on-chip space it represents a tile, in GM for a view
      const bool in_gm = type.space == Space::none || type.space == Space::gm;
      return (kinds & (isa::kMemRef | (in_gm ? isa::kView | isa::kTView : isa::kTile))) != 0;
    }
    case TypeKind::vreg:
      return (kinds & isa::kVReg) != 0;
    case TypeKind::mask:
      return (kinds & isa::kMask) != 0;
    case TypeKind::align:
      return (kinds & isa::kAlign) != 0;
    case TypeKind::vector:
      return (kinds & isa::kVector) != 0;
    case TypeKind::pipe:
      return (kinds & isa::kPipeHandle) != 0;
    case TypeKind::async_session:
      return (kinds & isa::kAsyncSession) != 0;
    case TypeKind::async_event:
      return (kinds & isa::kAsyncEvent) != 0;
    case TypeKind::eventid_array:
      return (kinds & isa::kEventIdArray) != 0;
    case TypeKind::local_array:
      return (kinds & isa::kLocalArray) != 0;
    case TypeKind::vmi_vreg:
      return (kinds & isa::kVmiVReg) != 0;
    case TypeKind::vmi_mask:
      return (kinds & isa::kVmiMask) != 0;
    case TypeKind::multi_tile:
      return (kinds & isa::kMultiTile) != 0;
    case TypeKind::structure:
      return (kinds & isa::kStruct) != 0;
    case TypeKind::prefetch_context:
      return (kinds & isa::kPrefetch) != 0;
    case TypeKind::scalar:
      break;
    default:
      return false;
  }
  if ((kinds & isa::kScalar) != 0) return true;
  if (is_float(type.elem)) return (kinds & isa::kFloat) != 0;
  if ((kinds & isa::kInt) != 0) return true;
  switch (signless(type.elem)) {
    case Elem::i1:
      return (kinds & isa::kI1) != 0;
    case Elem::i8:
      return (kinds & isa::kI8) != 0;
    case Elem::i16:
      return (kinds & isa::kI16) != 0;
    case Elem::i32:
      return (kinds & isa::kI32) != 0;
    case Elem::i64:
      return (kinds & isa::kI64) != 0;
    case Elem::index:
      return (kinds & isa::kIndex) != 0;
    default:
      return false;
  }
}

std::string kinds_in_words(uint32_t kinds) {
  std::string text;
  for (const isa::OperandKind& kind : isa::operand_kinds()) {
    if ((kinds & kind.bit) != 0) text += (text.empty() ? "" : " or ") + std::string(kind.type);
  }
  return text;
}

std::string_view type_prefix(uint32_t kinds) {
  if (kinds & isa::kTile) return "!pto.tile_buf";
  if (kinds & isa::kPtr) return "!pto.ptr";
  if (kinds & isa::kTView) return "!pto.tensor_view";
  if (kinds & isa::kView) return "!pto.partition_tensor_view";
  if (kinds & isa::kVReg) return "!pto.vreg";
  if (kinds & isa::kMask) return "!pto.mask";
  return {};
}

}  // namespace pto::text
