// The clause lists of mte_l0c_gm, mte_l0c_ub and mte_l0c_l1:
//   %src, %dst, %m, %n, %src_stride, %dst_stride [, %sid, %l2_cache_ctrl] [, dst_mode(..)] [, clause]* : types
// Clauses: unit_flag(k), pre_quant(%q, mode = k), pre_relu([%r,] mode = k [, clip = %c]), nz2nd | nz2dn[(%s)] | nz2nz[(%s)],
// loop3(%n, %s, %d), sat | sat(preserve_nan) | nosat, atomic(type = k, op = k). Types follow in a fixed order.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "asm/hooks.hpp"

namespace pto::text {

namespace {

class FixpipeClauses {
 public:
  explicit FixpipeClauses(Binder& b) : b_(b), cursor_(b.items()) {}

  void bind() {
    if (!positional()) return;
    while (cursor_.accept(NodeKind::comma)) {
      if (!clause()) return;
    }
    if (cursor_.is(NodeKind::dict)) b_.dictionary(cursor_.take());
    if (cursor_.is(NodeKind::word)) return unknown(cursor_.peek());
    if (b_.expect(cursor_, NodeKind::colon, "',' or ':' and types") && types()) b_.emit();
  }

 private:
  bool has(std::string_view slot) const { return b_.draft().schema->operand_slot(slot) >= 0; }
  bool operand(Cursor& at, std::string_view slot) {
    if (!at.is(NodeKind::operand)) return b_.expect(at, NodeKind::operand, fmt::format("operand '{}'", slot));
    const Node& node = at.take();
    const int index = b_.draft().schema->operand_slot(slot);
    if (!b_.draft().slots[static_cast<size_t>(index)].empty()) {
      b_.fail("E0116", Binder::span(node), fmt::format("{}: '{}' is given twice", b_.op_name(), slot));
      return false;
    }
    b_.draft().add(index, b_.use(node), Binder::span(node));
    return true;
  }
  bool keyword(Cursor& at, std::string_view attr) {
    if (at.done()) return b_.expect(at, NodeKind::word, fmt::format("a value of {}", attr));
    const uint32_t index = at.index();
    const Node& node = at.take();
    b_.attribute_entry(attr, Binder::span(node), Cursor(b_.statement().nodes, index, node.next), Binder::span(node));
    return !b_.failed();
  }
  bool set(std::string_view attr, int64_t value, const Node& at) {
    const auto spec = static_cast<uint16_t>(b_.draft().schema->attr_index(attr));
    for (const Attr& given : b_.draft().attrs) {
      if (given.spec != spec) continue;
      b_.fail("E0108", Binder::span(at), fmt::format("{}: '{}' after another clause of its kind", b_.op_name(), b_.text(at)));
      return false;
    }
    AttrValue enumerant;
    enumerant.kind = AttrValue::Kind::enumerant;
    enumerant.integer = value;
    b_.set_attr(attr, enumerant);
    return true;
  }
  void unknown(const Node& node) {
    const std::vector<std::string_view> words = {"unit_flag", "pre_quant", "pre_relu", "nz2nd", "nz2dn", "nz2nz", "loop3", "sat", "nosat", "atomic", "dst_mode"};
    Diagnostic& d = b_.fail("E0118", Binder::span(node), fmt::format("{}: unknown clause '{}'", b_.op_name(), b_.text(node)));
    b_.suggest(d, b_.text(node), words);
  }

  bool positional() {
    bool first = true;
    for (const std::string_view slot : {"source", "destination", "m", "n", "src_stride", "dst_stride", "sid", "l2_cache_ctrl"}) {
      if (!has(slot)) continue;
      if (!first && !b_.expect(cursor_, NodeKind::comma, "','")) return false;
      first = false;
      if (!operand(cursor_, slot)) return false;
    }
    return true;
  }

  bool clause() {
    if (!cursor_.is(NodeKind::word)) return b_.expect(cursor_, NodeKind::word, "a clause");
    const Node& name = cursor_.take();
    const std::string_view word = b_.text(name);
    Cursor args = cursor_;
    const bool parens = cursor_.is(NodeKind::paren);
    if (parens) args = cursor_.into(cursor_.take());
    else args = Cursor(b_.statement().nodes, cursor_.index(), cursor_.index());
    if (word == "nosat" || word == "sat") return saturation(name, word, args);
    if (word == "nz2nd" || word == "nz2dn" || word == "nz2nz") return layout(name, word, args);
    const bool known = word == "unit_flag" || word == "pre_quant" || word == "pre_relu" || word == "loop3" ||
                       (word == "atomic" && b_.draft().schema->attr_index("atomic_type") >= 0) || (word == "dst_mode" && has("sub_blockid"));
    if (word == "atomic" && !known) {
      b_.fail("E0118", Binder::span(name), fmt::format("{} has no atomic clause", b_.op_name())).help = "only pto.mte_l0c_gm adds to what is in memory";
      return false;
    }
    if (!known) return unknown(name), false;
    if (!parens) return b_.expect(cursor_, NodeKind::paren, fmt::format("'(' after {}", word));
    bool ok = false;
    if (word == "unit_flag") ok = keyword(args, "unit_flag");
    else if (word == "pre_quant") ok = pre_quant(args);
    else if (word == "pre_relu") ok = pre_relu(args);
    else if (word == "loop3") ok = loop3(args);
    else if (word == "atomic") ok = atomic(args);
    else ok = dst_mode(args, name);
    return ok && b_.expect_end(args);
  }

  bool saturation(const Node& name, std::string_view word, Cursor& args) {
    int64_t value = word == "nosat" ? 1 : 0;
    if (!args.done()) {
      if (word == "nosat" || !b_.expect_word(args, "preserve_nan")) return b_.expect_end(args);
      value = 2;
    } else if (b_.accept_word(cursor_, "preserve_nan")) {
      value = 2;
    }
    return set("sat_mode", value, name) && b_.expect_end(args);
  }
  bool layout(const Node& name, std::string_view word, Cursor& args) {
    if (!set("mode", word == "nz2nd" ? 0 : word == "nz2dn" ? 1 : 2, name)) return false;
    if (args.done()) return true;
    if (word == "nz2nd") return b_.expect_end(args);
    return operand(args, word == "nz2dn" ? "loop0_src_stride" : "split") && b_.expect_end(args);
  }
  bool pre_quant(Cursor& args) {
    return operand(args, "pre_quant") && b_.expect(args, NodeKind::comma, "','") && b_.expect_word(args, "mode") &&
           b_.expect(args, NodeKind::equal, "'='") && keyword(args, "pre_quant_mode");
  }
  bool pre_relu(Cursor& args) {
    if (args.is(NodeKind::operand) && (!operand(args, "pre_relu") || !b_.expect(args, NodeKind::comma, "','"))) return false;
    if (!b_.expect_word(args, "mode") || !b_.expect(args, NodeKind::equal, "'='") || !keyword(args, "pre_relu_mode")) return false;
    if (!args.accept(NodeKind::comma)) return true;
    return b_.expect_word(args, "clip") && b_.expect(args, NodeKind::equal, "'='") && operand(args, "clip_value");
  }
  bool loop3(Cursor& args) {
    return operand(args, "loop3_count") && b_.expect(args, NodeKind::comma, "','") && operand(args, "loop3_src_stride") &&
           b_.expect(args, NodeKind::comma, "','") && operand(args, "loop3_dst_stride");
  }
  /// atomic(type = f32, op = add) and atomic(add, f32)
  bool atomic(Cursor& args) {
    if (!b_.accept_word(args, "type"))
      return keyword(args, "atomic_op") && b_.expect(args, NodeKind::comma, "','") && keyword(args, "atomic_type");
    return b_.expect(args, NodeKind::equal, "'='") && keyword(args, "atomic_type") && b_.expect(args, NodeKind::comma, "','") &&
           b_.expect_word(args, "op") && b_.expect(args, NodeKind::equal, "'='") && keyword(args, "atomic_op");
  }
  bool dst_mode(Cursor& args, const Node& name) {
    if (!args.is(NodeKind::operand)) return keyword(args, "dst_mode");
    return set("dst_mode", 0, name) && operand(args, "sub_blockid");
  }

  /// One type per operand, in this order.
  bool types() {
    std::vector<Draft::Result> written;
    if (!b_.types(cursor_, written) || !b_.expect_end(cursor_)) return false;
    size_t i = 0;
    for (const std::string_view slot : {"source", "destination", "m", "n", "src_stride", "dst_stride", "sid", "l2_cache_ctrl", "sub_blockid",
                                        "pre_quant", "pre_relu", "clip_value", "split", "loop0_src_stride", "loop3_count",
                                        "loop3_src_stride", "loop3_dst_stride"}) {
      if (!has(slot)) continue;
      for (const Draft::Operand& value : b_.draft().slots[static_cast<size_t>(b_.draft().schema->operand_slot(slot))]) {
        if (i < written.size()) b_.check_type(value.value, value.span, written[i].type, written[i].span);
        ++i;
      }
    }
    if (i != written.size())
      b_.fail("E0116", b_.statement().name, fmt::format("{}: {} operands but {} types", b_.op_name(), i, written.size()));
    return !b_.failed();
  }

  Binder& b_;
  Cursor cursor_;
};

}  // namespace

bool bind_mte_l0c(Binder& b) {
  FixpipeClauses(b).bind();
  return true;
}

namespace {

/// Where an operand or attribute stands: behind which words, as which operand (-1: the word itself).
struct Place {
  std::string_view name;
  std::array<std::string_view, 3> words;
  int operand;
  std::string_view then;   ///< for attributes: the value behind this word and '='
};
constexpr Place kPlaces[] = {
    {"pre_quant", {"pre_quant"}, 0, ""},          {"pre_relu", {"pre_relu"}, 0, ""},
    {"clip_value", {"clip"}, 0, ""},              {"loop0_src_stride", {"nz2dn"}, 0, ""},
    {"split", {"nz2nz"}, 0, ""},                  {"loop3_count", {"loop3"}, 0, ""},
    {"loop3_src_stride", {"loop3"}, 1, ""},       {"loop3_dst_stride", {"loop3"}, 2, ""},
    {"sub_blockid", {"dst_mode"}, 0, ""},         {"mode", {"nz2nd", "nz2dn", "nz2nz"}, -1, ""},
    {"unit_flag", {"unit_flag"}, -1, ""},         {"pre_quant_mode", {"pre_quant"}, -1, "mode"},
    {"pre_relu_mode", {"pre_relu"}, -1, "mode"},  {"sat_mode", {"sat", "nosat"}, -1, ""},
    {"atomic_type", {"atomic"}, -1, ""},          {"atomic_op", {"atomic"}, -1, ""},
    {"dst_mode", {"dst_mode"}, -1, ""},
};

/// The first node of a kind from `at` on, `skip` of them left out.
const Node* nth(const std::vector<Node>& nodes, size_t at, NodeKind kind, int skip) {
  for (; at < nodes.size() && nodes[at].kind != NodeKind::colon; ++at) {
    if (nodes[at].kind == kind && skip-- == 0) return &nodes[at];
  }
  return nullptr;
}

/// Where a clause's operand or attribute stands; empty when the clause or its operand is not written.
Span find_by_words(Binder& b, std::string_view name, bool operand) {
  const std::vector<Node>& nodes = b.statement().nodes;
  const auto* place = std::ranges::find(kPlaces, name, &Place::name);
  if (place == std::end(kPlaces)) return {};
  for (size_t i = b.statement().first_item; i < nodes.size() && nodes[i].kind != NodeKind::colon; ++i) {
    const std::string_view word = b.text(nodes[i]);
    if (nodes[i].kind != NodeKind::word || std::ranges::find(place->words, word) == place->words.end()) continue;
    const Node* found = &nodes[i];
    if (place->operand >= 0) found = nth(nodes, i, NodeKind::operand, place->operand);
    if (!place->then.empty()) {
      const Node* key = nth(nodes, i + 1, NodeKind::word, 0);
      if (key != nullptr && b.text(*key) == place->then) found = nth(nodes, static_cast<size_t>(key - nodes.data()) + 1, NodeKind::word, 0);
    }
    if (found == nullptr) return operand ? Span{} : Binder::span(nodes[i]);
    return Binder::span(*found);
  }
  return {};
}

}  // namespace

Span find_in_clauses(Binder& b, const isa::Schema& schema, const Anchor& anchor) {
  if (anchor.part == Anchor::Part::attribute) return find_by_words(b, schema.attrs[anchor.index].name, false);
  // Slots take one operand or none; those without a clause stand in front, in slot order.
  int positional = 0;
  uint32_t flat = 0;
  for (const isa::OperandSpec& slot : schema.operands) {
    Span span;
    if (slot.arity == isa::Arity::one) {
      const Node* node = nth(b.statement().nodes, b.statement().first_item, NodeKind::operand, positional++);
      if (node != nullptr) span = Binder::span(*node);
    } else {
      span = find_by_words(b, slot.name, true);
      if (span == Span{}) continue;
    }
    if (flat++ == anchor.index) return span;
  }
  return {};
}

}  // namespace pto::text
