// Addresses and synchronisation operations, written with a Rewriter.
#include "plan/rewrite.hpp"

#include <algorithm>
#include <tuple>

#include "ir/op_queries.hpp"
#include "ir/rewriter.hpp"

namespace pto::planner {
namespace {

using isa::OpcodeClass;

class PlanWriter {
 public:
  explicit PlanWriter(Program& program) : program_(program), rewriter_(program) {}

  void write(const Storage& storage, std::vector<Insertion> insertions) {
    // Everything for one operation together: before, after; then those at region ends.
    std::ranges::stable_sort(insertions, {}, key);
    for (auto first = insertions.begin(); first != insertions.end();) {
      const auto last = std::find_if(first, insertions.end(), [&](const Insertion& each) {
        return each.place != first->place || each.at != first->at;
      });
      insert({first, last});
      first = last;
    }
    for (const Root& root : storage.roots()) {
      if (root.kind == Root::Kind::tile && root.planned && root.addr && root.slot == 0)
        addresses_.emplace_back(root.op, static_cast<int64_t>(*root.addr));
    }
    std::ranges::sort(addresses_);
    for (const auto& [op, address] : addresses_) {
      if (isa::opcode_class(program_.ops[op]) == OpcodeClass::reserve_buffer)
        set_base(program_.ops[op], address);
      else
        set_address(op, address);
    }
    rewriter_.finish();
  }

 private:
  static std::tuple<bool, uint32_t, Insertion::Place, uint8_t, CoreBits> key(const Insertion& i) {
    return {i.place == Insertion::Place::region_end, i.at, i.place, i.rank, i.op.section};
  }

  /// All of one place.
  void insert(std::span<const Insertion> insertions) {
    const uint32_t at = insertions.front().at;
    switch (insertions.front().place) {
      case Insertion::Place::before:
        rewriter_.set_before(at);
        break;
      case Insertion::Place::after:
        rewriter_.set_after(at);
        break;
      case Insertion::Place::region_end:
        rewriter_.set_end(at);
        break;
    }
    const Rewriter::Point outside = rewriter_.point();
    CoreBits open = 0;
    for (const Insertion& each : insertions) {
      if (each.op.section != open) {
        open = each.op.section;
        rewriter_.set_point(outside);
        if (open != 0) enter_section(open);
      }
      add(each.op);
    }
  }

  void enter_section(CoreBits core) {
    const OpcodeClass section = core == 1 ? OpcodeClass::section_cube : OpcodeClass::section_vector;
    const OpId op = rewriter_.create(isa::id_of(section), {}, {}, {}, 1);
    rewriter_.set_end(rewriter_.region(op, 0));
  }

  void add(const SyncOp& op) {
    switch (op.kind) {
      case SyncOp::Kind::barrier:
        return add_barrier(op);
      case SyncOp::Kind::signal:
      case SyncOp::Kind::wait_signal:
        return add_signal(op);
      default:
        return add_flag(op);
    }
  }

  void add_barrier(const SyncOp& op) {
    const RowId row = isa::id_of(OpcodeClass::barrier);
    const Attr pipe = enumerant_attr(row, "pipe", static_cast<int64_t>(op.source));
    rewriter_.create(row, {}, {}, {&pipe, 1});
  }

  void add_flag(const SyncOp& op) {
    const bool sets = op.kind == SyncOp::Kind::set;
    const RowId row = isa::id_of(sets ? OpcodeClass::set_flag : OpcodeClass::wait_flag);
    const Attr attrs[] = {enumerant_attr(row, "src_pipe", static_cast<int64_t>(op.source)),
                          enumerant_attr(row, "dst_pipe", static_cast<int64_t>(op.destination)),
                          enumerant_attr(row, "event_id", op.id)};
    rewriter_.create(row, {}, {}, attrs);
  }

  /// Modes 1 and 2 are the ones that A2/A3 and A5 understand alike.
  void add_signal(const SyncOp& op) {
    const bool sets = op.kind == SyncOp::Kind::signal;
    const RowId row = isa::id_of(sets ? OpcodeClass::sync_set : OpcodeClass::sync_wait);
    const TypeId i32 = program_.types.intern(scalar_type(Elem::i32));
    const Attr attrs[] = {enumerant_attr(row, "pipe", static_cast<int64_t>(op.source)),
                          integer_attr(row, "event_id", op.id), integer_attr(row, "ffts_mode", op.mode, i32)};
    const ValueId none[] = {kNoValue};
    rewriter_.create(row, none, {}, attrs);
  }

  void set_base(Op& op, int64_t address) {
    const isa::Schema& schema = isa::schema(op.row);
    const auto automatic = static_cast<uint16_t>(schema.attr_index("auto"));
    const auto written = program_.attrs_of(op);
    std::vector<Attr> attrs(written.begin(), written.end());
    TypeId type = kNoType;
    for (Attr& attr : attrs) {
      if (attr.spec == automatic)
        attr.value.integer = 0;
      else if (attr.value.kind == AttrValue::Kind::integer)
        type = attr.value.type;
    }
    attrs.push_back(integer_attr(op.row, "base", address, type));
    op.attrs = static_cast<uint32_t>(program_.attrs.size());
    op.n_attrs = static_cast<decltype(op.n_attrs)>(attrs.size());
    program_.attrs.insert(program_.attrs.end(), attrs.begin(), attrs.end());
  }

  void set_address(OpId op, int64_t address) {
    const TypeId i64 = program_.types.intern(scalar_type(Elem::i64));
    rewriter_.set_before(op);
    const ValueId constant = rewriter_.constant(i64, address);
    program_.operands[program_.ops[op].operands] = constant;
  }

  Program& program_;
  Rewriter rewriter_;
  std::vector<std::pair<OpId, int64_t>> addresses_;
};

}  // namespace

void rewrite(Program& program, const Storage& storage, std::vector<Insertion> insertions) {
  PlanWriter(program).write(storage, std::move(insertions));
}

}  // namespace pto::planner
