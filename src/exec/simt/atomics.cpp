// Atomics on one element of GM or UB. The result is the old value; the new value depends on the
// operation. Pairs of 16-bit floats are two elements.
#include <cstring>

#include "exec/integer_ops.hpp"
#include "exec/lane_ops.hpp"
#include "exec/simt/simt_family.hpp"
#include "numeric/float_formats.hpp"

namespace pto::exec {
namespace {

enum class Update : uint8_t { add, sub, min, max, exchange, bit_and, bit_or, bit_xor };

constexpr unsigned kAtomicSignedness = 1;  ///< attribute

/// `compute` gives the new bits of an element from the old ones and those of operand elements.
template <size_t kValues, typename F>
void update(Context& c, F&& compute) {
  const Type& type = c.type(1);
  const unsigned width = byte_width(type.elem);
  const unsigned elements = type.kind == TypeKind::vector ? static_cast<unsigned>(type.dims[0]) : 1U;
  c.set(0);
  std::byte* const at =
      c.memory->access(memory_space(c.type(0)), c.word(0), size_t{width} * elements, AccessMode::update);
  if (at == nullptr) return;
  Word before = 0;
  std::memcpy(&before, at, size_t{width} * elements);
  for (unsigned i = 0; i < elements; ++i) {
    const auto bits = [&](const std::byte* bytes) {
      Word word = 0;
      std::memcpy(&word, bytes + size_t{i} * width, width);
      return word;
    };
    std::array<Word, kValues> values{};
    for (unsigned k = 0; k < kValues; ++k)
      values[k] = bits(reinterpret_cast<const std::byte*>(&c.as<Word>(k + 1)));
    const Word built = compute(type.elem, bits(at), values);
    std::memcpy(at + size_t{i} * width, &built, width);
  }
  c.set(type.kind == TypeKind::scalar && is_integer(type.elem) ? int_word(type.elem, before) : before);
}

template <Update kKind>
Word of_integers(Elem elem, bool is_unsigned_word, Word a, Word b) {
  const bool above = is_unsigned_word ? unsigned_value(elem, a) > unsigned_value(elem, b)
                                      : signed_value(elem, a) > signed_value(elem, b);
  switch (kKind) {
    case Update::add:
      return a + b;
    case Update::sub:
      return a - b;
    case Update::min:
      return above ? b : a;
    case Update::max:
      return above ? a : b;
    case Update::bit_and:
      return a & b;
    case Update::bit_or:
      return a | b;
    case Update::bit_xor:
      return a ^ b;
    case Update::exchange:
      break;
  }
  return b;
}
/// Rounded once, as atomic stores of transfers are.
template <Update kKind>
Word of_floats(Elem elem, Word a, Word b) {
  const double x = num::to_f64(elem, a);
  const double y = num::to_f64(elem, b);
  if (kKind == Update::exchange) return b;
  if (kKind == Update::min || kKind == Update::max)
    return num::from_f64(elem, kKind == Update::max ? maximum(x, y) : minimum(x, y));
  return num::from_f64(elem, canonical(kKind == Update::sub ? x - y : x + y));
}

template <Update kKind>
void atomic(Context& c) {
  const bool is_unsigned_word = c.attr_set(kAtomicSignedness) && c.attr(kAtomicSignedness) != 0;
  update<1>(c, [&](Elem elem, Word old, const auto& values) {
    return is_float(elem) ? of_floats<kKind>(elem, old, values[0])
                          : of_integers<kKind>(elem, is_unsigned_word, old, values[0]);
  });
}
/// Equal bits are equal.
void compare_and_swap(Context& c) {
  update<2>(c, [](Elem, Word old, const auto& values) { return old == values[0] ? values[1] : old; });
}

constexpr Semantics kSimtAtomicsSemantics[] = {
    {"pto.atomic_add", atomic<Update::add>},       {"pto.atomic_sub", atomic<Update::sub>},
    {"pto.atomic_min", atomic<Update::min>},       {"pto.atomic_max", atomic<Update::max>},
    {"pto.atomic_exch", atomic<Update::exchange>}, {"pto.atomic_and", atomic<Update::bit_and>},
    {"pto.atomic_or", atomic<Update::bit_or>},     {"pto.atomic_xor", atomic<Update::bit_xor>},
    {"pto.atomic_cas", compare_and_swap},
};

}  // namespace

std::span<const Semantics> thread_atomics() { return kSimtAtomicsSemantics; }

}  // namespace pto::exec
