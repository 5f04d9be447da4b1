// Pointers and scalar memory: casts, element types, local arrays (E0550, E0565 to E0569).
#include <algorithm>

#include "ir/address_alignment.hpp"
#include "isa/memory_spaces.hpp"
#include "support/saturating.hpp"
#include "verify/misalignment.hpp"
#include "verify/named_operands.hpp"

namespace pto::legality {
namespace {

bool integer(const Type& type) { return type.kind == TypeKind::scalar && is_integer(type.elem); }

/// Address to pointer, pointer to address, or pointer to another element type in the same memory.
void pointer_cast(Checker& check, const OpView& op, std::string_view) {
  const Type& from = op.type(0);
  const Type& to = op.result_type(0);
  if (integer(from) && integer(to)) {
    check.fail(
        E0565, op, Anchor::Part::result_type, 0,
        fmt::format("{} from {} to {} touches no pointer", op.mnemonic(), describe(from), describe(to)),
        Fix::use_one_of({"arith.index_cast", "arith.extsi", "arith.trunci"}));
    return;
  }
  if (from.kind == TypeKind::memref && integer(to)) {
    check.fail(E0565, op, Anchor::Part::result_type, 0,
               fmt::format("{} makes no address of a memref: {}", op.mnemonic(), describe(from)),
               "cast to a !pto.ptr first");
    return;
  }
  const bool spaces = from.space != Space::none && to.space != Space::none;
  if (integer(from) || integer(to) || !spaces || from.space == to.space) return;
  Diagnostic& built = check.fail(
      E0565, op, Anchor::Part::result_type, 0,
      fmt::format("{} cannot move {} from {} to {}", op.mnemonic(), value_name(op.program(), op.operand(0)),
                  to_string(from.space), to_string(to.space)),
      fmt::format("the result points to {}", to_string(from.space)));
  note_definition(check, built, find_named(op, isa::schema(op.op().row).operands[0].name));
}

/// What a pointer or memref points to: an element or a short vector of them.
bool is_element_of(const Type& memory, const Type& value) {
  if (memory.vec_lanes != 0)
    return value.kind == TypeKind::vector && value.elem == memory.elem && value.dims[0] == memory.vec_lanes;
  return value.kind == TypeKind::scalar && value.elem == memory.elem;
}

/// value=ptr: the value loaded or stored is what the pointer points to.
void element_of(Checker& check, const OpView& op, std::string_view argument) {
  const auto [name, of] = split_pair(argument);
  const Named value = find_named(op, name);
  const Named ptr = find_named(op, of);
  if (!value.present() || !ptr.present()) return;
  const Type& memory = ptr.type(op);
  if ((memory.kind != TypeKind::ptr && memory.kind != TypeKind::memref) ||
      is_element_of(memory, value.type(op)))
    return;
  const std::string element = memory.vec_lanes != 0
                                  ? fmt::format("vector<{}x{}>", memory.vec_lanes, to_string(memory.elem))
                                  : std::string(to_string(memory.elem));
  Diagnostic& built =
      check.fail(E0566, op, value.type_part(), value.index,
                 fmt::format("'{}' of {} is {}, {} points to {}", name, op.mnemonic(),
                             describe(value.type(op)), value_name(op.program(), ptr.value), element),
                 Fix::use(element, ", or cast the pointer with pto.castptr"));
  note_definition(check, built, ptr);
}

/// One index per dimension of a local array, and its element type.
void local_array(Checker& check, const OpView& op, std::string_view value_name_) {
  const Named array = find_named(op, "array");
  const Named value = find_named(op, value_name_);
  if (!array.present() || array.type(op).kind != TypeKind::local_array) return;
  const Type& type = array.type(op);
  const size_t given = op.operands(1).size();
  if (given != type.rank) {
    Diagnostic& built = check.fail(
        E0567, op, Anchor::Part::operand, array.index,
        fmt::format("{} has {} dimensions, {} indices are given", describe(type), type.rank, given),
        "give one index per dimension");
    note_definition(check, built, array);
  }
  if (!value.present() || (value.type(op).kind == TypeKind::scalar && value.type(op).elem == type.elem))
    return;
  Diagnostic& built = check.fail(
      E0566, op, value.type_part(), value.index,
      fmt::format("'{}' of {} is {}, the elements of {} are {}", value_name_, op.mnemonic(),
                  describe(value.type(op)), value_name(op.program(), array.value), to_string(type.elem)),
      Fix::use(to_string(type.elem)));
  note_definition(check, built, array);
}

/// The counters are 64-bit words, or their bytes.
void ffts_words(Checker& check, const OpView& op, std::string_view) {
  const Elem elem = signless(op.type(0).elem);
  if (elem == Elem::i64 || elem == Elem::i8) return;
  Diagnostic& built =
      check.fail(E0566, op, Anchor::Part::operand, 0,
                 fmt::format("the counters of {} are i64 or i8, {} points to {}", op.mnemonic(),
                             value_name(op.program(), op.operand(0)), to_string(op.type(0).elem)),
                 "pass the i64 pointer that the launcher gives");
  note_definition(check, built, find_named(op, "ffts"));
}

/// Where the access begins: `offset` elements behind the pointer, but for forms that give the pointer behind.
Congruence start_of(const Checker& check, const OpView& op, const Named& pointer,
                    const IterationVector& iterations) {
  const Congruence address = check.integers().congruence(pointer.value, iterations);
  const int offset = isa::schema(op.op().row).operand_slot("offset");
  const bool moves = op.op().n_results > 0 && op.result_type(op.op().n_results - 1).kind == TypeKind::ptr;
  if (address.is_unknown() || offset < 0 || moves) return address;
  const Type& type = pointer.type(op);
  const int64_t bytes = byte_width(type.elem) * std::max<int64_t>(1, type.vec_lanes);
  const ValueId elements = op.operand(static_cast<unsigned>(offset));
  return sum(address, product(check.integers().congruence(elements, iterations), {bytes, 0}));
}

/// Pointers into the chip that DMA and vector instructions begin at, as far as they are known.
void blocks(Checker& check, const OpView& op, std::string_view argument) {
  for (const isa::OperandSpec& spec : isa::schema(op.op().row).operands) {
    if (!isa::in_list(argument, spec.name)) continue;
    const Named pointer = find_named(op, spec.name);
    if (!pointer.present() || pointer.type(op).kind != TypeKind::ptr) continue;
    const uint64_t unit = isa::block_alignment(op);
    const uint64_t size = isa::on_chip_bytes(check.target(), pointer.type(op).space);
    const std::optional<Misaligned> found = misaligned(
        check, op, unit,
        [&](const IterationVector& iterations) { return start_of(check, op, pointer, iterations); });
    // Outside of the memory is another fault.
    if (!found) continue;
    const auto start = static_cast<uint64_t>(found->address.at);
    if (found->address.is_constant() && start >= size) continue;
    const std::string_view space = to_string(pointer.type(op).space);
    Diagnostic& built =
        found->address.is_constant()
            ? check.fail(E0597, op, pointer.part(), pointer.index,
                         fmt::format("{} begins at {} of {}{}, which is not a multiple of {} bytes",
                                     op.mnemonic(), start, space, found->when, unit),
                         fmt::format("begin at {} or {}", start - start % unit, start - start % unit + unit))
            : check.fail(E0597, op, pointer.part(), pointer.index,
                         fmt::format("{} begins {} in {}{}, not at a multiple of {} bytes", op.mnemonic(),
                                     words_of(found->address, unit), space, found->when, unit),
                         fmt::format("compute a multiple of {}", unit));
    note_definition(check, built, pointer);
  }
}

constexpr Rule kPointerRules[] = {
    {.id = E0565,
     .title = "pointer cast",
     .cause = "pto.castptr makes pointers of addresses, addresses of pointers, and pointers to other "
              "elements in the same memory.",
     .example = "pto.castptr %p : !pto.ptr<f32, ub> -> !pto.ptr<f32>",
     .fix = "Keep the memory; use arith for integers."},
    {.id = E0566,
     .title = "type of an element",
     .cause = "A value that is loaded or stored has the type that the pointer or array holds.",
     .example = "pto.store %i, %p[%c0] : !pto.ptr<f32>, i32",
     .fix = "Convert the value, or cast the pointer."},
    {.id = E0567,
     .title = "indices of a local array",
     .cause = "A local array takes an index per dimension.",
     .example = "pto.local_array_get %a[%i] of a !pto.local_array<4x8xi32>",
     .fix = "Give as many indices as dimensions."},
    {.id = E0597,
     .title = "misaligned pointer",
     .cause = "An on-chip address is not a multiple of the size that the instruction moves: blocks of 32 "
              "bytes; broadcasts and single elements need the alignment of their element. A computed address "
              "is reported if no iteration of the loops around it gives a multiple, or if an iteration that "
              "certainly runs does not. Runs check all others (ALIGN).",
     .example = "pto.vlds %p[%c9] of a pointer to f32 at 0",
     .fix = "Round the address or offset, or use the unaligned forms (pto.vldus, pto.vstus)."},
};

constexpr OpRule kPointerChecks[] = {
    {.name = "pointer_cast",
     .check = pointer_cast,
     .sees = Sees::types,
     .ids = {E0565},
     .words = "address to pointer, pointer to address, or pointer to pointer in the same memory"},
    {.name = "element_of",
     .check = element_of,
     .sees = Sees::types,
     .ids = {E0566},
     .words = "$ is the element type of @"},
    {.name = "local_array",
     .check = local_array,
     .sees = Sees::types,
     .ids = {E0566, E0567},
     .words = "one index per dimension; the value has the element type"},
    {.name = "ffts_words",
     .check = ffts_words,
     .sees = Sees::types,
     .ids = {E0566},
     .words = "counters are i64 or i8"},
    {.name = "blocks",
     .check = blocks,
     .ids = {E0597},
     .words =
         "begins at a multiple of 32 bytes on the chip, of an element where the distribution says so: $"},
};

}  // namespace

RuleFamily pointer_rules() { return {.rules = kPointerRules, .checks = kPointerChecks}; }

}  // namespace pto::legality
