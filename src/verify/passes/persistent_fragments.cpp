// Persistent fragments: arrays that the threads of a kernel keep in registers from one SIMT section to the
// next (E0599). The public compiler gives every element a slot (pto.keep, pto.resume), so it has to know
// where each access goes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "ir/regions.hpp"
#include "ir/symbol_table.hpp"
#include "support/saturating.hpp"
#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

/// Into a fragment. Positions that follow a loop are not looked at: the loop is unrolled.
struct Pointer {
  int64_t bytes = 0;
  bool unrolled = false;
};
struct Access {
  uint32_t op = 0, section = kNoOp;
  int64_t element = 0, lanes = 1;
  bool stores = false, unrolled = false;
};
/// One fragment of a kernel.
struct Fragment {
  uint32_t op = 0;
  int64_t elements = 0, width = 0;
  std::vector<Access> accesses;
};

bool makes_fragment(const OpView& op) {
  return has_rule(op, RuleName::fragment) && op.attr("pto.persistent") != nullptr;
}
bool steps(const OpView& op) { return has_rule(op, RuleName::fragment_step); }
bool loads(const OpView& op) { return has_rule(op, RuleName::fragment_load); }
bool stores(const OpView& op) { return has_rule(op, RuleName::fragment_store); }

class Fragments {
 public:
  explicit Fragments(Checker& check)
      : check_(check), program_(check.program()), functions_(check.functions()), regions_(program_) {}

  void run() {
    for (const Function& function : functions_.all()) {
      function_ = &function;
      slots_ = 0;
      for (uint32_t i = function.info.op + 1; i < function.end; ++i) {
        if (const OpView op(program_, i); makes_fragment(op)) check_fragment(op);
      }
    }
  }

 private:
  /// False, for conditions.
  bool fail(uint32_t op, std::string message, Fix help) {
    check_.fail(E0599, OpView(program_, op), std::move(message), std::move(help));
    return false;
  }

  void check_fragment(const OpView& op) {
    const AttrValue* held = op.attr("elem_type");
    if (held == nullptr || held->kind != AttrValue::Kind::type) return;
    const Type& elem = program_.types[held->type];
    Fragment fragment{.op = op.index(),
                      .elements = check_.constant(op.operand(0)).value_or(0),
                      .width = elem.kind == TypeKind::scalar ? byte_width(elem.elem) : 0};
    if (!function_->info.entry) {
      fail(fragment.op, fmt::format("a fragment of @{}, which is no kernel", function_->info.name),
           "make it in the kernel");
    } else if (fragment.width == 0 || fragment.elements <= 0) {
      fail(fragment.op, "the elements of a fragment are scalars, and their count is a positive constant",
           "write a constant");
    } else if (follow(fragment, elem) && !fragment.accesses.empty()) {
      check_sections(fragment);
    }
  }

  // ---- accesses

  /// Finds every use of the fragment's pointers. False after an error.
  bool follow(Fragment& fragment, const Type& elem) {
    std::map<ValueId, Pointer> pointers = {{OpView(program_, fragment.op).result(0), {}}};
    for (uint32_t i = fragment.op + 1; i < function_->end; ++i) {
      const OpView op(program_, i);
      for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
        for (const ValueId value : op.operands(slot)) {
          const auto found = pointers.find(value);
          if (found != pointers.end() && !use(fragment, op, slot, found->second, elem, pointers))
            return false;
        }
      }
    }
    return true;
  }

  bool use(Fragment& fragment, const OpView& op, unsigned slot, Pointer at, const Type& elem,
           std::map<ValueId, Pointer>& pointers) {
    if (steps(op) && slot == 0) {
      const std::optional<Pointer> next = step(op, at);
      if (next) pointers[op.result(0)] = *next;
      return next.has_value();
    }
    if (loads(op)) return record(fragment, op, op.result_type(0), elem, at, false);
    if (stores(op) && slot == 1) return record(fragment, op, op.type(0), elem, at, true);
    return fail(op.index(), fmt::format("{} takes the address of a fragment", op.mnemonic()),
                "fragments are loaded and stored; they have no address");
  }

  /// Nothing after an error.
  std::optional<Pointer> step(const OpView& op, Pointer at) {
    const isa::MixedList& list = isa::schema(op.op().row).mixed.front();
    const AttrValue* numbers = op.attr(list.attr);
    const AttrValue* unit = op.attr("elem_type");
    std::optional<int64_t> index;
    if (numbers != nullptr && numbers->kind == AttrValue::Kind::int_array && numbers->array.count == 1) {
      const int64_t number = program_.ints[numbers->array.first];
      index = number == list.marker && op.operands(list.slot).size() == 1
                  ? check_.constant(op.operand(list.slot))
                  : Number(number);
      if (!index && loop_around(op.index()) != kNoOp) return Pointer{at.bytes, true};
    }
    const Type* type =
        unit != nullptr && unit->kind == AttrValue::Kind::type ? &program_.types[unit->type] : nullptr;
    if (index && type != nullptr && type->kind == TypeKind::scalar)
      return Pointer{sat_add(at.bytes, sat_mul<int64_t>(*index, byte_width(type->elem))), at.unrolled};
    fail(op.index(), fmt::format("{} into a fragment has one index, a constant", op.mnemonic()),
         "registers are named when the program is translated");
    return std::nullopt;
  }

  /// The loop of a section that an operation is in; kNoOp when there is none.
  uint32_t loop_around(uint32_t op) const {
    for (uint32_t around = regions_.parent(op); around != kNoOp; around = regions_.parent(around)) {
      const OpView view(program_, around);
      if (isa::opcode_class(view) == isa::OpcodeClass::loop) return around;
      if (is_thread_section(view)) break;
    }
    return kNoOp;
  }
  /// How many elements an unrolled access reaches, counted from 0: as many as the loop counts to, at most
  /// all.
  int64_t reached(const Fragment& fragment, uint32_t op) const {
    const uint32_t loop = loop_around(op);
    const Number last = loop == kNoOp ? Number() : check_.constant(OpView(program_, loop).operand(1));
    return std::clamp<int64_t>(last.value_or(fragment.elements), 0, fragment.elements);
  }

  /// The section around an access, in whose body it stands: loops are unrolled. kNoOp after an error.
  uint32_t section_of(uint32_t op) {
    for (uint32_t around = regions_.parent(op); around != kNoOp; around = regions_.parent(around)) {
      const OpView view(program_, around);
      if (is_thread_section(view)) return around;
      if (isa::opcode_class(view) == isa::OpcodeClass::function) break;
      if (isa::opcode_class(view) == isa::OpcodeClass::loop) continue;
      fail(op, fmt::format("{} of a fragment is in {}", OpView(program_, op).mnemonic(), view.mnemonic()),
           "access it directly in a pto.section.simt");
      return kNoOp;
    }
    fail(op, fmt::format("{} of a fragment is outside SIMT sections", OpView(program_, op).mnemonic()),
         "access it in a pto.section.simt");
    return kNoOp;
  }

  bool record(Fragment& fragment, const OpView& op, const Type& type, const Type& elem, Pointer at,
              bool store) {
    Access access{
        .op = op.index(), .section = section_of(op.index()), .stores = store, .unrolled = at.unrolled};
    if (access.section == kNoOp) return false;
    const bool vector = type.kind == TypeKind::vector;
    if (vector) access.lanes = type.dims[0];
    if (vector && (type.rank != 1 || (access.lanes != 2 && access.lanes != 4)))
      return fail(access.op, fmt::format("{} of a fragment moves {}", op.mnemonic(), describe(type)),
                  "one element, two or four");
    if (vector && op.attr("volatile_") != nullptr)
      return fail(access.op, fmt::format("{} of a fragment is volatile", op.mnemonic()),
                  Fix::remove("remove it"));
    if (type.elem != elem.elem)
      return fail(
          access.op,
          fmt::format("{} of a fragment of {} moves {}", op.mnemonic(), describe(elem), describe(type)),
          Fix::use(to_string(elem.elem)));
    if (!at.unrolled && (at.bytes < 0 || at.bytes % fragment.width != 0))
      return fail(access.op, fmt::format("byte {} of a fragment begins no element", at.bytes),
                  fmt::format("a multiple of {} from 0", fragment.width));
    access.element = at.bytes / fragment.width;
    if (!at.unrolled && sat_add(access.element, access.lanes) > fragment.elements)
      return fail(
          access.op,
          fmt::format("element {} of a fragment of {}", access.element + access.lanes - 1, fragment.elements),
          "elements count from 0");
    fragment.accesses.push_back(access);
    return true;
  }

  // ---- sections

  /// The first section that uses the fragment writes what the others read, and all have as many threads.
  void check_sections(const Fragment& fragment) {
    const uint32_t first = fragment.accesses.front().section;
    for (const Access& access : fragment.accesses) {
      if (access.section == first || regions_.dominates(first, access.section)) continue;
      fail(fragment.op, "no SIMT section runs in front of all others that use this fragment",
           "write it first in a section that always runs");
      return;
    }
    std::set<int64_t> written;
    if (!find_written(fragment, first, written) || !same_threads(first)) return;
    for (size_t i = 0; i < written.size(); ++i) {
      if (fragment.width == 8) slots_ += slots_ % 2;
      slots_ += fragment.width == 8 ? 2 : 1;
    }
    if (slots_ > kFragmentSlots)
      fail(fragment.op, fmt::format("the fragments of @{} take {} slots", function_->info.name, slots_),
           fmt::format("there are {}; a 64-bit element takes two from an even one on", kFragmentSlots));
  }

  bool find_written(const Fragment& fragment, uint32_t first, std::set<int64_t>& written) {
    for (const Access& access : fragment.accesses) {
      if (access.unrolled) {
        const int64_t count = std::min(reached(fragment, access.op), kFragmentSlots + 1);
        for (int64_t e = 0; e < count; ++e) written.insert(e);
        continue;
      }
      for (int64_t e = access.element; e < access.element + access.lanes; ++e) {
        if (access.section == first && access.stores) written.insert(e);
        if (!written.contains(e))
          return fail(access.op, fmt::format("element {} of the fragment is not written first", e),
                      "write it in the first section that uses the fragment");
      }
    }
    return true;
  }

  bool same_threads(uint32_t first) {
    const OpView one(program_, first);
    for (uint32_t i = first + 1; i < function_->end; ++i) {
      const OpView other(program_, i);
      if (!is_thread_section(other) || !regions_.dominates(first, i)) continue;
      for (const std::string_view dim : {"dimX", "dimY", "dimZ"}) {
        if (one.attr_int(dim) == other.attr_int(dim)) continue;
        return fail(i,
                    fmt::format("{} is {} here and {} in the section that fills the fragment", dim,
                                other.attr_int(dim), one.attr_int(dim)),
                    "the threads that keep values are those that resume them");
      }
    }
    return true;
  }

  Checker& check_;
  const Program& program_;
  const Functions& functions_;
  const RegionTree regions_;
  const Function* function_ = nullptr;
  int64_t slots_ = 0;
};

constexpr Rule kPersistentFragmentsRules[] = {
    {.id = E0599,
     .title = "persistent fragment",
     .cause =
         "llvm.alloca {pto.persistent} is an array of registers that the threads of a kernel keep between "
         "SIMT sections: it is loaded and stored at constant positions, directly in sections of as many "
         "threads, written first in one that always runs, and has 123 slots of 32 bits.",
     .example = "llvm.load %f outside of pto.section.simt",
     .fix = "Follow the message."},
};

constexpr OpRule kPersistentFragmentsChecks[] = {
    {.name = "fragment", .words = "with pto.persistent: registers of threads (E0599)"},
    {.name = "fragment_step", .words = "into a persistent fragment: one constant index (E0599)"},
    {.name = "fragment_load", .words = "of a persistent fragment: in a SIMT section (E0599)"},
    {.name = "fragment_store", .words = "into a persistent fragment: in a SIMT section (E0599)"},
};

}  // namespace

RuleFamily fragment_rules() {
  return {.rules = kPersistentFragmentsRules, .checks = kPersistentFragmentsChecks};
}

void check_fragments(Checker& check) {
  if (!check.any_has_rule({RuleName::fragment})) return;
  const Program& program = check.program();
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    if (makes_fragment(OpView(program, i))) return Fragments(check).run();
  }
}

}  // namespace pto::legality
