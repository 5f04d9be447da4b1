// The stream is built anew; operands, attributes and values of the old operations stay where they are.
#include "plan/rewrite.hpp"

#include <algorithm>
#include <tuple>

#include "ir/rewriter.hpp"

namespace pto::planner {
namespace {

class Rewriter {
 public:
  Rewriter(Program& program, std::vector<Insertion> insertions)
      : program_(program), insertions_(std::move(insertions)), builder_(program) {
    // Everything for one operation together: before, after; then those at region ends.
    std::stable_sort(insertions_.begin(), insertions_.end(),
                     [](const Insertion& a, const Insertion& b) { return key(a) < key(b); });
  }

  void run(const Storage& storage) {
    address_.assign(program_.ops.size(), -1);
    for (const Root& root : storage.roots()) {
      if (root.kind == Root::Kind::tile && root.planned && root.addr && root.slot == 0)
        address_[root.op] = static_cast<int64_t>(*root.addr);
    }
    Rebuilder(program_, *this).run();
  }

  void before(uint32_t op, Op& old) {
    insert(Insertion::Place::before, op, old.where);
    if (address_[op] >= 0 && old.row == KnownRows::get().reserve_buffer)
      set_base(op, old);
    else if (address_[op] >= 0)
      set_address(op, old);
  }
  void after(uint32_t op, Location where) { insert(Insertion::Place::after, op, where); }
  void region_end(uint32_t region, Location where) { insert(Insertion::Place::region_end, region, where); }

 private:
  using Key = std::tuple<bool, uint32_t, Insertion::Place, uint8_t, CoreBits>;
  static Key key(const Insertion& i) {
    return {i.place == Insertion::Place::region_end, i.at, i.place, i.rank, i.op.section};
  }

  void insert(Insertion::Place place, uint32_t at, Location where) {
    const Key first{place == Insertion::Place::region_end, at, place, 0, CoreBits{0}};
    auto it = std::lower_bound(insertions_.begin(), insertions_.end(), first,
                               [](const Insertion& i, const Key& k) { return key(i) < k; });
    CoreBits open = 0;
    uint32_t section = 0;
    const auto enter = [&](CoreBits core) {
      if (core == open) return;
      if (open != 0) builder_.end_region(section, 0);
      open = core;
      if (core == 0) return;
      const KnownRows& rows = KnownRows::get();
      section =
          builder_.begin_op(core == 1 ? rows.section_cube : rows.section_vector, where, {}, {}, {}, {}, 1);
      builder_.begin_region(section, 0, {}, {});
    };
    for (; it != insertions_.end() && it->place == place && it->at == at; ++it) {
      enter(it->op.section);
      add(it->op, where);
    }
    enter(0);
  }

  static Attr number(RowId row, std::string_view name, int64_t value, TypeId type) {
    Attr attr;
    attr.spec = static_cast<uint16_t>(isa::schema(row).attr_index(name));
    attr.value.kind = AttrValue::Kind::integer;
    attr.value.integer = value;
    attr.value.type = type;
    return attr;
  }

  /// Modes 1 and 2 are the ones that A2/A3 and A5 understand alike.
  void add_signal(const SyncOp& op, Location where) {
    const isa::OpcodeClass opcode_class =
        op.kind == SyncOp::Kind::signal ? isa::OpcodeClass::sync_set : isa::OpcodeClass::sync_wait;
    const RowId row = isa::id_of(opcode_class);
    const TypeId i32 = program_.types.intern(scalar_type(Elem::i32));
    const Attr attrs[] = {enumerant(row, "pipe", static_cast<int64_t>(op.source)),
                          number(row, "event_id", op.id, kNoType), number(row, "ffts_mode", op.mode, i32)};
    const ValueId none[] = {kNoValue};
    builder_.begin_op(row, where, none, attrs, {}, {});
  }

  static Attr enumerant(RowId row, std::string_view name, int64_t value) {
    Attr attr;
    attr.spec = static_cast<uint16_t>(isa::schema(row).attr_index(name));
    attr.value.kind = AttrValue::Kind::enumerant;
    attr.value.integer = value;
    return attr;
  }

  void add(const SyncOp& op, Location where) {
    const KnownRows& rows = KnownRows::get();
    if (op.kind == SyncOp::Kind::barrier) {
      const Attr pipe = enumerant(rows.barrier, "pipe", static_cast<int64_t>(op.source));
      builder_.begin_op(rows.barrier, where, {}, {&pipe, 1}, {}, {});
      return;
    }
    if (op.kind == SyncOp::Kind::signal || op.kind == SyncOp::Kind::wait_signal) return add_signal(op, where);
    const RowId row = op.kind == SyncOp::Kind::set ? rows.set_flag : rows.wait_flag;
    const Attr attrs[] = {enumerant(row, "src_pipe", static_cast<int64_t>(op.source)),
                          enumerant(row, "dst_pipe", static_cast<int64_t>(op.destination)),
                          enumerant(row, "event_id", op.id)};
    builder_.begin_op(row, where, {}, attrs, {}, {});
  }

  void set_base(uint32_t op, Op& old) {
    const isa::Schema& schema = isa::schema(old.row);
    const auto base = static_cast<uint16_t>(schema.attr_index("base")),
               automatic = static_cast<uint16_t>(schema.attr_index("auto"));
    std::vector<Attr> attrs(program_.attrs.begin() + old.attrs,
                            program_.attrs.begin() + old.attrs + old.n_attrs);
    for (Attr& attr : attrs) {
      if (attr.spec == automatic) attr.value.integer = 0;
    }
    Attr value;
    value.spec = base;
    value.value.kind = AttrValue::Kind::integer;
    value.value.integer = address_[op];
    for (const Attr& attr : attrs) {
      if (attr.spec != automatic && attr.value.kind == AttrValue::Kind::integer)
        value.value.type = attr.value.type;
    }
    attrs.push_back(value);
    old.attrs = static_cast<uint32_t>(program_.attrs.size());
    old.n_attrs = static_cast<decltype(old.n_attrs)>(attrs.size());
    program_.attrs.insert(program_.attrs.end(), attrs.begin(), attrs.end());
  }

  void set_address(uint32_t op, const Op& old) {
    const TypeId i64 = program_.types.intern(scalar_type(Elem::i64));
    Attr value;
    value.spec = static_cast<uint16_t>(isa::schema(KnownRows::get().constant).attr_index("value"));
    value.value.kind = AttrValue::Kind::integer;
    value.value.type = i64;
    value.value.integer = address_[op];
    const uint32_t constant =
        builder_.begin_op(KnownRows::get().constant, old.where, {}, {&value, 1}, {&i64, 1}, {});
    program_.operands[old.operands] = program_.ops[constant].first_result;
  }

  Program& program_;
  std::vector<Insertion> insertions_;
  ProgramBuilder builder_;
  std::vector<int64_t> address_;  ///< per old operation, -1: none to give
};

}  // namespace

void rewrite(Program& program, const Storage& storage, std::vector<Insertion> insertions) {
  Rewriter(program, std::move(insertions)).run(storage);
}

}  // namespace pto::planner
