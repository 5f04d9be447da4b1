#include "ir/rewriter.hpp"

#include <algorithm>
#include <utility>

#include "isa/row.hpp"

namespace pto {
namespace {

constexpr uint32_t kOutermost = ~0u;  ///< the list of operations that no region holds

Attr attr_of(RowId row, std::string_view name, AttrValue::Kind kind, int64_t value) {
  Attr attr;
  attr.spec = static_cast<uint16_t>(isa::schema(row).attr_index(name));
  attr.value.kind = kind;
  attr.value.integer = value;
  return attr;
}

}  // namespace

Attr integer_attr(RowId row, std::string_view name, int64_t value, TypeId type) {
  Attr attr = attr_of(row, name, AttrValue::Kind::integer, value);
  attr.value.type = type;
  return attr;
}

Attr enumerant_attr(RowId row, std::string_view name, int64_t value) {
  return attr_of(row, name, AttrValue::Kind::enumerant, value);
}

Rewriter::Rewriter(Program& program) : program_(program), builder_(program) {
  adopt();
  const auto count = static_cast<uint32_t>(program.ops.size());
  link_region(kOutermost, kNoOp, 0, count);
  for (OpId op = 0; op < count; ++op) {
    for (uint32_t i = 0; i < program.ops[op].n_regions; ++i) {
      const uint32_t number = region(op, i);
      link_region(number, op, program.regions[number].begin, program.regions[number].end);
    }
  }
}

void Rewriter::link_region(uint32_t region, OpId owner, uint32_t begin, uint32_t end) {
  Ends& ends = this->ends(region);
  ends.owner = owner;
  for (uint32_t op = begin; op < end; op = program_.end_of(op)) {
    links_[op] = {ends.last, kNoOp, region};
    (ends.last == kNoOp ? ends.first : links_[ends.last].next) = op;
    ends.last = op;
  }
}

Rewriter::Ends& Rewriter::ends(uint32_t region) { return region == kOutermost ? outermost_ : ends_[region]; }

void Rewriter::adopt() {
  links_.resize(program_.ops.size());
  ends_.resize(program_.regions.size());
}

// ---- the insertion point

void Rewriter::set_before(OpId op) { point_ = {links_[op].region, op, program_.ops[op].where}; }

void Rewriter::set_after(OpId op) { point_ = {links_[op].region, links_[op].next, program_.ops[op].where}; }

void Rewriter::set_begin(uint32_t region) {
  point_ = {region, ends(region).first, program_.ops[ends(region).owner].where};
}

void Rewriter::set_end(uint32_t region) { point_ = {region, kNoOp, program_.ops[ends(region).owner].where}; }

// ---- edits

void Rewriter::insert(OpId op) {
  Ends& ends = this->ends(point_.region);
  const OpId next = point_.next, previous = next == kNoOp ? ends.last : links_[next].previous;
  links_[op] = {previous, next, point_.region};
  (previous == kNoOp ? ends.first : links_[previous].next) = op;
  (next == kNoOp ? ends.last : links_[next].previous) = op;
}

void Rewriter::unlink(OpId op) {
  const auto [previous, next, region] = links_[op];
  Ends& ends = this->ends(region);
  (previous == kNoOp ? ends.first : links_[previous].next) = next;
  (next == kNoOp ? ends.last : links_[next].previous) = previous;
}

OpId Rewriter::create(RowId row, std::span<const ValueId> operands, std::span<const TypeId> results,
                      std::span<const Attr> attrs, unsigned n_regions) {
  const OpId op = builder_.begin_op(row, point_.where, operands, attrs, results, {}, n_regions);
  adopt();
  for (unsigned i = 0; i < n_regions; ++i) ends_[region(op, i)].owner = op;
  insert(op);
  return op;
}

ValueId Rewriter::create_value(isa::OpcodeClass opcode_class, std::span<const ValueId> operands, TypeId type,
                               std::span<const Attr> attrs) {
  const OpId op = create(isa::id_of(opcode_class), operands, {&type, 1}, attrs);
  return program_.ops[op].first_result;
}

ValueId Rewriter::constant(TypeId type, int64_t value) {
  const Attr attr = integer_attr(isa::id_of(isa::OpcodeClass::constant), "value", value, type);
  return create_value(isa::OpcodeClass::constant, {}, type, {&attr, 1});
}

ValueId Rewriter::binary(isa::OpcodeClass opcode_class, TypeId type, ValueId a, ValueId b) {
  const ValueId operands[] = {a, b};
  return create_value(opcode_class, operands, type);
}

ValueId Rewriter::compare(isa::CmpPredicate predicate, ValueId a, ValueId b) {
  const RowId row = isa::id_of(isa::OpcodeClass::compare);
  const Attr attr = enumerant_attr(row, "predicate", static_cast<int64_t>(predicate));
  const TypeId bit = program_.types.intern(scalar_type(Elem::i1));
  const ValueId operands[] = {a, b};
  return create_value(isa::OpcodeClass::compare, operands, bit, {&attr, 1});
}

void Rewriter::move(OpId op) {
  if (point_.next == op) return;  // it is there
  unlink(op);
  insert(op);
}

void Rewriter::erase(OpId op) { unlink(op); }

OpId Rewriter::clone_alone(OpId op, ValueMap& values, const ValueCopier& copy_values) {
  Op copy = program_.ops[op];
  const auto copied = [&](ValueId first, uint32_t count) {
    const ValueId made = copy_values(first, count);
    for (uint32_t i = 0; i < count; ++i) values[first + i] = made + i;
    return made;
  };
  copy.first_result = copied(copy.first_result, copy.n_results);
  if (copy.n_regions != 0) copy.regions = static_cast<uint32_t>(program_.regions.size());
  for (uint32_t i = 0; i < copy.n_regions; ++i) {
    Region made = program_.regions[region(op, i)];
    made.first_arg = copied(made.first_arg, made.n_args);
    program_.regions.push_back(made);
  }
  const auto clone = static_cast<OpId>(program_.ops.size());
  program_.ops.push_back(copy);
  adopt();
  for (unsigned i = 0; i < copy.n_regions; ++i) ends_[region(clone, i)].owner = clone;
  std::vector<ValueId> words;
  mapped_operands(copy, values, words);
  set_operands(clone, words);
  insert(clone);
  return clone;
}

OpId Rewriter::clone(OpId op, ValueMap& values, const ValueCopier& copy_values) {
  const OpId root = clone_alone(op, values, copy_values);
  const Point behind = point_;
  // Operations in the order of the stream; without recursion, as structures may be nested deeply.
  std::vector<std::pair<OpId, uint32_t>> open;  // what is left to copy, and the region it goes to
  const auto push_children = [&](OpId from, OpId to) {
    for (unsigned i = program_.ops[from].n_regions; i-- > 0;) {
      for (OpId child = ends_[region(from, i)].last; child != kNoOp; child = links_[child].previous)
        open.emplace_back(child, region(to, i));
    }
  };
  push_children(op, root);
  while (!open.empty()) {
    const auto [child, into] = open.back();
    open.pop_back();
    point_ = {into, kNoOp, behind.where};
    push_children(child, clone_alone(child, values, copy_values));
  }
  point_ = behind;
  return root;
}

OpId Rewriter::wrap(RowId row, OpId first, OpId last) {
  set_before(first);
  const OpId around = create(row, {}, {}, {}, 1);
  set_end(region(around, 0));
  for (OpId op = first;;) {
    const OpId next = links_[op].next;
    move(op);
    if (op == last) return around;
    op = next;
  }
}

std::vector<OpId> Rewriter::children(uint32_t region) const {
  std::vector<OpId> found;
  for (OpId op = ends_[region].first; op != kNoOp; op = links_[op].next) found.push_back(op);
  return found;
}

// ---- operands

bool Rewriter::mapped_operands(const Op& op, const ValueMap& values, std::vector<ValueId>& words) const {
  const auto begin = program_.operands.begin() + op.operands;
  words.assign(begin, begin + op.n_operand_words);
  bool changed = false;
  const auto exchange = [&](ValueId& value) {
    const auto found = value == kNoValue ? values.end() : values.find(value);
    if (found == values.end()) return;
    value = found->second;
    changed = true;
  };
  // Words are values, but for the counts of variadic slots.
  size_t at = 0;
  for (const isa::OperandSpec& slot : isa::schema(op.row).operands) {
    if (at >= words.size()) break;
    const uint32_t count = slot.arity == isa::Arity::variadic ? words[at++] : 1;
    for (uint32_t i = 0; i < count && at < words.size(); ++i) exchange(words[at++]);
  }
  return changed;
}

void Rewriter::set_operands(OpId op, std::span<const ValueId> words) {
  Op& changed = program_.ops[op];
  changed.operands = static_cast<uint32_t>(program_.operands.size());
  changed.n_operand_words = static_cast<uint16_t>(words.size());
  program_.operands.insert(program_.operands.end(), words.begin(), words.end());
}

void Rewriter::replace_operands(OpId op, const ValueMap& values) {
  std::vector<ValueId> words;
  if (mapped_operands(program_.ops[op], values, words)) set_operands(op, words);
}

// ---- the stream

void Rewriter::finish() {
  std::vector<Op> stream;
  stream.reserve(program_.ops.size());
  index_.assign(program_.ops.size(), kNoOp);
  // Regions that are being written; without recursion, as structures may be nested deeply.
  struct Open {
    OpId owner, next;
    uint32_t number;
  };
  std::vector<Open> open = {{kNoOp, outermost_.first, 0}};
  const auto begin_region = [&](OpId owner, uint32_t number) {
    const uint32_t at = region(owner, number);
    program_.regions[at].begin = static_cast<uint32_t>(stream.size());
    open.push_back({owner, ends_[at].first, number});
  };
  while (!open.empty()) {
    Open& top = open.back();
    if (const OpId op = top.next; op != kNoOp) {
      top.next = links_[op].next;
      index_[op] = static_cast<uint32_t>(stream.size());
      stream.push_back(program_.ops[op]);
      if (program_.ops[op].n_regions != 0) begin_region(op, 0);
      continue;
    }
    const Open done = top;
    open.pop_back();
    if (done.owner == kNoOp) break;
    program_.regions[region(done.owner, done.number)].end = static_cast<uint32_t>(stream.size());
    if (done.number + 1 < program_.ops[done.owner].n_regions) begin_region(done.owner, done.number + 1);
  }
  for (OpId op = 0; op < program_.ops.size(); ++op) {
    if (index_[op] != kNoOp) continue;
    for (uint32_t i = 0; i < program_.ops[op].n_regions; ++i) {
      Region& erased = program_.regions[region(op, i)];
      erased.begin = erased.end = 0;
    }
  }
  program_.ops = std::move(stream);
}

}  // namespace pto
