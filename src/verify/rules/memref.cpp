// Memrefs themselves (E044x): sizes that an allocation leaves open, indices, element types of copies and
// casts.
#include <fmt/format.h>

#include <algorithm>

#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

/// The dimensions of a memref, whatever it represents here; nothing for other types.
std::optional<std::vector<int64_t>> dims_of(const Checker& check, ValueId value) {
  const Type& type = check.written_type(value);
  if (type.kind != TypeKind::memref) return std::nullopt;
  return std::vector<int64_t>(type.dims.begin(), type.dims.begin() + type.rank);
}

std::string plural(size_t n, std::string_view word) {
  return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s");
}

/// As many sizes as the type has open dimensions.
void alloc_sizes(Checker& check, const OpView& op, std::string_view) {
  const auto dims = dims_of(check, op.result(0));
  if (!dims) return;
  const auto open = static_cast<size_t>(std::ranges::count(*dims, kDynamic));
  const size_t given = op.operands(0).size();
  if (open == given) return;
  check.fail(
      E0440, op, Anchor::Part::result_type, 0,
      fmt::format("{} has {} with '?', but {} given", describe(op.result_type(0)), plural(open, "dimension"),
                  given == 1 ? "1 size is" : fmt::format("{} sizes are", given)),
      open > given ? "give a size for every '?'" : "sizes are given for '?' dimensions only");
}

/// An index per dimension.
void indices(Checker& check, const OpView& op, std::string_view) {
  int slot = slot_of(op, "memref");
  if (slot < 0) slot = slot_of(op, "base");
  const ValueId buffer = op.operand(static_cast<unsigned>(slot));
  const auto dims = dims_of(check, buffer);
  const size_t given = op.operands(static_cast<unsigned>(slot_of(op, "indices"))).size();
  if (!dims || dims->size() == given) return;
  check.fail(
      E0441, op, Anchor::Part::operand, flat_index(op, static_cast<unsigned>(slot)),
      fmt::format("{} has {}, but {} given: it is {}", value_name(op.program(), buffer),
                  plural(dims->size(), "dimension"),
                  given == 1 ? "1 index is" : fmt::format("{} indices are", given),
                  describe(op.program().type_of(buffer))),
      fmt::format("give {}", dims->size() == 1 ? "one index" : fmt::format("{} indices", dims->size())));
}

/// Casts and copies keep the element type.
void same_element(Checker& check, const OpView& op, std::string_view) {
  const bool copy = op.op().n_results == 0;
  const Type& from = op.type(0);
  const Type& to = copy ? op.type(1) : op.result_type(0);
  if (from.elem == to.elem || from.elem == Elem::none || to.elem == Elem::none) return;
  check.fail(
      E0442, op, copy ? Anchor::Part::operand_type : Anchor::Part::result_type, copy ? 1 : 0,
      fmt::format("{} from {} to {}: the element types differ", op.mnemonic(), describe(from), describe(to)),
      fmt::format("use {} elements on both sides", to_string(from.elem)));
}

constexpr Rule kMemrefRules[] = {
    {.id = E0440,
     .title = "sizes of an allocation",
     .cause = "A memref.alloc has a size operand for every '?' of its type, and no other.",
     .example = "memref.alloc() : memref<?x16xf32>",
     .fix = "Give as many sizes as the type has '?'."},
    {.id = E0441,
     .title = "indices",
     .cause = "An element of a memref is named by one index per dimension.",
     .example = "memref.load %m[%i] : memref<16x16xf32>",
     .fix = "Give an index for every dimension."},
    {.id = E0442,
     .title = "element types of a memref",
     .cause = "A cast or copy of a memref keeps its element type.",
     .example = "memref.cast %m : memref<16xf32> to memref<16xi32>",
     .fix = "Use one element type; memref.view reads bytes as another type."},
};

constexpr OpRule kMemrefChecks[] = {
    {.name = "alloc_sizes",
     .check = alloc_sizes,
     .sees = Sees::types,
     .ids = {E0440},
     .words = "as many sizes as the type has open dimensions"},
    {.name = "indices",
     .check = indices,
     .sees = Sees::types,
     .ids = {E0441},
     .words = "an index per dimension"},
    {.name = "same_element",
     .check = same_element,
     .sees = Sees::types,
     .ids = {E0442},
     .words = "the element type stays"},
};

}  // namespace

RuleFamily memref_rules() { return {.rules = kMemrefRules, .checks = kMemrefChecks}; }

}  // namespace pto::legality
